"""The cells of a walk-through: entries of a matrix in boxes, what is lit, and what comes when.

`beat` says with which beat a part comes in while the walk plays; a still has all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from derivations.decimals import Table
from derivations.render.figures import svg, words
from derivations.render.forms import Decimals
from derivations.render.markup import address, text
from derivations.step import Step

SIZE = 13  # of numbers and tokens
TALL, GAP = 30.0, 3.0  # from row to row, and between cells
NARROWEST, LONGEST_LABEL = 36.0, 84.0
BASE = (TALL - GAP) / 2 + SIZE * 0.35  # how far below the upper edge of a cell its text stands
LAST_BEAT = 12
MASKED = ("masked_scores", "exponentials", "weights")


@dataclass(frozen=True)
class Box:
    """A drawing that scrolls where it is too wide."""

    html: Markup
    width: float


@dataclass(frozen=True)
class Drawn:
    """A drawing in its box, the same facts as text, how many beats it takes and how wide it is."""

    box: Box
    facts: Markup
    beats: int


@dataclass(frozen=True)
class Matrix:
    """Numbers with their labels; `key` begins their addresses, `hidden` are those behind a mask."""

    key: str
    name: str
    role: str
    table: Table
    rows: tuple[str, ...]
    cols: tuple[str, ...]
    tokens: bool
    hidden: frozenset[tuple[int, int]] = frozenset()

    def told(self, i: int, j: int) -> str:
        """An entry in words: score, love for cats: 2."""
        col = f" for {words.plain(self.cols, j)}" if self.tokens else f", number {j + 1}"
        return f"{self.name}, {words.plain(self.rows, i)}{col}: {self.written(i, j)}" \
            + self._masked(i, j)

    def written(self, i: int, j: int) -> str:
        """The decimal of an entry."""
        return words.spoken(self.table[i][j])

    def row(self, i: int, cols: Sequence[int]) -> str:
        """Some of a row in words: love: I 0, love 1, cats 2."""
        shown = [(f"{words.plain(self.cols, j)} " if self.tokens else "") + self.written(i, j)
                 + self._masked(i, j, " (", ")") for j in cols]
        return f"{words.plain(self.rows, i)}: {', '.join(shown)}"

    def _masked(self, i: int, j: int, before: str = ", ", after: str = "") -> str:
        return f"{before}hidden by the mask{after}" if (i, j) in self.hidden else ""

    def width(self, rows: Sequence[int], cols: Sequence[int]) -> float:
        """How wide a cell must be for these entries."""
        longest = max(words.width(self.written(i, j), SIZE) for i in rows for j in cols)
        return max(NARROWEST, longest + 4 + GAP)


def matrix(step: Step, decimals: Decimals) -> Matrix:
    """The numbers of a step."""
    hidden = [(i, j) for i, j in step.places if words.is_hidden(step, i, j)] \
        if step.key in MASKED else []
    return Matrix(step.key, step.quantity.entry_name, step.quantity.role, decimals[step.key],
                  step.rows.labels, step.cols.labels, step.cols.tokens, frozenset(hidden))


def coming(content: Markup, beat: int | None, way: str = "appear") -> Markup:
    """A part that comes in with a beat, in a way that docs/assets/walk-through.css knows."""
    if beat is None:
        return content
    return svg.tag("g", content, class_=f"{way} beat-{min(beat, LAST_BEAT)}")


def cell(shown: Matrix, i: int, j: int, place: svg.Point, wide: float) -> Markup:
    """An entry in its box; a dashed one is hidden by the mask."""
    (x, y), hidden = place, (i, j) in shown.hidden
    box = svg.tag("rect", x=x, y=y, width=wide - GAP, height=TALL - GAP, rx=3, class_=_role(shown),
                  fill="none" if hidden else "currentColor", fill_opacity="0.1",
                  stroke="currentColor", stroke_dasharray="3 3" if hidden else None,
                  stroke_opacity=None if hidden else "0.4", pointer_events="all")
    number = svg.words((x + (wide - GAP) / 2, y + BASE), text(shown.written(i, j)),
                       text_anchor="middle", font_size=SIZE)
    return svg.tag("g", svg.title(shown.told(i, j)), box, number, class_="number",
                   data_ref=address(shown.key, i, j), data_exact=svg.exact(shown.table[i][j]))


def empty(shown: Matrix, place: svg.Point, wide: float) -> Markup:
    """The box of an entry that is still to come."""
    return svg.tag("rect", x=place[0], y=place[1], width=wide - GAP, height=TALL - GAP, rx=3,
                   fill="none", stroke="currentColor", stroke_opacity="0.25", class_=_role(shown))


def lit(role: str, place: svg.Point, size: svg.Point, beat: int | None = None) -> Markup:
    """The light behind a row, a column or an entry."""
    (x, y), (wide, tall) = place, size
    light = svg.tag("rect", x=x - 2, y=y - 2, width=wide - GAP + 4, height=tall - GAP + 4, rx=5,
                    class_=f"role-{role}" if role else None, fill="currentColor",
                    fill_opacity="0.22", stroke="currentColor", stroke_width=2)
    return coming(light, beat)


def label(tokens: tuple[str, ...], i: int, place: svg.Point, room: float, **more: object) -> Markup:
    """A token beside or above its cells."""
    return svg.words(place, words.label(tokens, i, room, SIZE), class_="word", font_size=SIZE,
                     **more)


def labels_width(tokens: tuple[str, ...], shown: Sequence[int]) -> float:
    """The room for the labels of rows."""
    return min(max(words.width(tokens[i], SIZE) for i in shown), LONGEST_LABEL) + 10.5


def boxed(name: str, labels: tuple[float, Markup], size: svg.Point, *parts: Markup) -> Box:
    """A drawing beside its labels, which stay where they are while it scrolls."""
    wide, beside = labels
    drawn = svg.canvas((wide, size[1]), beside, class_="labels", aria_hidden="true") \
        + svg.canvas(size, *parts, role="group", aria_label=text(name))
    if wide + size[0] <= svg.PHONE:
        return Box(svg.tag("div", drawn, class_="scroller"), wide + size[0])
    return Box(svg.tag("div", drawn, class_="scroller", role="group", tabindex=0,
                       aria_label=text(name)), wide + size[0])


def _role(shown: Matrix) -> str | None:
    return f"role-{shown.role}" if shown.role else None
