"""Text that is safe in Markdown and HTML is a type: Markup. Everything else is escaped once.

Tokens are text from anyone. Each character but letters, digits, spaces and commas becomes a
character reference, which neither Markdown nor HTML reads as anything but that character.
"""

import re
from collections.abc import Sequence

from markupsafe import Markup

from derivations.rounded import Rounded

LONGEST_SHOWN = 40
UNNAMED = "formula"  # what is said aloud of an equation that has no other name
MISSING = "\N{REPLACEMENT CHARACTER}"
MISSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
UNSAFE_IN_TAG = frozenset("\\`<>&\"'|$*[]!#:~\n\r\t")  # what Markdown reads before it sees a tag


def text(written: object) -> Markup:
    """Any text, shown as it is; what HTML has no character for is shown as missing."""
    return Markup("".join(map(_safe, str(written))))


def _safe(char: str) -> str:
    if char.isalnum() or char in " ,":
        return char
    return MISSING if MISSHOWN.match(char) else f"&#{ord(char)};"


def in_tag(written: str) -> Markup:
    """Any text as the value of an attribute in finished HTML."""
    return Markup("".join(map(_safe_in_tag, written)))


def _safe_in_tag(char: str) -> str:
    return f"&#{ord(char)};" if char in UNSAFE_IN_TAG else MISSHOWN.sub(MISSING, char)


def token(written: str) -> Markup:
    """A token: kept apart from the direction of the text around it; a long one is cut short."""
    return Markup('<bdi>{}</bdi>').format(text(shortened(written)))


def shortened(written: str, most: int = LONGEST_SHOWN) -> str:
    """A long text, cut short."""
    return written if len(written) <= most else written[: most - 1] + "…"


def math(latex: str, *, display: bool = False, matrices: Sequence[str] = ()) -> Markup:
    """A place for a formula, filled with MathML when the page is finished.

    `matrices` names the step that each matrix in it shows; `keys'` one that is transposed.
    """
    kind = "math display" if display else "math"
    shown = Markup(' data-of="{}"').format(Markup(" ".join(matrices))) if matrices else Markup("")
    return Markup('<span class="{}" data-tex="{}"{}></span>').format(
        Markup(kind), in_tag(latex), shown
    )


def equation(latex: str, label: str, matrices: Sequence[str] = ()) -> Markup:
    """A displayed formula in a box of its own, which scrolls where it is too wide."""
    opening = '<div class="equation" role="group" tabindex="0" aria-label="{}">'
    shown = math(latex, display=True, matrices=matrices)
    return Markup(opening).format(in_tag(label)) + shown + Markup("</div>")


def numbered(box: Markup, anchor: str, label: str) -> Markup:
    """An equation with its number beside it, outside what scrolls; the number links to it."""
    return Markup(
        '<div class="numbered" id="{0}">{1}<a class="equation-number" href="#{0}" '
        'aria-label="Equation {2}">({2})</a></div>'
    ).format(Markup(anchor), box, Markup(label))


def to(address: str, label: Markup, role: str) -> Markup:
    """A link to a row, a column or an entry: pages/linking.py knows on which page that is."""
    kind = Markup(' class="role-{}"').format(Markup(role)) if role else Markup("")
    return Markup('<a{} data-to="{}">{}</a>').format(kind, Markup(address), label)


def address(key: str, i: int, j: int) -> str:
    """The address of entry (i, j), counted from 0: its id, its data-ref and its symbol's name."""
    return f"{key}-r{i + 1}c{j + 1}"


def number(rounded: Rounded | None, key: str, i: int, j: int) -> Markup:
    """A number that knows which entry it is."""
    exact = Markup(" data-exact") if rounded is None or rounded.exact else Markup("")
    written = decimal_text(rounded)
    return Markup('<span class="number" data-ref="{}"{}>{}</span>').format(
        Markup(address(key, i, j)), exact, Markup(written)
    )


def size(name: str, value: int) -> Markup:
    """n_q, n_k, d_model, d_k or d_v, as a number that says which of them it is."""
    return Markup('<span data-size="{}">{}</span>').format(Markup(name), value)


def decimal_text(rounded: Rounded | None) -> str:
    """A rounded number as text, with a real minus sign."""
    if rounded is None:
        return "\N{MINUS SIGN}\N{INFINITY}"
    power = f"·10<sup>{rounded.exponent}</sup>" if rounded.exponent else ""
    return rounded.text.replace("-", "\N{MINUS SIGN}") + power


def link(label: Markup, target: str | Markup) -> Markup:
    """A Markdown link to a page or an anchor of this site."""
    return Markup("[{}]({})").format(label, Markup(target))


def listed(parts: list[Markup]) -> Markup:
    """a; a and b; a, b and c."""
    if len(parts) < 2:
        return Markup("").join(parts)
    return Markup(", ").join(parts[:-1]) + Markup(" and ") + parts[-1]


def table(header: list[Markup], rows: list[list[Markup]], kind: str, label: str) -> Markup:
    """A Markdown table in a box of its own; the first cell of each row is its header."""
    def line(cells: list[Markup]) -> Markup:
        return Markup("| ") + Markup(" | ").join(cells) + Markup(" |")

    opening = '<div class="table {}" role="group" tabindex="0" aria-label="{}" markdown="1">'
    rule = line([Markup("---")] * len(header))
    lines = [Markup(opening).format(Markup(kind), text(label)), Markup(""), line(header), rule]
    return Markup("\n").join([*lines, *map(line, rows), Markup(""), Markup("</div>")])
