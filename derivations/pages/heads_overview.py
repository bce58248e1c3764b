"""The overview of an example with several heads: each with its weights, and what comes of all."""

from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.pages import sentences
from derivations.pages.context import context
from derivations.pages.lesson.variants import scoped
from derivations.pages.linking import Links, linked
from derivations.pages.worked import Worked
from derivations.render import figures, tables


def page(worked: Worked, templates: Environment, here: str, links: list[Links]) -> str:
    """The overview; `here` is its path, `links` are those of each head, and of the whole."""
    heads = [_head(head, number, here, own) for number, (head, own)
             in enumerate(zip(worked.heads, links, strict=False), 1)]
    last = worked.derivation.steps[-1]
    return templates.get_template("heads.md").render(context(worked) | {
        "heads": heads,
        "question": sentences.question(worked.heads[0]),
        "result": tables.matrix_table(last, worked.decimals),
        "is_projected": last.key == "projected",
    })


def _head(head: Worked, number: int, here: str, links: Links) -> dict[str, Any]:
    """What is said of a head: each of its numbers leads to its own pages."""
    asker = sentences.asker(head)
    told = sentences.row_of_weights(head, asker) + " " + sentences.most_heard(head, asker)
    return {"number": number, "told": _its(told, number, here, links), "picture": _its(
        figures.heat_map(head.derivation["weights"], head.decimals), number, here, links)}


def _its(made: Markup, number: int, here: str, links: Links) -> Markup:
    """What is made of a head's numbers, with links to its pages, and told to be of this head."""
    return scoped(f"head-{number}", Markup(linked(str(made), here, links)))
