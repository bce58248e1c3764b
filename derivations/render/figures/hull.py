"""Values and outputs in the plane, and the hull of the values: each output is a mean of them."""

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.plane import (
    ASIDE,
    GAP,
    SIDE,
    TOP,
    Plane,
    apart,
    corners,
    outputs_of,
    plane_of,
    values_of,
)
from derivations.render.forms import Decimals
from derivations.render.markup import address, text
from derivations.step import Derivation

BOTTOM, SIZE = 24.0, 12
LONGEST_RANGE = SIDE - 4


def hull(derivation: Derivation, decimals: Decimals) -> Markup:
    """The values and outputs of the tokens, and the hull of all values; '' unless d_v is 2."""
    if derivation.size("d_v") != 2:
        return Markup("")
    values, keys = values_of(derivation), words.window(len(derivation.tokens), 0)
    plane = plane_of(values, max(SIDE, len(keys) * GAP))
    outputs = outputs_of(derivation["output"], plane)
    given = {j: plane.at((values.entry(j, 0), values.entry(j, 1))) for j in keys}
    made = {i: plane.at(outputs[i]) for i in keys if i not in derivation.closed_rows}
    drawn = svg.drawing(
        (svg.PHONE, TOP + plane.height + BOTTOM), "values and outputs in the plane",
        *_frame(plane), _outline([plane.at(corner) for corner in corners(values)]),
        *_ranges(derivation, decimals, plane),
        _points(derivation, decimals, "values", given, plane),
        _points(derivation, decimals, "output", made, plane))
    return svg.figure("hull", drawn, _caption(derivation, len(corners(values)), keys),
                      _facts(derivation, decimals, keys))


def _frame(plane: Plane) -> list[Markup]:
    """The window, and the heads of the two columns of names."""
    box = svg.tag("rect", x=ASIDE, y=TOP, width=SIDE, height=plane.height, fill="none",
                  stroke="currentColor", stroke_opacity="0.3")
    heads = [svg.words((ASIDE - 10, 14), Markup("values"), text_anchor="end", class_="role-v",
                       font_weight=700),
             svg.words((ASIDE + SIDE + 10, 14), Markup("outputs"), font_weight=700)]
    return [box, *heads]


def _outline(drawn: list[svg.Point]) -> Markup:
    """The hull: a polygon, a segment or a point."""
    rest = [part for corner in drawn[1:] for part in ("L", corner)]
    close = ["Z"] if len(drawn) > 2 else []
    return svg.tag("path", d=svg.path("M", drawn[0], *rest, *close), fill="currentColor",
                   fill_opacity="0.12", stroke="currentColor", stroke_dasharray="5 3",
                   class_="role-v")


def _ranges(derivation: Derivation, decimals: Decimals, plane: Plane) -> list[Markup]:
    """From where to where the two numbers of a value go."""
    middle = ASIDE + SIDE / 2
    named = ((0, "first number ", " →", TOP + plane.height + 16),
             (1, "second number ", " ↑", 18.0))
    return [_range(derivation, decimals, c, (before, after), (middle, y))
            for c, before, after, y in named]


def _range(
    derivation: Derivation, decimals: Decimals, c: int, around: tuple[str, str], place: svg.Point
) -> Markup:
    """One of them, with the least and the greatest number; without these where they are long."""
    column = [row[c] for row in values_of(derivation).integers]
    rows = [column.index(end(column)) for end in (min, max)]
    shown = [words.spoken(decimals["values"][i][c]) for i in rows]
    whole = around[0] + " to ".join(shown) + around[1]
    if words.width(whole, SIZE) > LONGEST_RANGE:
        return svg.words(place, text("".join(around)), text_anchor="middle")
    numbers = [svg.tag("tspan", text(number), class_="number", data_ref=address("values", i, c),
                       data_exact=svg.exact(decimals["values"][i][c]))
               for number, i in zip(shown, rows, strict=True)]
    return svg.words(place, text(around[0]), Markup(" to ").join(numbers), text(around[1]),
                     text_anchor="middle")


def _points(
    derivation: Derivation, decimals: Decimals, key: str, points: dict[int, svg.Point],
    plane: Plane,
) -> Markup:
    """The points of a step, each with a line to its name at the side."""
    left = key == "values"
    x, sign = (ASIDE - 8, -1) if left else (ASIDE + SIDE + 8, 1)
    order = sorted(points, key=lambda i: (points[i][1], points[i][0]))
    heights = apart([points[i][1] for i in order], TOP + 8, TOP + plane.height - 8)
    parts = []
    for i, y in zip(order, heights, strict=True):
        lead = svg.line((x, y), points[i], stroke_opacity="0.45")
        name = words.label(derivation.tokens, i, ASIDE - 14, SIZE)
        shown = svg.words((x + sign * 3, y + 4), name, class_="word")
        told = f"{derivation[key].quantity.name} of {_told(derivation, decimals, key, i)}"
        parts.append(svg.tag("g", svg.title(told), lead, _mark(key, points[i]), shown))
    return svg.tag("g", *parts, text_anchor="end" if left else "start",
                   class_="role-v" if left else None)


def _mark(key: str, point: svg.Point) -> Markup:
    """A square for a value, a disc for an output."""
    x, y = point
    if key == "values":
        return svg.tag("rect", x=x - 5.5, y=y - 5.5, width=11, height=11, fill="currentColor")
    return svg.tag("circle", cx=x, cy=y, r=4, fill="currentColor")


def _told(derivation: Derivation, decimals: Decimals, key: str, i: int) -> str:
    pair = ", ".join(words.spoken(decimals[key][i][c]) for c in (0, 1))
    return f"{words.plain(derivation.tokens, i)} ({pair})"


SHAPES = {
    1: "All values are one point, and every output is that point.",
    2: "All values lie on one line, and every output on the dashed piece of it between them.",
    3: "Every output (a disc) is a mean of the values (squares), so it lies inside their hull, "
       "the dashed outline, or on it.",
}


def _caption(derivation: Derivation, count: int, keys: range) -> Markup:
    told = Markup(SHAPES[min(count, 3)])
    if derivation.closed_rows:
        told += Markup(" A token that may listen to nobody has no such mean: its output is not "
                       "drawn.")
    partly = words.partly(keys, len(derivation.tokens))
    return told + partly + Markup(" The hull is that of all values." if partly else "")


def _facts(derivation: Derivation, decimals: Decimals, keys: range) -> Markup:
    values = "; ".join(_told(derivation, decimals, "values", j) for j in keys)
    outputs = "; ".join(_told(derivation, decimals, "output", i) for i in keys)
    return text(f"values: {values}. outputs: {outputs}")
