"""The float64 that is nearest to each exact value."""

from fractions import Fraction
from math import inf

from derivations import decimals
from derivations.joined import Joined
from derivations.values import Values

DIGITS, MOST_DIGITS = 30, 1200


def nearest(values: Values | Joined) -> list[list[float]]:
    """Every entry of a matrix, correctly rounded; infinite beyond the largest float."""
    rows, cols = values.shape
    found: list[list[float | None]] = [[None] * cols for _ in range(rows)]
    digits = DIGITS
    while any(entry is None for row in found for entry in row):
        assert digits <= MOST_DIGITS, "an irrational number is no tie between floats"
        ends = decimals.enclosures(values, digits)
        found = [[_settled(pair, digits) if known is None else known
                  for known, pair in zip(row, pairs, strict=True)]
                 for row, pairs in zip(found, ends, strict=True)]
        digits *= 2
    return [[entry for entry in row if entry is not None] for row in found]


def _settled(pair: tuple[int, int] | None, digits: int) -> float | None:
    """The float of both ends, if that is one."""
    if pair is None:
        return -inf
    low, high = (_float(Fraction(end, 10**digits)) for end in pair)
    return low if low == high else None


def _float(value: Fraction) -> float:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return inf if value > 0 else -inf
