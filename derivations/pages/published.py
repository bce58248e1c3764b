"""The page of what a source prints for an example: each number beside the exact one, graded."""

from collections.abc import Iterator

from jinja2 import Environment
from markupsafe import Markup

from derivations.audit.causes import cause
from derivations.audit.grades import GRADES, Graded, audit
from derivations.audit.values import KEYS
from derivations.example.published import Number, Precision
from derivations.pages.budget import Written
from derivations.pages.context import context
from derivations.pages.heads_overview import of_head
from derivations.pages.linking import Links
from derivations.pages.worked import Worked
from derivations.render.corner import corner
from derivations.render.dialect import PLAIN
from derivations.render.markup import link, number, table, text
from derivations.render.words import label
from derivations.rounded import Rounded
from derivations.step import Step

TITLES = {"masked_scores": "Masked scores, before the scale", "masked_scaled": "Masked scores"}
CORNER = Markup('<span class="unseen">as printed</span>')
CUT = Markup("The source prints {} by {} numbers; this is their upper left corner. The command "
             "`audit` grades all of them.\n\n")
SIGNS = {"right": "", "float32": "near", "last digit": "off", "wrong": "wrong"}
OVERALL = {
    "right": "All of them are right.",
    "right_float32": "All are right, or as near as a computation in float32 comes.",
    "last_digit": "None is wrong, but some are off in their last digit.",
    "input_rounded": "Some are wrong, by no more than its rounded inputs explain.",
    "wrong": "Some of them are wrong.",
}


def pages(
    worked: Worked, templates: Environment, here: str, links: list[Links]
) -> Iterator[Written]:
    """The page with every printed number, one with a corner of each step, one with none.

    `here` is its path, `links` are those of each head, and of the whole.
    """
    template, found = templates.get_template("published.md"), audit(worked.example)
    steps = sorted(found.steps, key=lambda step: not step.published.head)
    told = context(worked) | {"source": text(worked.example.source or "The source"),
                              "overall": Markup(OVERALL[found.overall])}
    causes = [cause(worked.example, step, found.steps) for step in steps]
    for cut in (False, True):
        yield Written(template.render(told | {
            "summary": _summary(worked, steps, causes),
            "steps": [graded(worked, step, here, links, cut) for step in steps]}))
    bare = _summary(worked, steps, causes, has_tables=False)
    yield Written(template.render(told | {"summary": bare, "steps": ()}))


def _summary(
    worked: Worked, steps: list[Graded], causes: list[str], has_tables: bool = True
) -> Markup:
    """How many numbers of each step have which grade; the steps of heads come first."""
    header = [text(word) for word in ("step", "numbers", *GRADES, "likely cause")]
    rows = [[link(_title(worked, step), f"#{_anchor(step)}") if has_tables
             else _title(worked, step),
             text(step.counts.total()), *(text(step.counts[grade]) for grade in GRADES),
             text(why)] for step, why in zip(steps, causes, strict=True)]
    return table(header, rows, "audit stacks", "how many numbers have which grade")


def _anchor(step: Graded) -> Markup:
    return Markup(step.published.name.replace(".", "-"))


def _title(worked: Worked, step: Graded) -> Markup:
    """What a step is called."""
    part, name = _part(worked, step), step.published.step
    known = TITLES.get(name) or part.derivation[_key(part, name)].quantity.name
    head = f"Head {part.derivation.head.number}: " if part.derivation.head else ""
    return text(head + known if head else known[0].upper() + known[1:])


def _part(worked: Worked, step: Graded) -> Worked:
    """The head that printed numbers are of, or the whole."""
    return worked.heads[step.published.head - 1] if step.published.head else worked


def _key(part: Worked, name: str) -> str:
    """The step that a source calls so; the output of several heads is the last one."""
    if not part.heads:
        return KEYS[name]
    return "concatenated" if name == "concat" else part.derivation.steps[-1].key


def graded(
    worked: Worked, step: Graded, here: str, links: list[Links], cut: bool = False
) -> dict[str, Markup]:
    """A step: its address, its title, and its numbers; each that is not right has its grade."""
    published, part = step.published, _part(worked, step)
    name = published.step
    own = part.derivation[_key(part, name)] if part.heads or name in KEYS else None
    axes = own or part.derivation["scores"]
    size = len(published.rows), len(published.rows[0])
    height, width = corner(size) if cut else size
    header = [CORNER, *(label(axes.cols, j) for j in range(width))]
    rows = [[label(axes.rows, published.first + i),
             *(_cell(step, i, j, _exact(part, own, published.first + i, j, here, links))
               for j in range(width))]
            for i in range(height)]
    return {"key": _anchor(step), "title": _title(worked, step),
            "note": CUT.format(*size) if (height, width) != size else Markup(""),
            "table": table(header, rows, "audit", f"{published.name} as printed")}


def _cell(step: Graded, i: int, j: int, right: Markup) -> Markup:
    """A printed number; where it is not right, its grade, and the exact one."""
    published, grade = step.published, step.grades[i][j]
    shown = Markup('<span class="printed">{}</span>').format(
        text(printed(published.rows[i][j], published.precision)))
    if not SIGNS[grade]:
        return shown
    return Markup('{} <span class="grade {}">{}</span> {}').format(
        shown, Markup(SIGNS[grade]), Markup(grade), right)


def _exact(
    worked: Worked, own: Step | None, i: int, j: int, here: str, links: list[Links]
) -> Markup:
    """The number that should be printed, where the derivation has such a step."""
    if own is None:
        return Markup("")
    right, head = number(worked.decimal(own, i, j), own.key, i, j), worked.derivation.head
    return of_head(right, head.number, here, links[head.number - 1]) if head else right


def printed(value: Number, precision: Precision) -> str:
    """A number as a source prints it."""
    if value is None:
        return "\N{MINUS SIGN}\N{INFINITY}"
    if precision.exact or precision.significant:
        shown = PLAIN.rational(value)
    else:
        shown = Rounded(round(value * 10**precision.places), precision.places).text
    return shown.replace("-", "\N{MINUS SIGN}")

