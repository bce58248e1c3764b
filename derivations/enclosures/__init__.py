"""Enclosures of sums and quotients of exponentials, in integers: two implementations.

Each gives, for every entry of an ExpSums, integers (low, high) with
low <= entry * 10^digits <= high. They may be wide, never wrong: the caller refines.
"""

from derivations.values import ExpSums, Rooted

Enclosed = tuple[tuple[tuple[int, int], ...], ...]


def shifted(exponents: Rooted, i: int) -> dict[int, int]:
    """The numerators of row i's open exponents, minus the largest: all at most 0."""
    row = exponents.rationals.integers[i]
    keys = exponents.open_keys(i)
    largest = max((row[j] for j in keys), default=0)
    return {j: row[j] - largest for j in keys}


def plain(exponents: Rooted, i: int) -> dict[int, int]:
    """The numerators of row i's open exponents."""
    row = exponents.rationals.integers[i]
    return {j: row[j] for j in exponents.open_keys(i)}


def numerators(values: ExpSums, i: int) -> dict[int, int]:
    """The exponents to use for row i: a quotient does not change when all are shifted."""
    return (shifted if values.normalised else plain)(values.exponents, i)


def integer_digits(values: ExpSums) -> int:
    """A bound on the decimal digits before the point of any entry: guides precision only."""
    _, n_k = values.exponents.shape
    digits = len(str(n_k)) + 1
    if values.tops is not None:
        largest = max(abs(entry) for row in values.tops.integers for entry in row)
        bits = largest.bit_length() - values.tops.denominator.bit_length() + 1
        digits += max(0, bits * 30103 // 100000 + 1)
    return digits if values.normalised else digits + _largest_exponent(values.exponents) * 10 // 23


def _largest_exponent(exponents: Rooted) -> int:
    largest = max(0, *(entry for row in exponents.rationals.integers for entry in row))
    return largest // exponents.rationals.denominator + 1
