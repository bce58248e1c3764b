"""The audit: each number that a source prints, graded against the exact value.

right        the exact value, correctly rounded at the printed place (at a tie, to either side)
float32      not right, but as near as a computation in float32 comes, where the source made one
last digit   within one unit of the last printed place: cut off, or rounded in steps
wrong        anything else
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from derivations.audit.values import Audited, audited_values, reaches
from derivations.example import Example
from derivations.example.published import Number, Precision, Published

RIGHT, FLOAT32, LAST, WRONG = "right", "float32", "last digit", "wrong"
GRADES = {RIGHT: "ok", FLOAT32: "f32", LAST: "last", WRONG: "wrong"}  # and their keys in verdicts
EXACTLY = Fraction(1, 10**9)  # how far a number printed as exact may be off
OF_FLOAT32 = Fraction(4, 10**7)  # of the largest number of its matrix
LEAST_FLOAT32 = Fraction(4, 10**10)


@dataclass(frozen=True)
class Graded:
    """A published step: the grade of each number, by rows."""

    published: Published
    grades: tuple[tuple[str, ...], ...]

    @property
    def counts(self) -> Counter[str]:
        """How many numbers have each grade."""
        return Counter(grade for row in self.grades for grade in row)


@dataclass(frozen=True)
class Audit:
    """An example's published numbers, graded.

    Are all wrong ones such as come `of_rounded_inputs`: no further off than these explain?
    """

    example: Example
    steps: tuple[Graded, ...]
    of_rounded_inputs: bool = False

    @property
    def verdict(self) -> dict[str, dict[str, int]]:
        """Per step, how many numbers there are and how many have each grade."""
        return {step.published.name: {
            "n": step.counts.total(), **{key: step.counts[grade] for grade, key in GRADES.items()}}
            for step in self.steps}

    @property
    def overall(self) -> str:
        """The worst that occurs."""
        counts = sum((step.counts for step in self.steps), Counter[str]())
        if not counts:
            return "inputs_only"
        if counts[WRONG]:
            return "input_rounded" if self.of_rounded_inputs else "wrong"
        return "last_digit" if counts[LAST] else "right_float32" if counts[FLOAT32] else "right"


def audit(example: Example) -> Audit:
    """Grade every number that an example's source prints.

    Raises ExampleError where it cannot be derived.
    """
    values = audited_values(example) if example.published else {}
    steps = tuple(_graded(example, published, values[published.matrix])
                  for published in example.published)
    return Audit(example, steps, all(map(partial(_is_explained, example, values), steps)))


def head_of(example: Example, published: Published) -> Example:
    """The head that a published step is of; the example itself, where it has no heads."""
    return example.heads[published.head - 1] if example.heads else example


def _is_explained(example: Example, values: dict[str, Audited], step: Graded) -> bool:
    """Does rounding the inputs explain every wrong number of a step?"""
    if not step.counts[WRONG]:
        return True
    if example.input_decimals is None or (example.heads and not step.published.head):
        return False
    head, name = head_of(example, step.published), step.published.step
    reach = reaches(head, example.input_decimals).get(name)
    places = [(i, j) for i, row in enumerate(step.grades) for j, grade in enumerate(row)
              if grade == WRONG]
    return reach is not None and all(
        _is_in_reach(step.published, values[step.published.matrix], i, j, reach)
        for i, j in places)


def _is_in_reach(
    published: Published, values: Audited, i: int, j: int, reach: tuple[tuple[Fraction, ...], ...]
) -> bool:
    number, row = published.rows[i][j], published.first + i
    if number is None or values.is_hidden(row, j):
        return False
    half = unit_of(number, published.precision) / 2
    return values.is_within(number, row, j, reach[row][j] + half)


def _graded(example: Example, published: Published, values: Audited) -> Graded:
    near = max(OF_FLOAT32 * values.largest, LEAST_FLOAT32) if example.float32 else None
    return Graded(published, tuple(
        tuple(_grade(number, values, published.first + i, j, published.precision, near)
              for j, number in enumerate(row))
        for i, row in enumerate(published.rows)))


def _grade(
    number: Number, values: Audited, i: int, j: int, precision: Precision, near: Fraction | None
) -> str:
    if number is None or values.is_hidden(i, j):
        return RIGHT if number is None and values.is_hidden(i, j) else WRONG
    unit = unit_of(number, precision)
    if values.is_within(number, i, j, EXACTLY if precision.exact else unit / 2):
        return RIGHT
    if near is not None and values.is_within(number, i, j, near):
        return FLOAT32
    return LAST if not precision.exact and values.is_within(number, i, j, unit) else WRONG


def unit_of(number: Fraction, precision: Precision) -> Fraction:
    """One unit of the last place to which a number is printed."""
    if precision.exact:
        return EXACTLY
    if not precision.significant:
        return Fraction(1, 10**precision.places)
    power, size = 0, abs(number)
    while size and size >= 10 ** (power + 1):
        power += 1
    while size and size < Fraction(10) ** power:
        power -= 1
    return Fraction(10) ** (power - precision.significant + 1)
