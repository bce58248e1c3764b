"""The numbers that a source prints for an example, each with its last printed place.

Sources name the steps of attention in many ways; the names here are those of the example format.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

_ROW = re.compile(r"((?:head\d{1,9}\.)?\w+?)_row(\d{1,9})", re.ASCII)
Number = Fraction | None
Shape = tuple[int, int]


@dataclass(frozen=True)
class Precision:
    """How far a source prints: `exact`, to so many `significant` digits, or decimal `places`."""

    places: int = 0
    significant: int = 0
    exact: bool = False


@dataclass(frozen=True)
class Published:
    """Some rows of a step as a source prints them; None stands for minus infinity.

    `head` counts from 1; 0 where the step is not of one head. `key` is its key in the file, such as
    weights_row1, and `first` the place of its first row, from 0.
    """

    step: str
    head: int
    key: str
    first: int
    rows: tuple[tuple[Number, ...], ...]
    precision: Precision

    @property
    def name(self) -> str:
        """Its name in a verdict: output, head1.output, or weights_row1."""
        return f"head{self.head}.{self.key}" if self.head else self.key

    @property
    def matrix(self) -> str:
        """The name of the matrix whose rows these are: output, or head1.output."""
        return f"head{self.head}.{self.step}" if self.head else self.step


@dataclass(frozen=True)
class Entry:
    """What a file has under a key of `published`: not read yet.

    `where` is the key in messages; `head` counts from 1, 0 where it is not of one head.
    """

    where: str
    head: int
    key: str
    rows: object

    @property
    def step(self) -> str:
        """The step whose numbers these are: of weights_row1 it is weights."""
        return step_of(self.key)

    @property
    def first(self) -> int | None:
        """The place of the one row that it is, from 0; None where it is the whole step."""
        row = _ROW.fullmatch(self.key)
        return int(row[2]) if row else None

    @property
    def name(self) -> str:
        """The name of its step in a verdict."""
        return f"head{self.head}.{self.step}" if self.head else self.step


def step_of(key: str) -> str:
    """The step of a key, which may be that of one row of it."""
    row = _ROW.fullmatch(key)
    return row[1] if row else key
