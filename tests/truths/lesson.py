"""The variants, the mistakes, lengths and cosines, and the spread of a dot product."""

from itertools import product as pairs
from math import comb

import mpmath
from mpmath import mpf

from derivations.example import Example
from tests.truths import attention as at
from tests.truths.attention import Matrix

Named = dict[str, tuple[dict[str, Matrix], dict[str, int]]]


def truths(example: Example) -> Named:
    """Every namespace of these."""
    sizes = sizes_of(example)
    found = variants(example) | mistakes(example) | {"geometry": geometry(example),
                                                     "own": own(example)}
    return {name: (matrices, sizes) for name, matrices in (found | spreads()).items()}


def sizes_of(example: Example) -> dict[str, int]:
    n, d_model = example.x.shape
    return {"n_q": n, "n_k": n, "d_model": d_model, "d_k": example.w_q.shape[1],
            "d_v": example.w_v.shape[1]}


def variants(example: Example) -> dict[str, dict[str, Matrix]]:
    x, (q, k, v) = at.numbers(example.x), at.projections(example)
    by, marks, n = at.divisor(example), at.marks_of(example), len(example.tokens)
    raw = at.product(x, at.transposed(x))
    own = at.head(q, k, v, by, marks)
    tops = [max((t for t, m in zip(row, on, strict=True) if m), default=mpf(0))
            for row, on in zip(own["scaled_scores"], marks or [[True] * n] * n, strict=True)]
    shifted = [[t - top for t in row] for row, top in zip(own["scaled_scores"], tops, strict=True)]
    large = at.attend([[mpf(800), mpf(799)]] * 2, [[mpf(1)], [mpf(0)]])
    return {
        "raw": {"embeddings": x, "scores": raw} | at.attend(raw, x),
        "unscaled": at.head(q, k, v, mpf(1), marks),
        "stretched": at.head(q, k, v, mpf(1) / 8, marks),
        "causal": at.head(q, k, v, by, at.causal(n)),
        "cold": at.head(q, k, v, by / 2, marks),
        "warm": at.head(q, k, v, by * 2, marks),
        "shifted": at.attend(shifted, v, marks),
        "overflow": large,
    }


def mistakes(example: Example) -> dict[str, dict[str, Matrix]]:
    """Each by its own wrong way; only what has numbers."""
    (q, k, v), by, marks = at.projections(example), at.divisor(example), at.marks_of(example)
    n, d_k, d_v = len(example.tokens), len(k[0]), len(v[0])
    hidden = marks or at.causal(n)
    right = at.head(q, k, v, by, marks)
    plain = at.head(q, k, v, by)
    found = {
        "unscaled": at.head(q, k, v, mpf(1), marks),
        "by-d-k": at.head(q, k, v, mpf(d_k), marks),
        "by-root-of-d-model": at.head(q, k, v, mpmath.sqrt(example.x.shape[1]), marks),
        "down-the-columns": columns(right["scaled_scores"], v, marks),
        "queries-and-keys-swapped": at.head(k, q, v, by, marks),
        "masked-after-softmax": mixed([[a if m else mpf(0) for a, m in zip(row, on, strict=True)]
                                       for row, on in zip(plain["weights"], hidden, strict=True)],
                                      v),
        "masked-with-zero": at.attend(
            [[t if m else mpf(0) for t, m in zip(row, on, strict=True)]
             for row, on in zip(plain["scaled_scores"], hidden, strict=True)], v),
        "rounded-between": rounded_between(right["scaled_scores"], v, marks),
    }
    if d_k == n:
        found["no-transpose"] = at.attend(at.divided(at.product(q, k), by), v, marks)
    if d_k == d_v:
        found["keys-and-values-swapped"] = at.head(q, v, k, by, marks)
    return {f"mistake-{key}": with_sums(one) for key, one in found.items()}


def with_sums(one: dict[str, Matrix]) -> dict[str, Matrix]:
    return one | {"row_sums": [[mpmath.fsum(row)] for row in one["weights"]]}


def mixed(weights: Matrix, values: Matrix) -> dict[str, Matrix]:
    return {"weights": weights, "output": at.product(weights, values)}


def columns(logits: Matrix, values: Matrix, marks: list[list[bool]] | None) -> dict[str, Matrix]:
    """Softmax of the transposed, transposed back."""
    turned = None if marks is None else [list(row) for row in zip(*marks, strict=True)]
    bare = at.transposed(logits)
    weights = at.transposed(at.attend(bare, [[mpf(0)]] * len(bare[0]), turned)["weights"])
    return mixed(weights, values)


def rounded_between(logits: Matrix, values: Matrix, marks: list[list[bool]] | None) \
        -> dict[str, Matrix]:
    """Two places at each step, halves away from zero; a sum of nothing gives weights 0."""
    marks = marks or [[True] * len(logits[0])] * len(logits)
    powers = [[half_up(mpmath.exp(half_up(t))) if m else mpf(0)
               for t, m in zip(row, on, strict=True)]
              for row, on in zip(logits, marks, strict=True)]
    weights = [[half_up(p / mpmath.fsum(row)) if mpmath.fsum(row) else mpf(0) for p in row]
               for row in powers]
    return {"weights": weights,
            "output": [[half_up(o) for o in row] for row in at.product(weights, values)]}


def half_up(value: mpf, places: int = 2) -> mpf:
    """To so many places; of a number of ten digits or more, after its first digit."""
    if abs(value) >= mpf(10) ** 9:
        places -= int(mpmath.floor(mpmath.log10(abs(value))))
    near = mpmath.floor(abs(value) * mpf(10) ** places + mpf("0.5") + mpf(10) ** -50)
    return mpmath.sign(value) * near / mpf(10) ** places


def geometry(example: Example) -> dict[str, Matrix]:
    q, k, _ = at.projections(example)
    lengths = {key: [mpmath.sqrt(mpmath.fsum(x * x for x in row)) for row in rows]
               for key, rows in (("queries", q), ("keys", k))}
    scores = at.product(q, at.transposed(k))
    cosines = [[s / (a * b) if a * b else mpmath.nan
                for s, b in zip(row, lengths["keys"], strict=True)]
               for row, a in zip(scores, lengths["queries"], strict=True)]
    return {f"{key}_lengths": [[one] for one in found] for key, found in lengths.items()} \
        | {"cosines": cosines}


def own(example: Example) -> dict[str, Matrix]:
    """Means and variances of the entries of Q and of K; and the slopes of the weights."""
    flat = [[x for row in rows for x in row] for rows in at.projections(example)[:2]]
    means = [mpmath.fsum(entries) / len(entries) for entries in flat]
    spread = [mpmath.fsum((x - mean) ** 2 for x in entries) / len(entries)
              for entries, mean in zip(flat, means, strict=True)]
    head = at.head(*at.projections(example), at.divisor(example), at.marks_of(example))
    return {"means": [[m] for m in means], "variances": [[s] for s in spread],
            "slopes": head["slopes"]}


def spreads() -> dict[str, dict[str, Matrix]]:
    """By width: 1, 2 and 4 by every pair of rows, the others by signs of the products."""
    widths = [1, 2, 4, 8, 16, 64]
    cases = [every_pair(d) if d <= 4 else {d - 2 * m: comb(d, m) for m in range(d + 1)}
             for d in widths]
    spread = [mpf(sum(s * s * n for s, n in one.items())) / sum(one.values()) for one in cases]
    table = {"widths": widths, "means": [0] * 6, "variances": spread,
             "roots": [mpmath.sqrt(one) for one in spread]}
    found = {"spread": {key: [[mpf(one)] for one in column] for key, column in table.items()}}
    for d, one in zip(widths[:3], cases[:3], strict=True):
        total = sum(one.values())
        found[f"width-{d}"] = {
            "sums": [[mpf(s)] for s in sorted(one)],
            "counts": [[mpf(one[s])] for s in sorted(one)],
            "chances": [[mpf(one[s]) / total] for s in sorted(one)]}
    return found


def every_pair(d: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for query in pairs((-1, 1), repeat=d):
        for key in pairs((-1, 1), repeat=d):
            score = sum(a * b for a, b in zip(query, key, strict=True))
            found[score] = found.get(score, 0) + 1
    return found
