"""The sums of rows of weights, exactly: 1, or what a mistake makes of it."""

from fractions import Fraction

from derivations.quotients import Quotients, quotients, total
from derivations.values import ExpSums, Mask, Rationals, Rooted, Values


def row_sums(weights: Values | Quotients) -> Rationals | Quotients:
    """The sum of each row: [n_q, 1]. Of a softmax that is 1, and 0 where every key is hidden."""
    match weights:
        case Quotients():
            unit = Rooted(Rationals(((0,),), weights.denominator), weights.root)
            return quotients(unit, [[total(row)] for row in weights.entries])
        case ExpSums(exponents=exponents):
            return Rationals(tuple((int(bool(exponents.open_keys(i))),)
                                   for i in range(exponents.shape[0])))
        case Rationals(integers, denominator):
            return Rationals(tuple((sum(row),) for row in integers), denominator)
        case Rooted() | Mask():
            raise TypeError("these are no weights")


def ranges(values: Rationals) -> list[tuple[Fraction, Fraction]]:
    """The smallest and the largest number of each column."""
    rows, cols = values.shape
    columns = [[values.entry(i, c) for i in range(rows)] for c in range(cols)]
    return [(min(column), max(column)) for column in columns]
