"""Where names stand beside points: on a side with room, or farther off with a line to the point."""

from collections.abc import Iterator
from dataclasses import dataclass

from derivations.render.figures.svg import Point

TALL, MARK = 15.0, 6.0  # the height of a name, and half of a mark
GAPS = (2.0, 12.0, 26.0, 42.0, 60.0, 80.0, 105.0, 135.0, 170.0)  # from a mark to its name
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), *((x, y) for x in (-1, 1) for y in (-1, 1)),
         *((x, y) for x in (-1, 1) for y in (-0.5, 0.5)),
         *((x, y) for x in (-0.5, 0.5) for y in (-1, 1)))
BESIDE = 3  # a line this long is not needed
ON_LINE, ON_NAME, AMID = 60.0, 200.0, 15.0  # what is as bad as so long a way
DOT = 3.0  # from point to point along a line


@dataclass(frozen=True)
class Box:
    """An upright rectangle: its middle, and half of its width and height."""

    x: float
    y: float
    half: Point

    def meets(self, other: "Box") -> bool:
        """Do the two overlap?"""
        return (abs(self.x - other.x) < self.half[0] + other.half[0]
                and abs(self.y - other.y) < self.half[1] + other.half[1])

    def holds(self, other: "Box") -> bool:
        """Is the other one inside?"""
        return (abs(self.x - other.x) <= self.half[0] - other.half[0]
                and abs(self.y - other.y) <= self.half[1] - other.half[1])

    def nearest(self, point: Point) -> Point:
        """Its point that is nearest to another."""
        (x, y), (wide, tall) = point, self.half
        return (min(max(x, self.x - wide), self.x + wide),
                min(max(y, self.y - tall), self.y + tall))


def placed(
    points: list[Point], widths: list[float], frame: Box, lines: list[tuple[Point, Point]]
) -> list[Box | None]:
    """A box for the name of each point, on no mark and no other name; None where none has room.

    Names keep off `lines` where they can, and so do lines to names off names and marks.
    """
    taken = [Box(*point, (MARK, MARK)) for point in points]
    drawn = [dot for line in lines for dot in _dots(*line)]
    found: list[Box | None] = []
    for point, wide in zip(points, widths, strict=True):
        inside = [box for box in _candidates(point, wide)
                  if frame.holds(box) and not any(map(box.meets, taken))]
        others = [other for other in points if other != point]
        best = min(inside, key=lambda box: _cost(point, box, drawn, taken)
                   + AMID * _amid(point, box, others), default=None)
        found.append(best)
        if best:
            taken += [best, *_leader(point, best)]
    return found


def _candidates(point: Point, wide: float) -> Iterator[Box]:
    """Boxes on all sides, from near to far."""
    (x, y), half = point, (wide / 2, TALL / 2)
    for gap in GAPS:
        for dx, dy in SIDES:
            yield Box(x + dx * (MARK + gap + half[0]), y + dy * (MARK + gap + half[1]), half)


def _cost(point: Point, box: Box, drawn: list[Box], taken: list[Box]) -> float:
    """How far off a name is, and more where it lies on a line or its own line on anything."""
    leader = _leader(point, box)
    crossed = any(dot.meets(other) for dot in leader for other in taken)
    return _apart(box, point) + ON_LINE * any(map(box.meets, drawn)) + ON_NAME * crossed


def _amid(point: Point, box: Box, others: list[Point]) -> bool:
    """Could a name be taken for that of another point, which is about as near?"""
    own = _apart(box, point)
    return any(_apart(box, other) < 2 * own for other in others)


def _apart(box: Box, point: Point) -> float:
    x, y = box.nearest(point)
    return abs(x - point[0]) + abs(y - point[1])


def _leader(point: Point, box: Box) -> list[Box]:
    """The line from a mark to its name, as dots outside of both."""
    if not has_leader(point, box):
        return []
    own = Box(*point, (MARK + 1, MARK + 1))
    return [dot for dot in _dots(point, box.nearest(point)) if not dot.meets(own)]


def has_leader(point: Point, box: Box) -> bool:
    """Is a name so far from its point that a line joins them?"""
    x, y = box.nearest(point)
    return max(abs(x - point[0]), abs(y - point[1])) > MARK + BESIDE


def _dots(start: Point, end: Point) -> list[Box]:
    """Points along a line."""
    count = max(1, int((abs(end[0] - start[0]) + abs(end[1] - start[1])) / DOT))
    return [Box(start[0] + (end[0] - start[0]) * n / count,
                start[1] + (end[1] - start[1]) * n / count, (0.5, 0.5)) for n in range(count)]
