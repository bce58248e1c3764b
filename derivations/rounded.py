"""A decimal that was rounded from an exact value: half to even, and how it is written."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

PLAIN_DIGITS = 9


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
    exponent = magnitude(abs(value))
    rounded = _rounded(value, places, exponent)
    if abs(rounded.digits) == 10 ** (places + 1):
        return replace(rounded, digits=rounded.digits // 10, exponent=exponent + 1)
    return rounded


def magnitude(value: Fraction) -> int:
    """The power of ten of a positive rational: 10^m <= value < 10^(m + 1)."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    m = (bits - 1) * 30103 // 100000 - 1  # from below; str() refuses the longest integers
    while value >= Fraction(10) ** (m + 1):
        m += 1
    return m


def round_between(low: int, high: int, digits: int, places: int) -> Rounded | None:
    """Every irrational from low to high at 10^digits, rounded: None where they do not round alike.

    For numbers of ordinary size, else None too. No irrational is an end, so a tie there is none.
    """
    limit, unit = _power(PLAIN_DIGITS + digits), _power(digits - places)
    nearest, above = divmod(2 * low + unit, 2 * unit)
    if -limit < low and high < limit and above + 2 * (high - low) <= 2 * unit:
        return Rounded(nearest, places)
    return None


@cache
def _power(n: int) -> int:
    power: int = 10**n
    return power


def round_end(end: int, digits: int, places: int, tiny: bool) -> Rounded | None:
    """An end of an enclosure at 10^digits, half to even: monotone, so that equal ends decide.

    Where `tiny`, a number below 10^(1 - places) gets a power of ten, and 0 decides nothing: None.
    """
    is_tiny = tiny and abs(end) < 10 ** (digits + 1 - places)
    if not is_tiny and abs(end) < 10 ** (PLAIN_DIGITS + digits):
        return Rounded(_half_even(end, 10 ** (digits - places)), places)
    if end == 0:
        return None
    rounded = _scientific(Fraction(end, 10**digits), places)
    return Rounded(rounded.digits, places, rounded.exponent)


def _half_even(numerator: int, denominator: int) -> int:
    quotient, rest = divmod(2 * numerator + denominator, 2 * denominator)
    return quotient - (rest == 0 and quotient % 2)

