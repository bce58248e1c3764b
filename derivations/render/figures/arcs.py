"""Who listens to whom: arcs over a sentence, as thick as the weights of one token."""

from dataclasses import dataclass

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.forms import Decimals
from derivations.render.markup import text
from derivations.rounded import Rounded
from derivations.step import Derivation

LOWEST, RISE = 28.0, 24.0  # the height of a loop, and how much higher an arc is for each token
STEEP = 4 / 3  # a curve reaches three quarters of the height of its control points
LONGEST_TOKEN, LONGEST_NUMBER = 90.0, 150.0
ROW, WIDEST_ROW, LENGTH = 28.0, 46.0, 260.0
THICKEST, WIDEST_STEP = 9.0, 110.0
SIZE = 14


@dataclass(frozen=True)
class Line:
    """The line on which the tokens stand, across where they fit a phone, else down.

    `step` from token to token, `lowest` the height of a loop, `rise` that of an arc for each
    step, `base` where the line stands.
    """

    step: float
    lowest: float
    rise: float
    base: float
    across: bool
    last: int
    mirrored: bool

    def at(self, n: float, height: float) -> svg.Point:
        """The point over token n of the line, fractions between tokens, at a height."""
        if not self.across:
            return self.base + height, (n + 0.5) * self.step
        return ((self.last - n if self.mirrored else n) + 0.5) * self.step, self.base - height

    def peak(self, distance: int) -> float:
        """How high an arc over so many tokens is."""
        return self.lowest + self.rise * distance

    @property
    def room(self) -> float:
        """The longest text of a token."""
        return self.step - 6 if self.across else LONGEST_TOKEN

    @property
    def size(self) -> svg.Point:
        """The width and height of the drawing."""
        length = (self.last + 1) * self.step
        return (length, self.base + 2.6 * SIZE) if self.across else (svg.PHONE, length)


def arcs(derivation: Derivation, decimals: Decimals, i: int) -> Markup:
    """To whom token i listens: an arc to each key that it may hear, with its weight."""
    tokens, weights = derivation.tokens, derivation["weights"]
    keys = words.window(len(tokens), i)
    heard = [j for j in keys if j in weights.keys(i)]
    line = _line(derivation, decimals, i, keys)
    curves = [_arc(line, i - keys.start, j - keys.start, _told(derivation, decimals, i, j),
                   decimals["weights"][i][j]) for j in heard]
    numbers = [svg.number(_middle(line, i - keys.start, j - keys.start),
                          decimals["weights"][i][j], "weights", i, j, room=LONGEST_NUMBER)
               for j in heard]
    drawn = svg.drawing(
        line.size, f"to whom {words.plain(tokens, i)} listens",
        svg.tag("g", *curves, class_="role-w", fill="none", stroke="currentColor",
                stroke_opacity="0.6"),
        svg.tag("g", *(_token(line, derivation, j, i, keys.start) for j in keys), font_size=SIZE,
                text_anchor="middle" if line.across else "end"),
        svg.tag("g", *numbers, text_anchor="middle", class_="halo"))
    return svg.figure("arcs", drawn, _caption(derivation, i, keys),
                      _facts(derivation, decimals, i, keys))


def _line(derivation: Derivation, decimals: Decimals, i: int, keys: range) -> Line:
    """A line across where every token and number fits, else one down the page."""
    tokens = derivation.tokens
    farthest = max((abs(j - i) for j in keys if j in derivation["weights"].keys(i)), default=0)
    longest = max(words.width(tokens[j], SIZE) for j in keys)
    number = max(words.width(words.spoken(decimals["weights"][i][j]), 12) for j in keys)
    step, last = max(longest, number, 44) + 12, len(keys) - 1
    if step * len(keys) <= svg.PHONE:
        wide = min(WIDEST_STEP, svg.PHONE / len(keys))
        mirrored = all(words.is_right_to_left(tokens[j]) for j in keys)
        return Line(wide, LOWEST, RISE, LOWEST + RISE * farthest + SIZE / 2, True, last, mirrored)
    base = min(longest, LONGEST_TOKEN) + 10
    half = number / 2 + 2 if number <= LONGEST_NUMBER else 0
    lowest = max(LOWEST, half)
    rise = min(RISE, (svg.PHONE - base - lowest - half) / max(farthest, 1))
    row = max(ROW, min(WIDEST_ROW, LENGTH / len(keys)))
    return Line(row, lowest, rise, base, False, last, False)


def _arc(
    line: Line, start: int, end: int, told: str, weight: Rounded | None
) -> Markup:
    """An arc between two places of the line; a loop where they are one."""
    share = float(weight.value) if weight else 0.0
    height, step = line.peak(abs(end - start)) * STEEP, (end > start) - (end < start)
    inward = (end - start) / 4 if step else -0.3
    first, last = (start + 0.1 * step, end) if step else (start - 0.05, end + 0.05)
    curve = svg.path("M", line.at(first, 0), "C", line.at(first + inward, height),
                     line.at(last - inward, height), line.at(last, 0))
    return svg.tag("path", svg.title(told), d=curve, stroke_width=1 + THICKEST * share)


def _middle(line: Line, start: int, end: int) -> svg.Point:
    """Where the number of an arc stands."""
    x, y = line.at((start + end) / 2, line.peak(abs(end - start)))
    return x, y + 4


def _token(line: Line, derivation: Derivation, j: int, i: int, first: int) -> Markup:
    """A token under (or before) its place; the one that listens is bold."""
    x, y = line.at(j - first, -SIZE - 4 if line.across else -8)
    y += 0 if line.across else SIZE / 3
    shown = svg.words((x, y), words.label(derivation.tokens, j, line.room, SIZE), class_="word",
                      font_weight=700 if j == i else None)
    if j in derivation["weights"].keys(i):
        return shown
    aside = (x, y + 16) if line.across else (x + 14, y)
    return shown + svg.words(aside, Markup("hidden"), font_size=12,
                             text_anchor=None if line.across else "start")


def _told(derivation: Derivation, decimals: Decimals, i: int, j: int) -> str:
    if j not in derivation["weights"].keys(i):
        return f"{words.plain(derivation.tokens, j)} hidden by the mask"
    return f"{words.plain(derivation.tokens, j)} {words.spoken(decimals['weights'][i][j])}"


def _caption(derivation: Derivation, i: int, keys: range) -> Markup:
    asker = words.name(derivation.tokens, i)
    if i in derivation.closed_rows:
        told = Markup("{} listens to nobody: the mask hides every token.").format(asker)
    else:
        told = Markup("To whom {} listens: the thicker the arc, the larger the weight.").format(
            asker)
    return told + words.partly(keys, len(derivation.tokens))


def _facts(derivation: Derivation, decimals: Decimals, i: int, keys: range) -> Markup:
    told = "; ".join(_told(derivation, decimals, i, j) for j in keys)
    return text(f"weights of {words.plain(derivation.tokens, i)}: {told}")
