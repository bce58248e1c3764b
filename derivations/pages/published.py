"""The page of what a source prints for an example: each number beside the exact one, graded."""

from typing import Any

from markupsafe import Markup

from derivations.audit.causes import cause
from derivations.audit.grades import GRADES, Audit, Graded, audit
from derivations.audit.values import KEYS
from derivations.example.published import Number, Precision
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render.dialect import PLAIN
from derivations.render.markup import number, table, text
from derivations.render.words import label
from derivations.rounded import Rounded
from derivations.step import Step

TITLES = {"masked_scores": "Masked scores, before the scale", "masked_scaled": "Masked scores"}
CORNER = Markup('<span class="unseen">as printed</span>')
SIGNS = {"right": "", "float32": "near", "last digit": "off", "wrong": "wrong"}
OVERALL = {
    "right": "All of them are right.",
    "right_float32": "All are right, or as near as a computation in float32 comes.",
    "last_digit": "None is wrong, but some are off in their last digit.",
    "input_rounded": "Some are wrong, by no more than its rounded inputs explain.",
    "wrong": "Some of them are wrong.",
}


def graded(worked: Worked) -> dict[str, Any]:
    """What the template needs: the source, a summary, and a table for each step."""
    found = audit(worked.example)
    return {
        "source": text(worked.example.source or "The source"),
        "overall": Markup(OVERALL[found.overall]),
        "summary": _summary(worked, found),
        "steps": [_step(worked, step) for step in found.steps],
    }


def _summary(worked: Worked, found: Audit) -> Markup:
    header = [text(word) for word in ("step", "numbers", *GRADES, "likely cause")]
    rows = [[Markup("[{}](#{})").format(_title(worked, step), _anchor(step)),
             text(step.counts.total()), *(text(step.counts[grade]) for grade in GRADES),
             text(cause(worked.example, step, found.steps))] for step in found.steps]
    return table(header, rows, "audit stacks", "how many numbers have which grade")


def _anchor(step: Graded) -> Markup:
    return Markup(step.published.step.replace(".", "-"))


def _title(worked: Worked, step: Graded) -> Markup:
    """What a step is called."""
    part, name = _part(worked, step)
    known = TITLES.get(name) or part.derivation[_key(part, name)].quantity.name
    head = f"Head {part.derivation.head.number}: " if part.derivation.head else ""
    return text(head + known if head else known[0].upper() + known[1:])


def _part(worked: Worked, step: Graded) -> tuple[Worked, str]:
    """The head that printed numbers are of, or the whole; and their name there."""
    head, dot, name = step.published.step.rpartition(".")
    return (worked.heads[int(head.removeprefix("head")) - 1] if dot else worked), name


def _key(part: Worked, name: str) -> str:
    """The step that a source calls so; the output of several heads is the last one."""
    if not part.heads:
        return KEYS[name]
    return "concatenated" if name == "concat" else part.derivation.steps[-1].key


def _step(worked: Worked, step: Graded) -> dict[str, Markup]:
    """A step: its address, its title, and its numbers; each that is not right has its grade."""
    published, (part, name) = step.published, _part(worked, step)
    own = part.derivation[_key(part, name)] if part.heads or name in KEYS else None
    axes = own or part.derivation["scores"]
    header = [CORNER, *(label(axes.cols, j) for j in range(len(published.rows[0])))]
    rows = [[label(axes.rows, published.first + i),
             *(_cell(part, own, step, i, j) for j in range(len(row)))]
            for i, row in enumerate(published.rows)]
    return {"key": _anchor(step), "title": _title(worked, step),
            "table": table(header, rows, "audit", f"{published.step} as printed")}


def _cell(worked: Worked, own: Step | None, step: Graded, i: int, j: int) -> Markup:
    """A printed number; where it is not right, its grade, and the exact one."""
    published, grade = step.published, step.grades[i][j]
    shown = Markup('<span class="printed">{}</span>').format(
        text(printed(published.rows[i][j], published.precision)))
    if not SIGNS[grade]:
        return shown
    place = published.first + i, j
    right = number(worked.decimal(own, *place), own.key, *place) if own else Markup("")
    head = worked.derivation.head
    right = scoped(f"head-{head.number}", right) if head else right
    return Markup('{} <span class="grade {}">{}</span> {}').format(
        shown, Markup(SIGNS[grade]), Markup(grade), right)


def printed(value: Number, precision: Precision) -> str:
    """A number as a source prints it."""
    if value is None:
        return "\N{MINUS SIGN}\N{INFINITY}"
    if precision.exact or precision.significant:
        shown = PLAIN.rational(value)
    else:
        shown = Rounded(round(value * 10**precision.places), precision.places).text
    return shown.replace("-", "\N{MINUS SIGN}")

