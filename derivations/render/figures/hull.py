"""Values and outputs in the plane, and the hull of values: each output is a mean of them."""

from dataclasses import replace
from itertools import pairwise

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.hull_words import (
    askers,
    caption,
    facts,
    tokens_of,
    told,
    unheard,
)
from derivations.render.figures.labels import Box, has_leader, placed
from derivations.render.figures.plane import (
    TOP,
    Plane,
    corners,
    heard,
    outputs_of,
    values_of,
    window_of,
)
from derivations.render.figures.ticks import Tick, ticks
from derivations.render.forms import Decimals
from derivations.render.markup import text
from derivations.step import Derivation

SIZE, LONGEST_NAME = 13, 84.0
LOWEST, MORE = 170.0, 12.0  # the height of the plane, and what each token adds
BELOW, ASIDE = 38.0, 26.0  # the room for the names and numbers of the axes


def hull(derivation: Derivation, decimals: Decimals) -> Markup:
    """The values and outputs of the tokens, and the hull of the values that anyone may hear.

    '' unless d_v is 2 and a token hears somebody.
    """
    rows, d_v = derivation["output"].shape
    if d_v != 2 or len(derivation.closed_rows) == rows:
        return Markup("")
    values, keys = values_of(derivation), words.window(len(derivation.key_tokens), 0)
    low, span = window_of(values)
    plane, whole = Plane(low, span, ASIDE, LOWEST + MORE * len(keys)), values.denominator == 1
    up = ticks(low[1], span[1], whole=whole, beyond=plane.beyond[1])
    plane = replace(plane, left=ASIDE + max((words.width(shown, svg.TEXT) for _, shown in up),
                                            default=0))
    across = ticks(low[0], span[0], whole=whole, beyond=plane.beyond[0])
    edge = [plane.at(corner) for corner in corners(values, heard(derivation))]
    drawn = svg.drawing(
        (svg.PHONE, TOP + plane.height + BELOW), "values and outputs in the plane",
        _legend(plane, unheard(derivation, keys)), _frame(plane),
        _axes(plane, across, up), _outline(edge),
        *_points(derivation, decimals, plane, keys, edge))
    return svg.figure("hull", drawn, caption(derivation, len(edge), keys),
                      facts(derivation, decimals, keys))


def _legend(plane: Plane, hidden: bool) -> Markup:
    """Which mark is what."""
    x = plane.left
    marks = [("values", "values", "role-v"), ("output", "outputs", None)]
    marks += [("hidden", "hidden", "role-v")] if hidden else []
    return Markup("").join(
        svg.tag("g", _mark(key, (x + 6 + 72 * n, 9)),
                svg.words((x + 16 + 72 * n, 13), Markup(shown)), class_=role)
        for n, (key, shown, role) in enumerate(marks))


def _frame(plane: Plane) -> Markup:
    return svg.tag("rect", x=plane.left, y=TOP, width=plane.width, height=plane.height,
                   fill="none", stroke="currentColor", stroke_opacity="0.3")


def _axes(plane: Plane, across: list[Tick], up: list[Tick]) -> Markup:
    """The numbers at both axes, and what these are."""
    left, bottom = plane.left, TOP + plane.height
    middle = 10.0, TOP + plane.height / 2
    parts = []
    for value, shown in across:
        x, _ = plane.at((value, plane.low[1]))
        parts += [svg.line((x, bottom), (x, bottom + 4)), svg.words((x, bottom + 16), text(shown))]
    for value, shown in up:
        _, y = plane.at((plane.low[0], value))
        parts += [svg.line((left - 4, y), (left, y)),
                  svg.words((left - 7, y + 4), text(shown), text_anchor="end")]
    parts += [svg.words((left + plane.width / 2, bottom + 33), Markup("first number")),
              svg.words(middle, Markup("second number"),
                        transform=f"rotate(-90 {svg.at(middle[0])} {svg.at(middle[1])})")]
    return svg.tag("g", *parts, text_anchor="middle", class_="axis")


def _outline(drawn: list[svg.Point]) -> Markup:
    """The hull: a polygon, a segment or a point."""
    rest = [part for corner in drawn[1:] for part in ("L", corner)]
    close = ["Z"] if len(drawn) > 2 else []
    return svg.tag("path", d=svg.path("M", drawn[0], *rest, *close), fill="currentColor",
                   fill_opacity="0.12", stroke="currentColor", stroke_dasharray="5 3",
                   class_="role-v")


def _points(
    derivation: Derivation, decimals: Decimals, plane: Plane, keys: range, edge: list[svg.Point]
) -> list[Markup]:
    """The values, then the outputs, each with its name beside it."""
    values, outputs = values_of(derivation), outputs_of(derivation["output"], plane.span)
    shown = [("values", j, plane.at((values.entry(j, 0), values.entry(j, 1)))) for j in keys]
    shown += [("output", i, plane.at(outputs[i])) for i in askers(derivation)
              if i not in derivation.closed_rows]
    widths = [words.width(words.fitted(tokens_of(derivation, key)[i], LONGEST_NAME, SIZE), SIZE)
              for key, i, _ in shown]
    frame = Box(plane.left + plane.width / 2, TOP + plane.height / 2,
                (plane.width / 2 - 2, plane.height / 2 - 2))
    boxes = placed([point for _, _, point in shown], widths, frame,
                   list(pairwise([*edge, edge[0]])))
    return [_point(derivation, decimals, key, i, point, box)
            for (key, i, point), box in zip(shown, boxes, strict=True)]


def _point(
    derivation: Derivation, decimals: Decimals, key: str, i: int, point: svg.Point, box: Box | None
) -> Markup:
    """A point and its name, with a line between them where they are apart."""
    named = f"{derivation[key].quantity.name} of {told(derivation, decimals, key, i)}"
    mark = "hidden" if key == "values" and i not in heard(derivation) else key
    parts = [svg.title(named), _mark(mark, point)]
    if box and has_leader(point, box):
        parts.insert(1, svg.line(point, box.nearest(point), stroke_opacity="0.5"))
    if box:
        parts.append(svg.words((box.x, box.y + 4.5), words.label(tokens_of(derivation, key), i,
                                                                 LONGEST_NAME, SIZE),
                               text_anchor="middle", font_size=SIZE, class_="word"))
    return svg.tag("g", *parts, class_="role-v" if key == "values" else None)


def _mark(key: str, point: svg.Point) -> Markup:
    """A square for a value, hollow for a hidden one; a disc for an output."""
    x, y = point
    if key == "hidden":
        return svg.tag("rect", x=x - 4.5, y=y - 4.5, width=9, height=9, fill="none",
                       stroke="currentColor", stroke_width=2)
    if key == "values":
        return svg.tag("rect", x=x - 5.5, y=y - 5.5, width=11, height=11, fill="currentColor")
    return svg.tag("circle", cx=x, cy=y, r=4, fill="currentColor")
