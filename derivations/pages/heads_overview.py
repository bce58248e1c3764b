"""The overview of an example with several heads: each with its weights, and what comes of all."""

from collections.abc import Iterator
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.pages import prose, sentences
from derivations.pages.budget import Written
from derivations.pages.context import context
from derivations.pages.hand_out import has_sheet
from derivations.pages.lesson.variants import scoped
from derivations.pages.linking import Links, linked
from derivations.pages.worked import Worked
from derivations.render import figures, tables
from derivations.render.markup import link, listed

MOST_SHOWN = 16  # heads with a picture: a page is to have twenty matrices at most


def pages(
    worked: Worked, templates: Environment, here: str, links: list[Links]
) -> Iterator[Written]:
    """The overview, with fewer and fewer heads shown; the others are links.

    `here` is its path, `links` are those of each head, and of the whole.
    """
    shown = [_head(head, number, here, own) for number, (head, own)
             in enumerate(zip(worked.heads[:MOST_SHOWN], links, strict=False), 1)]
    last = worked.derivation.steps[-1]
    found = context(worked) | {
        "count": len(worked.heads),
        "has_sheet": has_sheet(worked),
        "sources": Markup(_sources(worked)),
        "question": sentences.question(worked.heads[0]),
        "result": tables.matrix_table(last, worked.decimals),
        "become": Markup(prose.HEADS_BECOME[len(worked.heads) > 1, last.key == "projected"]),
    }
    for most in range(len(shown), -1, -1):
        page = templates.get_template("heads.md").render(
            found | {"heads": shown[:most], "others": _others(worked, most)})
        yield Written(page)


def _sources(worked: Worked) -> str:
    """What the queries, keys and values of each head are made from."""
    if worked.example.heads[0].q.is_given:
        return prose.HEADS_TYPED
    return prose.HEADS_FROM_TWO if worked.example.crosses else prose.HEADS_FROM_X


def _others(worked: Worked, shown: int) -> Markup:
    """Links to the heads that are not shown; '' where all are."""
    numbers = range(shown + 1, len(worked.heads) + 1)
    return listed([link(Markup(f"head {n}"), f"head-{n}/index.md") for n in numbers]) \
        if numbers else Markup("")


def _head(head: Worked, number: int, here: str, links: Links) -> dict[str, Any]:
    """What is said of a head: each of its numbers leads to its own pages."""
    asker = sentences.asker(head)
    told = sentences.row_of_weights(head, asker) + " " + sentences.most_heard(head, asker)
    return {"number": number, "told": of_head(told, number, here, links), "picture": of_head(
        figures.heat_map(head.derivation["weights"], head.decimals), number, here, links)}


def of_head(made: Markup, number: int, here: str, links: Links) -> Markup:
    """What is made of a head's numbers, with links to its pages, and told to be of this head."""
    return scoped(f"head-{number}", Markup(linked(str(made), here, links)))
