"""The four kinds of exact matrix that one attention head needs.

An entry is never a float. Rational matrices are integers over one denominator, scaled scores
are rationals over one root, and everything after the exponential is a sum of exponentials, or
a quotient of two, over the exponents of its own row.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import gcd, isqrt

Rows = tuple[tuple[int, ...], ...]
Open = tuple[tuple[bool, ...], ...]


@dataclass(frozen=True)
class Rationals:
    """A matrix of rationals: entry (i, j) is integers[i][j] / denominator, denominator >= 1."""

    integers: Rows
    denominator: int = 1

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.integers), len(self.integers[0])

    @property
    def is_given(self) -> bool:
        """Is it there at all? See NOT_GIVEN."""
        return bool(self.integers)

    def entry(self, i: int, j: int) -> Fraction:
        """Entry (i, j), counted from 0."""
        return Fraction(self.integers[i][j], self.denominator)


NOT_GIVEN = Rationals(())  # what an example does not have: no rows


@dataclass(frozen=True)
class Rooted:
    """Scaled scores: entry (i, j) is r / sqrt(root), r rational; minus infinity where not open.

    root is d_k for the paper's scale and 1 where the divisor is rational.
    """

    rationals: Rationals
    root: int
    open: Open | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(n_q, n_k)."""
        return self.rationals.shape

    def is_open(self, i: int, j: int) -> bool:
        """May query i attend to key j?"""
        return self.open is None or self.open[i][j]

    def open_keys(self, i: int) -> tuple[int, ...]:
        """The keys that query i may attend to."""
        if self.open is None:
            return tuple(range(self.shape[1]))
        return tuple(j for j in range(self.shape[1]) if self.is_open(i, j))


    def numerators(self, i: int) -> dict[int, int]:
        """The numerators of row i, by open key."""
        row = self.rationals.integers[i]
        return {j: row[j] for j in self.open_keys(i)}

    def shifted(self, i: int) -> dict[int, int]:
        """The same minus the largest: all at most 0."""
        row = self.numerators(i)
        largest = max(row.values(), default=0)
        return {j: numerator - largest for j, numerator in row.items()}


@dataclass(frozen=True)
class ExpSums:
    """Entry (i, c) is the sum over open keys j of tops[j][c] e^(exponent i, j).

    Where `normalised`, it is divided by the sum of e^(exponent i, j) over the same keys.
    `tops` is None for the identity: then entry (i, j) is one exponential (or one weight).
    A row with no open key is 0: the empty sum, and by convention its weights and output too.
    """

    exponents: Rooted
    tops: Rationals | None
    normalised: bool

    @property
    def shape(self) -> tuple[int, int]:
        """(n_q, columns of tops)."""
        n_q, n_k = self.exponents.shape
        return n_q, n_k if self.tops is None else self.tops.shape[1]

    def terms(self, i: int, c: int) -> tuple[tuple[int, Fraction], ...]:
        """(key j, coefficient) of the upper sum of entry (i, c), in key order, zeros left in."""
        if self.tops is None:
            return ((c, Fraction(1)),) if self.exponents.is_open(i, c) else ()
        return tuple((j, self.tops.entry(j, c)) for j in self.exponents.open_keys(i))

    @cached_property
    def groups(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Per row: its open keys, those with equal exponents together."""
        return tuple(self._grouped(i) for i in range(self.shape[0]))

    def _grouped(self, i: int) -> tuple[tuple[int, ...], ...]:
        by_exponent: dict[int, list[int]] = {}
        row = self.exponents.rationals.integers[i]
        for j in self.exponents.open_keys(i):
            by_exponent.setdefault(row[j], []).append(j)
        return tuple(tuple(group) for group in by_exponent.values())

    def top(self, j: int, c: int) -> int:
        """The coefficient of key j in column c, times the denominator of tops."""
        return int(j == c) if self.tops is None else self.tops.integers[j][c]

    @property
    def denominator(self) -> int:
        """The denominator of the coefficients."""
        return 1 if self.tops is None else self.tops.denominator


@dataclass(frozen=True)
class Mask:
    """1 where a query may attend to a key, 0 where it may not."""

    open: Open

    @property
    def shape(self) -> tuple[int, int]:
        """(n_q, n_k)."""
        return len(self.open), len(self.open[0])

    def entry(self, i: int, j: int) -> Fraction:
        """1 or 0."""
        return Fraction(int(self.open[i][j]))


Values = Rationals | Rooted | ExpSums | Mask


def causal(n_q: int, n_k: int | None = None, before: int = 0) -> Open:
    """True where key j is not after query i: [n_q, n_k], aligned at the top left.

    `before` keys come before the first query: those of a cache.
    """
    return tuple(tuple(j <= i + before for j in range(n_q if n_k is None else n_k))
                 for i in range(n_q))


def square_root(m: int) -> int | None:
    """The integer square root of m where m is a perfect square, else None."""
    root = isqrt(m)
    return root if root * root == m else None


@cache
def square_side(m: int) -> int:
    """The largest s whose square divides m: sqrt(m) is s times the root of a square-free number."""
    return max(s for s in range(1, isqrt(m) + 1) if m % (s * s) == 0)


def rational_entry(values: Values, i: int, j: int) -> Fraction | None:
    """Entry (i, j) as a rational number, or None where it is irrational or minus infinity.

    Exponentials of distinct algebraic numbers are linearly independent over the algebraic
    numbers (Lindemann-Weierstrass), which decides every case: see `_rational_sum`.
    """
    match values:
        case ExpSums(normalised=True):
            return _rational_quotient(values, i, j)
        case ExpSums():
            return _rational_sum(values, i, j)
        case Rooted():
            return _rational_root(values, i, j)
        case Rationals() | Mask():
            return values.entry(i, j)


def _rational_root(values: Rooted, i: int, j: int) -> Fraction | None:
    if not values.is_open(i, j):
        return None
    value, root = values.rationals.entry(i, j), square_root(values.root)
    if root is not None:
        return value / root
    return value if value == 0 else None


def _rational_quotient(values: ExpSums, i: int, c: int) -> Fraction | None:
    """Sum A_g e^(x_g) / sum B_g e^(x_g) is algebraic only if A_g / B_g is one number for all g."""
    groups = values.groups[i]
    if not groups:
        return Fraction(0)
    if values.tops is None:
        return _lone_weight(values, i, c)
    first = sum(values.top(j, c) for j in groups[0])
    for group in groups[1:]:
        if sum(values.top(j, c) for j in group) * len(groups[0]) != first * len(group):
            return None
    return Fraction(first, len(groups[0]) * values.denominator)


def _lone_weight(values: ExpSums, i: int, c: int) -> Fraction | None:
    """One weight: rational where the exponents are all equal, and 0 where key c is hidden."""
    if not values.exponents.is_open(i, c):
        return Fraction(0)
    groups = values.groups[i]
    return Fraction(1, len(groups[0])) if len(groups) == 1 else None


def _rational_sum(values: ExpSums, i: int, c: int) -> Fraction | None:
    """Sum A_g e^(x_g) is algebraic only if A_g is 0 wherever x_g is not."""
    exponents = values.exponents.rationals.integers[i]
    total = Fraction(0)
    for group in values.groups[i]:
        coefficient = sum(values.top(j, c) for j in group)
        if coefficient and exponents[group[0]]:
            return None
        total += coefficient
    return total / values.denominator


def reduced(integers: Rows, denominator: int) -> Rationals:
    """The same rationals with the common factor of all integers and the denominator removed."""
    common = denominator
    for row in integers:
        common = gcd(common, *row)
    if common == 1:
        return Rationals(integers, denominator)
    rows = tuple(tuple(entry // common for entry in row) for row in integers)
    return Rationals(rows, denominator // common)
