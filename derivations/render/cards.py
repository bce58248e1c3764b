"""The card of a number: its name, its forms, what it is made of and what it goes into."""

from markupsafe import Markup

from derivations.formula import Given
from derivations.render.forms import Decimals, forms
from derivations.render.markup import address, equation, listed, number, to
from derivations.render.words import entry_name, entry_text, line_name
from derivations.step import Derivation, Step
from derivations.trace import Line, sources, trail, uses

SHORT_LINE = 8
TRAIL = "The way back to what was typed: ← {}."
TYPED = Markup('Typed in <a class="to" data-to="file">the example file</a>: key {}, row {}, '
               "number {}.")


def card(
    step: Step, derivation: Derivation, decimals: Decimals, i: int, j: int, kind: str = ""
) -> Markup:
    """The card of entry (i, j). The HTML is finished: Markdown leaves it alone."""
    shown = forms(derivation, decimals, step, i, j)
    name = entry_name(step, i, j)
    kinds = ("card", kind, f"role-{step.quantity.role}" if step.quantity.role else "")
    parts = [
        Markup('<h3 class="card-name">{}</h3>').format(name),
        equation(shown.aligned, entry_text(step, decimals[step.key], i, j)),
        _line("from", _made_of(step, derivation, decimals, i, j)),
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


def _made_of(
    step: Step, derivation: Derivation, decimals: Decimals, i: int, j: int
) -> Markup:
    if isinstance(step.formula, Given):
        return TYPED.format(Markup(f"<code>{step.formula.source}</code>"), i + 1, j + 1)
    lines = sources(step, i, j)
    told = [Markup("{} = {}").format(_link(derivation, line), _numbers(decimals, line))
            for line in lines]
    return Markup("From {}.").format(listed(told))


def _trail(step: Step, derivation: Derivation, i: int, j: int) -> Markup:
    """The way back: what its sources come from, and so on, to the numbers that were typed."""
    levels = trail(derivation, step, i, j)[1:]
    told = [listed([_link(derivation, line) for line in lines]) for lines in levels]
    return Markup(TRAIL).format(Markup(" ← ").join(told)) if told else Markup("")


def _goes_into(derivation: Derivation, key: str, i: int, j: int) -> Markup:
    lines = uses(derivation, key, i, j)
    if not lines:
        return Markup("")
    return Markup("Goes into {}.").format(listed([_link(derivation, line) for line in lines]))


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
