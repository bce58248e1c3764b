"""The plane that values and outputs lie in: exact points, and where they are drawn."""

from dataclasses import dataclass
from fractions import Fraction

from derivations.decimals import enclosures
from derivations.joined import rational
from derivations.render.figures.outline import outline
from derivations.render.figures.svg import PHONE, Point
from derivations.rounded import magnitude
from derivations.step import Derivation, Step
from derivations.values import Rationals

Vector = tuple[Fraction, Fraction]
TOP, INSET = 24.0, (38.0, 30.0)
DIGITS = 9  # of an output, beyond the size of the plane: far more than can be seen


@dataclass(frozen=True)
class Plane:
    """The window that the values fill: its lower left corner, its extent, and where it is drawn."""

    low: Vector
    span: Vector
    left: float
    height: float

    @property
    def width(self) -> float:
        """How wide it is drawn."""
        return PHONE - 2 - self.left

    @property
    def beyond(self) -> Vector:
        """How far the plane is seen beyond the window, across and up."""
        drawn = zip(self.span, (self.width, self.height), INSET, strict=True)
        across, up = (span * Fraction(inset / (size - 2 * inset)) for span, size, inset in drawn)
        return across, up

    def at(self, vector: Vector) -> Point:
        """Where a point is drawn."""
        across, up = (float((z - low) / span)
                      for z, low, span in zip(vector, self.low, self.span, strict=True))
        return (self.left + INSET[0] + across * (self.width - 2 * INSET[0]),
                TOP + INSET[1] + (1 - up) * (self.height - 2 * INSET[1]))


def window_of(values: Rationals) -> tuple[Vector, Vector]:
    """The lower left corner and the extent of the smallest window with all values in it.

    Where all have the same coordinate, it goes from 0 to the double, or from -1 to 1.
    """
    ends = [_ends([Fraction(one, values.denominator) for one in column])
            for column in zip(*values.integers, strict=True)]
    (left, right), (bottom, top) = ends
    return (left, bottom), (right - left, top - bottom)


def _ends(column: list[Fraction]) -> tuple[Fraction, Fraction]:
    low, high = min(column), max(column)
    return (low, high) if low < high else (low - (abs(low) or 1), high + (abs(high) or 1))


def values_of(derivation: Derivation) -> Rationals:
    """The exact values [n_k, 2]."""
    values = derivation["values"].values
    assert isinstance(values, Rationals)
    return values


def heard(derivation: Derivation) -> set[int]:
    """The keys that some query may attend to."""
    weights = derivation["weights"]
    return {j for i in range(weights.shape[0]) for j in weights.keys(i)}


def corners(values: Rationals, keys: set[int]) -> list[Vector]:
    """The corners of the hull of the values of some keys; two for a segment, one for a point."""
    spots = outline({(values.integers[j][0], values.integers[j][1]) for j in keys})
    return [(Fraction(x, values.denominator), Fraction(y, values.denominator)) for x, y in spots]


def outputs_of(step: Step, span: Vector) -> list[Vector]:
    """The outputs [n_q, 2]: exact where rational, else much nearer than can be seen."""
    digits = max(0, DIGITS - min(map(magnitude, span)))
    near = enclosures(step.values, digits)

    def entry(i: int, c: int) -> Fraction:
        exact, ends = rational(step.values, i, c), near[i][c]
        assert ends is not None
        return Fraction(sum(ends), 2 * 10**digits) if exact is None else exact

    return [(entry(i, 0), entry(i, 1)) for i in range(step.shape[0])]
