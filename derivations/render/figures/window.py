"""A window of the plane in which two vectors start at the origin, and their directions in it."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, hypot

from derivations.render.figures.angle import Vector
from derivations.render.figures.svg import PHONE, Point

SIDE, PAD = 210, 26.0
MOST_SQUARES = 12


@dataclass(frozen=True)
class Window:
    """A window of the plane, from its lower left to its upper right corner, to one scale."""

    low: Vector
    high: Vector
    squares: bool

    @property
    def scale(self) -> Fraction:
        """Units of the drawing for 1."""
        span = max(self.high[0] - self.low[0], self.high[1] - self.low[1])
        return SIDE / span if span else Fraction(1)

    @property
    def height(self) -> float:
        """The height of the drawing."""
        return float((self.high[1] - self.low[1]) * self.scale) + 2 * PAD

    def at(self, x: Fraction | int, y: Fraction | int) -> Point:
        """Where a point of the plane is drawn."""
        middle = (self.low[0] + self.high[0]) / 2
        return (PHONE / 2 + float((x - middle) * self.scale),
                PAD + float((self.high[1] - y) * self.scale))


def window_of(points: list[Vector]) -> Window:
    """The window that holds the origin and all points; on whole numbers where it has squares."""
    xs, ys = ([Fraction(0), *column] for column in zip(*points, strict=True))
    low, high = (min(xs), min(ys)), (max(xs), max(ys))
    if not 1 <= max(high[0] - low[0], high[1] - low[1]) <= MOST_SQUARES:
        return Window(low, high, squares=False)
    return Window((Fraction(floor(low[0])), Fraction(floor(low[1]))),
                  (Fraction(ceil(high[0])), Fraction(ceil(high[1]))), squares=True)


def unit(vector: Vector) -> Point:
    """The direction in the drawing, where y runs down; (0, 0) of a zero vector."""
    longer = max(abs(vector[0]), abs(vector[1]))
    if longer == 0:
        return 0, 0
    x, y = float(vector[0] / longer), -float(vector[1] / longer)
    return x / hypot(x, y), y / hypot(x, y)


def cross(first: Point, second: Point) -> float:
    """Positive where the way from the first to the second direction is clockwise."""
    return first[0] * second[1] - first[1] * second[0]
