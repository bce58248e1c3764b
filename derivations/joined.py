"""What several heads make together: in each entry a softmax quotient of every head is added up.

Vaswani et al. 2017, section 3.2.2: MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

from derivations.quotients import Quotient, Sum, added, total
from derivations.values import ExpSums, Rationals, Values, rational_entry, square_side

MOST_TERMS = 4096  # of the product of the row sums of all heads whose weights differ


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

        A sum with one irrational part is irrational. Of several it is decided as for any
        quotient of exponentials; where their product has too many terms, it is not.
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
    """The sum of several irrational quotients, where it is rational.

    Roots of distinct square-free numbers are linearly independent, so the exponentials over
    them are algebraically independent (Lindemann-Weierstrass): such a sum is rational only
    where what each root has is.
    """
    by_root: dict[int, list[ExpSums]] = {}
    for part in parts:
        root = part.exponents.root
        by_root.setdefault(root // square_side(root) ** 2, []).append(part)
    sums = [_with_one_root(alike, i, c) for alike in by_root.values()]
    known = [value for value in sums if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(sums) else None


def _with_one_root(parts: Sequence[ExpSums], i: int, c: int) -> Fraction | None:
    unit = lcm(*map(_unit, parts))
    below = lcm(*(part.denominator for part in parts))
    found = _equal_joined(_quotient(part, i, c, unit, below) for part in parts)
    known = [quotient.rational for quotient in found]
    rest = [quotient for quotient, value in zip(found, known, strict=True) if value is None]
    if prod(len(quotient.bottom) for quotient in rest) > MOST_TERMS:
        return None
    value = total(rest).rational
    return None if value is None else \
        (value + sum(value for value in known if value is not None)) / below


def _unit(part: ExpSums) -> int:
    """The exponents of a part are integers over this, and over the root of a square-free number."""
    return part.exponents.rationals.denominator * square_side(part.exponents.root)


def _quotient(part: ExpSums, i: int, c: int, unit: int, below: int) -> Quotient:
    """Entry (i, c) of a part times `below`, its exponents from 0 on, in units of 1 / unit.

    The exponents of equal weights are the same then, whatever was added to all of them.
    """
    finer = unit // _unit(part)
    row = part.exponents.numerators(i)
    least = min(row.values())
    top: Sum = Counter()
    for j, n in row.items():
        top[(n - least) * finer] += part.top(j, c) * (below // part.denominator)
    return Quotient(top, Counter((n - least) * finer for n in row.values()))


def _equal_joined(parts: Iterable[Quotient]) -> list[Quotient]:
    """The same sum, with one quotient of each row sum."""
    tops: dict[frozenset[tuple[int, int]], Sum] = {}
    for part in parts:
        bottom = frozenset(part.bottom.items())
        tops[bottom] = added(tops.get(bottom, Counter()), part.top)
    return [Quotient(top, Counter(dict(bottom))) for bottom, top in tops.items()]
