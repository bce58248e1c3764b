"""What the programs of the lesson must print, line by line: from exact values alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from derivations.agreement import Known, agree
from derivations.attention import attended
from derivations.decimals import enclosures, table
from derivations.example import Example
from derivations.lesson.code.example_module import Extent
from derivations.lesson.variants import LARGE_SCORES, overflow, row_maxima_removed
from derivations.rounded import Rounded
from derivations.step import Derivation
from derivations.values import Rationals, Values

GUARD = 30  # digits beyond those printed
TORCH_SLACK = 16  # PyTorch scales queries and keys, each by a root: a few roundings more
OVERFLOW_PLACES = 4
OVERFLOW_ERROR = Fraction(1, 2**50)  # of exponentials and weights at most 1
NUMBER = re.compile(r"-?\d+\.(\d+)")


@dataclass(frozen=True)
class Word:
    """What is no number must be printed as this word: inf, -inf or nan."""

    word: str

    def problem(self, written: str) -> str:
        """What is wrong with what was printed; '' where nothing is."""
        return "" if written == self.word else f"found {written!a}, expected {self.word}"


@dataclass(frozen=True)
class Number:
    """Entry (i, j) of a step: its exact value lies between `low` and `high`.

    `error` is how far a float may be off; None where no bound says anything, or float64 has no
    such number. `certified` is the decimal of the page; `ref` names the entry there, if it is one.
    """

    key: str
    i: int
    j: int
    ref: str
    low: Fraction
    high: Fraction
    certified: Rounded
    places: int
    error: Fraction | None

    @property
    def place(self) -> tuple[int, int]:
        """Its row and column, from 1."""
        return self.i + 1, self.j + 1

    def problem(self, written: str) -> str:
        """What is wrong with what was printed; '' where nothing is."""
        if self.error is None:
            return ""
        found = NUMBER.fullmatch(written)
        if found is None or len(found[1]) != self.places:
            return f"found {written!a}, expected a number with {self.places} decimals"
        off = max(self.low - Fraction(written), Fraction(written) - self.high)
        if off > Fraction(1, 2 * 10**self.places) + self.error:
            return f"found {written}, expected {self.text} for {self.key} {self.place}"
        return ""

    def is_certified(self, written: str) -> bool:
        """Are these the digits of the certified decimal?"""
        if not NUMBER.fullmatch(written):
            return False
        off = abs(Fraction(written) - self.certified.value)
        power = self.certified.exponent
        return not off if not power else 2 * off <= Fraction(10)**(power - self.places)

    @property
    def text(self) -> str:
        """The certified decimal as a program prints it: with all its places, no power of ten."""
        if not self.certified.exponent:
            return fixed(self.certified.digits, self.places)
        return fixed(round(self.low * 10**self.places), self.places)


@dataclass(frozen=True)
class Line:
    """A line: a label, and what must follow it."""

    label: str
    entries: tuple[Number | Word, ...] = ()

    def text(self, numbers: tuple[str, ...]) -> str:
        """The line with these numbers."""
        return " ".join((self.label, *numbers))


def fixed(digits: int, places: int) -> str:
    """digits / 10^places, written with all places."""
    shown = f"{abs(digits):0{places + 1}d}"
    return f"{'-' if digits < 0 else ''}{shown[:-places]}.{shown[-places:]}"


def of_attention(
    derivation: Derivation, places: int, extent: Extent, *, only: tuple[str, ...], slack: int = 1
) -> list[Line]:
    """The name of each step that is printed, then its rows, each after its token."""
    bounds = {step.key: step.bounds for step in agree(derivation).steps}
    lines = []
    for key in only:
        row = _entries(derivation[key].of_one, key, places, bounds[key], key, slack)
        lines += [Line(key), *(Line(label(derivation.tokens[i]), row(i)) for i in extent.rows)]
    return lines


def label(token: str) -> str:
    """A token as the programs print it: in quotes, ASCII, in a column of its own."""
    return f"{token!a:>8}"


def _entries(
    values: Values, key: str, places: int, bounds: Known, ref: str, slack: int = 1
) -> Callable[[int], tuple[Number | Word, ...]]:
    """The entries of a row, as they must be printed; `ref` is the key in a data-ref, or ''."""
    certified, ends = table(values, places), enclosures(values, places + GUARD)
    unit = Fraction(1, 10**(places + GUARD))

    def entry(i: int, j: int) -> Number | Word:
        rounded, enclosed, bound = certified[i][j], ends[i][j], bounds[i][j]
        if rounded is None or enclosed is None:
            return Word("-inf")
        low, high = (end * unit for end in enclosed)
        return Number(key, i, j, ref and f"{ref}-r{i + 1}c{j + 1}", low, high, rounded, places,
                      None if bound is None else bound * slack)

    return lambda i: tuple(entry(i, j) for j in range(values.shape[1]))


def of_overflow(example: Example) -> list[Line]:
    """Two large scores: float64 has no number for their exponentials; then, with the shift."""
    large = overflow(example)
    moved = row_maxima_removed(large.exponents)
    shifted = attended(moved, Rationals(((0,),) * len(LARGE_SCORES)))
    return [
        Line("as they are"),
        _row("scores", large["scores"].of_one, "overflow.scaled_scores"),
        Line(f"{'exponentials':>12}", (Word("inf"),) * len(LARGE_SCORES)),
        Line(f"{'weights':>12}", (Word("nan"),) * len(LARGE_SCORES)),
        Line("minus the largest"),
        _row("scores", moved),
        _row("exponentials", shifted["exponentials"]),
        _row("weights", shifted["weights"], "overflow.weights"),
    ]


def _row(key: str, values: Values, ref: str = "") -> Line:
    """The first row of a step of the overflow."""
    bounds = ((OVERFLOW_ERROR,) * len(LARGE_SCORES),)
    return Line(f"{key:>12}", _entries(values, key, OVERFLOW_PLACES, bounds, ref)(0))
