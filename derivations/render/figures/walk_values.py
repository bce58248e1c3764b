"""The values of a walk-through, each times its weight, and added up."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.walk_cells import (
    BASE,
    GAP,
    TALL,
    Drawn,
    Matrix,
    boxed,
    cell,
    coming,
    label,
    labels_width,
    lit,
)
from derivations.render.markup import text

HEAD, SIGN = 24.0, 22.0
TOTAL = 20.0  # the room for the line above the sum
HEADERS = ("weight", "value", "weight × value")
MOST_BEATS = 8


@dataclass(frozen=True)
class Mix:
    """The weights of query i, the values of these keys, and their products; perhaps the sum."""

    weights: Matrix
    values: Matrix
    parts: Matrix
    output: Matrix | None
    i: int
    keys: Sequence[int]
    cols: Sequence[int]

    @property
    def cells(self) -> tuple[float, float, float]:
        """The widths of a cell: of a weight, of a value, of a product."""
        parts = self.parts.width(self.keys, self.cols)
        if self.output:
            parts = max(parts, self.output.width([self.i], self.cols))
        return (self.weights.width([self.i], self.keys), self.values.width(self.keys, self.cols),
                parts)

    @property
    def blocks(self) -> tuple[float, float, float]:
        """The left edges of the three blocks."""
        weight, value, _ = self.cells
        second = 3 + max(weight, _wide(0)) + SIGN
        return 3.0, second, second + max(len(self.cols) * value, _wide(1)) + SIGN

    @property
    def size(self) -> svg.Point:
        """The width and height of the drawing."""
        across = self.blocks[2] + max(len(self.cols) * self.cells[2], _wide(2)) + 2
        return across, self.below + (TOTAL + TALL if self.output else 0) + 2

    @property
    def below(self) -> float:
        """The lower edge of the last key's row."""
        return HEAD + len(self.keys) * TALL


def _wide(n: int) -> float:
    return words.width(HEADERS[n], svg.TEXT)


def mix(drawn: Mix, name: str) -> Drawn:
    """A row for each key: weight times value; below, where it is known, the sum."""
    tokens, labels = drawn.values.rows, labels_width(drawn.values.rows, drawn.keys)
    labels = max(labels, words.width("sum", svg.TEXT) + 10)
    beside = [label(tokens, j, (labels - 10, HEAD + n * TALL + BASE), labels - 10,
                    text_anchor="end") for n, j in enumerate(drawn.keys)]
    rows = [part for n, j in enumerate(drawn.keys) for part in _row(drawn, n, j)]
    if drawn.output:
        beside.append(svg.words((labels - 10, drawn.below + TOTAL + BASE), Markup("sum"),
                                text_anchor="end"))
    parts = [*_heads(drawn), *rows, *_total(drawn)]
    beats = 2 if drawn.output else len(drawn.keys) + 1
    return Drawn(boxed(name, (labels, Markup("").join(beside)), drawn.size, *parts),
                 _facts(drawn), min(beats, MOST_BEATS))


def _heads(drawn: Mix) -> list[Markup]:
    return [svg.words((x, HEAD - 9), Markup(shown))
            for x, shown in zip(drawn.blocks, HEADERS, strict=True)]


def _row(drawn: Mix, n: int, j: int) -> list[Markup]:
    """weight × value = product, for one key."""
    (first, second, third), (weight, value, part) = drawn.blocks, drawn.cells
    y, beat = HEAD + n * TALL, None if drawn.output else n + 1
    signs = [svg.words((x - SIGN / 2 - GAP / 2, y + BASE), Markup(sign), text_anchor="middle")
             for x, sign in ((second, "×"), (third, "→"))]
    values = [cell(drawn.values, j, c, (second + m * value, y), value)
              for m, c in enumerate(drawn.cols)]
    products = [cell(drawn.parts, j, c, (third + m * part, y), part)
                for m, c in enumerate(drawn.cols)]
    return [cell(drawn.weights, drawn.i, j, (first, y), weight), *signs, *values,
            coming(Markup("").join(products), beat, "slide")]


def _total(drawn: Mix) -> list[Markup]:
    """A line below the products, and their sum: the output."""
    if not drawn.output:
        return []
    x, part, y = drawn.blocks[2], drawn.cells[2], drawn.below + TOTAL
    across = len(drawn.cols) * part
    cells = [cell(drawn.output, drawn.i, c, (x + m * part, y), part)
             for m, c in enumerate(drawn.cols)]
    rule = svg.line((x - 2, y - TOTAL / 2 - 1), (x + across - GAP + 2, y - TOTAL / 2 - 1))
    return [coming(rule, 1), coming(lit("", (x, y), (across, TALL)), 2),
            coming(Markup("").join(cells), 2, "fall")]


def _facts(drawn: Mix) -> Markup:
    """Every product, then the sum."""
    told = []
    for j in drawn.keys:
        value, part = (", ".join(one.written(j, c) for c in drawn.cols)
                       for one in (drawn.values, drawn.parts))
        told.append(f"{words.plain(drawn.values.rows, j)}: weight "
                    f"{drawn.weights.written(drawn.i, j)}, value {value}, weight times value "
                    f"{part}")
    if drawn.output:
        told.append("sum " + ", ".join(drawn.output.written(drawn.i, c) for c in drawn.cols))
    return text("; ".join(told))
