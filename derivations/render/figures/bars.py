"""One row before and after softmax, as bars."""

from fractions import Fraction

from markupsafe import Markup

from derivations.render.figures import svg
from derivations.render.figures.words import is_hidden, label, partly, plain, spoken, window
from derivations.render.forms import Decimals
from derivations.render.markup import text
from derivations.render.words import token_name
from derivations.rounded import Rounded
from derivations.step import Derivation, Step

LABELS, GAP = 82.0, 17.0
LONGEST = (svg.PHONE - LABELS - GAP) / 2  # a bar
COLUMNS = (LABELS, LABELS + LONGEST + GAP)
HEADER, ROW, THICK = 24.0, 36.0, 11.0


def bars(derivation: Derivation, decimals: Decimals, i: int) -> Markup:
    """The scaled (or masked) scores of token i, and beside them its weights."""
    before = derivation["masked_scores" if "masked_scores" in derivation else "scaled_scores"]
    steps, keys = (before, derivation["weights"]), window(len(derivation.key_tokens), i)
    rows = [_row(derivation, decimals, steps, (i, j), HEADER + n * ROW, keys)
            for n, j in enumerate(keys)]
    asker = plain(derivation.tokens, i)
    drawn = svg.group((svg.PHONE, HEADER + len(keys) * ROW),
                        f"scores and weights of {asker}", _headers(steps), *rows)
    return svg.figure("bars", drawn, _caption(derivation, decimals, steps, i, keys),
                      _facts(derivation, decimals, steps, i, keys))


def _headers(steps: tuple[Step, Step]) -> Markup:
    named = [svg.words((x, 12), Markup(step.quantity.name), class_=f"role-{step.quantity.role}")
             for step, x in zip(steps, COLUMNS, strict=True)]
    return svg.tag("g", *named, font_weight=700)


def _row(
    derivation: Derivation, decimals: Decimals, steps: tuple[Step, Step], place: tuple[int, int],
    y: float, keys: range,
) -> Markup:
    """One key: its token, its score with a bar, its weight with a bar."""
    i, j = place
    token = svg.words((LABELS - 10, y + 24), label(derivation.key_tokens, j, LABELS - 10, 13),
                      text_anchor="end", font_size=13, class_="word")
    parts = [token]
    for step, x in zip(steps, COLUMNS, strict=True):
        rounded, hidden = decimals[step.key][i][j], is_hidden(step, i, j)
        ends = _hidden(x, y) if hidden else _bar(step, rounded, _scale(step, decimals, i, keys),
                                                 (x, y))
        told = f"{step.quantity.entry_name}, {plain(derivation.tokens, i)} for " \
               f"{plain(derivation.key_tokens, j)}"
        parts += [ends, svg.number((x, y + 12), rounded, (step.key, i, j), told, LONGEST)]
    return svg.tag("g", svg.title(_told(derivation, decimals, steps, i, j)), *parts)


def _scale(step: Step, decimals: Decimals, i: int, keys: range) -> tuple[Fraction, Fraction]:
    """The numbers at the ends of a column: 0 and 1 for weights, else those of the row and 0."""
    if step.key == "weights":
        return Fraction(0), Fraction(1)
    found = [rounded.value for j in keys if (rounded := decimals[step.key][i][j])]
    return min(found, default=Fraction(0)), max(found, default=Fraction(0))


def _bar(
    step: Step, rounded: Rounded | None, ends: tuple[Fraction, Fraction], place: svg.Point
) -> Markup:
    """A bar from 0 on, to the left where its number is negative."""
    (x, y), low, high = place, min(ends[0], Fraction(0)), max(ends[1], Fraction(0))
    value = rounded.value if rounded else Fraction(0)
    unit = LONGEST / (high - low) if high > low else Fraction(0)
    zero, end = x + float((0 - low) * Fraction(unit)), x + float((value - low) * Fraction(unit))
    top, role = y + 17, f"role-{step.quantity.role}"
    track = svg.tag("rect", x=x, y=top, width=LONGEST, height=THICK, fill="currentColor",
                    fill_opacity="0.12")
    bar = svg.tag("rect", x=min(zero, end), y=top, width=abs(end - zero), height=THICK,
                  fill="currentColor")
    return svg.tag("g", track, bar, svg.line((zero, top - 2), (zero, top + THICK + 2)),
                   class_=role)


def _hidden(x: float, y: float) -> Markup:
    """An empty bar, and the word for it."""
    empty = svg.tag("rect", x=x, y=y + 17, width=LONGEST, height=THICK, fill="none",
                    stroke="currentColor", stroke_dasharray="3 3", stroke_opacity="0.6")
    return empty + svg.words((x + LONGEST, y + 12), Markup("hidden"), text_anchor="end")


def _told(
    derivation: Derivation, decimals: Decimals, steps: tuple[Step, Step], i: int, j: int
) -> str:
    numbers = (f"{step.quantity.entry_name} {spoken(decimals[step.key][i][j])}" for step in steps)
    hidden = " (hidden by the mask)" if is_hidden(steps[1], i, j) else ""
    return f"{plain(derivation.key_tokens, j)}{hidden}: {', '.join(numbers)}"


def _caption(
    derivation: Derivation, decimals: Decimals, steps: tuple[Step, Step], i: int, keys: range
) -> Markup:
    asker, before = token_name(derivation.tokens, i), Markup(steps[0].quantity.name)
    if i in derivation.closed_rows:
        told = Markup("The mask hides every token from {}. Nothing is left to share out: each of "
                      "its weights is 0.").format(asker)
    else:
        told = Markup("The row of {0} before and after softmax: the {1}, and the weights that "
                      "softmax makes of them. {2} The whole length of a weight's bar is 1.").format(
                          asker, before, Markup(_longest(steps[0], decimals, i, keys)))
    return told + partly(keys, len(derivation.key_tokens))


def _longest(step: Step, decimals: Decimals, i: int, keys: range) -> str:
    """What the whole length of a bar of scores is."""
    (low, high), named = _scale(step, decimals, i, keys), step.quantity.name
    if low < 0 < high:
        return f"Bars of negative {named} run to the left; the longest to the left and the " \
               "longest to the right fill the whole length together."
    if low == high == 0:
        return f"The {named} are shown as 0, so they have no bars."
    left = "run to the left: they are negative." if low < 0 else ""
    return " ".join(filter(None, [left and f"Bars of {named} {left}",
                                  f"The longest bar of the {named} fills the whole length."]))


def _facts(
    derivation: Derivation, decimals: Decimals, steps: tuple[Step, Step], i: int, keys: range
) -> Markup:
    return Markup("; ").join(text(_told(derivation, decimals, steps, i, j)) for j in keys)
