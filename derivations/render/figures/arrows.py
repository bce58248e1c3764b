"""One query and one key as arrows in the plane, and how far the key reaches along the query."""

from markupsafe import Markup

from derivations.render.figures import svg
from derivations.render.figures.angle import Vector, angle
from derivations.render.figures.arrow_words import DASHES, LEGEND, WAY, Pair, caption, legend
from derivations.render.figures.reach import Reach
from derivations.render.figures.window import Window, cross, unit, window_of
from derivations.render.forms import Decimals
from derivations.step import Derivation, Step
from derivations.values import Rationals

RADIUS, CORNER, ASIDE, EDGE = 30.0, 7.0, 12.0, 8.0


def arrows(derivation: Derivation, decimals: Decimals, i: int, j: int) -> Markup:
    """The query of token i and the key of token j with their angle; '' unless d_k is 2."""
    if derivation.size("d_k") != 2:
        return Markup("")
    query, key = _vector(derivation["queries"], i), _vector(derivation["keys"], j)
    reach, between = Reach(query, key), angle(query, key)
    pair = Pair(derivation, decimals, i, j, reach, between)
    window = window_of([query, key, *([reach.foot] if between else [])])
    side = 1 if cross(unit(query), unit(key)) >= 0 else -1
    rows = legend(pair, window.height)
    drawn = svg.drawing(
        (svg.PHONE, window.height + len(rows) * LEGEND), "a query and a key as arrows",
        _grid(window), *(_reach(window, reach) if between else []), _turn(window, query, key),
        _arrow(window, "q", query, -side), _arrow(window, "k", key, side), *rows)
    return svg.figure("arrows", drawn, caption(pair, window.squares))


def _vector(step: Step, i: int) -> Vector:
    assert isinstance(step.values, Rationals)
    return step.values.entry(i, 0), step.values.entry(i, 1)


def _grid(window: Window) -> Markup:
    """The axes, and the squares of whole numbers."""
    (left, bottom), (right, top) = window.low, window.high
    axes = svg.line(window.at(left, 0), window.at(right, 0)) \
        + svg.line(window.at(0, bottom), window.at(0, top))
    if not window.squares:
        return svg.tag("g", axes, stroke_opacity="0.5")
    inner = [svg.line(window.at(x, bottom), window.at(x, top))
             for x in range(int(left), int(right) + 1)]
    inner += [svg.line(window.at(left, y), window.at(right, y))
              for y in range(int(bottom), int(top) + 1)]
    return svg.tag("g", *inner, stroke_opacity="0.15") + svg.tag("g", axes, stroke_opacity="0.5")


def _reach(window: Window, reach: Reach) -> list[Markup]:
    """The way along the query, the query's line as far as needed, and the line dropped on it."""
    origin, foot, tip = window.at(0, 0), window.at(*reach.foot), window.at(*reach.key)
    way = svg.line(origin, foot, class_="role-s", **WAY)
    onward = svg.line(foot, window.at(*reach.query), stroke_opacity="0.6", class_="role-q")
    dropped = svg.line(tip, foot, stroke_dasharray="2 3", stroke_width=1.5)
    if not reach.cross:
        return [way, onward]
    apart = abs(tip[0] - foot[0]) + abs(tip[1] - foot[1])
    return [way, onward, dropped, *([_corner(foot, reach)] if apart > 2 * CORNER else [])]


def _corner(foot: svg.Point, reach: Reach) -> Markup:
    """The mark of a right angle at the foot."""
    (ux, uy), sign = unit(reach.query), 1 if reach.dot > 0 else -1
    toward = 1 if cross(unit(reach.query), unit(reach.key)) > 0 else -1
    back = -sign * CORNER * ux, -sign * CORNER * uy
    up = -toward * CORNER * uy, toward * CORNER * ux
    corners = [(foot[0] + dx, foot[1] + dy)
               for dx, dy in (back, (back[0] + up[0], back[1] + up[1]), up)]
    return svg.tag("path", d=svg.path("M", corners[0], "L", corners[1], "L", corners[2]),
                   fill="none", stroke="currentColor")


def _turn(window: Window, query: Vector, key: Vector) -> Markup:
    """The arc of the angle; nothing where there is no angle, or none to be seen."""
    first, second = unit(query), unit(key)
    if (0, 0) in (first, second) or first == second:
        return Markup("")
    (x, y), sweep = window.at(0, 0), str(int(cross(first, second) > 0))
    start, end = ((x + RADIUS * ux, y + RADIUS * uy) for ux, uy in (first, second))
    return svg.tag("path", d=svg.path("M", start, "A", RADIUS, RADIUS, "0 0", sweep, end),
                   fill="none", stroke="currentColor", stroke_width="1.5")


def _arrow(window: Window, name: str, vector: Vector, side: int) -> Markup:
    """An arrow from the origin with its letter on the side away from the other; a dot for zero."""
    (ux, uy), tip = unit(vector), window.at(*vector)
    drawn = svg.arrow(window.at(0, 0), tip, stroke_width=2.5, stroke_dasharray=DASHES[name]) \
        if (ux, uy) != (0, 0) else svg.tag("circle", cx=tip[0], cy=tip[1], r=4, fill="currentColor")
    aside = (14 * ux - side * ASIDE * uy, 14 * uy + side * ASIDE * ux) if ux or uy \
        else (side * ASIDE, 16)
    x = min(max(tip[0] + aside[0], EDGE), svg.PHONE - EDGE)
    y = min(max(tip[1] + aside[1] + 5, 2 * EDGE), window.height - EDGE)
    letter = svg.words((x, y), svg.letter(name), text_anchor="middle", font_size=16)
    return svg.tag("g", drawn, letter, class_=f"role-{name}")
