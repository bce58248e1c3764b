"""Every answer is proved: worked out anew by plain sums (`exercise_routes`), and compared."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product

from derivations.checks import CheckError
from derivations.example import Example
from derivations.lesson.practice import scenes
from derivations.lesson.practice.data import Exercise, Named, Numbers, Queries
from derivations.lesson.practice.exercises import exercises
from derivations.lesson.practice.plain import NEAR, exact, near, plain
from derivations.lesson.practice.routes import ROUTES, at
from derivations.lesson.practice.wrong import WRONG

PLACES = 30


def check_exercises(example: Example) -> int:
    """Prove every answer, and say how many there are.

    Raises CheckError.
    """
    found = exercises(example)
    for exercise in found:
        prove(exercise, example)
    return len(found)


def prove(exercise: Exercise, example: Example) -> None:
    """Work out the answer by the second route.

    Raises CheckError where it is another, or where the exercise plays elsewhere than it says.
    """
    here = exercise.scenes["here"]
    if here.name == "" and here.example != example:
        raise CheckError(f"exercise {exercise.key}: it is about another example")
    base = scenes.pair(example) if here.name == "practice-pair" else here.example
    match exercise.answer:
        case Numbers() as numbers:
            _compare(exercise.key, numbers, ROUTES[exercise.key](exercise, base))
        case Queries() as queries:
            _check_queries(exercise, base, queries)
        case Named(mistake):
            _check_mistake(exercise, base, mistake)


def _compare(key: str, numbers: Numbers, expected: list[Decimal]) -> None:
    """The answer's decimals against those of the second route."""
    found = [exact(entry.value) for entry in numbers.rounded(PLACES)]
    if len(found) != len(expected) or not all(map(near, found, expected)):
        raise CheckError(f"exercise {key}: the answer is {_shown(found)}, "
                         f"by the second route {_shown(expected)}")


def _shown(numbers: list[Decimal]) -> str:
    return ", ".join(f"{number:.12g}" for number in numbers)


def _check_queries(exercise: Exercise, base: Example, answer: Queries) -> None:
    """Each query is tried by softmax: those with the largest weight must be the answer's."""
    row, col = at(exercise, "row", "col")
    found = plain(base)
    weights: dict[tuple[int, ...], Decimal] = {}
    for query in product((-1, 0, 1), repeat=len(found.keys[0])):
        found.queries[row] = [Fraction(number) for number in query]
        weights[query] = found.weights(row)[col]
    largest = max(weights.values())
    best = tuple(query for query, weight in weights.items() if near(weight, largest))
    if best != answer.found:
        raise CheckError(f"exercise {exercise.key}: the answer is {answer.found}, by trying all "
                         f"queries it is {best}")
    _compare(exercise.key, answer.weight, [largest])


def _check_mistake(exercise: Exercise, base: Example, mistake: str) -> None:
    """The numbers shown are those of this mistake, and of no other in the list."""
    wrong = exercise.shown["wrong"]
    n = len(base.tokens)
    places = [(i, j) for i in range(n) for j in range(n)]
    shown = Numbers(wrong.name, wrong.key, wrong.values, tuple(places)).rounded(base.places)
    digits = [exact(entry.value) for entry in shown]
    half = [Decimal(5).scaleb(entry.exponent - entry.places - 1) + NEAR for entry in shown]
    guilty = [key for key in exercise.listed if all(
        abs(a - b) <= h for a, b, h in zip(digits, _entries(key, base, places), half, strict=True))]
    if guilty != [mistake]:
        raise CheckError(f"exercise {exercise.key}: the answer is {mistake}, the numbers are made "
                         f"by {', '.join(guilty) or 'none'}")


def _entries(key: str, base: Example, places: Sequence[tuple[int, int]]) -> list[Decimal]:
    wrong = WRONG[key](base)
    return [wrong[i][j] for i, j in places]
