"""What gives a mistake away, in generated sentences: row sums, the range of values, and floats."""

from collections.abc import Sequence
from fractions import Fraction

from markupsafe import Markup

from derivations.decimals import Table, table
from derivations.lesson.compared import Compared, lost_in_floats
from derivations.lesson.sums import ranges
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.variants import scoped
from derivations.pages.sentences import MOST_NAMED
from derivations.render.markup import listed, number
from derivations.render.words import token_name
from derivations.rounded import Rounded
from derivations.step import Derivation
from derivations.values import Rationals

SUMS_TELL = "What gives it away: {}."
MISSES = "in the weights, {rows} {add} up to {sums}, not to 1"
HEARS_NOBODY = (
    "in the weights, {rows} {add} up to {sums}, not to 0, although nobody may be heard there")
MORE_ROWS = ", and {} more {} as well"
SUMS_HIDE = "The sums of the rows do not give it away: {}."
STILL_ONE = "each row of weights still adds up to 1"
STILL_NEAR = "what a row misses of 1 may come from rounding its weights"
STILL_ZERO = ", and a row in which nobody may be heard is still 0"
ALSO = "The output gives it away as well: {}."
ONLY = "But the output does: {}."
OUTSIDE = "number {col} of {token} is {entry}, and {values}"
GO = "the values that it should be a mean of go from {low} to {high} there"
ROUND_TO = "the values that it should be a mean of are all {low} there, in the decimals shown"
ALL_ARE = "every value that it may hear is {low} there"
ONE_IS = "the one value that it may hear is {low} there"
STAYS_ZERO = "(A column in which everything is hidden stays 0.)"
NOTHING_LOST = "With the scores of this example nothing shows."
LOST = (
    "With the scores of this example it shows: in float64, the exponentials in {rows} are too "
    "large or too near 0, and the weights come out wrong.")
OF_NOBODY = (
    "Only where a token may hear nobody, as in {rows}, the output is 0, wherever the values lie.")


def given_away(one: Compared) -> Markup:
    """Which rows of the wrong weights add up to what they should not, and what output cannot be."""
    outside = _outside(one)
    if not outside:
        return _sums(one)
    told = ALSO if wrong_sums(one) or wrong_zeros(one) else ONLY
    return _sums(one) + Markup(" ") + Markup(told).format(outside)


def _sums(one: Compared) -> Markup:
    told = [_told_sums(one, rows, Markup(clause)) for rows, clause in (
        (wrong_sums(one), MISSES), (wrong_zeros(one), HEARS_NOBODY)) if rows]
    if told:
        return Markup(SUMS_TELL).format(Markup("; ").join(told))
    still = Markup(STILL_ONE if exactly_one(one) else STILL_NEAR)
    return Markup(SUMS_HIDE).format(
        still + Markup(STILL_ZERO if one.right.closed_rows else ""))


def _told_sums(one: Compared, rows: list[int], clause: Markup) -> Markup:
    named = rows[:MOST_NAMED]
    shown = [scoped(f"mistake-{one.mistake.key}", number(one.sums[i][0], "row_sums", i, 0))
             for i in named]
    more = len(rows) - len(named)
    told = clause.format(rows=_rows_of(one.right.tokens, named), sums=listed(shown),
                         add="adds" if len(named) == 1 else "add")
    return told + (Markup(MORE_ROWS).format(
        count("rows", more), "row misses it" if more == 1 else "rows miss it")
        if more else Markup(""))


def _rows_of(tokens: tuple[str, ...], rows: Sequence[int]) -> Markup:
    """The row of I; the rows of I and cats."""
    opening = Markup("the row of " if len(rows) == 1 else "the rows of ")
    return opening + listed([token_name(tokens, i) for i in rows])


def wrong_sums(one: Compared) -> list[int]:
    """The rows of the wrong weights that miss 1 by more than the rounding of right ones may.

    The sum of n numbers, each rounded, moves by up to n half units. A row in which every key is
    hidden is not counted.
    """
    half_unit = Fraction(1, 2 * 10**one.places)
    return [i for i in _heard(one) if abs(_value(one.sums, i) - 1)
            > half_unit * len(one.right["weights"].keys(i))]


def wrong_zeros(one: Compared) -> list[int]:
    """The rows in which every key is hidden, and whose wrong weights are not 0 all the same."""
    return [i for i in one.right.closed_rows if _value(one.sums, i)]


def exactly_one(one: Compared) -> bool:
    """Does each row in which somebody may be heard add up to exactly 1?"""
    return all((entry := one.sums[i][0]) and entry.exact and entry.value == 1
               for i in _heard(one))


def _heard(one: Compared) -> list[int]:
    return [i for i in range(len(one.right.tokens)) if i not in one.right.closed_rows]


def _value(sums: Table, i: int) -> Fraction:
    (entry,) = sums[i]
    assert entry is not None
    return entry.value


def _outside(one: Compared) -> Markup:
    """The first number of the output that no mean of the values that are heard can be."""
    for i in _heard(one):
        for c, (entry, (low, high)) in enumerate(
                zip(one.wrong["output"][i], ranges(_heard_values(one.right, i)), strict=False)):
            assert entry is not None
            unit = Fraction(10) ** (entry.exponent - entry.places)
            if not low - unit < entry.value < high + unit:
                return _told(one, i, c, entry)
    return Markup("")


def _heard_values(right: Derivation, i: int) -> Rationals:
    """The rows of the values that row i may hear."""
    values = right.rationals("values")
    return Rationals(tuple(values.integers[j] for j in right["weights"].keys(i)),
                     values.denominator)


def _told(one: Compared, i: int, c: int, entry: Rounded) -> Markup:
    return Markup(OUTSIDE).format(
        col=count("column", c + 1), token=token_name(one.right.tokens, i),
        entry=scoped(f"mistake-{one.mistake.key}", number(entry, "output", i, c)),
        values=_range(one, i, c))


def _range(one: Compared, i: int, c: int) -> Markup:
    """Between which numbers the values lie that row i may hear."""
    values = one.right.rationals("values")
    heard = sorted(one.right["weights"].keys(i), key=lambda row: values.entry(row, c))
    low, high = (number(table(values, one.places)[row][c], "values", row, c)
                 for row in (heard[0], heard[-1]))
    if values.entry(heard[0], c) == values.entry(heard[-1], c):
        return Markup(ONE_IS if len(heard) == 1 else ALL_ARE).format(low=low)
    alike = low.striptags() == high.striptags()
    return Markup(ROUND_TO if alike else GO).format(low=low, high=high)


def hidden_columns(right: Derivation) -> Markup:
    """What softmax down the columns makes of a column that nobody may hear; '' without one."""
    rows = right.open or ()
    return Markup("" if all(map(any, zip(*rows, strict=True))) else STAYS_ZERO)


def without_shift(right: Derivation) -> Markup:
    """Whether the example's own scores show that the shift by the maximum is missing."""
    lost = lost_in_floats(right)
    return Markup(LOST).format(rows=rows_named(right, lost)) if lost else Markup(NOTHING_LOST)


def output_of_nobody(right: Derivation) -> Markup:
    """That the output of a token that hears nobody need not lie between the values."""
    closed = right.closed_rows
    return Markup(OF_NOBODY).format(rows=rows_named(right, closed)) if closed else Markup("")


def rows_named(right: Derivation, rows: Sequence[int]) -> Markup:
    """The rows of a and b; of many, how many there are."""
    if len(rows) > MOST_NAMED:
        return count("rows", len(rows)) + Markup(" rows")
    return _rows_of(right.tokens, rows)
