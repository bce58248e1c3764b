"""The card of a number: its name, its forms, what it is made of and what it goes into."""

from markupsafe import Markup

from derivations.formula import Given, Scaled
from derivations.notation import BY_KEY
from derivations.render.forms import Decimals, divisor_name, forms
from derivations.render.markup import address, equation, listed, math, number, text, to
from derivations.render.words import entry_name, entry_text, line_name, placed
from derivations.step import Derivation, Step
from derivations.trace import Line, sources, trail, uses

MASK = Markup('Follows from <a data-to="file">the example file</a>: key {}.')
NOTHING = Markup("The mask hides every key, so nothing goes into it.")
WHERE_OPEN = ", where the mask is 1,"
SHORT_LINE = 8
SHARED = ("x", "context_x", "mask")  # keys of the file that all heads have in common
TRAIL = "The way back: ← {}."
TO_HEADS = "The way back to the heads: ← {}."
TYPED_ROW = Markup('Typed in <a data-to="file">the example file</a>: key {}, number {}.')
TYPED = Markup('Typed in <a data-to="file">the example file</a>: key {}, row {}, '
               "number {}.")


def card(
    step: Step, derivation: Derivation, decimals: Decimals, i: int, j: int, kind: str = ""
) -> Markup:
    """The card of entry (i, j). The HTML is finished: Markdown leaves it alone."""
    shown = forms(derivation, decimals, step, i, j)
    name = entry_name(step, i, j)
    kinds = ("card", kind, f"role-{step.quantity.role}" if step.quantity.role else "")
    parts = [
        Markup('<h3 class="card-name"><a href="#{}">{}</a></h3>').format(
            Markup(address(step.key, i, j)), name),
        equation(shown.aligned, entry_text(step, decimals[step.key], i, j)),
        _from(step, derivation, decimals, i, j),
        _line("trail", _trail(step, derivation, i, j)),
        _line("used", _goes_into(derivation, step.key, i, j)),
    ]
    return Markup('<article class="{}" id="{}" tabindex="-1">{}</article>').format(
        Markup(" ".join(filter(None, kinds))), Markup(address(step.key, i, j)),
        Markup("").join(parts))


def line_address(line: Line) -> str:
    """The address of a row, a column or an entry."""
    if line.row is None:
        return line.key if line.col is None else f"{line.key}-c{line.col + 1}"
    if line.col is None:
        return f"{line.key}-r{line.row + 1}"
    return address(line.key, line.row, line.col)


def _line(kind: str, told: Markup) -> Markup:
    return Markup('<p class="{}">{}</p>').format(Markup(kind), told) if told else Markup("")


def _from(step: Step, derivation: Derivation, decimals: Decimals, i: int, j: int) -> Markup:
    """What it is made of; `data-refs` are all of these, also those that a long line leaves out."""
    refs = " ".join(address(line.key, *place)
                    for line in sources(step, i, j) for place in line.places)
    return Markup('<p class="from" data-refs="{}">{}</p>').format(
        Markup(refs), _made_of(step, derivation, decimals, i, j))


def _made_of(
    step: Step, derivation: Derivation, decimals: Decimals, i: int, j: int
) -> Markup:
    if isinstance(step.formula, Given):
        key = _key(step.formula.source, derivation)
        if step.quantity.is_row:
            return TYPED_ROW.format(key, j + 1)
        return (MASK if step.key == "mask" else TYPED).format(key, i + 1, j + 1)
    lines = [line for line in sources(step, i, j) if line.places]
    if not lines:
        return NOTHING
    told = listed([_named(derivation, decimals, line) for line in lines])
    return Markup("From {}{}.").format(told, _divided(step, derivation))


def _key(source: str, derivation: Derivation) -> Markup:
    """A key of the example file; one of a head says of which."""
    key = Markup("<code>{}</code>").format(Markup(source))
    if derivation.head is None or source in SHARED:
        return key
    return key + Markup(" of head {}").format(derivation.head.number)


def _named(derivation: Derivation, decimals: Decimals, line: Line) -> Markup:
    """A line with its numbers; where a mask hides some of it, says so."""
    rows, cols = derivation[line.key].shape
    size = 1 if line.row is not None and line.col is not None else \
        rows if line.row is None else cols
    rounded = any(shown and not shown.exact for shown in
                  (decimals[line.key][i][j] for i, j in line.places))
    return Markup("{}{} {} {}").format(
        _link(derivation, line), Markup(WHERE_OPEN) if len(line.places) < size else "",
        Markup("≈" if rounded else "="), _numbers(decimals, line))


def _divided(step: Step, derivation: Derivation) -> Markup:
    """What a scaled score is divided by."""
    if not isinstance(step.formula, Scaled):
        return Markup("")
    return Markup(", divided by {}").format(math(divisor_name(derivation)))


def _trail(step: Step, derivation: Derivation, i: int, j: int) -> Markup:
    """The way back: what its sources come from, and so on, to the numbers that were typed."""
    levels = trail(derivation, step, i, j)[1:]
    told = [listed([_link(derivation, line) for line in lines]) for lines in levels]
    way = TO_HEADS if derivation.heads else TRAIL
    return Markup(way).format(Markup(" ← ").join(told)) if told else Markup("")


def _goes_into(derivation: Derivation, key: str, i: int, j: int) -> Markup:
    told = [_link(derivation, line) for line in uses(derivation, key, i, j)]
    if key == "output" and derivation.head:
        told.append(_beside(derivation, derivation.head.start, i, j))
    return Markup("Goes into {}.").format(listed(told)) if told else Markup("")


def _beside(derivation: Derivation, start: int, i: int, j: int) -> Markup:
    """A link from a head's output to the same number beside those of the other heads."""
    row = placed(derivation["output"].rows, i)
    name = Markup("{} ({}, {})").format(text(BY_KEY["concatenated"].entry_name), row, start + j + 1)
    return to(address("concatenated", i, start + j), name, "")


def _link(derivation: Derivation, line: Line) -> Markup:
    role = derivation[line.key].quantity.role
    return to(line_address(line), line_name(derivation, line), role)


def _numbers(decimals: Decimals, line: Line) -> Markup:
    """The numbers of a line: one alone, or a row as (0, 1); of a long one the first and last."""
    shown = [number(decimals[line.key][i][j], line.key, i, j) for i, j in line.places]
    if line.row is not None and line.col is not None:
        return shown[0]
    if len(shown) > SHORT_LINE:
        shown = [*shown[:3], Markup("…"), shown[-1]]
    return Markup("({})").format(Markup(", ").join(shown))
