"""How full a page may be: of several versions, from full to bare, the first within the budget.

A page is measured as it will be, with its links. Which entries have a card, and so an address, is
known only when all pages are chosen; until then each number that may be a link is taken for one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from derivations.pages.sections import Section
from derivations.render import tables
from derivations.render.corner import CORNER

LONGEST_PAGE = 100_000  # bytes of Markdown
MOST_CARDS = 80  # displayed formulas, beside those of the steps themselves
LADDER = (tables.MOST_ENTRIES, 48, 24, CORNER[1], 1)  # entries worked out of a step
Finish = Callable[[str, str], bytes]  # what a page (its name, its text) becomes in the end


@dataclass(frozen=True)
class Written:
    """A page before its links: its Markdown, and the sections it holds as cards."""

    text: str
    sections: list[Section] = field(default_factory=list)


def fullest(pages: Iterable[Written], name: str, finish: Finish) -> Written:
    """The first of these pages (there is one) that is within the budget; if none is, the last."""
    for page in pages:
        cards = sum(len(section.entries) for section in page.sections)
        if cards <= MOST_CARDS and len(finish(name, page.text)) <= LONGEST_PAGE:
            break
    return page
