"""What is said of values and outputs in the plane: the caption, and the facts."""

from markupsafe import Markup

from derivations.render.figures import words
from derivations.render.figures.plane import heard
from derivations.render.forms import Decimals
from derivations.render.markup import text
from derivations.step import Derivation

SHAPES = {
    1: "{All} are one point, and every output is that point.",
    2: "{All} lie on one line, and every output on the dashed piece of it between them.",
    3: "Every output (a disc) is a mean of {the} ({squares}), so it lies inside the dashed "
       "outline around {these}, or on it.",
}
OF_ALL = {"All": "All values", "the": "the values", "squares": "squares", "these": "the values"}
OF_HEARD = {"All": "All values that some token may hear", "squares": "filled squares",
            "the": "the values that some token may hear", "these": "these"}
HOLLOW = " A hollow square is a value that the mask hides from every token: it is in no output."
CLOSED = " A token that may listen to nobody has no such mean: its output is not drawn."


def tokens_of(derivation: Derivation, key: str) -> tuple[str, ...]:
    """The tokens that values or outputs are of."""
    return derivation[key].rows.labels


def askers(derivation: Derivation) -> range:
    """The tokens whose outputs are told."""
    return words.window(len(derivation.tokens), 0)


def unheard(derivation: Derivation, keys: range) -> bool:
    """Is any of these keys hidden from every query?"""
    return not heard(derivation).issuperset(keys)


def told(derivation: Derivation, decimals: Decimals, key: str, i: int) -> str:
    """A token with its value or output: cats (2, 1); and whether no token may hear it."""
    pair = ", ".join(words.spoken(decimals[key][i][c]) for c in (0, 1))
    more = ", hidden from every token" if key == "values" and i not in heard(derivation) else ""
    more += ", listens to nobody" if key == "output" and i in derivation.closed_rows else ""
    return f"{words.plain(tokens_of(derivation, key), i)} ({pair}){more}"


def caption(derivation: Derivation, count: int, keys: range) -> Markup:
    """What the picture shows; `count` is the number of corners of the outline."""
    n = len(derivation.key_tokens)
    names = OF_HEARD if unheard(derivation, range(n)) else OF_ALL
    said = SHAPES[min(count, 3)].format(**names)
    if unheard(derivation, keys):
        said += HOLLOW
    if derivation.closed_rows:
        said += CLOSED
    partly = words.partly(keys, n)
    return Markup(said) + partly + Markup(
        f" The outline is that of {names['All'].lower()}." if partly else "")


def facts(derivation: Derivation, decimals: Decimals, keys: range) -> Markup:
    """Every value and output that is drawn."""
    values = "; ".join(told(derivation, decimals, "values", j) for j in keys)
    outputs = "; ".join(told(derivation, decimals, "output", i) for i in askers(derivation))
    return text(f"values: {values}. outputs: {outputs}")
