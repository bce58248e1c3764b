"""The exact linear algebra: products of rational matrices, by SymPy's DomainMatrix over ZZ.

Integers over one denominator multiply as integers, which FLINT does where python-flint is
installed. `int()` brings FLINT's integers back to Python's: JSON and Fraction refuse them.
"""

from math import lcm

from sympy import ZZ
from sympy.polys.matrices import DomainMatrix

from derivations.values import Rationals, reduced


def multiply_each(a: Rationals, *others: Rationals) -> tuple[Rationals, ...]:
    """The product of a [n, m] and each b [m, p]: [n, p]; a is brought to FLINT once."""
    left = _integers(a)
    return tuple(
        _rationals(left * _integers(b), a.denominator * b.denominator) for b in others
    )


def multiply_transposed(a: Rationals, b: Rationals) -> Rationals:
    """The product of a [n, m] and the transpose of b [p, m]: [n, p]."""
    product = _integers(a) * _integers(b).transpose()
    return _rationals(product, a.denominator * b.denominator)


def add_row(a: Rationals, row: Rationals) -> Rationals:
    """A row [1, m] added to each row of a [n, m]."""
    common = lcm(a.denominator, row.denominator)
    up, more = common // a.denominator, common // row.denominator
    added = tuple(tuple(entry * up + extra * more
                        for entry, extra in zip(line, row.integers[0], strict=True))
                  for line in a.integers)
    return reduced(added, common)


def scale(a: Rationals, numerator: int, denominator: int) -> Rationals:
    """Every entry of a times numerator / denominator, denominator >= 1."""
    rows = tuple(tuple(entry * numerator for entry in row) for row in a.integers)
    return reduced(rows, a.denominator * denominator)


def _integers(a: Rationals) -> DomainMatrix:
    return DomainMatrix([list(row) for row in a.integers], a.shape, ZZ)


def _rationals(product: DomainMatrix, denominator: int) -> Rationals:
    rows = tuple(tuple(map(int, row)) for row in product.to_list())
    return reduced(rows, denominator)
