"""SVG as text: elements, shapes, and the figure around a drawing."""

from markupsafe import Markup, escape

from derivations.render.figures.words import spoken, width
from derivations.render.markup import address, text
from derivations.rounded import Rounded

PHONE = 343  # a drawing of this width is as wide as the text on a phone
UNITS_PER_EM = 16
TEXT = 12  # the size of text where nothing else is said
SMALL = 11  # an index
LEAST = 24.0  # the least width and height of what can be pressed
HEAD = 9.0  # the length of an arrow's head
ITALIC = (0x1D44E, 0x1D434)  # the mathematical italic a and A; no picture has an h
Point = tuple[float, float]


def tag(name: str, *content: Markup, **attributes: object) -> Markup:
    """An element; `data_ref` becomes data-ref, `class_` class, and None no attribute at all."""
    written = [Markup(' {}="{}"').format(Markup(key.rstrip("_").replace("_", "-")), _value(value))
               for key, value in attributes.items() if value is not None]
    opening = Markup("<") + Markup(name) + Markup("").join(written)
    if not content:
        return opening + Markup("/>")
    return opening + Markup(">") + Markup("").join(content) + Markup("</{}>").format(Markup(name))


def _value(value: object) -> Markup:
    return Markup(at(value)) if isinstance(value, (int, float)) else escape(value)


def at(coordinate: float) -> str:
    """A coordinate, to a tenth."""
    written = f"{coordinate:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def path(*parts: str | float | Point) -> str:
    """The `d` of a path: letters, numbers and points."""
    flat = (one for part in parts for one in (part if isinstance(part, tuple) else (part,)))
    return " ".join(one if isinstance(one, str) else at(one) for one in flat)


def line(start: Point, end: Point, **attributes: object) -> Markup:
    """A straight line in the colour around it."""
    return tag("path", d=path("M", start, "L", end), stroke="currentColor", **attributes)


def arrow(start: Point, end: Point, **attributes: object) -> Markup:
    """A line with a head at its end; a head alone where it is shorter than that."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max((dx * dx + dy * dy) ** 0.5, 0.1)
    ux, uy = dx / length, dy / length
    neck = end[0] - HEAD * ux, end[1] - HEAD * uy
    sides = [(neck[0] + side * uy, neck[1] - side * ux) for side in (HEAD / 2, -HEAD / 2)]
    head = tag("path", d=path("M", end, "L", sides[0], "L", sides[1], "Z"), fill="currentColor")
    return (line(start, neck, **attributes) if length > HEAD else Markup("")) + head


def words(place: Point, *content: Markup, **attributes: object) -> Markup:
    """A text that starts at a place, or has it as its middle or end by its text_anchor."""
    return tag("text", *content, x=place[0], y=place[1], **attributes)


def title(written: str) -> Markup:
    """What a pointer held over an element shows."""
    return tag("title", text(written))


def number(
    place: Point, rounded: Rounded | None, entry: tuple[str, int, int], told: str, room: float,
    anchor: str | None = None,
) -> Markup:
    """The decimal of an entry (key, i, j), which pages make a link; '' where it is too long.

    `told` is what it is a number of. What can be pressed is never smaller than 24 by 24.
    """
    written = spoken(rounded)
    wide = width(written, TEXT)
    if wide > room:
        return Markup("")
    across, (x, y) = max(wide, LEAST), place
    start = x - across * {"middle": 0.5, "end": 1.0}.get(anchor or "", 0.0)
    target = tag("rect", x=start, y=y - 4 - LEAST / 2, width=across, height=LEAST, fill="none",
                 pointer_events="all")
    return tag("g", title(f"{told}: {written}"), target,
               words(place, text(written), text_anchor=anchor), class_="number",
               data_ref=address(*entry), data_exact=exact(rounded))


def letter(name: str, raised: str = "", lowered: str = "") -> Markup:
    """A letter of a formula as formulas have it, perhaps with another above or below."""
    small = [tag("tspan", Markup(_italic(one)), dy=dy, font_size=SMALL)
             for one, dy in ((raised, -5), (lowered, 4)) if one]
    return tag("tspan", Markup(_italic(name)), *small, class_="letter")


def _italic(name: str) -> str:
    """Latin letters as mathematical italic ones; anything else as it is."""
    return "".join(chr(ITALIC[char.isupper()] + ord(char.lower()) - ord("a"))
                   if "a" <= char.lower() <= "z" else char for char in name)


def exact(rounded: Rounded | None) -> str | None:
    """What data-exact says: '' where a decimal is the value itself, None where it is rounded."""
    return "" if rounded is None or rounded.exact else None


def drawing(size: Point, label: str, *content: Markup) -> Markup:
    """A picture with a name: what is in it is not read out one by one."""
    return canvas(size, *content, role="img", aria_label=text(label))


def group(size: Point, label: str, *content: Markup) -> Markup:
    """A picture with a name and with links in it."""
    return canvas(size, *content, role="group", aria_label=text(label))


def canvas(size: Point, *content: Markup, **attributes: object) -> Markup:
    """An <svg> of this width and height, 16 units to an em."""
    across, down = size
    inner = tag("g", *content, fill="currentColor", font_size=TEXT)
    return tag("svg", inner, **attributes, viewBox=f"0 0 {at(across)} {at(down)}",
               width=f"{across / UNITS_PER_EM:.2f}em")


def figure(kind: str, drawn: Markup, caption: Markup, facts: Markup | None = None) -> Markup:
    """A drawing, its caption, and the facts that this leaves out for those who do not see it.

    No line is blank: Markdown leaves it as it is.
    """
    unseen = Markup(' <span class="unseen">{}</span>').format(facts) if facts else Markup("")
    return Markup('<figure class="picture {}">\n{}\n<figcaption>{}{}</figcaption>\n'
                  "</figure>").format(Markup(kind), drawn, caption, unseen)
