"""What each exercise asks for, worked out by plain sums: the second routes to the answers.

It is written down here once more, apart from where the answers are made.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from derivations.checks import CheckError
from derivations.example import Example
from derivations.lesson.practice.data import Exercise
from derivations.lesson.practice.plain import (
    CONTEXT,
    Plain,
    add,
    dot,
    exact,
    near,
    plain,
    rows,
    softmax,
)


def at(exercise: Exercise, *names: str) -> list[int]:
    """Rows and columns of an exercise, counted from 0."""
    return [exercise.places[name] for name in names]


def _query(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    return [exact(dot(rows(base.x)[row], [line[col] for line in rows(base.w_q)]))]


def _score(exercise: Exercise, base: Example) -> list[Decimal]:
    return [exact(plain(base).score(*at(exercise, "row", "col")))]


def _scaled(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    found = plain(base)
    return [CONTEXT.divide(exact(found.score(row, col)), found.divisor)]


def _hole(exercise: Exercise, base: Example) -> list[Decimal]:
    """The equation is solved: what is missing of the score, over the number that it meets."""
    row, col, inner = at(exercise, "row", "col", "inner")
    found = plain(base)
    key = [*found.keys[col]]
    key[inner] = Fraction(0)
    missing = found.score(row, col) - dot(found.queries[row], key)
    return [exact(missing / found.queries[row][inner])]


def _row_sum(exercise: Exercise, base: Example) -> list[Decimal]:
    return [add(plain(base).weights(*at(exercise, "row")))]


def _with_zeros(exercise: Exercise, base: Example) -> Plain:
    found = plain(base)
    (row,) = at(exercise, "row")
    found.queries[row] = [Fraction(0)] * len(found.keys[0])
    return found


def _tie(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    return [_with_zeros(exercise, base).weights(row)[col]]


def _mean(exercise: Exercise, base: Example) -> list[Decimal]:
    """No softmax: the sum of the values heard, over how many they are."""
    row, col = at(exercise, "row", "col")
    found = plain(base)
    heard = [found.values[j][col] for j in found.heard(row)]
    return [exact(sum(heard, Fraction(0)) / len(heard))]


def _weight(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    return [plain(base).weights(row)[col]]


def _output(exercise: Exercise, base: Example) -> list[Decimal]:
    return [plain(base).output(*at(exercise, "row", "col"))]


def _ratio(exercise: Exercise, base: Example) -> list[Decimal]:
    """One weight over the other, where the answer is a power of e."""
    row, high, low = at(exercise, "row", "high", "low")
    weights = plain(base).weights(row)
    return [CONTEXT.divide(weights[high], weights[low])]


def _raised(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    found = plain(base)
    scores = [score + exercise.counts["by"] for score in found.scores(row)]
    return [softmax(scores, found.heard(row), found.divisor)[col]]


def _temperature(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    found = plain(base)
    found.divisor = CONTEXT.multiply(found.divisor, Decimal(exercise.counts["by"]))
    return [found.weights(row)[col]]


def _causal(exercise: Exercise, base: Example) -> list[Decimal]:
    """The sentence ends at the token that asks."""
    (row,) = at(exercise, "row")
    found = plain(base)
    scores = found.scores(row)[: row + 1]
    return softmax(scores, [*range(row + 1)], found.divisor)[: exercise.counts["keys"]]


def _unmasked(exercise: Exercise, base: Example) -> list[Decimal]:
    row, col = at(exercise, "row", "col")
    found = plain(base)
    found.mask = None
    return [found.weights(row)[col]]


def _order(exercise: Exercise, base: Example) -> list[Decimal]:
    """The sentence as it was: the output moves along with its token."""
    row, col = at(exercise, "row", "col")
    found = plain(base)
    found.mask = None
    return [found.output(row, col)]


def _doubled(exercise: Exercise, base: Example) -> list[Decimal]:
    """Twice the scale: and with it, the doubled scores give the old weights."""
    (row,) = at(exercise, "row")
    found = plain(base)
    old = found.weights(row)
    found.queries = [query + query for query in found.queries]
    found.keys = [key + key for key in found.keys]
    divisor = CONTEXT.multiply(found.divisor, Decimal(2))
    found.divisor = divisor
    if not all(map(near, old, found.weights(row))):
        raise CheckError("exercise doubled: twice the scale does not give the old weights")
    return [divisor]


def _signs(exercise: Exercise, base: Example) -> list[Decimal]:
    """The best of -1, 0 and 1 for each number of the key."""
    (col,) = at(exercise, "col")
    best = [max(factor * number for factor in (-1, 0, 1)) for number in plain(base).keys[col]]
    return [exact(sum(best, Fraction(0)))]


ROUTES: dict[str, Callable[[Exercise, Example], list[Decimal]]] = {
    "query": _query, "score": _score, "scaled": _scaled, "hole": _hole, "row-sum": _row_sum,
    "tie": _tie, "mean": _mean, "weight": _weight, "output": _output, "ratio": _ratio,
    "raised": _raised, "temperature": _temperature, "causal": _causal, "unmasked": _unmasked,
    "order": _order, "doubled": _doubled, "signs": _signs,
}
