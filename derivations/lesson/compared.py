"""A mistake beside what is right, in decimals; and which mistake a number was made by."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from derivations.agreement import twin
from derivations.decimals import Table, table
from derivations.example import Example
from derivations.lesson.mistakes import MISTAKES, SHOWN, Found, Mistake, not_shifted, where
from derivations.lesson.sums import row_sums
from derivations.quotients import Quotients
from derivations.rounded import Rounded
from derivations.step import Derivation
from derivations.values import Values

Place = tuple[str, int, int]
ALIKE = 1e-9  # so far two floats may be apart, relatively, and count as one number


@dataclass(frozen=True)
class Compared:
    """A mistake on the derivation where it may show; `places` are the decimals shown.

    `variant` is the name of that derivation, "" for the example's own.
    """

    mistake: Mistake
    variant: str
    right: Derivation
    found: Found
    places: int

    @cached_property
    def wrong(self) -> dict[str, Table]:
        """The wrong weights and output; {} where there are none."""
        return _tables(self.found, self.places) if isinstance(self.found, dict) else {}

    @cached_property
    def true(self) -> dict[str, Table]:
        """The right weights and output."""
        return _tables({key: self.right[key].of_one for key in SHOWN}, self.places)

    @cached_property
    def judged(self) -> dict[str, Table]:
        """The right weights and output with as many decimals as the mistake has."""
        return _tables({key: self.right[key].of_one for key in SHOWN},
                       self.mistake.places or self.places)

    @cached_property
    def sums(self) -> Table:
        """The sums of the rows of the wrong weights, where there are any."""
        assert isinstance(self.found, dict)
        return table(row_sums(self.found["weights"]), self.places)

    @cached_property
    def differing(self) -> frozenset[Place]:
        """The entries whose decimals are others than the right ones."""
        return frozenset((key, i, j) for key, wrong in self.wrong.items()
                     for i, row in enumerate(wrong) for j, entry in enumerate(row)
                     if not _right(entry, self.judged[key], i, j))

    @property
    def shows(self) -> bool:
        """Can one see it?"""
        return bool(self.differing) or not isinstance(self.found, dict)


def compared(example: Example) -> tuple[Compared, ...]:
    """Every mistake, on this example or the variant on which it shows."""
    found = []
    for mistake in MISTAKES:
        variant, right = where(mistake, example)
        found.append(Compared(mistake, variant, right, mistake.find(right), example.places))
    return tuple(found)


def lost_in_floats(right: Derivation) -> tuple[int, ...]:
    """The rows whose weights float64 gets wrong without the shift; what hears nobody left out."""
    rows = zip(not_shifted(right).weights, twin(right)["weights"], strict=True)
    return tuple(i for i, (found, true) in enumerate(rows) if i not in right.closed_rows
                 and not np.allclose(found, true, rtol=ALIKE, atol=ALIKE**2))


def suspects(mistakes: tuple[Compared, ...], key: str, i: int, j: int, number: Rounded) \
        -> tuple[Compared, ...]:
    """The mistakes that give this number for entry (i, j) of a step, where another is right."""
    return tuple(one for one in mistakes if (key, i, j) in one.differing
                 and _same(one.wrong[key][i][j], number))


def look_up(mistakes: tuple[Compared, ...], key: str, numbers: Table) -> tuple[Compared, ...]:
    """The mistakes that give all of these numbers for a step; several cannot be told apart."""
    return tuple(one for one in mistakes
                 if any(place[0] == key for place in one.differing)
                 and _alike(one.wrong[key], numbers))


def _tables(steps: Mapping[str, Values | Quotients], places: int) -> dict[str, Table]:
    return {key: table(steps[key], places) for key in SHOWN}


def _right(entry: Rounded | None, true: Table, i: int, j: int) -> bool:
    """Is this the right number? A matrix of another shape has none."""
    if i >= len(true) or j >= len(true[i]):
        return False
    return _same(entry, true[i][j])


def _same(a: Rounded | None, b: Rounded | None) -> bool:
    return a is not None and b is not None and a.value == b.value


def _alike(a: Table, b: Table) -> bool:
    return [len(row) for row in a] == [len(row) for row in b] and all(
        _same(x, y) for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True))
