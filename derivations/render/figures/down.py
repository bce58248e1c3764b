"""A sentence down the page: arcs to the right of it, their numbers in a column beyond these."""

from derivations.render.figures.line import CHIP, TALL, Anchored, Arcs
from derivations.render.figures.svg import PHONE, Point

LOWEST_ROW, HIGHEST_ROW, LENGTH = 30.0, 46.0, 260.0
LONGEST_CHIP, LONGEST_NUMBER, LONGEST_WORD = 100.0, 120.0, 44.0
SHALLOWEST, DEEP, RISE = 40.0, 90.0, 30.0


class Down(Arcs):
    """A line from top to bottom; the row of the asker is as high as its feet need."""

    @property
    def row(self) -> float:
        """The height of the other rows."""
        return max(LOWEST_ROW, min(HIGHEST_ROW, LENGTH / self.n))

    @property
    def widened(self) -> Point:
        """What is added to the row of the asker, above and below."""
        before, after = (max(0.0, reach + 6 - self.row / 2) for reach in self.reach)
        return before, after

    @property
    def base(self) -> float:
        """Where the line is, from the left edge."""
        return min(self.token, LONGEST_CHIP) + 4

    @property
    def size(self) -> Point:
        """The width and height of the drawing."""
        return PHONE, self.n * self.row + sum(self.widened)

    @property
    def room(self) -> float:
        """The longest text of a token."""
        return LONGEST_CHIP - CHIP

    @property
    def deepest(self) -> float:
        """How deep the longest arc is: no deeper than the column of numbers leaves room for."""
        column = max(self.number if self.number <= LONGEST_NUMBER else 0, LONGEST_WORD)
        return min(PHONE - self.base - column - 14, DEEP + RISE * (self.farthest - 1))

    @property
    def farthest(self) -> int:
        """How many tokens the longest arc goes; 1 where there is none."""
        return max((abs(place - self.asker) for place in self.heard), default=0) or 1

    def at(self, along: float, height: float) -> Point:
        """The point so far along the line, at a height over it."""
        return self.base + height, along

    def centre(self, place: int) -> float:
        """How far along the middle of a token is."""
        before, after = self.widened
        more = (before if place >= self.asker else 0) + (after if place > self.asker else 0)
        return (place + 0.5) * self.row + more

    def peak(self, place: int) -> float:
        """How deep the arc to a token is."""
        left = self.farthest - abs(place - self.asker)
        return self.deepest - (self.deepest - SHALLOWEST) * left / self.farthest

    def answer(self, place: int, above: float) -> Anchored:
        """Where the number of an arc stands: its end."""
        return (PHONE - 2, self.centre(place) + 4), "end"

    def absent(self, place: int) -> Anchored:
        """Where a word stands for an arc that is not there: its end."""
        return self.answer(place, 0)

    def text(self, place: int) -> Anchored:
        """Where a token stands: its end."""
        return (self.base - 2 - CHIP / 2, self.centre(place) + 5), "end"

    def chip(self, place: int, wide: float) -> tuple[Point, Point]:
        """The upper left corner and the size of a chip; that of the asker holds all feet."""
        width, y = min(wide, LONGEST_CHIP), self.centre(place)
        before, after = (max(TALL / 2, reach + 4) if place == self.asker else TALL / 2
                         for reach in self.reach)
        return (self.base - 2 - width, y - before), (width, before + after)
