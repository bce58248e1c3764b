"""Lengths of queries and keys, and the cosines between them: exact, and in certified decimals.

A length is the root of a rational, a cosine a rational over such a root.
"""

from fractions import Fraction

from derivations.decimals import Table
from derivations.roots import over_root
from derivations.rounded import Rounded
from derivations.step import Derivation


def squared_length(derivation: Derivation, key: str, i: int) -> Fraction:
    """The sum of the squares of row i of a step."""
    values = derivation.rationals(key)
    return sum((values.entry(i, c) ** 2 for c in range(values.shape[1])), Fraction(0))


def lengths(derivation: Derivation, key: str, places: int) -> Table:
    """The length of each row of a step: [rows, 1]."""
    rows = len(derivation[key].rows)
    squares = [squared_length(derivation, key, i) for i in range(rows)]
    return tuple((length(square, places),) for square in squares)


def length(square: Fraction, places: int) -> Rounded:
    """The length whose square this is."""
    return over_root(square, square or Fraction(1), places)


def cosine(derivation: Derivation, i: int, j: int, places: int) -> Rounded | None:
    """Their dot product over the product of their lengths."""
    scores = derivation.rationals("scores")
    square = squared_length(derivation, "queries", i) * squared_length(derivation, "keys", j)
    return over_root(scores.entry(i, j), square, places) if square else None
