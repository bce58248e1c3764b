"""Who listens to whom: arcs over a sentence, as thick as the weights of one token."""

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.across import Across
from derivations.render.figures.down import LONGEST_NUMBER, Down
from derivations.render.figures.line import CHIP, LOOP, TALL
from derivations.render.forms import Decimals
from derivations.render.markup import text
from derivations.render.words import token_name
from derivations.rounded import Rounded
from derivations.step import Derivation

Line = Across | Down
STEEP = 4 / 3  # a curve reaches three quarters of the height of its control points
THINNEST, THICKEST = 1.0, 10.0
ABOVE = 9.0  # from the upper edge of an arc to its number
SIZE = 14


def arcs(derivation: Derivation, decimals: Decimals, i: int) -> Markup:
    """To whom token i listens: an arc to each key that it may hear, with its weight.

    '' where the keys are those of another text: then there is no one line to draw over.
    """
    if derivation.crosses:
        return Markup("")
    tokens, keys = derivation.tokens, words.window(len(derivation.tokens), i)
    heard = [j for j in keys if j in derivation["weights"].keys(i)]
    line = _line(derivation, decimals, i, keys, heard)
    drawn = svg.group(
        line.size, f"to whom {words.plain(tokens, i)} listens",
        *(_token(line, derivation, j, i, keys.start) for j in keys),
        svg.tag("g", *(_arc(line, derivation, decimals, i, j, keys.start) for j in heard),
                class_="role-w", fill="none", stroke="currentColor", stroke_opacity="0.6"),
        *(_answer(line, derivation, decimals, i, j, keys.start) for j in keys))
    return svg.figure("arcs", drawn, _caption(derivation, i, keys),
                      _facts(derivation, decimals, i, keys))


def _line(
    derivation: Derivation, decimals: Decimals, i: int, keys: range, heard: list[int]
) -> Line:
    """A line across where every token and number fits, else one down the page."""
    shown, weights = [derivation.tokens[j] for j in keys], decimals["weights"][i]
    number = max(words.width(words.spoken(weights[j]), svg.TEXT) for j in keys)
    token = max(words.width(one, SIZE) for one in shown) + CHIP
    asker, places = i - keys.start, tuple(j - keys.start for j in heard)
    right_to_left = all(map(words.is_right_to_left, shown))
    across = Across(asker, places, len(keys), token, number, right_to_left)
    return across if across.fits else Down(asker, places, len(keys), token, number)


def _thickness(weight: Rounded | None) -> float:
    share = float(weight.value) if weight else 0.0
    return THINNEST + (THICKEST - THINNEST) * share


def _arc(
    line: Line, derivation: Derivation, decimals: Decimals, i: int, j: int, first: int
) -> Markup:
    """An arc from its own foot at token i to token j; a loop where they are one."""
    place, height = j - first, line.peak(j - first) * STEEP
    start, end = line.centre(i - first) + line.foot(place), line.centre(place) + line.end(place)
    wide = 2 * LOOP if i == j else 0.0
    curve = svg.path("M", line.at(start, 0), "C", line.at(start - wide, height),
                     line.at(end + wide, height), line.at(end, 0))
    return svg.tag("path", svg.title(_told(derivation, decimals, i, j)), d=curve,
                   stroke_width=_thickness(decimals["weights"][i][j]))


def _answer(
    line: Line, derivation: Derivation, decimals: Decimals, i: int, j: int, first: int
) -> Markup:
    """The number of an arc, or the word for its absence."""
    if j not in derivation["weights"].keys(i):
        place, anchor = line.absent(j - first)
        return svg.words(place, Markup("hidden"), text_anchor=anchor)
    weight = decimals["weights"][i][j]
    place, anchor = line.answer(j - first, _thickness(weight) / 2 + ABOVE)
    asker, other = (words.plain(derivation.tokens, k) for k in (i, j))
    return svg.number(place, weight, ("weights", i, j), f"{asker} for {other}", LONGEST_NUMBER,
                      anchor)


def _token(line: Line, derivation: Derivation, j: int, i: int, first: int) -> Markup:
    """A token on its chip; the one that listens is bold."""
    tokens, ((x, y), anchor) = derivation.tokens, line.text(j - first)
    shown = svg.words((x, y), words.label(tokens, j, line.room, SIZE), class_="word",
                      text_anchor=anchor, font_size=SIZE, font_weight=700 if j == i else None)
    wide = words.width(words.fitted(tokens[j], line.room, SIZE), SIZE) + CHIP
    (left, top), (width, height) = line.chip(j - first, max(wide, TALL))
    return svg.tag("rect", x=left, y=top, width=width, height=height, rx=6, class_="chip") + shown


def _told(derivation: Derivation, decimals: Decimals, i: int, j: int) -> str:
    if j not in derivation["weights"].keys(i):
        return f"{words.plain(derivation.tokens, j)} hidden by the mask"
    return f"{words.plain(derivation.tokens, j)} {words.spoken(decimals['weights'][i][j])}"


def _caption(derivation: Derivation, i: int, keys: range) -> Markup:
    asker = token_name(derivation.tokens, i)
    if i in derivation.closed_rows:
        told = Markup("{} listens to nobody: the mask hides every token.").format(asker)
    else:
        told = Markup("To whom {} listens: the thicker the arc, the larger the weight.").format(
            asker)
    return told + words.partly(keys, len(derivation.tokens))


def _facts(derivation: Derivation, decimals: Decimals, i: int, keys: range) -> Markup:
    told = "; ".join(_told(derivation, decimals, i, j) for j in keys)
    return text(f"weights of {words.plain(derivation.tokens, i)}: {told}")
