"""How far float64 may lie from the exact value: the algebra of running error bounds.

A bound is a nonnegative integer of units 2^-1200, rounded up: no float takes part. The model is
that of IEEE arithmetic with gradual underflow (Higham, Accuracy and Stability of Numerical
Algorithms, 2nd ed., equation 2.8): fl(a op b) = (a op b)(1 + d) + e with |d| <= u = 2^-53, and
|e| <= 2^-1075 in products and quotients, e = 0 in sums. A sum of n products, in any order, with
or without fused multiplication, is off by at most gamma_n sum |a||b| (section 3.1), a sum of n
numbers by gamma_(n-1) sum |a| (section 4.2), where gamma_n = n u / (1 - n u).
"""

from dataclasses import dataclass
from functools import cached_property
from math import isqrt

from derivations import exact
from derivations.values import Rationals, Rooted, Rows

GRID = 1200
UNIT = 1 << GRID
INVERSE_U = 1 << 53
LEADING_BITS = 384  # kept of each row and column that enter a product: that is many times faster
TINY = UNIT >> 1074  # the smallest float; twice what one underflow can lose
# The one assumption: NumPy's exp is within 4 units in the last place of e^x, x its float. A test
# holds it against ball arithmetic. A unit is at most 2u of a normal number, else the smallest one.
EXP_ULPS = 4
# A bound that says nothing, because an exponent is known to no better than 1: beyond all floats
# and all e^5000, even when multiplied by the smallest value an example can hold.
VAST = 1 << 16000
SAYS_NOTHING = 1 << 12000


@dataclass(frozen=True)
class Measured:
    """Floats, known by the sizes of the exact values and by the bounds of their errors."""

    sizes: Rows
    errors: Rows

    @cached_property
    def reach(self) -> Rows:
        """What no float exceeds in size."""
        rows = zip(self.sizes, self.errors, strict=True)
        return tuple(tuple(map(sum, zip(*row, strict=True))) for row in rows)

    def coarse(self) -> tuple["Measured", list[int]]:
        """Every row rounded up to its leading bits, and how many bits were cut from it.

        Sizes and errors are cut alike, so that (|A| + E) - |A| is still an upper bound of E.
        """
        cuts = [max(0, max(row).bit_length() - LEADING_BITS) for row in self.reach]

        def cut(rows: Rows) -> Rows:
            pairs = zip(rows, cuts, strict=True)
            return tuple(tuple(-(-entry >> bits) for entry in row) for row, bits in pairs)

        return Measured(cut(self.sizes), cut(self.errors)), cuts

    def transposed(self) -> "Measured":
        """Rows as columns."""
        sizes, errors = (tuple(zip(*rows, strict=True)) for rows in (self.sizes, self.errors))
        return Measured(sizes, errors)


def over(numerator: int, denominator: int) -> int:
    """The quotient of integers, rounded up."""
    return -(-numerator // denominator)


def sizes(matrix: Rationals) -> Rows:
    """The absolute values of exact numbers, on the grid."""
    return tuple(
        tuple(over(abs(entry) << GRID, matrix.denominator) for entry in row)
        for row in matrix.integers
    )


def gamma(n: int, amount: int) -> int:
    """gamma_n times an amount."""
    return over(n * amount, INVERSE_U - n)


def inputs(matrix: Rationals, spread: int = 0) -> Measured:
    """Given numbers: their errors are those of rounding them to floats, and `spread` more."""
    scale = matrix.denominator
    errors = tuple(tuple(rounding(entry, scale) + spread for entry in row)
                   for row in matrix.integers)
    return Measured(sizes(matrix), errors)


def rounding(numerator: int, denominator: int) -> int:
    """How far a rational number lies from its float."""
    n, d = (numerator / denominator).as_integer_ratio()
    return over(abs(n * denominator - numerator * d) << GRID, d * denominator)


def product(a: Measured, b: Measured) -> Rows:
    """The errors of A B, from float matrices A' and B' with m columns and m rows.

    |fl(A'B') - AB| <= |fl(A'B') - A'B'| + |A'B' - AB|, where the first is at most
    gamma_m |A'||B'| and m underflows, which later sums at most double; the second is at most
    E_A|B| + |A|E_B + E_A E_B = (|A| + E_A)(|B| + E_B) - |A||B|.
    """
    m = len(b.sizes)
    left, row_cuts = a.coarse()
    right, col_cuts = b.transposed().coarse()
    plain, reach = _times(left.sizes, right.sizes), _times(left.reach, right.reach)

    def error(p: int, r: int, cut: int) -> int:
        return over((gamma(m, r) + r - p) << cut, UNIT) + m * TINY

    return tuple(
        tuple(error(p, r, cut + col) for p, r, col in zip(*row, col_cuts, strict=True))
        for *row, cut in zip(plain, reach, row_cuts, strict=True)
    )


def with_row(sizes: Rows, errors: Rows, row: Measured) -> Rows:
    """The errors of P + b, b a row: both errors, and one rounding of the sum, which is exact else.

    `sizes` are those of the exact P.
    """
    def error(p: int, e: int, b: int, f: int) -> int:
        return e + f + over(p + e + b + f, INVERSE_U)

    return tuple(tuple(map(error, *line, row.sizes[0], row.errors[0]))
                 for line in zip(sizes, errors, strict=True))


def _times(a: Rows, b: Rows) -> Rows:
    """The product of integers with a transposed matrix."""
    return exact.multiply_transposed(Rationals(a), Rationals(b)).integers


def root_below(root: int, numerator: int, denominator: int) -> int:
    """A lower bound of sqrt(root) numerator / denominator."""
    return isqrt(((root * numerator**2) << 2 * GRID) // denominator**2)


def quotients(top: Measured, divisor: int) -> Rows:
    """The errors of S / d, where float d' = d (1 + e), |e| <= u, and `divisor` is at most d.

    (s + E) / d (1 + e2) / (1 + e1) - s / d is at most ((|s| + E)(1 + u) / (1 - u) - |s|) / d.
    """

    def error(s: int, e: int) -> int:
        most = over((s + e) * (INVERSE_U + 1), INVERSE_U - 1)
        return over((most - s) << GRID, divisor) + TINY

    return tuple(tuple(map(error, *row)) for row in zip(top.sizes, top.errors, strict=True))


def power(size: int, error: int) -> int:
    """The error of e^t, at most `size`, where float t' is within `error` of t.

    exp(t') is off by 8u e^t' and by 4 subnormal units at most; e^E <= 1 / (1 - E) for E < 1, so
    e^t ((1 + 8u) / (1 - E) - 1) = e^t (8u + E) / (1 - E) bounds the rest.
    """
    if error >= UNIT:
        return VAST
    relative = over(2 * EXP_ULPS * UNIT, INVERSE_U)
    return over(size * (relative + error), UNIT - error) + EXP_ULPS * TINY


def total(summands: list[int], errors: list[int]) -> int:
    """The error of a sum of positive numbers: theirs, and that of adding."""
    n = len(summands)
    return sum(errors) + gamma(n - 1, sum(summands) + sum(errors)) if n else 0


def weights(
    distances: list[int], lows: list[int], highs: list[int], errors: list[int]
) -> tuple[list[int], list[int]]:
    """(sizes, errors) of the softmax weights of a row of t with these errors.

    The exponentials of t - max t, minus `distances`, lie between `lows` and `highs`.
    """
    off = shift(distances, errors)
    return softmax(lows, highs, [power(*pair) for pair in zip(highs, off, strict=True)])


def shift(distances: list[int], errors: list[int]) -> list[int]:
    """The errors of t - max t: that of t, of max t (no more than the worst), of one rounding."""
    worst = max(errors, default=0)
    pairs = zip(distances, errors, strict=True)
    return [e + worst + over(distance + e + worst, INVERSE_U) for distance, e in pairs]


def softmax(lows: list[int], highs: list[int], errors: list[int]) -> tuple[list[int], list[int]]:
    """(sizes, errors) of w / Z, Z the sum of the row of w.

    With |e| <= E_w, |f| <= E_Z: (w + e) / (Z + f) - w / Z = (e Z - w f) / (Z (Z + f)), at most
    (E_w + w / Z E_Z) / (Z - E_Z); the quotient rounds by u (w + E_w) / (Z - E_Z) and underflows.
    """
    least, off = sum(lows), total(highs, errors)
    ratios = [over(high << GRID, least) for high in highs]
    if off >= least:
        return ratios, [VAST] * len(ratios)
    parts = zip(highs, errors, ratios, strict=True)
    tops = (e + over(w + e, INVERSE_U) + over(a * off, UNIT) for w, e, a in parts)
    return ratios, [over(top << GRID, least - off) + TINY for top in tops]


def spread(keys: tuple[int, ...], entries: list[int], n: int) -> tuple[int, ...]:
    """The entries at their keys, 0 elsewhere."""
    by_key = dict(zip(keys, entries, strict=True))
    return tuple(by_key.get(j, 0) for j in range(n))


def shifted(exponents: Rooted) -> Rooted:
    """Every open exponent minus the largest of its row; 0 where a key is hidden."""
    rows = []
    for i, row in enumerate(exponents.rationals.integers):
        moved = exponents.shifted(i)
        rows.append(spread(tuple(moved), list(moved.values()), len(row)))
    rationals = Rationals(tuple(rows), exponents.rationals.denominator)
    return Rooted(rationals, exponents.root, exponents.open)


def size(exponents: Rooted, numerator: int) -> int:
    """An upper bound of |numerator / denominator / sqrt(root)|."""
    divisor = root_below(exponents.root, exponents.rationals.denominator, 1)
    return over(abs(numerator) << 2 * GRID, divisor)
