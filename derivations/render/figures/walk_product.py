"""A product of matrices in a walk-through: left factor, top factor, and where rows meet columns."""

from dataclasses import dataclass

from markupsafe import Markup

from derivations.render.figures import svg
from derivations.render.figures.walk_cells import (
    BASE,
    GAP,
    TALL,
    Drawn,
    boxed,
    cell,
    coming,
    empty,
    label,
    labels_width,
    lit,
)
from derivations.render.figures.walk_layout import Product
from derivations.render.figures.walk_terms import Terms, dot_product
from derivations.render.markup import text

TERMS = 30.0  # the height of the line with the products
FIRST_TERM, MOST_TERMS = 3, 4  # the beat of the first product, and how many are written


@dataclass(frozen=True)
class Lights:
    """What is lit: a row, perhaps a column, and the beats with which they and the result come."""

    row: int
    col: int | None = None
    whole: bool = False


def product(drawn: Product, lights: Lights, name: str) -> Drawn:
    """Both factors; of the result nothing, the lit entry, or (`whole`) all, the lit row first."""
    parts = [*_lights(drawn, lights), *_factors(drawn, lights), *_result(drawn, lights),
             *_names(drawn), *_labels(drawn)]
    size, beats = drawn.size, 3
    if lights.col is not None:
        line = _written_out(drawn, lights.row, lights.col)
        parts += line.parts
        size, beats = (max(size[0], line.x + 2), size[1] + TERMS), _last(drawn)
    beside = Markup("").join(
        label(drawn.left.rows, i, (_room(drawn), drawn.on_left(n, 0)[1] + BASE), _room(drawn),
              text_anchor="end") for n, i in enumerate(drawn.rows))
    labels = labels_width(drawn.left.rows, drawn.rows)
    return Drawn(boxed(name, (labels, beside), size, *parts), _facts(drawn, lights), beats)


def _room(drawn: Product) -> float:
    return labels_width(drawn.left.rows, drawn.rows) - 10


def _lights(drawn: Product, lights: Lights) -> list[Markup]:
    """The row of the one that asks; the column of the one that answers, or the row of answers."""
    n, inner = list(drawn.rows).index(lights.row), len(drawn.inner)
    found = [lit(drawn.left.role, drawn.on_left(n, 0), (inner * drawn.narrow, TALL), 1)]
    if lights.col is not None:
        m = list(drawn.cols).index(lights.col)
        found += [lit(drawn.top.role, drawn.on_top(0, m), (drawn.wide, inner * TALL), 2),
                  lit(drawn.result.role, drawn.crossing(n, m), (drawn.wide, TALL), _last(drawn))]
    if lights.whole:
        wide = len(drawn.cols) * drawn.wide
        found.append(lit(drawn.result.role, drawn.crossing(n, 0), (wide, TALL), 2))
    return found


def _factors(drawn: Product, lights: Lights) -> list[Markup]:
    """Both factors; the numbers that are multiplied with each other beat together."""
    def beating(shown: Markup, c: int, *, met: bool) -> Markup:
        one = lights.col is not None and met and c in _terms_of(drawn)
        return coming(shown, FIRST_TERM + _terms_of(drawn).index(c), "pulse") if one else shown

    left = [beating(cell(drawn.left, i, l, drawn.on_left(n, c), drawn.narrow), c,
                    met=i == lights.row)
            for n, i in enumerate(drawn.rows) for c, l in enumerate(drawn.inner)]
    top = [beating(cell(drawn.top, *drawn.top_place(l, j), drawn.on_top(c, m), drawn.wide), c,
                   met=j == lights.col)
           for c, l in enumerate(drawn.inner) for m, j in enumerate(drawn.cols)]
    return left + top


def _result(drawn: Product, lights: Lights) -> list[Markup]:
    found = []
    for n, i in enumerate(drawn.rows):
        for m, j in enumerate(drawn.cols):
            place = drawn.crossing(n, m)
            if lights.whole:
                shown = cell(drawn.result, i, j, place, drawn.wide)
                found.append(coming(shown, 2 if i == lights.row else 3))
            elif (i, j) == (lights.row, lights.col):
                found.append(coming(cell(drawn.result, i, j, place, drawn.wide), _last(drawn)))
            else:
                found.append(empty(drawn.result, place, drawn.wide))
    return found


def _terms_of(drawn: Product) -> list[int]:
    """Which products are written: all, or of many the first ones."""
    count = len(drawn.left.cols)
    return [*range(count)] if count <= MOST_TERMS else [*range(MOST_TERMS - 1)]


def _last(drawn: Product) -> int:
    """The beat with which the sum of the products comes."""
    return FIRST_TERM + len(_terms_of(drawn))


def _written_out(drawn: Product, i: int, j: int) -> Terms:
    """The dot product of the lit row and the lit column."""
    pairs = [((drawn.left, i, drawn.inner[c]), (drawn.top, *drawn.top_place(drawn.inner[c], j)))
             for c in _terms_of(drawn)]
    return dot_product(drawn.size[1] + TERMS / 2, pairs, (drawn.result, i, j), FIRST_TERM,
                       cut=len(pairs) < len(drawn.left.cols))


def _names(drawn: Product) -> list[Markup]:
    """The letters of the three matrices, each with its size."""
    left, top, result = drawn.names
    foot = drawn.size[1] - 8
    return [svg.words((3, foot), left), svg.words((drawn.start[0], 19), top),
            svg.words((drawn.start[0], foot), result)]


def _labels(drawn: Product) -> list[Markup]:
    """The tokens over columns, and beside the rows of a top factor that has tokens there."""
    found = []
    if drawn.result.tokens:
        y, room = drawn.start[1] - 7, drawn.wide - GAP
        found += [label(drawn.result.cols, j, (drawn.on_top(0, m)[0] + room / 2, y), room,
                        text_anchor="middle") for m, j in enumerate(drawn.cols)]
    if drawn.left.tokens:
        y, room = drawn.below - 7, drawn.narrow - GAP
        found += [label(drawn.left.cols, l, (drawn.on_left(0, c)[0] + room / 2, y), room,
                        text_anchor="middle") for c, l in enumerate(drawn.inner)]
        x = drawn.start[0] - 8
        found += [label(drawn.top.rows, l, (x, drawn.on_top(c, 0)[1] + BASE), x - 8,
                        text_anchor="end") for c, l in enumerate(drawn.inner)]
    return found


def _facts(drawn: Product, lights: Lights) -> Markup:
    """Every number that is drawn."""
    top = drawn.cols if drawn.turned else drawn.inner
    across = drawn.inner if drawn.turned else drawn.cols
    told = [f"{drawn.left.name}, " + "; ".join(drawn.left.row(i, drawn.inner) for i in drawn.rows),
            f"{drawn.top.name}, " + "; ".join(drawn.top.row(i, across) for i in top)]
    if lights.whole:
        told.append(f"{drawn.result.name}, "
                    + "; ".join(drawn.result.row(i, drawn.cols) for i in drawn.rows))
    elif lights.col is not None:
        told.append(drawn.result.told(lights.row, lights.col))
    return text(". ".join(told))
