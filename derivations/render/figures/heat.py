"""A heat map: a matrix as cells, the deeper the larger, each with its number."""

from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from derivations.decimals import Table
from derivations.render.corner import corner
from derivations.render.figures import svg
from derivations.render.figures.words import (
    MOST_TOKENS,
    is_hidden,
    label,
    plain,
    spoken,
    width,
)
from derivations.render.forms import Decimals
from derivations.render.markup import address, text
from derivations.render.words import matrix_label, token_name
from derivations.rounded import Rounded
from derivations.step import Step

SIZE = 14  # of the numbers, on any screen: a wide map scrolls
WIDEST_LABEL = 84
MASKED = ("masked_scores", "exponentials", "weights")
DEEPEST = 0.45  # text stays readable on it, in both schemes
HIDDEN = " (hidden by the mask)"
GAP = 2
HEIGHT = 2.2 * SIZE + 2  # of a cell
BASE = HEIGHT / 2 + SIZE * 0.32  # how far below the upper edge of a cell its text stands


@dataclass(frozen=True)
class Layout:
    """The measures of a heat map: room for labels, cell width."""

    labels: float
    cell: float

    def corner(self, i: int, j: int) -> svg.Point:
        """The upper left corner of cell (i, j), below the labels of the columns."""
        return GAP / 2 + j * self.cell, (i + 1) * HEIGHT


def heat_map(step: Step, decimals: Decimals) -> Markup:
    """A matrix of tokens by tokens [n_q, n_k] as a heat map; of a large one a corner."""
    table, (rows, cols) = decimals[step.key], _extent(step)
    layout = _layout(step, table, rows, cols)
    low, high = _range(step, table, rows, cols)
    cells = [_cell(step, table, layout, (i, j), _depth(table[i][j], low, high))
             for i in range(rows) for j in range(cols)]
    matrix = svg.canvas(layout.corner(rows, cols), _above(step, layout, cols),
                        svg.tag("g", *cells, text_anchor="middle", font_size=SIZE),
                        role="group", aria_label=text(matrix_label(step)))
    box = _box(step, layout, cols, _beside(step, layout, rows) + matrix)
    return svg.figure("heat-map", box, _caption(step, rows, cols), _facts(step, table, rows, cols))


def _box(step: Step, layout: Layout, cols: int, inner: Markup) -> Markup:
    """What scrolls where it is wider than the page, and can be reached by keyboard if so."""
    if layout.labels + layout.corner(0, cols)[0] <= svg.PHONE:
        return svg.tag("div", inner, class_="scroller")
    return svg.tag("div", inner, class_="scroller", role="group", tabindex=0,
                   aria_label=text(matrix_label(step)))


def _extent(step: Step) -> tuple[int, int]:
    """How many rows and columns are drawn."""
    return step.shape if max(step.shape) <= MOST_TOKENS else corner(step.shape)


def _layout(step: Step, table: Table, rows: int, cols: int) -> Layout:
    labels = min(max(width(row, SIZE) for row in step.rows.labels[:rows]), WIDEST_LABEL) + 8
    numbers = max(width(spoken(table[i][j]), SIZE) for i in range(rows) for j in range(cols)) + 6
    headers = max(width(col, SIZE) for col in step.cols.labels[:cols]) + 6
    room = (svg.PHONE - labels) / cols
    return Layout(labels, max(numbers, min(headers, room, WIDEST_LABEL), 2.4 * SIZE))


def _range(step: Step, table: Table, rows: int, cols: int) -> tuple[Fraction, Fraction]:
    """The numbers of the lightest and of the deepest cell: weights are deep from 0 on."""
    found = [rounded.value for row in table[:rows] for rounded in row[:cols] if rounded]
    low = Fraction(0) if step.key == "weights" else min(found, default=Fraction(0))
    return low, max(found, default=Fraction(0))


def _depth(rounded: Rounded | None, low: Fraction, high: Fraction) -> float:
    """How deep a cell is: 0 for the smallest number, 0.45 for the largest."""
    if low == high:
        return DEEPEST / 2
    return float((rounded.value - low) / (high - low)) * DEEPEST if rounded else 0.0


def _cell(
    step: Step, table: Table, layout: Layout, place: tuple[int, int], depth: float
) -> Markup:
    (i, j), (x, y) = place, layout.corner(*place)
    hidden = _is_hidden(step, i, j)
    box = svg.tag(
        "rect", x=x, y=y, width=layout.cell - GAP, height=HEIGHT - GAP,
        class_=f"role-{step.quantity.role}", fill="none" if hidden else "currentColor",
        fill_opacity=f"{depth:.2f}", stroke="currentColor",
        stroke_dasharray="3 3" if hidden else None, stroke_opacity=None if hidden else "0.4")
    middle = x + (layout.cell - GAP) / 2, y + BASE - GAP / 2
    shown = svg.words(middle, text(spoken(table[i][j])))
    return svg.tag("g", svg.title(_told(step, table, i, j, hidden)), box, shown, class_="number",
                   data_ref=address(step.key, i, j), data_exact=svg.exact(table[i][j]))


def _is_hidden(step: Step, i: int, j: int) -> bool:
    """Does a cell show that the mask hides it? Not before the mask is applied."""
    return step.key in MASKED and is_hidden(step, i, j)


def _told(step: Step, table: Table, i: int, j: int, hidden: bool) -> str:
    row, col = plain(step.rows.labels, i), plain(step.cols.labels, j)
    return f"{row} for {col}: {spoken(table[i][j])}" + (", hidden by the mask" if hidden else "")


def _beside(step: Step, layout: Layout, rows: int) -> Markup:
    """The labels of the rows: a drawing of their own, which stays where it is."""
    room = layout.labels - 8
    shown = [svg.words((room, layout.corner(i, 0)[1] + BASE - GAP / 2),
                       label(step.rows.labels, i, room, SIZE), class_="word") for i in range(rows)]
    return svg.canvas((layout.labels, layout.corner(rows, 0)[1]),
                      svg.tag("g", *shown, text_anchor="end", font_size=SIZE),
                      class_="labels", aria_hidden="true")


def _above(step: Step, layout: Layout, cols: int) -> Markup:
    """The labels of the columns."""
    room = layout.cell - GAP
    shown = [svg.words((layout.corner(0, j)[0] + room / 2, BASE),
                       label(step.cols.labels, j, room, SIZE), class_="word") for j in range(cols)]
    return svg.tag("g", *shown, text_anchor="middle", font_size=SIZE)


def _caption(step: Step, rows: int, cols: int) -> Markup:
    named = step.quantity.name.capitalize()
    low = "0" if step.key == "weights" else "the smallest"
    told = f"{named}. Rows ask, columns are asked. The stronger the colour, the larger the " \
           f"number, from {low} to the largest."
    if step.key in MASKED and step.open is not None:
        told += " A dashed cell is hidden by the mask."
    if (rows, cols) != step.shape:
        told += f" Shown are {rows} of {step.shape[0]} rows and {cols} of {step.shape[1]} columns."
    return Markup(told)


def _facts(step: Step, table: Table, rows: int, cols: int) -> Markup:
    lines = [token_name(step.rows.labels, i) + Markup(": ") + Markup(", ").join(
        token_name(step.cols.labels, j) + Markup(" {}{}").format(
            text(spoken(table[i][j])), Markup(HIDDEN if _is_hidden(step, i, j) else ""))
        for j in range(cols)) for i in range(rows)]
    return Markup("; ").join([text(matrix_label(step)), *lines])
