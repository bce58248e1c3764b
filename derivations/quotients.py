"""Exact quotients of sums of exponentials, for what a softmax along rows does not give.

A sum is kept as numerators of exponents and their coefficients: {2: 3, 0: 1} is 3 e^(2 u) + 1,
where u = 1 / (denominator sqrt(root)) is the unit of all exponents of a matrix.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from derivations.values import Rationals, Rooted

Sum = Counter[int]


@dataclass(frozen=True)
class Quotient:
    """top / bottom; the coefficients of bottom are positive."""

    top: Sum
    bottom: Sum

    def __add__(self, other: "Quotient") -> "Quotient":
        if not any(other.top.values()):
            return self
        if self.bottom == other.bottom:
            return Quotient(added(self.top, other.top), self.bottom)
        top = added(product(self.top, other.bottom), product(other.top, self.bottom))
        return Quotient(top, product(self.bottom, other.bottom))

    def __mul__(self, other: "Quotient") -> "Quotient":
        return Quotient(product(self.top, other.top), product(self.bottom, other.bottom))

    def times(self, factor: Fraction) -> "Quotient":
        """The quotient times a rational."""
        return self * Quotient(Counter({0: factor.numerator}), Counter({0: factor.denominator}))

    @property
    def rational(self) -> Fraction | None:
        """The value where it is algebraic, which is where it is rational; else None.

        top = c bottom with an algebraic c only if every coefficient is c times the other
        (Lindemann-Weierstrass: the exponents are distinct algebraic numbers).
        """
        exponent, first = next(iter(self.bottom.items()))
        ratio = Fraction(self.top[exponent], first)
        terms = self.top.keys() | self.bottom.keys()
        return ratio if all(self.top[n] == ratio * self.bottom[n] for n in terms) else None


@dataclass(frozen=True)
class Quotients:
    """A matrix of quotients with one unit of exponents."""

    entries: tuple[tuple[Quotient, ...], ...]
    denominator: int
    root: int

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.entries), len(self.entries[0])

    def entry(self, i: int, j: int) -> Quotient:
        """Entry (i, j), counted from 0."""
        return self.entries[i][j]


def added(a: Sum, b: Sum) -> Sum:
    """a + b."""
    total = Counter(a)
    total.update(b)
    return total


def product(a: Sum, b: Sum) -> Sum:
    """a b: exponents add."""
    found: Sum = Counter()
    for m, p in a.items():
        for n, q in b.items():
            found[m + n] += p * q
    return found


def total(parts: Iterable[Quotient]) -> Quotient:
    """The sum of quotients; 0 for none."""
    found = Quotient(Counter(), Counter({0: 1}))
    for part in parts:
        found = found + part
    return found


def quotients(exponents: Rooted, entries: Iterable[Iterable[Quotient]]) -> Quotients:
    """A matrix whose exponents have the unit of these."""
    rows = tuple(tuple(row) for row in entries)
    return Quotients(rows, exponents.rationals.denominator, exponents.root)


def softmax_entry(numerators: dict[int, int], j: int) -> Quotient:
    """e^x_j over the sum of e^x over all of these keys, 0 where j is none of them."""
    if j not in numerators:
        return Quotient(Counter(), Counter({0: 1}))
    return Quotient(Counter({numerators[j]: 1}), Counter(numerators.values()))


def mixed(weights: Quotients, values: Rationals) -> Quotients:
    """The weights [n_q, n_k] times values [n_k, d_v]: sums over quotients of any bottoms."""
    n_k, d_v = values.shape
    rows = tuple(
        tuple(total(row[j].times(values.entry(j, c)) for j in range(n_k)) for c in range(d_v))
        for row in weights.entries
    )
    return Quotients(rows, weights.denominator, weights.root)
