"""Certified decimals: correctly rounded from the exact value, to any number of places.

An entry proved rational is rounded by integer division, a root by integer square root. Anything
else is irrational and no tie, so an enclosure that is refined must settle on one rounding.
Ties go to the even digit.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import isqrt

from derivations.enclosures import Enclosed, of_quotients, standard
from derivations.joined import Joined
from derivations.quotients import Quotients
from derivations.rounded import Rounded, round_between, round_end, round_rational
from derivations.values import ExpSums, Mask, Rationals, Rooted, Values, rational_entry

try:
    from derivations.enclosures import balls
except ImportError:
    balls = None  # type: ignore[assignment]

Table = tuple[tuple[Rounded | None, ...], ...]
Enclose = Callable[[ExpSums, int], Enclosed]
GUARD = 6
MOST_REFINEMENTS = 12


class Undecided(ArithmeticError):
    """An enclosure did not settle on one rounding: the value may be an unproved tie."""


def fastest() -> Enclose:
    """The implementation in use: arb's balls where python-flint is installed."""
    return standard.enclosures if balls is None else balls.enclosures


def table(
    values: Values | Quotients | Joined, places: int, enclose: Enclose | None = None
) -> Table:
    """Every entry, correctly rounded to so many places; None where it is minus infinity."""
    if isinstance(values, ExpSums):
        return _exponential_table(values, places, enclose or fastest())
    rows, cols = values.shape
    if isinstance(values, Quotients):
        return tuple(tuple(_quotient(values, i, j, places, enclose or fastest())
                           for j in range(cols)) for i in range(rows))
    if isinstance(values, Joined):
        return _joined_table(values, places, enclose or fastest())
    return tuple(tuple(_algebraic(values, i, j, places) for j in range(cols)) for i in range(rows))


def enclosures(
    values: Values | Joined, digits: int, enclose: Enclose | None = None
) -> tuple[tuple[tuple[int, int] | None, ...], ...]:
    """(low, high) with low <= entry * 10^digits <= high; None where the entry is minus infinity."""
    if isinstance(values, ExpSums):
        return (enclose or fastest())(values, digits)
    if isinstance(values, Joined):
        return _joined(values, digits, enclose or fastest())
    rows, cols = values.shape
    return tuple(tuple(_enclosed(values, i, j, digits) for j in range(cols)) for i in range(rows))


def _joined(values: Joined, digits: int, enclose: Enclose) -> Enclosed:
    """The sums of the ends of all parts."""
    parts = [enclose(part, digits) for part in values.parts]
    rest = [_floor_ceiling(values.row.entry(0, c), digits) for c in range(values.shape[1])]
    return tuple(
        tuple((sum(part[i][c][0] for part in parts) + low, sum(part[i][c][1] for part in parts)
               + high) for c, (low, high) in enumerate(rest))
        for i in range(values.shape[0]))


def _joined_table(values: Joined, places: int, enclose: Enclose) -> Table:
    by_digits: dict[int, Enclosed] = {}

    def ends(i: int, c: int, digits: int) -> tuple[int, int]:
        if digits not in by_digits:
            by_digits[digits] = _joined(values, digits, enclose)
        return by_digits[digits][i][c]

    def entry(i: int, c: int) -> Rounded:
        known = values.rational(i, c)
        return _settle(partial(ends, i, c), places) if known is None \
            else round_rational(known, places)

    return tuple(tuple(entry(i, c) for c in range(values.shape[1]))
                 for i in range(values.shape[0]))


def _algebraic(values: Rationals | Rooted | Mask, i: int, j: int, places: int) -> Rounded | None:
    rational = rational_entry(values, i, j)
    if rational is not None:
        return round_rational(rational, places)
    if _enclosed(values, i, j, 0) is None:
        return None
    return _settle(lambda digits: _enclosed(values, i, j, digits), places)


def _quotient(values: Quotients, i: int, j: int, places: int, enclose: Enclose) -> Rounded:
    rational = values.entry(i, j).rational
    if rational is not None:
        return round_rational(rational, places)
    return _settle(lambda digits: of_quotients.enclosed(values, i, j, digits, enclose), places)


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
    enclosed = enclose(values, places + GUARD)
    return tuple(_exponential_row(values, i, places, row, enclose)
                 for i, row in enumerate(enclosed))


def _exponential_row(
    values: ExpSums, i: int, places: int, first: tuple[tuple[int, int], ...], enclose: Enclose
) -> tuple[Rounded, ...]:
    """Row i: rational entries by division, the others as soon as an enclosure decides them."""
    tiny = not values.normalised
    rational = [rational_entry(values, i, c) for c in range(values.shape[1])]
    row = [
        _try(ends, places + GUARD, places, tiny) if value is None else round_rational(value, places)
        for value, ends in zip(rational, first, strict=True)
    ]
    digits = places + GUARD
    for _ in range(MOST_REFINEMENTS):
        if None not in row:
            break
        digits *= 2
        finer = enclose(_only(values, i), digits)[0]
        row = [entry or _try(ends, digits, places, tiny)
               for entry, ends in zip(row, finer, strict=True)]
    return tuple(_decided(entry, places, digits) for entry in row)


def _only(values: ExpSums, i: int) -> ExpSums:
    """The same sums for row i alone."""
    exponents = values.exponents
    row = Rationals((exponents.rationals.integers[i],), exponents.rationals.denominator)
    is_open = None if exponents.open is None else (exponents.open[i],)
    return ExpSums(Rooted(row, exponents.root, is_open), values.tops, values.normalised)


def _settle(enclose: Callable[[int], tuple[int, int] | None], places: int) -> Rounded:
    """Refine an irrational entry's enclosure until both ends round alike."""
    digits, settled = places + GUARD, None
    for _ in range(MOST_REFINEMENTS):
        enclosed = enclose(digits)
        assert enclosed is not None
        settled = _try(enclosed, digits, places)
        if settled is not None:
            break
        digits *= 2
    return _decided(settled, places, digits)


def _decided(settled: Rounded | None, places: int, digits: int) -> Rounded:
    if settled is None:
        raise Undecided(f"no rounding to {places} places was decided with {digits} digits")
    return settled


def _try(
    enclosed: tuple[int, int], digits: int, places: int, tiny: bool = False
) -> Rounded | None:
    """The rounding of an irrational entry where both ends of its enclosure agree, else None.

    Where `tiny`, a number below 10^(1 - places) gets a power of ten too, as a large one does.
    """
    if not tiny and (settled := round_between(*enclosed, digits, places)):
        return settled
    low, high = (round_end(end, digits, places, tiny) for end in enclosed)
    return low if low == high else None  # two undecided ends give None as well
