"""The angle between two vectors of the plane, in degrees: exact, or rounded beyond doubt."""

from dataclasses import dataclass
from fractions import Fraction
from math import atan, degrees

Vector = tuple[Fraction, Fraction]
MARGIN = 1e-6  # far more than the error of a float's arc tangent, in tenths of a degree


@dataclass(frozen=True)
class Angle:
    """An angle from 0 to 180 degrees as text, and whether that is the angle itself."""

    text: str
    exact: bool


def angle(first: Vector, second: Vector) -> Angle | None:
    """The angle between two vectors; None where one of them is zero.

    Its tangent is rational, so it is a rational number of degrees only at multiples of 45
    (Niven). Any other is rounded to tenths; or to whole degrees where it is so near the middle
    of two tenths that a float cannot tell the side, which is far from the middle of two degrees.
    """
    dot = first[0] * second[0] + first[1] * second[1]
    cross = abs(first[0] * second[1] - first[1] * second[0])
    if dot == cross == 0:
        return None
    turn = degrees(_turn(cross, abs(dot)))
    turn = turn if dot >= 0 else 180 - turn
    if cross in (0, abs(dot)) or dot == 0:
        return Angle(str(round(turn)), exact=True)
    tenths = round(turn * 10)
    if abs(turn * 10 - tenths) < 0.5 - MARGIN:
        return Angle(f"{tenths // 10}.{tenths % 10}", exact=False)
    return Angle(str(round(turn)), exact=False)


def _turn(cross: Fraction, dot: Fraction) -> float:
    """The angle with this tangent, from 0 to a quarter turn; no quotient exceeds 1."""
    if cross <= dot:
        return atan(cross / dot)
    return atan(1) * 2 - atan(dot / cross)
