"""The plane that values and outputs lie in: exact points, and where they are drawn."""

from dataclasses import dataclass
from fractions import Fraction

from derivations.decimals import enclosures
from derivations.render.figures.outline import outline
from derivations.render.figures.svg import PHONE, Point
from derivations.rounded import magnitude
from derivations.step import Derivation, Step
from derivations.values import Rationals, rational_entry

Vector = tuple[Fraction, Fraction]
ASIDE, TOP, INSET = 88.0, 28.0, 8.0
GAP = 18.0  # between names, one below the other
SIDE = PHONE - 2 * ASIDE
DIGITS = 9  # of an output, beyond the size of the plane: far more than can be seen


@dataclass(frozen=True)
class Plane:
    """The window that the values fill: its lower left corner, its extent, its height as drawn."""

    low: Vector
    span: Vector
    height: float

    def at(self, vector: Vector) -> Point:
        """Where a point is drawn; in the middle where all values have the same coordinate."""
        across, up = (float((z - low) / span) if span else 0.5
                      for z, low, span in zip(vector, self.low, self.span, strict=True))
        return (ASIDE + INSET + across * (SIDE - 2 * INSET),
                TOP + INSET + (1 - up) * (self.height - 2 * INSET))


def plane_of(values: Rationals, height: float) -> Plane:
    """The smallest window with all values in it."""
    columns = list(zip(*values.integers, strict=True))
    low, high = ([Fraction(end(column), values.denominator) for column in columns]
                 for end in (min, max))
    return Plane((low[0], low[1]), (high[0] - low[0], high[1] - low[1]), height)


def values_of(derivation: Derivation) -> Rationals:
    """The exact values [n_k, 2]."""
    values = derivation["values"].values
    assert isinstance(values, Rationals)
    return values


def corners(values: Rationals) -> list[Vector]:
    """The corners of the hull of all values; two where it is a segment, one where a point."""
    spots = outline({(row[0], row[1]) for row in values.integers})
    return [(Fraction(x, values.denominator), Fraction(y, values.denominator)) for x, y in spots]


def outputs_of(step: Step, plane: Plane) -> list[Vector]:
    """The outputs [n_q, 2]: exact where rational, else much nearer than can be seen."""
    smallest = min((magnitude(span) for span in plane.span if span), default=0)
    digits = max(0, DIGITS - smallest)
    near = enclosures(step.values, digits)

    def entry(i: int, c: int) -> Fraction:
        exact, ends = rational_entry(step.values, i, c), near[i][c]
        assert ends is not None
        return Fraction(sum(ends), 2 * 10**digits) if exact is None else exact

    return [(entry(i, 0), entry(i, 1)) for i in range(step.shape[0])]


def apart(wanted: list[float], top: float, bottom: float) -> list[float]:
    """Heights in order, as near to those wanted as a line of text between them allows."""
    heights: list[float] = []
    for height in wanted:
        heights.append(max(height, heights[-1] + GAP if heights else top))
    for k in range(len(heights) - 1, -1, -1):
        heights[k] = min(heights[k], bottom - (len(heights) - 1 - k) * GAP)
    return heights
