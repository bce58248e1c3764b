"""The words of a picture: names of tokens that fit their room, and numbers as plain text."""

from unicodedata import bidirectional

from markupsafe import Markup

from derivations.render.corner import CORNER
from derivations.render.figures.widths import ems
from derivations.render.markup import shortened, text
from derivations.render.words import token_place
from derivations.rounded import Rounded
from derivations.step import Step

MOST_TOKENS = 12
RIGHT_TO_LEFT = ("R", "AL")


def spoken(rounded: Rounded | None) -> str:
    """A number as plain text: a real minus sign, and ^ before a power."""
    if rounded is None:
        return "\N{MINUS SIGN}\N{INFINITY}"
    power = f"·10^{rounded.exponent}" if rounded.exponent else ""
    return (rounded.text + power).replace("-", "\N{MINUS SIGN}")


def plain(tokens: tuple[str, ...], i: int) -> str:
    """A token as plain text, cut short where long, with its place where it comes twice."""
    short = shortened(tokens[i])
    isolated = f"\N{FIRST STRONG ISOLATE}{short}\N{POP DIRECTIONAL ISOLATE}"
    return (isolated if is_right_to_left(short) else short) + token_place(tokens, i)


def is_right_to_left(written: str) -> bool:
    """Does the first letter with a direction run from right to left?"""
    directions = (bidirectional(char) for char in written)
    first = next((found for found in directions if found in ("L", *RIGHT_TO_LEFT)), "L")
    return first in RIGHT_TO_LEFT


def width(written: str, size: float) -> float:
    """About how wide a text is: rather too wide than too narrow."""
    return size * ems(written)


def fitted(written: str, room: float, size: float) -> str:
    """A text cut short until it fits."""
    if width(written, size) <= room:
        return written
    kept = written
    while kept and width(kept + "…", size) > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def label(tokens: tuple[str, ...], i: int, room: float, size: float) -> Markup:
    """A token that fits; one cut short has its whole text as its title."""
    shown = fitted(tokens[i], room, size)
    whole = Markup("") if shown == tokens[i] else Markup("<title>{}</title>").format(
        text(plain(tokens, i)))
    return whole + text(shown)


def window(n: int, i: int, most: int = MOST_TOKENS) -> range:
    """The tokens that a picture shows: all of up to `most`, else eight with token i among them."""
    if n <= most:
        return range(n)
    start = max(0, min(i - CORNER[1] // 2, n - CORNER[1]))
    return range(start, start + CORNER[1])


def partly(shown: range, n: int) -> Markup:
    """Says that a picture shows some of the tokens only; '' where it shows all."""
    if len(shown) == n:
        return Markup("")
    return Markup(" Shown are tokens {} to {} of {}.").format(shown.start + 1, shown.stop, n)


def is_hidden(step: Step, i: int, j: int) -> bool:
    """Does the mask hide key j from query i?"""
    return j not in step.keys(i)
