"""A step as Markdown tables: its matrix with labels, and its entries in all four forms."""

from collections.abc import Callable

from markupsafe import Markup

from derivations.render.corner import CORNER, corner, is_cut
from derivations.render.forms import Decimals, Forms, forms
from derivations.render.markup import address, math, number, table, text
from derivations.render.words import entry_label, label, matrix_label
from derivations.step import Derivation, Step

MOST_ENTRIES = CORNER[0] * CORNER[1]  # that are all worked out
SYMBOLS, IN_NUMBERS, EXACTLY, DECIMAL = "in symbols", "in numbers", "exactly", "decimal"
IN_THE_DATA = "in the data files"
ROW = Markup('<span id="{0}r{1}" class="row">{2} <a class="here" href="#{0}r{1}" '
             'aria-label="Link to row {1}">#</a></span>')
HERE = Markup('<span id="{0}r{1}c{2}">{3} <a class="here" href="#{0}r{1}c{2}" '
              'aria-label="Link to row {1}, column {2}">#</a></span>')
ENTRY = Markup('<a id="{}" class="entry" href="#{}">{}</a>')
Worked = tuple[int, int, Forms]


def matrix_table(
    step: Step, decimals: Decimals, anchors: str | None = None, rows: str | None = None,
    whole: bool = False,
) -> Markup:
    """The matrix with its labels; of a large one a corner, and a sentence that says so.

    Where `anchors` is given, each entry has an address that begins with it: h1-r2c3. So has each
    row with `rows`: h1-r2. With `whole` no corner is enough.
    """
    shown = decimals[step.key]
    return labelled(step, lambda i, j: _placed(number(shown[i][j], step.key, i, j), anchors, i, j),
                    "matrix", rows, whole)


def labelled(
    step: Step, cell: Callable[[int, int], Markup], kind: str, anchors: str | None = None,
    whole: bool = False,
) -> Markup:
    """A step's matrix, or its corner, with labels and with whatever each cell shows."""
    rows, cols = step.shape if whole else corner(step.shape)
    name = Markup(' <span class="unseen">{}</span>').format(text(step.quantity.name))
    header = [math(step.quantity.matrix) + name, *(label(step.cols, j) for j in range(cols))]
    labels = [label(step.rows, i) for i in range(rows)]
    if anchors is not None:
        labels = [ROW.format(Markup(anchors), i, shown) for i, shown in enumerate(labels, 1)]
    body = [[labels[i], *(cell(i, j) for j in range(cols))] for i in range(rows)]
    if is_cut(step) and not whole:
        return corner_note(step) + table(header, body, f"{kind} corner", matrix_label(step))
    return table(header, body, kind, matrix_label(step))


def _placed(shown: Markup, anchors: str | None, i: int, j: int) -> Markup:
    """A number with its short address, and a link to that."""
    return shown if anchors is None else HERE.format(Markup(anchors), i + 1, j + 1, shown)


def corner_note(step: Step) -> Markup:
    """Says how large a matrix is of which only a corner is shown."""
    rows, cols = step.shape
    return Markup("The whole matrix is {} by {}; this is its upper left corner. The data files "
                  "hold all of it.\n\n").format(rows, cols)


def worked_forms(
    step: Step, derivation: Derivation, decimals: Decimals, places: list[tuple[int, int]]
) -> list[Worked]:
    """The forms of entries: (row, column, forms), counted from 0."""
    return [(i, j, forms(derivation, decimals, step, i, j)) for i, j in places]


def entry_table(step: Step, found: list[Worked], anchors: str | None = None) -> Markup:
    """Entries in all four forms, one a row; `anchors` begins a short address of each."""
    columns = _columns([four for _, _, four in found])
    header = [text(word) for word in ("entry", *columns)]
    rows = [[_anchor(step, i, j, anchors), *(_cell(four, column) for column in columns)]
            for i, j, four in found]
    return table(header, rows, "entries stacks", f"the {step.quantity.name}, entry by entry")


def _columns(found: list[Forms]) -> list[str]:
    """The forms that any of these entries has; what is rounded after what is exact."""
    rounded = any(four.rounded_numbers for four in found)
    order = [SYMBOLS, EXACTLY, IN_NUMBERS, DECIMAL] if rounded \
        else [SYMBOLS, IN_NUMBERS, EXACTLY, DECIMAL]
    return [column for column in order if any(_cell(four, column) for four in found)]


def _cell(four: Forms, column: str) -> Markup:
    shown = {SYMBOLS: f"{four.name} = {four.symbols}" if four.symbols
             else f"{four.name} {four.exact}",
             IN_NUMBERS: four.numbers,
             EXACTLY: four.exact if four.symbols else "",
             DECIMAL: four.decimal}[column]
    if column == EXACTLY and not shown and not four.complete:
        return text(IN_THE_DATA)
    return math(shown) if shown else Markup("")


def worked_entries(step: Step, most: int = MOST_ENTRIES) -> list[tuple[int, int]]:
    """The entries worked out in full: all of a small matrix; of a larger one a row, or an entry.

    That row is the second, which is all to be seen: none is worked out of many columns, or where
    not so many entries are asked for as it has.
    """
    rows, cols = step.shape
    if rows * cols <= most:
        return step.places
    row, shown = min(1, rows - 1), corner(step.shape)[1]
    if shown == cols <= most:
        return [(row, col) for col in range(cols)]
    return [(row, shown - 1)] if most else []


def _anchor(step: Step, i: int, j: int, anchors: str | None) -> Markup:
    """The name of an entry: a link to its own address, to the short one where it has one."""
    long = address(step.key, i, j)
    short = None if anchors is None else f"{anchors}r{i + 1}c{j + 1}"
    named = ENTRY.format(Markup(long), Markup(short or long), entry_label(step, i, j))
    return Markup('<span id="{}">{}</span>').format(Markup(short), named) if short else named

