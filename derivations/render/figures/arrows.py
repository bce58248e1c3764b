"""One query and one key as arrows in the plane, and the angle between them."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, hypot

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.angle import Angle, Vector, angle
from derivations.render.forms import Decimals
from derivations.render.markup import number
from derivations.step import Derivation, Step
from derivations.values import Rationals

SIDE, PAD, LEGEND, RADIUS = 210, 26.0, 22.0, 30.0
MOST_SQUARES = 12
DASHES = {"q": None, "k": "7 4"}


@dataclass(frozen=True)
class Plane:
    """A window of the plane, from its lower left to its upper right corner, to one scale."""

    low: Vector
    high: Vector
    squares: bool

    @property
    def scale(self) -> Fraction:
        """Units of the drawing for 1."""
        span = max(self.high[0] - self.low[0], self.high[1] - self.low[1])
        return SIDE / span if span else Fraction(1)

    @property
    def size(self) -> svg.Point:
        """The width and height of the drawing, without its legend."""
        return svg.PHONE, float((self.high[1] - self.low[1]) * self.scale) + 2 * PAD

    def at(self, x: Fraction | int, y: Fraction | int) -> svg.Point:
        """Where a point of the plane is drawn."""
        middle = (self.low[0] + self.high[0]) / 2
        return (svg.PHONE / 2 + float((x - middle) * self.scale),
                PAD + float((self.high[1] - y) * self.scale))


def arrows(derivation: Derivation, decimals: Decimals, i: int, j: int) -> Markup:
    """The query of token i and the key of token j with their angle; '' unless d_k is 2."""
    if derivation.size("d_k") != 2:
        return Markup("")
    query, key = _vector(derivation["queries"], i), _vector(derivation["keys"], j)
    plane, between = _plane(query, key), angle(query, key)
    side = 1 if _cross(_unit(query), _unit(key)) >= 0 else -1
    width, height = plane.size
    drawn = svg.drawing(
        (width, height + 3 * LEGEND), "a query and a key as arrows", _grid(plane),
        _turn(plane, query, key), _arrow(plane, "q", query, -side),
        _arrow(plane, "k", key, side), *_legend(derivation, i, j, height), _answer(between, height))
    return svg.figure("arrows", drawn, _caption(derivation, decimals, i, j, between, plane))


def _vector(step: Step, i: int) -> Vector:
    assert isinstance(step.values, Rationals)
    return step.values.entry(i, 0), step.values.entry(i, 1)


def _plane(query: Vector, key: Vector) -> Plane:
    """The window that holds both arrows; on whole numbers where its squares can be told apart."""
    low = min(query[0], key[0], Fraction(0)), min(query[1], key[1], Fraction(0))
    high = max(query[0], key[0], Fraction(0)), max(query[1], key[1], Fraction(0))
    if not 1 <= max(high[0] - low[0], high[1] - low[1]) <= MOST_SQUARES:
        return Plane(low, high, squares=False)
    return Plane((Fraction(floor(low[0])), Fraction(floor(low[1]))),
                 (Fraction(ceil(high[0])), Fraction(ceil(high[1]))), squares=True)


def _unit(vector: Vector) -> svg.Point:
    """The direction in the drawing, where y runs down; (0, 0) of a zero vector."""
    longer = max(abs(vector[0]), abs(vector[1]))
    if longer == 0:
        return 0, 0
    x, y = float(vector[0] / longer), -float(vector[1] / longer)
    return x / hypot(x, y), y / hypot(x, y)


def _cross(first: svg.Point, second: svg.Point) -> float:
    """Positive where the way from the first to the second direction is clockwise."""
    return first[0] * second[1] - first[1] * second[0]


def _grid(plane: Plane) -> Markup:
    """The axes, and the squares of whole numbers."""
    (left, bottom), (right, top) = plane.low, plane.high
    axes = svg.line(plane.at(left, 0), plane.at(right, 0)) \
        + svg.line(plane.at(0, bottom), plane.at(0, top))
    if not plane.squares:
        return svg.tag("g", axes, stroke_opacity="0.5")
    inner = [svg.line(plane.at(x, bottom), plane.at(x, top))
             for x in range(int(left), int(right) + 1)]
    inner += [svg.line(plane.at(left, y), plane.at(right, y))
              for y in range(int(bottom), int(top) + 1)]
    return svg.tag("g", *inner, stroke_opacity="0.15") + svg.tag("g", axes, stroke_opacity="0.5")


def _turn(plane: Plane, query: Vector, key: Vector) -> Markup:
    """The arc of the angle; nothing where there is no angle, or none to be seen."""
    first, second = _unit(query), _unit(key)
    if (0, 0) in (first, second) or first == second:
        return Markup("")
    (x, y), sweep = plane.at(0, 0), str(int(_cross(first, second) > 0))
    start, end = ((x + RADIUS * ux, y + RADIUS * uy) for ux, uy in (first, second))
    return svg.tag("path", d=svg.path("M", start, "A", RADIUS, RADIUS, "0 0", sweep, end),
                   fill="none", stroke="currentColor", stroke_width="1.5")


def _arrow(plane: Plane, name: str, vector: Vector, side: int) -> Markup:
    """An arrow from the origin with its letter on the side away from the other; a dot for zero."""
    (ux, uy), tip = _unit(vector), plane.at(*vector)
    drawn = svg.arrow(plane.at(0, 0), tip, stroke_width=2.5, stroke_dasharray=DASHES[name]) \
        if (ux, uy) != (0, 0) else svg.tag("circle", cx=tip[0], cy=tip[1], r=4, fill="currentColor")
    aside = (14 * ux - side * 7 * uy, 14 * uy + side * 7 * ux) if ux or uy else (side * 12, 16)
    letter = svg.words((tip[0] + aside[0], tip[1] + aside[1] + 5), Markup(name),
                       text_anchor="middle", font_weight=700, font_size=15)
    return svg.tag("g", drawn, letter, class_=f"role-{name}")


def _legend(derivation: Derivation, i: int, j: int, height: float) -> list[Markup]:
    """A sample of each line, with what it is."""
    rows = (("q", "q, the query of ", i), ("k", "k, the key of ", j))
    return [_key(derivation, *row, height + n * LEGEND) for n, row in enumerate(rows)]


def _key(derivation: Derivation, name: str, told: str, i: int, y: float) -> Markup:
    sample = svg.line((24, y + 8), (62, y + 8), stroke_width=2.5, stroke_dasharray=DASHES[name])
    token = svg.tag("tspan", words.label(derivation.tokens, i, 150, 13), font_weight=700)
    return svg.tag("g", sample, class_=f"role-{name}") \
        + svg.words((72, y + 12), Markup(told), token, font_size=13)


def _answer(between: Angle | None, height: float) -> Markup:
    shown = "no angle" if between is None else \
        f"angle {'=' if between.exact else '≈'} {between.text}°"
    return svg.words((72, height + 2 * LEGEND + 12), Markup(shown), font_size=13)


def _caption(
    derivation: Derivation, decimals: Decimals, i: int, j: int, between: Angle | None, plane: Plane
) -> Markup:
    told = Markup("The query of {} is {}, the key of {} is {}. {}").format(
        words.name(derivation.tokens, i), _pair(decimals, "queries", i),
        words.name(derivation.tokens, j), _pair(decimals, "keys", j), Markup(_told(between)))
    return told + Markup(" Each square is 1 by 1." if plane.squares else "")


def _told(between: Angle | None) -> str:
    if between is None:
        return "A vector of zeros has no direction, so there is no angle."
    return f"The angle between them is {'' if between.exact else 'about '}{between.text}°."


def _pair(decimals: Decimals, key: str, i: int) -> Markup:
    x, y = (number(decimals[key][i][l], key, i, l) for l in (0, 1))
    return Markup("({}, {})").format(x, y)
