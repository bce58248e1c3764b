"""Enclosures with the standard library alone: decimal arithmetic with directed rounding.

decimal's sqrt and exp are correctly rounded to nearest, so one unit either way encloses them.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cache

from derivations.enclosures import Enclosed, integer_digits, numerators
from derivations.values import ExpSums

Interval = tuple[Decimal, Decimal]
ZERO = (Decimal(0), Decimal(0))


@dataclass(frozen=True)
class Arithmetic:
    """Interval arithmetic at one precision: `down` rounds to the floor, `up` to the ceiling."""

    down: Context
    up: Context

    @staticmethod
    def of(precision: int) -> "Arithmetic":
        """With so many significant digits."""
        def context(rounding: str) -> Context:
            return Context(precision, rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)

        return Arithmetic(context(ROUND_FLOOR), context(ROUND_CEILING))

    def add(self, a: Interval, b: Interval) -> Interval:
        """a + b."""
        return self.down.add(a[0], b[0]), self.up.add(a[1], b[1])

    def times(self, a: Interval, factor: int) -> Interval:
        """An interval times an integer."""
        low, high = (a[0], a[1]) if factor >= 0 else (a[1], a[0])
        exactly = Decimal(factor)
        return self.down.multiply(low, exactly), self.up.multiply(high, exactly)

    def over(self, a: Interval, b: Interval) -> Interval:
        """a / b, for b > 0."""
        low = self.down.divide(a[0], b[1] if a[0] >= 0 else b[0])
        high = self.up.divide(a[1], b[0] if a[1] >= 0 else b[1])
        return low, high

    def root(self, m: int) -> Interval:
        """The square root of an integer."""
        root = self.down.sqrt(Decimal(m))
        if self.down.multiply(root, root) == self.up.multiply(root, root) == m:
            return root, root
        return self.down.next_minus(root), self.up.next_plus(root)

    def exp(self, a: Interval) -> Interval:
        """e to the power of an interval."""
        if a == ZERO:
            return Decimal(1), Decimal(1)
        low = self.down.next_minus(self.down.exp(a[0]))
        return max(low, Decimal(0)), self.up.next_plus(self.up.exp(a[1]))


def enclosures(values: ExpSums, digits: int) -> Enclosed:
    """(low, high) of every entry at 10^digits."""
    arithmetic = Arithmetic.of(max(10, digits + integer_digits(values) + 10))
    divisor = arithmetic.root(values.exponents.root)
    divisor = arithmetic.times(divisor, values.exponents.rationals.denominator)
    return tuple(_row(values, i, arithmetic, divisor, digits) for i in range(values.shape[0]))


def _row(
    values: ExpSums, i: int, arithmetic: Arithmetic, divisor: Interval, digits: int
) -> tuple[tuple[int, int], ...]:
    exponentials = _exponentials(numerators(values, i), arithmetic, divisor)
    bottom: Interval = (Decimal(1), Decimal(1))
    if values.normalised and exponentials:
        bottom = _sum(arithmetic, [(1, e) for e in exponentials.values()])
    bottom = arithmetic.times(bottom, values.denominator)
    entries = []
    for c in range(values.shape[1]):
        top = _sum(arithmetic, [(values.top(j, c), e) for j, e in exponentials.items()])
        entries.append(_integers(arithmetic.over(top, bottom), digits))
    return tuple(entries)


def _exponentials(
    exponents: dict[int, int], arithmetic: Arithmetic, divisor: Interval
) -> dict[int, Interval]:
    @cache
    def exponential(numerator: int) -> Interval:
        exactly = Decimal(numerator)
        return arithmetic.exp(arithmetic.over((exactly, exactly), divisor))

    return {j: exponential(numerator) for j, numerator in exponents.items()}


def _sum(arithmetic: Arithmetic, terms: list[tuple[int, Interval]]) -> Interval:
    total = ZERO
    for factor, interval in terms:
        if factor:
            total = arithmetic.add(total, arithmetic.times(interval, factor))
    return total


def _integers(interval: Interval, digits: int) -> tuple[int, int]:
    """Outward to integers, at 10^digits."""
    low, high = (end.scaleb(digits, _WIDE) for end in interval)
    return (
        int(low.to_integral_value(ROUND_FLOOR)),
        int(high.to_integral_value(ROUND_CEILING)),
    )


_WIDE = Context(prec=100_000, Emin=MIN_EMIN, Emax=MAX_EMAX)
