"""A step as a place: its matrix beside what it is made of, each entry a link.

A product stands as one multiplies by hand: the left factor on the left, the other on top, and
each entry where its row and its column cross. The HTML is finished: Markdown leaves it alone.
"""

from unicodedata import east_asian_width

from markupsafe import Markup

from derivations.formula import (
    Beside,
    Dot,
    Exponential,
    Given,
    Masked,
    Ratio,
    RowSum,
    Scaled,
    made_of,
)
from derivations.render.corner import CORNER, corner
from derivations.render.forms import Decimals, divisor_name
from derivations.render.markup import decimal_text, math, number, shortened, text
from derivations.render.words import label, matrix_label
from derivations.step import Axis, Derivation, Step

ADDED = Markup("+")
LINK = Markup(' <a href="#{}-matrix" aria-label="Link to the {}">#</a>')
NARROWEST, WIDEST, LONGEST_LABEL = 2, 14, 10


def layout(step: Step, derivation: Derivation, decimals: Decimals) -> Markup:
    """The place of a step, in a box that scrolls where it is too wide."""
    factors = [derivation[key] for key in _shown(step)]
    if isinstance(step.formula, Dot):
        kind, parts = "product", _product(step, factors, decimals, step.formula.transposed)
    else:
        grids = [grid(one, decimals, main=one is step) for one in (*factors, step)]
        kind, parts = "flow", _joined(grids, _signs(step, derivation, len(factors)))
    opening = '<div class="place {}" role="group" tabindex="0" aria-label="{}">{}</div>'
    return Markup(opening).format(Markup(kind), text(_spoken(step, factors)), parts)


def _shown(step: Step) -> tuple[str, ...]:
    """What a step is made of; of matrices side by side those of which a corner has a column."""
    if not isinstance(step.formula, Beside):
        return made_of(step.formula)
    columns_shown = range(corner(step.shape)[1])
    return tuple(dict.fromkeys(step.formula.place(j)[0] for j in columns_shown))


def _product(step: Step, factors: list[Step], decimals: Decimals, turned: bool) -> Markup:
    """The left factor; beside it, in columns of one width, the top factor and the result.

    A row that is added stands between these.
    """
    left, top, *added = factors
    width = max(_width(top, decimals, turned),
                *(_width(below, decimals) for below in (*added, step)))
    columns = Markup("").join([
        grid(top, decimals, turned=turned, cells=width),
        *(grid(row, decimals, cells=width) for row in added),
        grid(step, decimals, main=True, cells=width)])
    return grid(left, decimals) + Markup('<div class="columns">{}</div>').format(columns)


def grid(
    step: Step, decimals: Decimals, *, turned: bool = False, main: bool = False, cells: int = 0
) -> Markup:
    """A matrix with its labels, or its corner; `turned` shows rows as columns.

    The main matrix of a place has addresses for its rows and columns. `cells` is the width of a
    cell in characters, if it must be that of another matrix.
    """
    rows, cols = (step.cols, step.rows) if turned else (step.rows, step.cols)
    height, width = corner((len(rows), len(cols)))
    head = Markup("").join(_header(step, cols, j, "c" if main else "") for j in range(width))
    body = Markup("").join(
        Markup("<tr>{}{}</tr>").format(
            _header(step, rows, i, "r" if main else "", "row"),
            Markup("").join(_cell(step, decimals, *((j, i) if turned else (i, j)))
                            for j in range(width)))
        for i in range(height)
    )
    key, link = Markup(""), Markup("")
    if main:
        key = Markup(' id="{}-matrix"').format(Markup(step.key))
        link = LINK.format(Markup(step.key), text(step.quantity.name))
    return Markup('<table class="{}"{}><caption>{}{}</caption><thead><tr><td></td>{}</tr></thead>'
                  "<tbody>{}</tbody></table>").format(
        _kind(step, turned, main, cells or _width(step, decimals, turned)), key,
        _caption(step, turned), link, head, body)


def _kind(step: Step, turned: bool, main: bool, cells: int) -> Markup:
    kinds = ("matrix main" if main else "factor turned" if turned else "factor",
             f"role-{step.quantity.role}" if step.quantity.role else "", f"cells-{cells}")
    return Markup(" ".join(filter(None, kinds)))


def _caption(step: Step, turned: bool) -> Markup:
    rows, cols = step.shape[::-1] if turned else step.shape
    symbol = math(step.quantity.matrix + (r"^{\top}" if turned else ""))
    name = text(step.quantity.name + (", transposed" if turned else ""))
    return Markup('{} <span class="size">{} × {}</span><span class="unseen">{}</span>').format(
        symbol, rows, cols, name)


def _header(step: Step, axis: Axis, n: int, letter: str, scope: str = "col") -> Markup:
    """The head of a row or column; a sign for a row that is added to others."""
    address = Markup(' id="{}-{}{}"').format(Markup(step.key), Markup(letter), n + 1) \
        if letter else Markup("")
    shown = ADDED if step.quantity.is_row and not letter and scope == "row" else label(axis, n)
    return Markup('<th scope="{}"{}>{}</th>').format(Markup(scope), address, shown)


def _cell(step: Step, decimals: Decimals, i: int, j: int) -> Markup:
    return Markup("<td>{}</td>").format(number(decimals[step.key][i][j], step.key, i, j))


def _signs(step: Step, derivation: Derivation, factors: int) -> tuple[Markup, ...]:
    """What stands before each matrix but the first; nothing in a product."""
    match step.formula:
        case Scaled():
            return (Markup("÷ {} =").format(math(divisor_name(derivation))),)
        case Exponential():
            return (Markup("{} →").format(math("e^{x}")),)
        case RowSum():
            return (Markup("Σ →"),)
        case Ratio():
            return Markup("÷"), Markup("=")
        case Masked():
            return Markup("and"), Markup("→")
        case Beside():
            return *[Markup("and")] * (factors - 1), Markup("→")
        case Dot() | Given():
            return ()


def _joined(grids: list[Markup], signs: tuple[Markup, ...]) -> Markup:
    if not signs:
        return Markup("").join(grids)
    sign = Markup('<span class="sign" aria-hidden="true">{}</span>')
    return grids[0] + Markup("").join(
        sign.format(before) + shown for before, shown in zip(signs, grids[1:], strict=True))


def _spoken(step: Step, factors: list[Step]) -> str:
    return matrix_label(step) + "".join(f"; from {matrix_label(factor)}" for factor in factors)


def _width(step: Step, decimals: Decimals, turned: bool = False) -> int:
    """How many characters the widest cell or column label needs."""
    axis = step.rows if turned else step.cols
    height, width = corner(step.shape)
    cells = [len(decimal_text(decimals[step.key][i][j]).replace("<sup>", "").replace("</sup>", ""))
             for i in range(height) for j in range(width)]
    labels = [columns(shortened(written, LONGEST_LABEL))
              for written in axis.labels[:CORNER[1]] if axis.tokens]
    return min(max(NARROWEST, *cells, *labels, 0), WIDEST)


def columns(written: str) -> int:
    """The width of a text in characters: those of CJK count double."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in written)
