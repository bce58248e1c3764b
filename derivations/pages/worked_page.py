"""The worked page of an example: every step, every entry, and each step as data beside it."""

from typing import Any

from markupsafe import Markup

from derivations.pages import prose, sentences
from derivations.pages.markers import markers
from derivations.pages.worked import Worked
from derivations.render import matrices, records, tables
from derivations.render.markup import equation, link, number, text
from derivations.rounded import Rounded
from derivations.step import Derivation, Step

FORMATS = {"tex": "LaTeX", "csv": "CSV", "json": "JSON"}
CHAIN = ("embeddings", "queries", "keys", "values", "scores", "scaled_scores", "weights", "output")


def context(worked: Worked, extension: str, most: int) -> dict[str, Any]:
    """What the template of a worked page is filled with.

    A step of more than `most` entries has only one of them worked out.
    """
    example, derivation = worked.example, worked.derivation
    return markers(worked) | {
        "example": example,
        "title": text(example.title),
        "plain": text,
        "file": Markup(f"../{example.slug}{extension}"),
        "verification": Markup("../../reference/verification.md"),
        "chain": _chain(derivation),
        "extent": Markup(prose.EVERY_NUMBER if _is_whole(derivation, most)
                         else prose.NOT_EVERY_NUMBER),
        "steps": [_section(worked, step, most) for step in derivation.steps],
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


def _is_whole(derivation: Derivation, most: int) -> bool:
    """Does the page hold every entry of every step?"""
    shapes = [step.shape for step in derivation.steps]
    most_rows, most_cols = matrices.CORNER
    return all(rows <= most_rows and cols <= most_cols and rows * cols <= max(most, 1)
               for rows, cols in shapes)


def _chain(derivation: Derivation) -> Markup:
    """The walk from the words to the output, as links."""
    links = [link(Markup(derivation[key].quantity.name), f"#{key}") for key in CHAIN]
    return Markup('<div class="chain" markdown="1">\n\n{}\n\n</div>').format(
        Markup(" → ").join(links))


def _section(worked: Worked, step: Step, most: int) -> dict[str, Any]:
    derivation, decimals = worked.derivation, worked.decimals
    general = matrices.general(step, derivation)
    whole = matrices.equation(step, derivation, decimals)
    given, places = not general, tables.worked_entries(step, most)
    return {
        "key": Markup(step.key),
        "heading": Markup(prose.HEADINGS[step.key]),
        "explanation": Markup(prose.EXPLANATIONS[step.key]),
        "formulas": [] if given else _formulas(step, general, whole),
        "matrix": _corner(step) + tables.matrix_table(step, decimals),
        "entries": "" if given else tables.entry_table(step, derivation, decimals, places),
        "entries_heading": _entries_heading(step, len(places)),
        "notes": _notes(worked, step),
        "source": text(step.quantity.source),
        "downloads": Markup(", ").join(
            link(Markup(label), f"{step.key}.{kind}") for kind, label in FORMATS.items()),
    }


def _formulas(step: Step, general: str, whole: str) -> list[Markup]:
    labelled = ((general, f"{step.quantity.entry_name}, the formula"),
                (whole, f"{step.quantity.name}, as matrices"))
    return [equation(latex, label) for latex, label in labelled if latex]


def _corner(step: Step) -> Markup:
    """Says how large a matrix is of which only a corner is shown."""
    rows, cols = step.shape
    if rows <= matrices.CORNER[0] and cols <= matrices.CORNER[1]:
        return Markup("")
    return Markup("The whole matrix is {} by {}; this is its upper left corner. The data files "
                  "hold all of it.\n\n").format(rows, cols)


def _entries_heading(step: Step, shown: int) -> str:
    rows, cols = step.shape
    return f"Each {step.quantity.entry_name}" if shown == rows * cols \
        else f"One {step.quantity.entry_name}, worked out"


def _notes(worked: Worked, step: Step) -> list[Markup]:
    notes = [_hidden_rows(worked)] if step.key == "weights" else []
    if step.key == "weights":
        notes += [sentences.rows_add_up(worked), _rounded_sums(worked)]
    notes.append(_ties(worked, step))
    return [Markup('!!! info ""\n\n    {}\n').format(note) for note in notes if note]


def _hidden_rows(worked: Worked) -> Markup:
    is_open = worked.derivation.open or ()
    names = [sentences.name(worked, i) for i, row in enumerate(is_open) if not any(row)]
    return Markup(prose.NO_OPEN_KEY).format(names=sentences.listed(names)) if names else Markup("")


def _rounded_sums(worked: Worked) -> Markup:
    """The rows of weights whose rounded decimals add up to something else than 1."""
    step = worked.derivation["weights"]
    sums = {}
    for i in range(len(step.rows)):
        total = sum(rounded.value for rounded in worked.decimals["weights"][i] if rounded)
        if total not in (0, 1):
            sums[i] = Rounded(int(total * 10**worked.example.places), worked.example.places)
    if not sums:
        return Markup("")
    named = [sentences.name(worked, i) for i in sums]
    return Markup(prose.ROUNDED_SUM).format(
        names=Markup("the row of ") + sentences.listed(named[:6]),
        sums=sentences.listed([Markup(total.text) for total in list(sums.values())[:6]]))


def _ties(worked: Worked, step: Step) -> Markup:
    """The decimals shown that were exactly halfway between two."""
    places = [
        (i, j)
        for i, row in enumerate(worked.decimals[step.key])
        for j, rounded in enumerate(row)
        if rounded is not None and rounded.tie
    ]
    if not places:
        return Markup("")
    shown = [number(worked.decimals[step.key][i][j], step.key, i, j) for i, j in places[:6]]
    return Markup(prose.TIE).format(
        numbers=sentences.listed(shown), they="is" if len(places) == 1 else "are")
