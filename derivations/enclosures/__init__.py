"""Enclosures of sums and quotients of exponentials, in integers: two implementations.

Each gives, for every entry of an ExpSums, integers (low, high) with
low <= entry * 10^digits <= high. They may be wide, never wrong: the caller refines.
"""

from math import isqrt

from derivations.values import ExpSums, Rooted

Enclosed = tuple[tuple[tuple[int, int], ...], ...]


def numerators(values: ExpSums, i: int) -> dict[int, int]:
    """The exponents to use for row i: a quotient does not change when all are shifted."""
    exponents = values.exponents
    return exponents.shifted(i) if values.normalised else exponents.numerators(i)


def integer_digits(values: ExpSums) -> int:
    """A bound on the decimal digits before the point of any entry: guides precision only."""
    largest = max(0, *(entry for row in values.exponents.rationals.integers for entry in row))
    digits = 0 if values.normalised else power_of_ten(values.exponents, largest)
    return coefficient_digits(values) + digits


def coefficient_digits(values: ExpSums) -> int:
    """The same for the coefficients alone, and for how many are added up."""
    _, n_k = values.exponents.shape
    digits = len(str(n_k)) + 1
    if values.tops is not None:
        largest = max(abs(entry) for row in values.tops.integers for entry in row)
        bits = largest.bit_length() - values.tops.denominator.bit_length() + 1
        digits += max(0, bits * 30103 // 100000 + 1)
    return digits


def power_of_ten(exponents: Rooted, numerator: int) -> int:
    """A bound on the power of ten of e to the power of numerator / denominator / sqrt(root)."""
    root = isqrt(exponents.root) + (numerator < 0)
    return numerator * 1000 // (2302 * exponents.rationals.denominator * root) + 1
