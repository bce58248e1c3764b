"""Attention by plain sums, for the proofs: fractions up to the scores, then 60 decimal digits.

It shares no code with the engine: it begins at the typed numbers, and softmax is divided out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache

from derivations.example import Example
from derivations.values import Rationals

CONTEXT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)
NEAR = Decimal("1e-24")
Row = list[Fraction]
Rows = list[Row]


@dataclass
class Plain:
    """What is needed of an example to attend: its rows may be changed before they are used."""

    queries: Rows
    keys: Rows
    values: Rows
    divisor: Decimal
    mask: Sequence[Sequence[bool]] | None

    def score(self, i: int, j: int) -> Fraction:
        """Query i with key j."""
        return dot(self.queries[i], self.keys[j])

    def scores(self, i: int) -> Row:
        """All scores of row i."""
        return [self.score(i, j) for j in range(len(self.keys))]

    def heard(self, i: int) -> list[int]:
        """The keys that row i may hear."""
        return [j for j in range(len(self.keys)) if self.mask is None or self.mask[i][j]]

    def weights(self, i: int) -> list[Decimal]:
        """The weights of row i."""
        return softmax(self.scores(i), self.heard(i), self.divisor)

    def output(self, i: int, c: int) -> Decimal:
        """Number c of the output of row i."""
        return mixed(self.weights(i), [row[c] for row in self.values])


def plain(example: Example) -> Plain:
    """An example's queries, keys, values and scale: a copy of its own for each caller."""
    found = _worked_out(example)
    return replace(found, queries=[*found.queries], keys=[*found.keys])


@cache
def _worked_out(example: Example) -> Plain:
    x, *matrices = (rows(getattr(example, key)) for key in ("x", "w_q", "w_k", "w_v"))
    queries, keys, values = (
        [[dot(row, column) for column in zip(*matrix, strict=True)] for row in x]
        for matrix in matrices)
    divisor = example.divisor
    scale = CONTEXT.multiply(exact(Fraction(divisor.numerator, divisor.denominator)),
                             CONTEXT.sqrt(Decimal(divisor.root)))
    return Plain(queries, keys, values, scale, example.mask)


def rows(matrix: Rationals) -> Rows:
    """A matrix as lists."""
    return [[Fraction(number, matrix.denominator) for number in row] for row in matrix.integers]


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """The sum of products."""
    total = Fraction(0)
    for p, q in zip(a, b, strict=True):
        total += p * q
    return total


def exact(value: Fraction) -> Decimal:
    """A rational in 60 digits."""
    return CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def softmax(scores: Row, heard: list[int], divisor: Decimal) -> list[Decimal]:
    """Weights that add up to 1 over the keys heard, 0 elsewhere; shifted, so that none is large."""
    top = max((scores[j] for j in heard), default=Fraction(0))
    powers = {j: CONTEXT.exp(CONTEXT.divide(exact(scores[j] - top), divisor)) for j in heard}
    total = add(list(powers.values()))
    return [CONTEXT.divide(powers[j], total) if j in powers else Decimal(0)
            for j in range(len(scores))]


def mixed(weights: list[Decimal], column: Row) -> Decimal:
    """The mean of a column, weighted."""
    return add([CONTEXT.multiply(weight, exact(value))
                for weight, value in zip(weights, column, strict=True)])


def add(numbers: list[Decimal]) -> Decimal:
    """Their sum."""
    total = Decimal(0)
    for number in numbers:
        total = CONTEXT.add(total, number)
    return total


def near(a: Decimal, b: Decimal) -> bool:
    """Equal, but for the last of 60 digits or of 30 decimals."""
    largest = max(abs(a), abs(b), Decimal(1))
    return abs(a - b) <= NEAR * largest
