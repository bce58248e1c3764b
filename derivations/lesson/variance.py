"""How a dot product spreads: d_k terms, each +1 or -1 with equal chance, independent of the others.

The terms are products of entries that are +1 or -1 themselves. For a small d_k every case is
counted; for a large one the sum is binomial. Both are exact.
"""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

ENUMERATED = (1, 2, 4)
BINOMIAL = (8, 16, 64)
Cases = dict[int, int]


def enumerated(d_k: int) -> Cases:
    """How many of all 4^d_k pairs of a query and a key have each dot product."""
    rows = list(product((-1, 1), repeat=d_k))
    return dict(sorted(Counter(
        sum(q * k for q, k in zip(query, key, strict=True)) for query in rows for key in rows
    ).items()))


def binomial(d_k: int) -> Cases:
    """The same, out of 2^d_k: with m terms of -1 the sum is d_k - 2 m."""
    return {d_k - 2 * m: comb(d_k, m) for m in range(d_k, -1, -1)}


def chances(cases: Cases) -> dict[int, Fraction]:
    """Each sum with its chance."""
    whole = sum(cases.values())
    return {found: Fraction(count, whole) for found, count in cases.items()}


def mean(cases: Cases) -> Fraction:
    """The mean of the sum."""
    return sum((found * chance for found, chance in chances(cases).items()), Fraction(0))


def variance(cases: Cases) -> Fraction:
    """The mean of the square of what is left when the mean is taken away."""
    middle = mean(cases)
    return sum(((found - middle) ** 2 * chance for found, chance in chances(cases).items()),
               Fraction(0))
