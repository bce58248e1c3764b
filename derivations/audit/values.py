"""The exact values of an example under the names that sources give them, to compare with."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from derivations import decimals
from derivations.attention import derive
from derivations.bounds import UNIT
from derivations.example import Example
from derivations.heads import derive_heads, together
from derivations.joined import Joined, rational
from derivations.running_bounds import running_bounds
from derivations.step import Derivation
from derivations.values import Rooted, Values

DIGITS, MOST_DIGITS = 30, 480
NAMES = {"w_q": "w_q", "w_k": "w_k", "w_v": "w_v", "q": "queries", "k": "keys", "v": "values",
         "scores": "scores", "scaled": "scaled_scores", "weights": "weights", "output": "output"}
KEYS = NAMES | {"masked_scaled": "masked_scores"}  # what is masked before the scale is no step


@dataclass(frozen=True)
class Audited:
    """A matrix of exact values, of which it can be asked how near a number is."""

    values: Values | Joined

    @cached_property
    def _enclosed(self) -> dict[int, tuple[tuple[tuple[int, int] | None, ...], ...]]:
        return {}

    def _ends(self, i: int, j: int, digits: int) -> tuple[Fraction, Fraction] | None:
        """Between which numbers an entry is; None where it is minus infinity."""
        if digits not in self._enclosed:
            self._enclosed[digits] = decimals.enclosures(self.values, digits)
        found, unit = self._enclosed[digits][i][j], 10**digits
        return found and (Fraction(found[0], unit), Fraction(found[1], unit))

    def is_hidden(self, i: int, j: int) -> bool:
        """Is the entry minus infinity?"""
        return self._ends(i, j, DIGITS) is None

    @cached_property
    def largest(self) -> Fraction:
        """The largest absolute value."""
        rows, cols = self.values.shape
        ends = (self._ends(i, j, DIGITS) for i in range(rows) for j in range(cols))
        return max((abs(end) for pair in ends if pair for end in pair), default=Fraction(0))

    def is_within(self, number: Fraction, i: int, j: int, distance: Fraction) -> bool:
        """Is |number - entry| at most so much? Refined until it is known.

        Raises decimals.Undecided.
        """
        known = rational(self.values, i, j)
        if known is not None:
            return abs(number - known) <= distance
        digits = DIGITS
        while digits <= MOST_DIGITS:
            ends = self._ends(i, j, digits)
            assert ends is not None
            apart = sorted(abs(number - end) for end in ends)
            inside = ends[0] <= number <= ends[1]
            if apart[1] <= distance:
                return True
            if apart[0] > distance and not inside:
                return False
            digits *= 2
        raise decimals.Undecided(f"{MOST_DIGITS} digits do not say how near a number is")


def audited_values(example: Example) -> dict[str, Audited]:
    """Every matrix that a source may print, by its name in a verdict.

    Raises ExampleError.
    """
    if not example.heads:
        return {name: Audited(values) for name, values in _of_head(derive(example)).items()}
    heads = derive_heads(example)
    found: dict[str, Values | Joined] = {
        f"head{number}.{name}": values for number, head in enumerate(heads, 1)
        for name, values in _of_head(head).items()}
    joined = together(example, heads)
    found |= {"concat": joined["concatenated"].values, "output": joined.steps[-1].values}
    return {name: Audited(values) for name, values in found.items()}


def reaches(head: Example, places: int) -> dict[str, tuple[tuple[Fraction, ...], ...]]:
    """How far each number may be off at most where the inputs were rounded to so many places."""
    spread = UNIT // (2 * 10**places) + 1
    found = running_bounds(derive(head), spread)
    return {name: tuple(tuple(Fraction(bound, UNIT) for bound in row) for row in found[key])
            for name, key in KEYS.items() if key in found}


def _of_head(head: Derivation) -> dict[str, Values | Joined]:
    found = {name: head[key].values for name, key in NAMES.items() if key in head}
    scores = head.rationals("scores")
    hidden = {"masked_scores": Rooted(scores, 1, head.open), "masked_scaled": head.exponents}
    return found | (hidden if head.open is not None else {})

