"""A line of tokens, with arcs from one of them: what does not depend on where it runs."""

from dataclasses import dataclass

from derivations.render.figures.svg import Point

LOOP, FOOT = 7.0, 7.0  # half of a loop, and from foot to foot where arcs meet at one token
CHIP, TALL = 16.0, 26.0  # what a chip adds to the width of its token, and its height
Anchored = tuple[Point, str]


@dataclass(frozen=True)
class Arcs:
    """Arcs from one of n tokens (`asker`) to each of those `heard`; a loop where these are one.

    `token` and `number` are the widest of each. Places are tokens, counted from 0.
    """

    asker: int
    heard: tuple[int, ...]
    n: int
    token: float
    number: float
    mirrored: bool = False

    @property
    def sides(self) -> tuple[list[int], list[int]]:
        """The tokens heard before and after the one that asks, the farthest first."""
        before = sorted(place for place in self.heard if place < self.asker)
        after = sorted((place for place in self.heard if place > self.asker), reverse=True)
        return before, after

    @property
    def reach(self) -> Point:
        """How far feet lie before and after the middle of the token that asks."""
        before, after = (LOOP + FOOT * len(side) for side in self.sides)
        return before, after

    def foot(self, place: int) -> float:
        """How far past the middle of the asker an arc starts: nearer to it, the farther it goes."""
        before, after = self.sides
        if place == self.asker:
            return -LOOP
        side, sign = (before, -1) if place < self.asker else (after, 1)
        return sign * (LOOP + FOOT * (1 + side.index(place)))

    def end(self, place: int) -> float:
        """How far past the middle of a token its arc ends."""
        return LOOP if place == self.asker else 0.0
