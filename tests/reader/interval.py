"""Intervals of rounded numbers: 0.5760 stands for all that lies within half a unit of it."""

from dataclasses import dataclass

import mpmath

from .errors import UndefinedError
from .table import Number


@dataclass(frozen=True)
class Interval:
    """All numbers from lo to hi."""

    lo: Number
    hi: Number

    def __add__(self, other: "Scalar") -> "Interval":
        lo, hi = ends(other)
        return Interval(self.lo + lo, self.hi + hi)

    def __neg__(self) -> "Interval":
        return Interval(-self.hi, -self.lo)

    def __mul__(self, other: "Scalar") -> "Interval":
        lo, hi = ends(other)
        corners = (self.lo * lo, self.lo * hi, self.hi * lo, self.hi * hi)
        return Interval(min(corners), max(corners))

    def __truediv__(self, other: "Scalar") -> "Interval":
        lo, hi = ends(other)
        if lo <= 0 <= hi:
            raise UndefinedError("a division by zero")
        return self * Interval(1 / hi, 1 / lo)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rtruediv__(self, other: "Scalar") -> "Interval":
        return Interval(*ends(other)) / self


Scalar = Number | Interval


def ends(x: Scalar) -> tuple[Number, Number]:
    """Both ends; a number is both."""
    return (x.lo, x.hi) if isinstance(x, Interval) else (x, x)


def exponential(x: Scalar) -> Scalar:
    """e to the power of x; 0 for minus infinity."""
    if isinstance(x, Interval):
        return Interval(mpmath.exp(x.lo), mpmath.exp(x.hi))
    return mpmath.exp(x)


def square_root(x: Scalar) -> Scalar:
    """The square root, of what is not negative."""
    if ends(x)[0] < 0:
        raise UndefinedError("a root of a negative number")
    if isinstance(x, Interval):
        return Interval(mpmath.sqrt(x.lo), mpmath.sqrt(x.hi))
    return mpmath.sqrt(x)


def power(base: Scalar, exponent: Scalar) -> Scalar:
    """base to the power of a number; an interval to a whole power only."""
    if isinstance(exponent, Interval):
        raise UndefinedError("a rounded exponent")
    if not isinstance(base, Interval):
        return _number_power(base, exponent)
    if exponent != int(exponent) or exponent < 0:
        raise UndefinedError("a rounded number to a power that is not whole")
    corners = [base.lo**exponent, base.hi**exponent]
    if base.lo < 0 < base.hi and exponent % 2 == 0:
        corners.append(mpmath.mpf(0))
    return Interval(min(corners), max(corners))


def _number_power(base: Number, exponent: Number) -> Number:
    if (base < 0 and exponent != int(exponent)) or (base == 0 and exponent < 0):
        raise UndefinedError("a power without a real value")
    return mpmath.power(base, exponent)
