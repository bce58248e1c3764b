"""What several heads make together: in each entry a softmax quotient of every head is added up.

Vaswani et al. 2017, section 3.2.2: MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

from derivations.quotients import Quotient, total
from derivations.values import ExpSums, Rationals, Values, rational_entry

MOST_TERMS = 4096  # of the product of the row sums of all heads


@dataclass(frozen=True)
class Joined:
    """Entry (i, c) is the sum of entries (i, c) of all parts [n_q, m], plus entry c of a row."""

    parts: tuple[ExpSums, ...]
    row: Rationals

    @property
    def shape(self) -> tuple[int, int]:
        """(n_q, m)."""
        return self.parts[0].shape

    def rational(self, i: int, c: int) -> Fraction | None:
        """Entry (i, c) where it is rational; None where it is not, or where that is not known.

        A sum with one irrational part is irrational. Of several, quotients of exponentials with
        one unit, it is decided as for any quotient; with too many terms, or units, it is not.
        """
        known = [rational_entry(part, i, c) for part in self.parts]
        rest = self.row.entry(0, c) + sum(value for value in known if value is not None)
        open_ = [part for part, value in zip(self.parts, known, strict=True) if value is None]
        if not open_:
            return rest
        found = _together(open_, i, c) if len(open_) > 1 else None
        return None if found is None else rest + found


def rational(values: Values | Joined, i: int, j: int) -> Fraction | None:
    """Entry (i, j) where it is known to be rational, else None."""
    return values.rational(i, j) if isinstance(values, Joined) else rational_entry(values, i, j)


def _together(parts: list[ExpSums], i: int, c: int) -> Fraction | None:
    """The sum of several irrational quotients, where it is rational."""
    terms = prod(len(part.exponents.open_keys(i)) for part in parts)
    if terms > MOST_TERMS or len({part.exponents.root for part in parts}) > 1:
        return None
    unit = lcm(*(part.exponents.rationals.denominator for part in parts))
    return total(_quotient(part, i, c, unit) for part in parts).rational


def _quotient(part: ExpSums, i: int, c: int, unit: int) -> Quotient:
    """Entry (i, c) of a part, its exponents in units of 1 / (unit sqrt(root))."""
    finer = unit // part.exponents.rationals.denominator
    numerators = {j: n * finer for j, n in part.exponents.numerators(i).items()}
    top: Counter[int] = Counter()
    for j, n in numerators.items():
        top[n] += part.top(j, c)
    return Quotient(top, Counter(numerators.values())).times(Fraction(1, part.denominator))
