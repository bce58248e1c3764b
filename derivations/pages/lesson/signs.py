"""What gives a mistake away, in generated sentences: sums of rows, and the range of the values."""

from fractions import Fraction

from markupsafe import Markup

from derivations.decimals import Table, table
from derivations.lesson.compared import Compared
from derivations.lesson.sums import ranges, row_sums
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.variants import scoped
from derivations.pages.sentences import MOST_NAMED
from derivations.render.markup import listed, number
from derivations.render.words import token_name
from derivations.rounded import Rounded

SUMS_TELL = "What gives it away: {rows} of the weights {add} up to {sums}, not to 1."
SUMS_HIDE = "The sums of the rows do not give it away: each row of weights still adds up to 1."
OUTSIDE = (
    "The output gives it away as well: number {col} of {token} is {entry}, and the values that it "
    "should be a mean of go from {low} to {high} there.")


def given_away(one: Compared) -> Markup:
    """Which rows of the wrong weights do not add up to 1, and whether the output leaves its range.

    A row in which every key is hidden is 0 in both, and is not counted.
    """
    told = [_sums(one), _outside(one)]
    return Markup(" ").join(sentence for sentence in told if sentence)


def _sums(one: Compared) -> Markup:
    assert isinstance(one.found, dict)
    sums, rows = table(row_sums(one.found["weights"]), one.places), rows_that_do_not_add_up(one)
    if not rows:
        return Markup(SUMS_HIDE)
    names = [token_name(one.right.tokens, i) for i in rows[:MOST_NAMED]]
    shown = [scoped(f"mistake-{one.mistake.key}", number(sums[i][0], "row_sums", i, 0))
             for i in rows[:MOST_NAMED]]
    row = Markup("the row of ") if len(rows) == 1 else Markup("the rows of ")
    more = Markup(", and others") if len(rows) > MOST_NAMED else Markup("")
    return Markup(SUMS_TELL).format(rows=row + listed(names) + more, sums=listed(shown),
                                    add="adds" if len(rows) == 1 else "add")


def rows_that_do_not_add_up(one: Compared) -> list[int]:
    """The rows of the wrong weights whose sum is not 1, closed rows left out."""
    assert isinstance(one.found, dict)
    sums = table(row_sums(one.found["weights"]), one.places)
    return [i for i in range(len(sums)) if i not in one.right.closed_rows and not _is_one(sums, i)]


def _is_one(sums: Table, i: int) -> bool:
    (entry,) = sums[i]
    return entry is not None and entry.exact and entry.value == 1


def _outside(one: Compared) -> Markup:
    """The first number of the output that no mean of the values can be."""
    values = one.right.rationals("values")
    for i, row in enumerate(one.wrong["output"]):
        for c, (entry, (low, high)) in enumerate(zip(row, ranges(values), strict=False)):
            if i in one.right.closed_rows or entry is None:
                continue
            unit = Fraction(10) ** (entry.exponent - entry.places)
            if not low - unit < entry.value < high + unit:
                return _told(one, i, c, entry)
    return Markup("")


def _told(one: Compared, i: int, c: int, entry: Rounded) -> Markup:
    values = one.right.rationals("values")
    by_value = sorted(range(values.shape[0]), key=lambda row: values.entry(row, c))
    low, high = (number(table(values, one.places)[row][c], "values", row, c)
                 for row in (by_value[0], by_value[-1]))
    return Markup(OUTSIDE).format(
        col=count("column", c + 1),
        token=token_name(one.right.tokens, i), low=low, high=high,
        entry=scoped(f"mistake-{one.mistake.key}", number(entry, "output", i, c)))
