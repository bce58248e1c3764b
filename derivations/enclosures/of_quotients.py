"""Enclosures of a quotient of two sums of exponentials, from those of the sums."""

from collections.abc import Callable

from derivations.enclosures import Enclosed
from derivations.quotients import Quotient, Quotients
from derivations.values import ExpSums, Rationals, Rooted

EXTRA = 4


def enclosed(
    values: Quotients, i: int, j: int, digits: int, enclose: Callable[[ExpSums, int], Enclosed]
) -> tuple[int, int]:
    """(low, high) with low <= entry (i, j) * 10^digits <= high."""
    finer = digits + EXTRA
    (top, bottom), = enclose(_sums(values, values.entry(i, j)), finer)
    scale = 10**digits
    low = top[0] * scale // bottom[top[0] >= 0]
    high = -(-top[1] * scale // bottom[top[1] < 0])
    return low, high


def _sums(values: Quotients, quotient: Quotient) -> ExpSums:
    """Both sums as a row; all exponents less the largest below, so that what is below is >= 1."""
    numerators = sorted(quotient.top.keys() | quotient.bottom.keys())
    largest = max(quotient.bottom)
    exponents = Rationals((tuple(n - largest for n in numerators),), values.denominator)
    coefficients = tuple((quotient.top[n], quotient.bottom[n]) for n in numerators)
    return ExpSums(Rooted(exponents, values.root), Rationals(coefficients), normalised=False)
