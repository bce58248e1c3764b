"""The worked page of an example: every step, every entry, and each step as data beside it."""

from dataclasses import replace
from typing import Any

from markupsafe import Markup

from derivations.formula import Given
from derivations.pages import prose, sentences
from derivations.pages.markers import Markers, markers
from derivations.pages.worked import Worked
from derivations.render import matrices, records, tables
from derivations.render.dialect import LATEX
from derivations.render.markup import decimal_text, link, number, text
from derivations.rounded import Rounded
from derivations.step import Derivation, Step
from derivations.values import rational_entry

FORMATS = {"tex": "LaTeX", "csv": "CSV", "json": "JSON"}
MOST_NOTED = 6
NOT_IN_CHAIN = ("w_q", "w_k", "w_v")


def context(worked: Worked, most: int) -> dict[str, Any]:
    """What the template of a worked page is filled with.

    A step of more than `most` entries has only one of them worked out.
    """
    example, derivation = worked.example, worked.derivation
    steps = [_section(worked, step, most) for step in derivation.steps]
    return markers(worked) | {
        "example": example,
        "title": text(example.title),
        "plain": text,
        "file": Markup(f"../{example.file}"),
        "verification": Markup("../../reference/verification.md"),
        "chain": _chain(derivation),
        "extent": Markup(prose.EVERY_NUMBER if _is_whole(derivation, most, steps)
                         else prose.NOT_EVERY_NUMBER),
        "steps": steps,
    }


def data_files(worked: Worked) -> dict[str, str]:
    """Each step as LaTeX, CSV and JSON: file name -> contents."""
    files = {}
    derivation, decimals = worked.derivation, worked.decimals
    for step in derivation.steps:
        places = worked.example.places
        files[f"{step.key}.tex"] = records.as_tex(step, derivation, decimals)
        files[f"{step.key}.csv"] = records.as_csv(step, derivation, decimals)
        files[f"{step.key}.json"] = records.as_json(step, derivation, decimals, places)
    return files


def _is_whole(derivation: Derivation, most: int, steps: list[dict[str, Any]]) -> bool:
    """Does the page hold every entry of every step, in every form?"""
    if any(tables.IN_THE_DATA in step["entries"] for step in steps):
        return False
    shapes = [step.shape for step in derivation.steps]
    most_rows, most_cols = matrices.CORNER
    return all(rows <= most_rows and cols <= most_cols and rows * cols <= max(most, 1)
               for rows, cols in shapes)


def _chain(derivation: Derivation) -> Markup:
    """The walk from the words to the output, as links."""
    steps = [step for step in derivation.steps if step.key not in NOT_IN_CHAIN]
    links = [link(Markup(step.quantity.name), f"#{step.key}") for step in steps]
    return Markup('<div class="chain" markdown="1">\n\n{}\n\n</div>').format(
        Markup(" → ").join(links))


def _section(worked: Worked, step: Step, most: int) -> dict[str, Any]:
    derivation, decimals = worked.derivation, worked.decimals
    here, places = Markers(worked), tables.worked_entries(step, most)
    given = isinstance(step.formula, Given)
    formulas = () if given else (here.general(step.key), here.matrices(step.key))
    return {
        "key": Markup(step.key),
        "heading": Markup(prose.HEADINGS[step.key]),
        "explanation": _explanation(worked, step),
        "formulas": [formula for formula in formulas if formula],
        "matrix": here.matrix(step.key),
        "entries": "" if given else tables.entry_table(step, derivation, decimals, places),
        "entries_heading": _entries_heading(step, len(places)),
        "notes": _notes(worked, step),
        "source": text(step.quantity.source),
        "downloads": Markup(", ").join(
            link(Markup(label), f"{step.key}.{kind}") for kind, label in FORMATS.items()),
    }


def _explanation(worked: Worked, step: Step) -> Markup:
    if step.key == "scaled_scores":
        return sentences.scaling(worked)
    masked = prose.MASKED_EXPLANATIONS if worked.derivation.open is not None else {}
    return Markup((prose.EXPLANATIONS | masked)[step.key])


def _entries_heading(step: Step, shown: int) -> str:
    rows, cols = step.shape
    return f"Each {step.quantity.entry_name}" if shown == rows * cols \
        else f"One {step.quantity.entry_name}, worked out"


def _notes(worked: Worked, step: Step) -> Markup:
    notes = [_hidden_rows(worked)] if step.key == "weights" else []
    if step.key == "weights":
        notes += [sentences.rows_add_up(worked), _rounded_sums(worked)]
    notes.append(_ties(worked, step))
    told = Markup(" ").join(note for note in notes if note)
    return Markup('!!! info ""\n\n    {}\n').format(told) if told else Markup("")


def _hidden_rows(worked: Worked) -> Markup:
    names = [sentences.name(worked, i) for i in worked.derivation.closed_rows]
    return Markup(prose.NO_OPEN_KEY).format(names=sentences.listed(names)) if names else Markup("")


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
    return Markup(prose.ROUNDED_SUM).format(
        names=Markup("the row of ") + sentences.listed(names),
        sums=sentences.listed([Markup(text) for text in list(off.values())[:MOST_NOTED]])) + more


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
    value = rational_entry(step.values, i, j)
    return value is not None and abs(rounded.value) < abs(value)


def _tie(worked: Worked, step: Step, i: int, j: int) -> Markup:
    rounded, value = worked.decimals[step.key][i][j], rational_entry(step.values, i, j)
    assert rounded is not None
    assert value is not None
    away = replace(rounded, digits=rounded.digits + (1 if value > 0 else -1))
    return Markup(prose.TIE).format(
        exact=Markup(LATEX.rational(value).replace("-", "\N{MINUS SIGN}")),
        rounded=number(rounded, step.key, i, j), other=Markup(decimal_text(away)))
