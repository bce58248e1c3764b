"""What is said below a step of an example: hidden rows, sums of rounded weights, exact ties."""

from dataclasses import replace

from markupsafe import Markup

from derivations.joined import rational
from derivations.pages import prose, sentences
from derivations.pages.worked import Worked
from derivations.render.dialect import LATEX
from derivations.render.markup import decimal_text, listed, number
from derivations.rounded import Rounded
from derivations.step import Step

MOST_NOTED = 6


def notes(worked: Worked, step: Step) -> Markup:
    """The notes of a step, in a box; '' where there is nothing to say."""
    found = [_ties(worked, step)]
    if step.key == "weights":
        found = [_hidden_rows(worked), sentences.rows_add_up(worked), _rounded_sums(worked), *found]
    told = Markup(" ").join(note for note in found if note)
    return Markup('!!! info ""\n\n    {}\n').format(told) if told else Markup("")


def _hidden_rows(worked: Worked) -> Markup:
    names = [sentences.name(worked, i) for i in worked.derivation.closed_rows]
    return Markup(prose.NO_OPEN_KEY).format(names=listed(names)) if names else Markup("")


def _rounded_sums(worked: Worked) -> Markup:
    """The rows of weights whose rounded decimals add up to something else than 1."""
    places, closed = worked.example.places, worked.derivation.closed_rows
    sums = {
        i: sum(rounded.digits for rounded in row if rounded)
        for i, row in enumerate(worked.decimals["weights"]) if i not in closed
    }
    off = {i: Rounded(total, places).text for i, total in sums.items() if total != 10**places}
    if not off:
        return Markup("")
    names = [sentences.name(worked, i) for i in list(off)[:MOST_NOTED]]
    more = Markup(f" (and {len(off) - MOST_NOTED} rows more)") if len(off) > MOST_NOTED else ""
    told = Markup(prose.ROUNDED_SUM if len(off) == 1 else prose.ROUNDED_SUMS)
    return told.format(names=listed(names) + more, sums=listed(
        [Markup(text) for text in list(off.values())[:MOST_NOTED]]))


def _ties(worked: Worked, step: Step) -> Markup:
    """Exact ties that a pocket calculator, which rounds away from 0, shows otherwise."""
    places = [
        (i, j)
        for i, row in enumerate(worked.decimals[step.key])
        for j, rounded in enumerate(row)
        if rounded is not None and rounded.tie and _towards_zero(rounded, step, i, j)
    ]
    told = [_tie(worked, step, i, j) for i, j in places[:MOST_NOTED]]
    if len(places) > MOST_NOTED:
        told.append(Markup(f"So it is with {len(places) - MOST_NOTED} more."))
    return Markup(" ").join(told)


def _towards_zero(rounded: Rounded, step: Step, i: int, j: int) -> bool:
    value = rational(step.values, i, j)
    return value is not None and abs(rounded.value) < abs(value)


def _tie(worked: Worked, step: Step, i: int, j: int) -> Markup:
    rounded, value = worked.decimals[step.key][i][j], rational(step.values, i, j)
    assert rounded is not None
    assert value is not None
    away = replace(rounded, digits=rounded.digits + (1 if value > 0 else -1))
    return Markup(prose.TIE).format(
        exact=Markup(LATEX.rational(value).replace("-", "\N{MINUS SIGN}")),
        rounded=number(rounded, step.key, i, j), other=Markup(decimal_text(away)))
