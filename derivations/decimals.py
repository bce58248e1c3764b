"""Certified decimals: correctly rounded from the exact value, to any number of places.

An entry proved rational is rounded by integer division, a root by integer square root. Anything
else is irrational and no tie, so an enclosure that is refined must settle on one rounding.
Ties go to the even digit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from derivations.enclosures import Enclosed, standard
from derivations.values import ExpSums, Mask, Rationals, Rooted, Values, rational_entry

try:
    from derivations.enclosures import balls
except ImportError:
    balls = None  # type: ignore[assignment]

Enclose = Callable[[ExpSums, int], Enclosed]
GUARD = 6
MOST_REFINEMENTS = 12
PLAIN_DIGITS = 9


class Undecided(ArithmeticError):
    """An enclosure did not settle on one rounding: the value may be an unproved tie."""


@dataclass(frozen=True)
class Rounded:
    """digits / 10^places * 10^exponent; `exact` where that is the value, `tie` if it was halfway.

    exponent is 0 but for numbers of more than nine digits, which have one digit before the point.
    """

    digits: int
    places: int
    exponent: int = 0
    exact: bool = False
    tie: bool = False

    @property
    def text(self) -> str:
        """The decimal; without trailing zeros where it is exact."""
        sign, digits = ("-" if self.digits < 0 else ""), f"{abs(self.digits):0{self.places + 1}d}"
        text = digits[: len(digits) - self.places] + "." + digits[len(digits) - self.places :]
        if self.exact or not self.places:
            text = text.rstrip("0").rstrip(".") if "." in text else text
        return sign + text

    @property
    def value(self) -> Fraction:
        """The rounded number itself."""
        return Fraction(self.digits) * Fraction(10) ** (self.exponent - self.places)


Table = tuple[tuple[Rounded | None, ...], ...]


def fastest() -> Enclose:
    """The implementation in use: arb's balls where python-flint is installed."""
    return standard.enclosures if balls is None else balls.enclosures


def table(values: Values, places: int, enclose: Enclose | None = None) -> Table:
    """Every entry, correctly rounded to so many places; None where it is minus infinity."""
    if isinstance(values, ExpSums):
        return _exponential_table(values, places, enclose or fastest())
    rows, cols = values.shape
    return tuple(tuple(_algebraic(values, i, j, places) for j in range(cols)) for i in range(rows))


def enclosures(
    values: Values, digits: int, enclose: Enclose | None = None
) -> tuple[tuple[tuple[int, int] | None, ...], ...]:
    """(low, high) with low <= entry * 10^digits <= high; None where the entry is minus infinity."""
    if isinstance(values, ExpSums):
        return (enclose or fastest())(values, digits)
    rows, cols = values.shape
    return tuple(tuple(_enclosed(values, i, j, digits) for j in range(cols)) for i in range(rows))


def round_rational(value: Fraction, places: int) -> Rounded:
    """A rational, half to even."""
    if abs(value) >= 10 ** PLAIN_DIGITS and value.denominator != 1:
        return _scientific(value, places)
    return _rounded(value, places)


def _rounded(value: Fraction, places: int, exponent: int = 0) -> Rounded:
    scaled = value * Fraction(10) ** (places - exponent)
    digits = round(scaled)
    exact, tie = scaled == digits, 2 * abs(scaled - digits) == 1
    return Rounded(digits, places, exponent, exact, tie)


def _scientific(value: Fraction, places: int) -> Rounded:
    exponent = len(str(abs(int(value)))) - 1
    rounded = _rounded(value, places, exponent)
    if abs(rounded.digits) == 10 ** (places + 1):
        return _rounded(value, places, exponent + 1)
    return rounded


def _algebraic(values: Rationals | Rooted | Mask, i: int, j: int, places: int) -> Rounded | None:
    rational = rational_entry(values, i, j)
    if rational is not None:
        return round_rational(rational, places)
    if _enclosed(values, i, j, 0) is None:
        return None
    return _settle(lambda digits: _enclosed(values, i, j, digits), places)


def _enclosed(
    values: Rationals | Rooted | Mask, i: int, j: int, digits: int
) -> tuple[int, int] | None:
    rational = rational_entry(values, i, j)
    if rational is not None:
        return _floor_ceiling(rational, digits)
    assert isinstance(values, Rooted)
    return _root_enclosed(values, i, j, digits) if values.is_open(i, j) else None


def _floor_ceiling(value: Fraction, digits: int) -> tuple[int, int]:
    scaled = value * Fraction(10) ** digits
    return scaled.__floor__(), scaled.__ceil__()


def _root_enclosed(values: Rooted, i: int, j: int, digits: int) -> tuple[int, int]:
    """r / sqrt(m) is the signed root of r^2 / m, here irrational."""
    r = values.rationals.entry(i, j)
    squared = r * r * Fraction(100) ** digits / values.root
    low = isqrt(squared.__floor__())
    return (low, low + 1) if r > 0 else (-low - 1, -low)


def _exponential_table(values: ExpSums, places: int, enclose: Enclose) -> Table:
    digits = places + GUARD
    return tuple(
        tuple(
            _exponential_entry(values, i, c, places, enclosed, enclose)
            for c, enclosed in enumerate(row)
        )
        for i, row in enumerate(enclose(values, digits))
    )


def _exponential_entry(
    values: ExpSums, i: int, c: int, places: int, first: tuple[int, int], enclose: Enclose
) -> Rounded:
    rational = rational_entry(values, i, c)
    if rational is not None:
        return round_rational(rational, places)
    settled = _try(first, places + GUARD, places)
    return settled or _settle(lambda digits: enclose(_row(values, i), digits)[0][c], places)


def _row(values: ExpSums, i: int) -> ExpSums:
    """The same sums for row i alone."""
    exponents = values.exponents
    row = Rationals((exponents.rationals.integers[i],), exponents.rationals.denominator)
    is_open = None if exponents.open is None else (exponents.open[i],)
    return ExpSums(Rooted(row, exponents.root, is_open), values.tops, values.normalised)


def _settle(enclose: Callable[[int], tuple[int, int] | None], places: int) -> Rounded:
    """Refine an irrational entry's enclosure until both ends round alike."""
    digits = places + GUARD
    for _ in range(MOST_REFINEMENTS):
        enclosed = enclose(digits)
        assert enclosed is not None
        if settled := _try(enclosed, digits, places):
            return settled
        digits *= 2
    raise Undecided(f"no rounding to {places} places was decided with {digits // 2} digits")


def _try(enclosed: tuple[int, int], digits: int, places: int) -> Rounded | None:
    """The rounding of an irrational entry where both ends of its enclosure agree, else None."""
    low, high = (_round_end(end, digits, places) for end in enclosed)
    return low if low == high else None


def _round_end(end: int, digits: int, places: int) -> Rounded:
    """An end of an enclosure, half to even: a monotone function, so equal ends decide."""
    if abs(end) < 10 ** (PLAIN_DIGITS + digits):
        return Rounded(_half_even(end, 10 ** (digits - places)), places)
    rounded = _scientific(Fraction(end, 10**digits), places)
    return Rounded(rounded.digits, places, rounded.exponent)


def _half_even(numerator: int, denominator: int) -> int:
    quotient, rest = divmod(2 * numerator + denominator, 2 * denominator)
    return quotient - (rest == 0 and quotient % 2)

