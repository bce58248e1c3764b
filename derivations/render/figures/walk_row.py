"""One row of a walk-through as a worksheet: scores, and below them what is made of them in turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.walk_cells import (
    BASE,
    GAP,
    SIZE,
    TALL,
    Drawn,
    Matrix,
    boxed,
    cell,
    coming,
    label,
    lit,
)
from derivations.render.markup import text

LABELS, HEAD, BETWEEN = 92.0, 24.0, 30.0  # the room for names, for tokens and for what is done
BARS = 56.0  # the height of a bar of weight 1
SUM = 24.0  # the room for the sign before the sum


@dataclass(frozen=True)
class Line:
    """A row of the worksheet: its name, its numbers, and what made it of the row above."""

    name: str
    numbers: Matrix
    done: Markup


@dataclass(frozen=True)
class Sheet:
    """The lines down to the one that is new, for query i and these keys.

    `sums` stands beside the exponentials; `bars` below the weights.
    """

    lines: tuple[Line, ...]
    i: int
    keys: Sequence[int]
    sums: Matrix | None
    bars: bool

    @property
    def wide(self) -> float:
        """The width of a cell."""
        numbers = max(line.numbers.width([self.i], self.keys) for line in self.lines)
        if self.sums:
            numbers = max(numbers, self.sums.width([self.i], [0]))
        tokens = max(words.width(self.lines[0].numbers.cols[j], SIZE) for j in self.keys)
        return max(numbers, min(tokens + 8, 60.0))

    @property
    def size(self) -> svg.Point:
        """The width and height of the drawing."""
        across = 4 + len(self.keys) * self.wide + (SUM + self.wide if self.sums else 0)
        return across, self.top(len(self.lines)) - BETWEEN + 4 + (BARS + 10 if self.bars else 0)

    def top(self, n: int) -> float:
        """The upper edge of line n."""
        return HEAD + n * (TALL + BETWEEN)

    def left(self, m: int) -> float:
        """The left edge of the cell of key number m, as drawn."""
        return 3 + m * self.wide


def worksheet(sheet: Sheet, name: str) -> Drawn:
    """The worksheet; its last line comes in key by key."""
    last = len(sheet.lines) - 1
    tokens = sheet.lines[0].numbers.cols
    parts = [lit(sheet.lines[last].numbers.role, (sheet.left(0), sheet.top(last)),
                 (len(sheet.keys) * sheet.wide, TALL)), *_heads(sheet, tokens)]
    for n in range(len(sheet.lines)):
        parts += _line(sheet, n, new=n == last)
    parts += _sum(sheet) + (_bars(sheet) if sheet.bars else [])
    beats = len(sheet.keys) + 1 + bool(sheet.sums and not sheet.bars)
    return Drawn(boxed(name, (LABELS, _beside(sheet)), sheet.size, *parts), _facts(sheet), beats)


def _heads(sheet: Sheet, tokens: tuple[str, ...]) -> list[Markup]:
    room = sheet.wide - GAP
    return [label(tokens, j, (sheet.left(m) + room / 2, HEAD - 8), room, text_anchor="middle")
            for m, j in enumerate(sheet.keys)]


def _beside(sheet: Sheet) -> Markup:
    """The names of the lines, and between them what is done."""
    found = [svg.words((LABELS - 8, sheet.top(n) + BASE), text(line.name), text_anchor="end")
             for n, line in enumerate(sheet.lines)]
    found += [svg.words((LABELS - 8, sheet.top(n) - BETWEEN / 2 + 4 - GAP / 2), line.done,
                        text_anchor="end", class_="done")
              for n, line in enumerate(sheet.lines) if n]
    return Markup("").join(found)


def _line(sheet: Sheet, n: int, *, new: bool) -> list[Markup]:
    """A line of cells, with an arrow from the line above to each."""
    numbers, found = sheet.lines[n].numbers, []
    for m, j in enumerate(sheet.keys):
        beat = m + 1 if new and n else None
        x, y = sheet.left(m), sheet.top(n)
        if n:
            middle = x + (sheet.wide - GAP) / 2
            arrow = svg.arrow((middle, y - BETWEEN - GAP + 4), (middle, y - 4),
                              stroke_opacity="0.6", class_="axis")
            found.append(coming(arrow, beat))
        found.append(coming(cell(numbers, sheet.i, j, (x, y), sheet.wide), beat, "fall"))
    return found


def _sum(sheet: Sheet) -> list[Markup]:
    """The sum of the exponentials, beside them."""
    if not sheet.sums:
        return []
    n = [line.numbers.key for line in sheet.lines].index("exponentials")
    x, y = sheet.left(len(sheet.keys)) + SUM, sheet.top(n)
    beat = len(sheet.keys) + 1 if n == len(sheet.lines) - 1 else None
    room = sheet.wide - GAP
    shown = [svg.words((x + room / 2, y - 8), Markup("sum"), text_anchor="middle"),
             svg.words((x - SUM / 2 - GAP / 2, y + BASE), Markup("→"), text_anchor="middle",
                       font_size=15),
             cell(sheet.sums, sheet.i, 0, (x, y), sheet.wide)]
    return [coming(shown[1], beat), coming(shown[0], beat), coming(shown[2], beat)]


def _bars(sheet: Sheet) -> list[Markup]:
    """A bar below each weight: as long as the weight, of a length of 1."""
    numbers, top = sheet.lines[-1].numbers, sheet.top(len(sheet.lines) - 1) + TALL + 4
    found = []
    for m, j in enumerate(sheet.keys):
        x, rounded = sheet.left(m) + 6, numbers.table[sheet.i][j]
        tall = float(rounded.value) * BARS if rounded else 0.0
        across = sheet.wide - GAP - 12
        track = svg.tag("rect", x=x, y=top, width=across, height=BARS, fill="currentColor",
                        fill_opacity="0.12")
        bar = svg.tag("rect", x=x, y=top, width=across, height=tall, fill="currentColor")
        found.append(svg.tag("g", track, coming(bar, m + 1, "grow"), class_="role-w"))
    return found


def _facts(sheet: Sheet) -> Markup:
    """Every line, and the sum."""
    told = [f"{line.numbers.name}, {line.numbers.row(sheet.i, sheet.keys)}"
            for line in sheet.lines]
    if sheet.sums:
        told.append(f"sum of the exponentials: {sheet.sums.written(sheet.i, 0)}")
    return text(". ".join(told))
