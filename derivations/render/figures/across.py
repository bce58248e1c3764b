"""A sentence across the page: arcs over it, each with its number above its highest point."""

from derivations.render.figures.line import CHIP, TALL, Anchored, Arcs
from derivations.render.figures.svg import PHONE, Point

LOOP_HEIGHT, LOWEST, RISE = 72.0, 46.0, 61.0  # a number fits between two arcs, one over the other
WIDEST_STEP = 110.0
BEND = 0.78  # the part of a step over which the next arc has left room for a number
HEADROOM = 32.0  # for a number
HIDDEN = 18.0  # the line of the word for what is hidden


class Across(Arcs):
    """A line from left to right, or from right to left where it is mirrored."""

    @property
    def step(self) -> float:
        """From token to token."""
        return min(WIDEST_STEP, PHONE / self.n)

    @property
    def fits(self) -> bool:
        """Have all tokens and numbers room?"""
        crowd = max(self.reach) + self.number
        return self.token + 6 <= self.step and crowd <= BEND * self.step

    @property
    def base(self) -> float:
        """Where the line is, down from the upper edge."""
        return max((self.peak(place) + HEADROOM for place in self.heard), default=2)

    @property
    def size(self) -> Point:
        """The width and height of the drawing."""
        below = TALL + 4 + (HIDDEN if len(self.heard) < self.n else 0)
        return self.n * self.step, self.base + below

    @property
    def room(self) -> float:
        """The longest text of a token."""
        return self.step - CHIP

    def at(self, along: float, height: float) -> Point:
        """The point so far along the line, at a height over it."""
        return (self.n * self.step - along if self.mirrored else along), self.base - height

    def centre(self, place: int) -> float:
        """How far along the middle of a token is."""
        return (place + 0.5) * self.step

    def peak(self, place: int) -> float:
        """How high the arc to a token is."""
        distance = abs(place - self.asker)
        return LOWEST + RISE * (distance - 1) if distance else LOOP_HEIGHT

    def answer(self, place: int, above: float) -> Anchored:
        """Where the number of an arc stands: its middle."""
        start = self.centre(self.asker) + self.foot(place)
        middle = (start + self.centre(place) + self.end(place)) / 2
        return self.at(middle, self.peak(place) + above), "middle"

    def absent(self, place: int) -> Anchored:
        """Where a word stands for an arc that is not there: its middle."""
        return self.at(self.centre(place), -TALL - 16), "middle"

    def text(self, place: int) -> Anchored:
        """Where a token stands: its middle."""
        return self.at(self.centre(place), -TALL / 2 - 7), "middle"

    def chip(self, place: int, wide: float) -> tuple[Point, Point]:
        """The upper left corner and the size of a chip; that of the asker holds all feet."""
        x, y = self.at(self.centre(place), -2)
        width = max(wide, 2 * max(self.reach) + 8) if place == self.asker else wide
        return (x - width / 2, y), (width, TALL)
