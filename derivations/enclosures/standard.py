"""Enclosures with the standard library alone: decimal arithmetic with directed rounding.

decimal's sqrt and exp are correctly rounded to nearest, so one unit either way encloses them.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cache

from derivations.enclosures import Enclosed, coefficient_digits, numerators, power_of_ten
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
    row = _alone if values.tops is None and not values.normalised else _row
    return tuple(row(values, i, digits) for i in range(values.shape[0]))


def _alone(values: ExpSums, i: int, digits: int) -> tuple[tuple[int, int], ...]:
    """Single exponentials: each to its own precision, since one may be vast and the next tiny."""
    found = dict.fromkeys(range(values.shape[1]), (0, 0))
    for j, numerator in numerators(values, i).items():
        arithmetic = _arithmetic(values, [numerator], digits)
        found[j] = _integers(_exponentials(values, {j: numerator}, arithmetic)[j], digits)
    return tuple(found.values())


def _row(values: ExpSums, i: int, digits: int) -> tuple[tuple[int, int], ...]:
    exponents = numerators(values, i)
    arithmetic = _arithmetic(values, list(exponents.values()), digits)
    exponentials = _exponentials(values, exponents, arithmetic)
    bottom: Interval = (Decimal(1), Decimal(1))
    if values.normalised and exponentials:
        bottom = _sum(arithmetic, [(1, e) for e in exponentials.values()])
    bottom = arithmetic.times(bottom, values.denominator)
    entries = []
    for c in range(values.shape[1]):
        top = _sum(arithmetic, [(values.top(j, c), e) for j, e in exponentials.items()])
        entries.append(_integers(arithmetic.over(top, bottom), digits))
    return tuple(entries)


def _arithmetic(values: ExpSums, exponents: list[int], digits: int) -> Arithmetic:
    """As precise as `digits` asks for, from the largest exponential on."""
    before = coefficient_digits(values) + power_of_ten(values.exponents, max(exponents, default=0))
    return Arithmetic.of(max(0, digits + before) + 20)


def _exponentials(
    values: ExpSums, exponents: dict[int, int], arithmetic: Arithmetic
) -> dict[int, Interval]:
    """e to the power of each numerator over the row's divisor."""
    divisor = arithmetic.root(values.exponents.root)
    divisor = arithmetic.times(divisor, values.exponents.rationals.denominator)

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
