"""The convex hull of points of the plane, in integers: exact, whatever the points."""

Spot = tuple[int, int]


def outline(spots: set[Spot]) -> list[Spot]:
    """The corners, one after another; two for points on a line, one where all are one point."""
    ordered = sorted(spots)
    if len(ordered) < 3:
        return ordered
    return _chain(ordered) + _chain(ordered[::-1])


def _chain(ordered: list[Spot]) -> list[Spot]:
    """The corners of one side, without its last."""
    kept: list[Spot] = []
    for spot in ordered:
        while len(kept) > 1 and not _turns_left(kept[-2], kept[-1], spot):
            kept.pop()
        kept.append(spot)
    return kept[:-1]


def _turns_left(a: Spot, b: Spot, c: Spot) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])
