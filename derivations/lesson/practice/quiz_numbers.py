"""The numbers that a question offers: the right one first, then what mistakes make of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from derivations.attention import attended, scaled_scores
from derivations.lesson.practice import scenes
from derivations.lesson.practice.choices import column
from derivations.lesson.practice.data import Numbers
from derivations.lesson.practice.makers import by_hand
from derivations.lesson.practice.scenes import Ground, Scene
from derivations.quotients import Quotients, quotients, softmax_entry
from derivations.step import NO_SCALE, Divisor
from derivations.values import Rationals, Rooted, Values

PLACES = 20  # to compare numbers
Asked = tuple[Scene, dict[str, int], list["Candidate"]]


@dataclass(frozen=True)
class Candidate:
    """A number that may be offered, by the name of the mistake that makes it."""

    key: str
    values: Values | Quotients
    place: tuple[int, int] = (0, 0)

    def numbers(self, question: str) -> Numbers:
        """The same, as the number of a question."""
        return Numbers(f"quiz-{question}", self.key, self.values, (self.place,))


def _rational(key: str, value: Fraction) -> Candidate:
    return Candidate(key, Rationals(((value.numerator,),), value.denominator))


def _rooted(key: str, top: Fraction, root: int) -> Candidate:
    return Candidate(key, Rooted(Rationals(((top.numerator,),), top.denominator), root))


def _score(here: Ground) -> Asked:
    """A score of the asker, best one that differs from that the other way round and is not 0."""
    derivation, row = here.scene.derivation, here.asker
    scores = derivation.rationals("scores")
    n = scores.shape[0]
    both = [(scores.entry(row, j), scores.entry(j, row)) for j in range(n)]
    col = max(range(n), key=lambda j: (both[j][0] != both[j][1], both[j][0] != 0, -j))
    queries, keys, x = (derivation.rationals(key) for key in ("queries", "keys", "embeddings"))
    right, widths = scores.entry(row, col), range(queries.shape[1])
    added = sum((queries.entry(row, c) + keys.entry(col, c) for c in widths), Fraction(0))
    raw = sum((x.entry(row, c) * x.entry(col, c) for c in range(x.shape[1])), Fraction(0))
    return here.scene, {"row": row, "col": col}, [
        _rational("right", right),
        _rational("transposed", scores.entry(col, row)),
        _rational("added", added),
        _rational("raw", raw),
        _rational("one_more", right + 1),
        _rational("one_less", right - 1)]


def _scaled(here: Ground) -> Asked:
    """The asker's score that is furthest from 0; a scale of 1 gives way to one of 2."""
    scene, divisor, row = here.scene, here.scene.derivation.divisor, here.asker
    if divisor.root == 1 and divisor.numerator == divisor.denominator:
        scene, divisor = scenes.halved(scene), scenes.HALVES
    scores, open_keys = scene.derivation.rationals("scores"), here.exponents.open_keys(row)
    col = max(open_keys, key=lambda j: abs(scores.entry(row, j)))
    score, width = scores.entry(row, col), scene.derivation.size("d_k")
    scale = Fraction(divisor.numerator, divisor.denominator)
    return scene, {"row": row, "col": col}, [
        _rooted("right", score / scale, divisor.root),
        _rational("unscaled", score),
        _rational("by_width", score / width),
        _rooted("multiplied", score * scale * divisor.root, divisor.root),
        _rooted("by_model", score, scene.derivation.size("d_model")),
        _rooted("sign", -score / scale, divisor.root)]


def _weight(here: Ground) -> Asked:
    """The weight of the token heard most."""
    row, col, exponents = here.asker, here.heard, here.exponents
    derivation = here.scene.derivation
    scores, heard = derivation.rationals("scores"), exponents.open_keys(row)
    total = sum((scores.entry(row, j) for j in heard), Fraction(0))
    down = {i: numerators[col] for i in range(exponents.shape[0])
            if col in (numerators := exponents.numerators(i))}
    share = [_rational("share", scores.entry(row, col) / total)] if total else []
    return here.scene, {"row": row, "col": col}, [
        Candidate("right", derivation["weights"].of_one, (row, col)),
        Candidate("unscaled", _other_scale(here, NO_SCALE)["weights"], (row, col)),
        *share,
        Candidate("by_width", _other_scale(here, Divisor(
            "number", 1, derivation.size("d_k"), 1))["weights"], (row, col)),
        _rational("equal", Fraction(1, len(heard))),
        Candidate("down", quotients(exponents, [[softmax_entry(down, row)]]))]


def _output(here: Ground) -> Asked:
    """A number of the asker's output, of a column in which the values differ if there is one."""
    row, col, values = here.asker, column(here), here.scene.derivation.rationals("values")
    heard = here.exponents.open_keys(row)
    total = sum((values.entry(j, col) for j in heard), Fraction(0))
    right = Candidate("right", here.scene.derivation["output"].of_one, (row, col))
    backwards = replace(values, integers=values.integers[::-1])
    smaller = replace(values, denominator=values.denominator * len(heard))
    return here.scene, {"row": row, "col": col}, [right, *_far_off(by_hand(here, col), right, [
        _rational("mean", total / len(heard)),
        Candidate("backwards", _mixed(here, backwards), (row, col)),
        _rational("loudest", values.entry(here.heard, col)),
        _rational("total", total),
        Candidate("divided", _mixed(here, smaller), (row, col)),
        _rational("own", values.entry(row, col))])]


def _mixed(here: Ground, values: Rationals) -> Values:
    """The output with other values."""
    return attended(here.exponents, values)["output"]


def _far_off(found: Numbers, right: Candidate, wrong: list[Candidate]) -> list[Candidate]:
    """The wrong numbers that nobody comes near who works with the printed weights."""
    near, true = _value(found), _value(right.numbers(""))
    return [one for one in wrong
            if abs(_value(one.numbers("")) - near) > 2 * abs(true - near)]


def _value(numbers: Numbers) -> Fraction:
    (rounded,) = numbers.rounded(PLACES)
    return rounded.value


def _size(here: Ground) -> Asked:
    """How many scores there are."""
    n, d_k, d_model = (here.scene.derivation.size(key) for key in ("n_k", "d_k", "d_model"))
    return here.scene, {}, [_rational(key, Fraction(count)) for key, count in {
        "right": n * n, "queries": n * d_k, "matrix": d_model * d_k, "tokens": n,
        "twice": 2 * n}.items()]


def _other_scale(here: Ground, divisor: Divisor) -> dict[str, Values]:
    """The weights and the output with another scale."""
    derivation = here.scene.derivation
    scaled = scaled_scores(derivation.rationals("scores"), divisor)
    moved = replace(scaled, open=derivation.exponents.open)
    return attended(moved, derivation.rationals("values"))


NUMBERS: dict[str, Callable[[Ground], Asked]] = {
    "score": _score, "scaled": _scaled, "weight": _weight, "output": _output, "size": _size}
