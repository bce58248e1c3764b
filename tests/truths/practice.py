"""The true numbers of the exercises, by mpmath, straight from the typed integers."""

from itertools import product

import mpmath
from mpmath import mpf

from derivations.example import Example

DIGITS = 70
Rows = list[list[mpf]]
Space = tuple[dict[str, Rows], dict[str, int]]
NOTHING = -mpmath.inf


def truths(example: Example) -> dict[str, Space]:
    """Namespace -> (matrices by key, sizes)."""
    with mpmath.workdps(DIGITS):
        own, beside = Typed.of(example), Typed.pair(example.places)
        found = _variants("practice", own) if own.row is not None else {"practice": ({}, {})}
        found |= _variants("practice-pair", beside)
        space = beside.space()
        found["practice-pair"] = (space[0] | found["practice-pair"][0], space[1])
        return found


def ground(example: Example) -> "Typed":
    """The example, or the pair where none of its tokens gives different weights."""
    own = Typed.of(example)
    return own if own.row is not None else Typed.pair(example.places)


class Typed:
    """The typed numbers of a sentence; `row` is the token that asks, None where no row will do."""

    def __init__(self, x, w_q, w_k, w_v, scale, mask, places):
        self.x, self.w_q, self.w_k, self.w_v = x, w_q, w_k, w_v
        self.scale, self.mask, self.places = scale, mask, places
        self.queries, self.keys, self.values = (times(x, w) for w in (w_q, w_k, w_v))
        self.n, self.root = len(x), scale[0] == "root"
        self.row = self.asker()

    @classmethod
    def of(cls, example: Example):
        matrices = [[[mpf(n) / m.denominator for n in row] for row in m.integers]
                    for m in (example.x, example.w_q, example.w_k, example.w_v)]
        divisor = example.divisor
        scale = ("root", 1) if divisor.kind == "sqrt_dk" else \
            ("fixed", mpf(divisor.numerator) / divisor.denominator)
        return cls(*matrices, scale, example.mask, example.places)

    @classmethod
    def pair(cls, places):
        rows = ([1, 0], [0, 1]), ([1, 2], [0, 1]), ([1, 0], [1, 2]), ([4], [0])
        matrices = [[[mpf(n) for n in row] for row in matrix] for matrix in rows]
        return cls(*matrices, ("root", 1), None, places)

    def changed(self, **changes):
        """The same with other typed numbers."""
        typed = {key: getattr(self, key)
                 for key in ("x", "w_q", "w_k", "w_v", "scale", "mask", "places")}
        return Typed(**(typed | changes))

    @property
    def divisor(self):
        """What scores are divided by."""
        return mpmath.sqrt(len(self.keys[0])) * self.scale[1] if self.root else self.scale[1]

    def open(self, i):
        return [j for j in range(self.n) if self.mask is None or self.mask[i][j]]

    def scores(self):
        return times(self.queries, turned(self.keys))

    def asker(self):
        """The second token, or the first other one with two different open scores."""
        first = min(1, self.n - 1)
        scores = self.scores()
        for i in [first, *range(self.n)]:
            if len({mpmath.nstr(scores[i][j], 40) for j in self.open(i)}) > 1:
                return i
        return None

    def heard(self):
        scores = self.scores()[self.row]
        return max(self.open(self.row), key=lambda j: (round_for_order(scores[j]), -j))

    def target(self):
        return next(j for j in self.open(self.row) if j != self.row)

    def column(self):
        """The first column in which the values that are heard differ as printed; or at all."""
        values = [[self.values[j][c] for j in self.open(self.row)]
                  for c in range(len(self.values[0]))]
        shown = [[printed(v, self.places) for v in column] for column in values]
        return next((c for kind in (shown, values) for c, found in enumerate(kind)
                     if len(set(found)) > 1), 0)

    def space(self, scores=None, divisor=None) -> Space:
        """Every step from the typed numbers on; `scores` and `divisor` may be others."""
        scores = scores or self.scores()
        divisor = divisor or self.divisor
        scaled = [[s / divisor for s in row] for row in scores]
        masked = [[t if j in self.open(i) else NOTHING for j, t in enumerate(row)]
                  for i, row in enumerate(scaled)]
        powers = [[mpmath.exp(t) for t in row] for row in masked]
        sums = [[mpmath.fsum(row)] for row in powers]
        weights = [[u / z if z else mpf(0) for u in row]
                   for row, (z,) in zip(powers, sums, strict=True)]
        matrices = {
            "embeddings": self.x, "w_q": self.w_q, "w_k": self.w_k, "w_v": self.w_v,
            "queries": self.queries, "keys": self.keys, "values": self.values, "scores": scores,
            "scaled_scores": scaled, "exponentials": powers, "normalisers": sums,
            "weights": weights, "output": times(weights, self.values)}
        if self.mask is not None:
            matrices["mask"] = [[mpf(int(m)) for m in row] for row in self.mask]
            matrices["masked_scores"] = masked
        return matrices, {"n_q": self.n, "n_k": self.n, "d_model": len(self.x[0]),
                          "d_k": len(self.keys[0]), "d_v": len(self.values[0])}

    def weights(self, scores=None, divisor=None):
        return self.space(scores, divisor)[0]["weights"]


def round_for_order(number):
    """Equal scores compare as equal."""
    return mpf(mpmath.nstr(number, 50))


def times(a, b):
    return [[mpmath.fsum(p * q for p, q in zip(row, column, strict=True))
             for column in zip(*b, strict=True)] for row in a]


def turned(a):
    return [list(row) for row in zip(*a, strict=True)]


def printed(number, places):
    """Rounded half to even."""
    return mpmath.nint(mpf(mpmath.nstr(number * mpf(10)**places, 60))) / mpf(10)**places


def with_row(matrix, i, row):
    return [*matrix[:i], row, *matrix[i + 1:]]


def _variants(prefix: str, typed: Typed) -> dict[str, Space]:
    """The scenes of the exercises, and their numbers that are no step's entries."""
    row, heard, scores = typed.row, typed.heard(), typed.scores()
    d_k = len(typed.keys[0])
    found = {
        prefix: (_scalars(typed), {}),
        f"{prefix}-halved": typed.changed(scale=("fixed", mpf(2))).space(),
        f"{prefix}-unmasked": typed.changed(mask=None).space(),
        f"{prefix}-causal": typed.changed(
            mask=[[j <= i for j in range(typed.n)] for i in range(typed.n)]).space(),
        f"{prefix}-warm": typed.space(divisor=2 * typed.divisor),
        f"{prefix}-raised": typed.space(with_row(scores, row, [s + 3 for s in scores[row]])),
        f"{prefix}-zero": _asking(typed, [mpf(0)] * d_k),
        f"{prefix}-doubled": typed.changed(w_q=[r + r for r in typed.w_q],
                                           w_k=[r + r for r in typed.w_k]).space(),
        f"{prefix}-swapped": typed.changed(x=_swapped(typed), mask=None).space(),
    }
    if d_k <= 6:
        found[f"{prefix}-listener"] = _asking(typed, _best(typed))
    assert heard in typed.open(row)
    return found | {f"{prefix}-{key}": ({"weights": weights}, {})
                    for key, weights in _mistakes(typed).items()}


def _swapped(typed: Typed) -> Rows:
    order = list(range(typed.n))
    i, j = typed.row, typed.target()
    order[i], order[j] = j, i
    return [typed.x[k] for k in order]


def _asking(typed: Typed, query: list[mpf]) -> Space:
    """The asker with another query."""
    queries = with_row(typed.queries, typed.row, query)
    matrices, sizes = typed.space(times(queries, turned(typed.keys)))
    return matrices | {"queries": queries}, sizes


def _best(typed: Typed) -> list[mpf]:
    """The first of the queries by which the target gets the largest weight."""
    open_, target, best, most = typed.open(typed.row), typed.target(), None, mpf(-1)
    with mpmath.workdps(50):
        for query in product((-1, 0, 1), repeat=len(typed.keys[0])):
            exponents = [mpmath.fdot(zip(query, typed.keys[j], strict=True)) / typed.divisor
                         for j in open_]
            here = exponents[open_.index(target)]
            weight = 1 / mpmath.fsum(mpmath.exp(t - here) for t in exponents)
            if weight > most * (1 + mpf("1e-40")):
                best, most = query, weight
    return [mpf(entry) for entry in best]


def _scalars(typed: Typed) -> dict[str, Rows]:
    """What an exercise shows beside entries of steps."""
    scores, weights = typed.scores(), typed.weights()
    row = max([typed.row, *range(typed.n)],
              key=lambda i: sum(q != 0 for q in typed.queries[i]))
    inner = next((c for c, q in enumerate(typed.queries[row]) if q), 0)
    low = min(typed.open(typed.row), key=lambda j: (round_for_order(scores[typed.row][j]), j))
    heard = [typed.heard(), *typed.open(typed.row)]
    holed = next((j for j in heard if typed.keys[j][inner] != 0), heard[0])
    met = typed.queries[row][inner] * typed.keys[holed][inner]
    apart = scores[typed.row][typed.heard()] - scores[typed.row][low]
    return {key: [[value]] for key, value in {
        "rest": scores[row][holed] - met, "product": met, "row_sum": mpf(1),
        "printed_sum": mpmath.fsum(printed(a, typed.places) for a in weights[typed.row]),
        "ratio": mpmath.exp(apart / typed.divisor), "divisor": 2 * typed.divisor,
        "by_hand": mpmath.fsum(printed(a, typed.places) * v[typed.column()] for a, v in zip(
            weights[typed.row], typed.values, strict=True)),
        "largest_score": mpmath.fsum(abs(k) for k in typed.keys[typed.target()]),
    }.items()}


def _mistakes(typed: Typed) -> dict[str, Rows]:
    """The wrong weights that an exercise may show."""
    d_k = len(typed.keys[0])
    return {
        "unscaled": typed.weights(divisor=mpf(1)),
        "by-d-k": typed.weights(divisor=mpf(d_k)),
        "by-root-of-d-model": typed.weights(divisor=mpmath.sqrt(len(typed.x[0]))),
        "down-the-columns": down(typed),
        "queries-and-keys-swapped": typed.weights(turned(typed.scores())),
    }


def down(typed: Typed) -> Rows:
    """The weights of softmax along the columns."""
    powers = typed.space()[0]["exponentials"]
    sums = [mpmath.fsum(column) for column in zip(*powers, strict=True)]
    return [[u / z if z else mpf(0) for u, z in zip(row, sums, strict=True)] for row in powers]
