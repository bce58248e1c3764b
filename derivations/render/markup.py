"""Text that is safe in Markdown and HTML is a type: Markup. Everything else is escaped once.

Tokens are text from anyone. Each character but letters, digits, spaces and commas becomes a
character reference, which neither Markdown nor HTML reads as anything but that character.
"""

from markupsafe import Markup

from derivations.rounded import Rounded

LONGEST_SHOWN = 40
UNSAFE_IN_TAG = frozenset("\\`<>&\"'|$*[]!#:~\n\r\t")  # what Markdown reads before it sees a tag


def text(written: object) -> Markup:
    """Any text, shown as it is."""
    safe = (char if char.isalnum() or char in " ," else f"&#{ord(char)};" for char in str(written))
    return Markup("".join(safe))


def token(written: str) -> Markup:
    """A token: kept apart from the direction of the text around it; a long one is cut short."""
    short = written if len(written) <= LONGEST_SHOWN else written[: LONGEST_SHOWN - 1] + "…"
    return Markup('<bdi class="token">{}</bdi>').format(text(short))


def math(latex: str, *, display: bool = False) -> Markup:
    """A place for a formula, filled with MathML when the page is finished."""
    kind = "math display" if display else "math"
    safe = (f"&#{ord(char)};" if char in UNSAFE_IN_TAG else char for char in latex)
    return Markup('<span class="{}" data-tex="{}"></span>').format(
        Markup(kind), Markup("".join(safe))
    )


def equation(latex: str, label: str) -> Markup:
    """A displayed formula in a box of its own, which scrolls where it is too wide."""
    opening = '<div class="equation" role="group" tabindex="0" aria-label="{}">'
    return Markup(opening).format(text(label)) + math(latex, display=True) + Markup("</div>")


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


def decimal_text(rounded: Rounded | None) -> str:
    """A rounded number as text, with a real minus sign."""
    if rounded is None:
        return "\N{MINUS SIGN}\N{INFINITY}"
    power = f"·10<sup>{rounded.exponent}</sup>" if rounded.exponent else ""
    return rounded.text.replace("-", "\N{MINUS SIGN}") + power


def link(label: Markup, target: str) -> Markup:
    """A Markdown link to a page or an anchor of this site."""
    return Markup("[{}]({})").format(label, Markup(target))


def table(header: list[Markup], rows: list[list[Markup]], kind: str, label: str) -> Markup:
    """A Markdown table in a box of its own; the first cell of each row is its header."""
    def line(cells: list[Markup]) -> Markup:
        return Markup("| ") + Markup(" | ").join(cells) + Markup(" |")

    opening = '<div class="table {}" role="group" tabindex="0" aria-label="{}" markdown="1">'
    rule = line([Markup("---")] * len(header))
    lines = [Markup(opening).format(Markup(kind), text(label)), Markup(""), line(header), rule]
    return Markup("\n").join([*lines, *map(line, rows), Markup(""), Markup("</div>")])
