"""What an exercise gives: numbers in full, whole matrices, and everybody whom a mask hides.

A rational is written in full, as a fraction where its decimal does not end: one works from it.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from markupsafe import Markup

from derivations.lesson.practice.data import Numbers
from derivations.pages import sentences
from derivations.pages.lesson.labels import line_label
from derivations.pages.worked import Worked
from derivations.render import markup
from derivations.render.dialect import finite_decimal
from derivations.render.markup import address, listed, math, number, text
from derivations.rounded import Rounded
from derivations.step import Step
from derivations.values import Rationals

HEARS_ONLY = "The mask lets {} hear only {}."
Cell = Callable[[int, int], Markup]


def exact(worked: Worked, key: str, i: int, j: int) -> Markup:
    """An entry in full; one that is no rational is rounded."""
    values, rounded = worked.derivation[key].values, worked.decimals[key][i][j]
    if isinstance(values, Rationals):
        return in_full(values.entry(i, j), rounded, key, i, j)
    return number(rounded, key, i, j)


def exactly(found: Numbers, places: int) -> Markup:
    """A rational that is no entry of a step, in full."""
    assert isinstance(found.values, Rationals)
    (rounded,), ((i, j),) = found.rounded(places), found.places
    return in_full(found.values.entry(i, j), rounded, found.key, i, j)


def in_full(value: Fraction, rounded: Rounded | None, key: str, i: int, j: int) -> Markup:
    """A rational: its decimal if that is all of it, else with more decimals or as a fraction."""
    if rounded is not None and rounded.exact:
        return number(rounded, key, i, j)
    return Markup('<span class="number" data-ref="{}" data-exact>{}</span>').format(
        Markup(address(key, i, j)), Markup(written(value)))


def written(value: Fraction) -> str:
    """A rational as text."""
    found = finite_decimal(value) or f"{value.numerator}/{value.denominator}"
    return found.replace("-", "\N{MINUS SIGN}")


def row_of(worked: Worked, key: str, i: int) -> Markup:
    """A whole row, as (0, -1/7)."""
    cols = worked.derivation[key].shape[1]
    return Markup("({})").format(Markup(", ").join(exact(worked, key, i, j) for j in range(cols)))


def column_of(worked: Worked, key: str, j: int) -> Markup:
    """A whole column, in the same way."""
    rows = worked.derivation[key].shape[0]
    return Markup("({})").format(Markup(", ").join(exact(worked, key, i, j) for i in range(rows)))


def matrix(step: Step, cell: Cell, rows: Iterable[int] | None = None, kind: str = "matrix",
           label: str = "") -> Markup:
    """A whole matrix as a table, however large it is; or some rows of it."""
    cols = step.shape[1]
    body = [[line_label(step.rows, i), *(cell(i, j) for j in range(cols))]
            for i in (range(step.shape[0]) if rows is None else rows)]
    name = Markup(' <span class="unseen">{}</span>').format(text(step.quantity.name))
    header = [math(step.quantity.matrix) + name, *(line_label(step.cols, j) for j in range(cols))]
    return markup.table(header, body, kind, label or step.quantity.name)


def hidden(worked: Worked, i: int) -> Markup:
    """Whom the mask hides from a token, everybody by name; of very many, whom it does not hide."""
    heard = worked.derivation.exponents.open_keys(i)
    if len(worked.example.tokens) - len(heard) <= sentences.MOST_NAMED:
        return sentences.hidden(worked, i)
    names = [text("itself") if j == i else sentences.name(worked, j) for j in heard]
    return Markup(HEARS_ONLY).format(sentences.name(worked, i), listed(names))
