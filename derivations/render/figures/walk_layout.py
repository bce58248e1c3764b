"""Where the matrices of a product stand in a walk-through: left factor, top factor, result."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.walk_cells import SIZE, TALL, Matrix

GUTTER, NAME = 14.0, 76.0  # between the blocks, and the least width of one: for its name
HEAD, BAND, FOOT = 27.0, 24.0, 26.0  # the heights of names and labels
Letters = tuple[Markup, Markup, Markup]


@dataclass(frozen=True)
class Product:
    """result = left times top, or left times top transposed (`turned`), in part.

    `rows` and `cols` are those of the result that are drawn, `inner` what is multiplied in pairs.
    """

    left: Matrix
    top: Matrix
    result: Matrix
    names: Letters
    rows: Sequence[int]
    cols: Sequence[int]
    inner: Sequence[int]
    turned: bool = False

    @cached_property
    def narrow(self) -> float:
        """The width of a cell on the left."""
        return self.left.width(self.rows, self.inner)

    @cached_property
    def wide(self) -> float:
        """The width of a cell on the right."""
        top = (self.cols, self.inner) if self.turned else (self.inner, self.cols)
        labels = [words.width(self.result.cols[j], SIZE) + 8 for j in self.cols] \
            if self.result.tokens else [0.0]
        return max(self.top.width(*top), self.result.width(self.rows, self.cols),
                   min(60.0, max(labels)))

    @property
    def start(self) -> svg.Point:
        """The upper left corner of the top factor."""
        across = max(NAME, len(self.inner) * self.narrow) + GUTTER
        return 3 + across, HEAD + (BAND if self.result.tokens else 4)

    @property
    def below(self) -> float:
        """The upper edge of the result and of the left factor."""
        return self.start[1] + len(self.inner) * TALL + (BAND if self.left.tokens else 12)

    @property
    def size(self) -> svg.Point:
        """The width and height of the drawing."""
        across = self.start[0] + max(NAME, len(self.cols) * self.wide) + 2
        return across, self.below + len(self.rows) * TALL + FOOT

    def top_place(self, l: int, j: int) -> tuple[int, int]:
        """The entry of the top factor that stands in row l and column j."""
        return (j, l) if self.turned else (l, j)

    def on_left(self, n: int, l: int) -> svg.Point:
        """The corner of the cell in row n and column l of the left factor as drawn."""
        return 3 + l * self.narrow, self.below + n * TALL

    def on_top(self, l: int, m: int) -> svg.Point:
        """The corner of the cell in row l and column m of the top factor as drawn."""
        return self.start[0] + m * self.wide, self.start[1] + l * TALL

    def crossing(self, n: int, m: int) -> svg.Point:
        """The corner of the cell of the result in row n and column m as drawn."""
        return self.start[0] + m * self.wide, self.below + n * TALL
