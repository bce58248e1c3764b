"""Values and outputs in the plane, and the hull of the values: each output is a mean of them."""

from itertools import pairwise

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.labels import Box, has_leader, placed
from derivations.render.figures.plane import (
    TOP,
    Plane,
    corners,
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
    """The values and outputs of the tokens, and the hull of all values.

    '' unless d_v is 2 and a token hears somebody.
    """
    rows, d_v = derivation["output"].shape
    if d_v != 2 or len(derivation.closed_rows) == rows:
        return Markup("")
    values, keys = values_of(derivation), words.window(len(derivation.key_tokens), 0)
    low, span = window_of(values)
    across, up = (ticks(*ends, whole=values.denominator == 1)
                  for ends in zip(low, span, strict=True))
    numbers = max((words.width(shown, svg.TEXT) for _, shown in up), default=0)
    plane = Plane(low, span, ASIDE + numbers, LOWEST + MORE * len(keys))
    edge = [plane.at(corner) for corner in corners(values)]
    drawn = svg.drawing(
        (svg.PHONE, TOP + plane.height + BELOW), "values and outputs in the plane",
        _legend(plane), _frame(plane), _axes(plane, across, up), _outline(edge),
        *_points(derivation, decimals, plane, keys, edge))
    return svg.figure("hull", drawn, _caption(derivation, len(edge), keys),
                      _facts(derivation, decimals, keys))


def _legend(plane: Plane) -> Markup:
    """Which mark is what."""
    x = plane.left
    return svg.tag("g", _mark("values", (x + 6, 9)), svg.words((x + 16, 13), Markup("values")),
                   class_="role-v") \
        + _mark("output", (x + 76, 9)) + svg.words((x + 86, 13), Markup("outputs"))


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
    shown += [("output", i, plane.at(outputs[i])) for i in _askers(derivation)
              if i not in derivation.closed_rows]
    widths = [words.width(words.fitted(_tokens(derivation, key)[i], LONGEST_NAME, SIZE), SIZE)
              for key, i, _ in shown]
    frame = Box(plane.left + plane.width / 2, TOP + plane.height / 2,
                (plane.width / 2 - 2, plane.height / 2 - 2))
    boxes = placed([point for _, _, point in shown], widths, frame,
                   list(pairwise([*edge, edge[0]])))
    return [_point(derivation, decimals, key, i, point, box)
            for (key, i, point), box in zip(shown, boxes, strict=True)]


def _tokens(derivation: Derivation, key: str) -> tuple[str, ...]:
    """The tokens that values or outputs are of."""
    return derivation[key].rows.labels


def _askers(derivation: Derivation) -> range:
    """The tokens whose outputs are drawn."""
    return words.window(len(derivation.tokens), 0)


def _point(
    derivation: Derivation, decimals: Decimals, key: str, i: int, point: svg.Point, box: Box | None
) -> Markup:
    """A point and its name, with a line between them where they are apart."""
    told = f"{derivation[key].quantity.name} of {_told(derivation, decimals, key, i)}"
    parts = [svg.title(told), _mark(key, point)]
    if box and has_leader(point, box):
        parts.insert(1, svg.line(point, box.nearest(point), stroke_opacity="0.5"))
    if box:
        parts.append(svg.words((box.x, box.y + 4.5), words.label(_tokens(derivation, key), i,
                                                                 LONGEST_NAME, SIZE),
                               text_anchor="middle", font_size=SIZE, class_="word"))
    return svg.tag("g", *parts, class_="role-v" if key == "values" else None)


def _mark(key: str, point: svg.Point) -> Markup:
    """A square for a value, a disc for an output."""
    x, y = point
    if key == "values":
        return svg.tag("rect", x=x - 5.5, y=y - 5.5, width=11, height=11, fill="currentColor")
    return svg.tag("circle", cx=x, cy=y, r=4, fill="currentColor")


def _told(derivation: Derivation, decimals: Decimals, key: str, i: int) -> str:
    pair = ", ".join(words.spoken(decimals[key][i][c]) for c in (0, 1))
    return f"{words.plain(_tokens(derivation, key), i)} ({pair})"


SHAPES = {
    1: "All values are one point, and every output is that point.",
    2: "All values lie on one line, and every output on the dashed piece of it between them.",
    3: "Every output (a disc) is a mean of the values (squares), so it lies inside the dashed "
       "outline around the values, or on it.",
}


def _caption(derivation: Derivation, count: int, keys: range) -> Markup:
    told = Markup(SHAPES[min(count, 3)])
    if derivation.closed_rows:
        told += Markup(" A token that may listen to nobody has no such mean: its output is not "
                       "drawn.")
    partly = words.partly(keys, len(derivation.key_tokens))
    return told + partly + Markup(" The outline is that of all values." if partly else "")


def _facts(derivation: Derivation, decimals: Decimals, keys: range) -> Markup:
    values = "; ".join(_told(derivation, decimals, "values", j) for j in keys)
    outputs = "; ".join(_told(derivation, decimals, "output", i) for i in _askers(derivation))
    return text(f"values: {values}. outputs: {outputs}")
