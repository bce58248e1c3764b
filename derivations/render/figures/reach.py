"""How far a key reaches along a query, and how long both are: exact, or rounded beyond doubt."""

from dataclasses import dataclass
from fractions import Fraction

from derivations.render.figures.angle import Vector
from derivations.render.figures.words import spoken
from derivations.roots import over_root
from derivations.values import square_root

LARGEST_ROOT = 10_000  # of which the root is written as one


@dataclass(frozen=True)
class Reach:
    """A query and a key of the plane; neither is zero where a reach is asked for."""

    query: Vector
    key: Vector

    @property
    def dot(self) -> Fraction:
        """Their dot product, the score."""
        return self.query[0] * self.key[0] + self.query[1] * self.key[1]

    @property
    def cross(self) -> Fraction:
        """0 where they lie on one line."""
        return self.query[0] * self.key[1] - self.query[1] * self.key[0]

    @property
    def foot(self) -> Vector:
        """The point of the query's line that is nearest to the tip of the key."""
        share = self.dot / _squared(self.query)
        return share * self.query[0], share * self.query[1]

    def along(self, places: int) -> str:
        """How far the key reaches along the query, with = or ≈ before it; negative if away."""
        return _over_root(self.dot, _squared(self.query), places)


def length(vector: Vector, places: int) -> str:
    """The length of a vector, with = or ≈ before it: = √5."""
    squared = _squared(vector)
    is_whole = squared.denominator == 1 and squared < LARGEST_ROOT
    if is_whole and square_root(squared.numerator) is None:
        return f"= √{squared}"
    if not squared:
        return "= 0"
    return _over_root(squared, squared, places)


def _squared(vector: Vector) -> Fraction:
    return vector[0] ** 2 + vector[1] ** 2


def _over_root(top: Fraction, square: Fraction, places: int) -> str:
    """A rational over the root of another, with its relation."""
    rounded = over_root(top, square, places)
    return f"{'=' if rounded.exact else '≈'} {spoken(rounded)}"
