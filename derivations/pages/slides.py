"""The slides of an example: of each of its parts a deck, as one HTML file that works from a disk.

A slide for each step, and one before and after these. They say what the pages say: the formula, the
place of the step, the card of the entry of the story; what explains these stands in the notes.
Style, script and font come in last (derivations/pages/deck.py): all decks have the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from markdown import Markdown
from markupsafe import Markup

from derivations.checks import check_entry
from derivations.citing.formats import reference
from derivations.citing.work import LICENCE_ADDRESS
from derivations.formula import Given
from derivations.pages import prose, sentences
from derivations.pages.cite_block import RIGHTS
from derivations.pages.citing import Citing
from derivations.pages.context import context, spoken
from derivations.pages.deck import FILE, PLACE
from derivations.pages.linking import Links, linked, step_key
from derivations.pages.markers import Markers
from derivations.pages.mathematics import MathematicsExtension
from derivations.pages.parts import Part, folder_of, links_of
from derivations.pages.sections import Place, Section
from derivations.pages.tag_pages import page_of
from derivations.pages.templating import own_templates
from derivations.pages.worked import Worked
from derivations.render.cards import card
from derivations.render.corner import corner
from derivations.render.forms import forms
from derivations.render.layout import layout
from derivations.render.markup import address, equation, text
from derivations.render.mathml import fill
from derivations.render.tables import corner_note, worked_entries
from derivations.render.words import entry_text
from derivations.step import Step

ASKED = ("context", "keys", "values")  # their rows are the tokens that are heard
TO = re.compile(r'<a(?: class="[^"]*")? data-to="([^"]+)">(.*?)</a>', re.DOTALL)
FROM = '<p class="from"'  # where a card stops to show a number and tells of it
END = "</article>"
MOST_ROWS = 4  # of a matrix whose numbers are shown in an equation, too


@dataclass(frozen=True)
class Inside(Links):
    """The links of a deck: each leads to a slide of it."""

    def to(self, here: str, address: str) -> str:
        """The number, row or column itself; its step, where the deck does not show it."""
        return "#" + (address if address in self.addresses else step_key(address))


@dataclass(frozen=True)
class Slide:
    """A step as a slide: what is shown, and what the one who shows it may say."""

    section: Section

    @property
    def key(self) -> Markup:
        """Its address in the deck: the step's key."""
        return self.section.key

    @property
    def heading(self) -> Markup:
        """Its heading."""
        return self.section.heading

    @property
    def formulas(self) -> dict[str, Markup]:
        """The formula for any entry, and the equation of matrices; '' where there is none.

        The numbers of many rows are not shown twice: a slide is read from afar.
        """
        found = {"formula": Markup(""), "matrices": Markup("")} | dict(self.section.formulas)
        if found["matrices"]:
            found["matrices"] = Markers(self.section.worked).matrices(self.key, MOST_ROWS)
        return found

    @property
    def has_numbers(self) -> bool:
        """Does the equation of matrices show their numbers?"""
        return "bmatrix" in self.formulas["matrices"]

    @cached_property
    def place(self) -> Markup:
        """Its matrix beside what it is made of: the story is lit, and each number has an address.

        That of the entry in the card is the card's.
        """
        worked, step, (i, j) = self.section.worked, self.section.step, self.section.story
        shown = Markers(worked).product(self.key, i + 1, j + 1) if self._card else \
            layout(step, worked.derivation, worked.decimals)
        return Markup(re.sub(rf'class="number[^"]*" data-ref="({self.key}-r\d+c\d+)"',
                             self._addressed, shown))

    def _addressed(self, found: re.Match[str]) -> str:
        in_card = self._card and found[1] == address(self.key, *self.section.story)
        return found[0] if in_card else f'{found[0]} id="{found[1]}"'

    @property
    def corner(self) -> Markup:
        """Says that only a corner is shown, where it is so."""
        return corner_note(self.section.step) if self.section.is_cut else Markup("")

    @property
    def entry(self) -> Markup:
        """The entry of the story, worked out; '' where the numbers are given."""
        return Markup(self._card[0] + END) if self._card else Markup("")

    @property
    def entry_told(self) -> Markup:
        """What it comes from and goes into."""
        return Markup(FROM + self._card[2].removesuffix(END)) if self._card else Markup("")

    @property
    def exactly(self) -> Markup:
        """Its exact value as one equation; '' where it is given, or too long to read."""
        worked, step, (i, j) = self.section.worked, self.section.step, self.section.story
        shown = forms(worked.derivation, worked.decimals, step, i, j)
        if not self._card or not shown.exact:
            return Markup("")
        return equation(f"{shown.name} {shown.exact}",
                        entry_text(step, worked.decimals[step.key], i, j))

    @cached_property
    def _card(self) -> tuple[str, str, str] | None:
        section, worked = self.section, self.section.worked
        if isinstance(section.step.formula, Given):
            return None
        check_entry(worked.derivation, section.step, *section.story)
        return str(card(section.step, worked.derivation, worked.decimals, *section.story,
                        "story")).partition(FROM)

    @property
    def explanation(self) -> Markup:
        """What it means."""
        return from_markdown(self.section.explanation)

    @property
    def notes(self) -> Markup:
        """What it means, the size of its sum, and what is to be said of its numbers."""
        told = (self.section.explanation, self.section.size_of_sum, self.section.notes)
        return from_markdown(Markup("\n\n").join(told))


def decks(worked: Worked, citing: Citing) -> dict[str, bytes]:
    """The deck of each part of an example, by its path; `dressed` gives them their style."""
    return {f"{folder_of(part)}/{FILE}": _deck(Part(part, _sections(part)), worked, citing)
            for part in worked.parts}


def _sections(worked: Worked) -> list[Section]:
    """Each step in order, with the entries among which the story may be."""
    heard = 0 if worked.heads else sentences.heard(worked)
    return [Section(worked, step, _entries(step, heard)) for step in worked.derivation.own_steps]


def _entries(step: Step, heard: int) -> list[Place]:
    """Those of the corner; that which the pages work out, where the token heard is not in it."""
    rows, cols = corner(step.shape)
    is_shown = heard < rows if step.key in ASKED else not step.cols.tokens or heard < cols
    places = [(i, j) for i, j in step.places if i < rows and j < cols]
    return places if is_shown else worked_entries(step, 1)


def _deck(part: Part, whole: Worked, citing: Citing) -> bytes:
    slides = [Slide(section) for section in part.sections]
    page = own_templates().get_template(FILE).render(
        _told(part.worked) | _cited(part, whole, citing)
        | {"slides": slides, "dress": Markup(PLACE)})
    (links,) = links_of([part], directory_urls=True)
    inside = Inside(links.folder, links.addresses | _cells(slides), directory_urls=True)
    known = {slide.section.step.key for slide in slides}
    page = TO.sub(lambda found: found[0] if step_key(found[1]) in known else found[2], page)
    return fill(linked(spoken(page, part.worked), part.folder, inside)).encode()


def _cells(slides: list[Slide]) -> frozenset[str]:
    """The numbers that have an address."""
    return frozenset(found for slide in slides
                     for found in re.findall(r' id="([^"]*-r\d+c\d+)"', slide.place))


def _told(worked: Worked) -> dict[str, Any]:
    """The words of the first slide and of the answer; heads together have no weights to tell."""
    shared = {key: value for key, value in context(worked).items()
              if key in ("title", "note", "origin", "head", "places")}
    if not worked.heads:
        asker = sentences.asker(worked)
        return shared | {
            "question": sentences.question(worked), "become": "",
            "answer": Markup(" ").join((sentences.row_of_weights(worked, asker),
                                        sentences.most_heard(worked, asker),
                                        sentences.hidden(worked, asker))),
            "formula": sentences.whole(worked), "adds_up": sentences.rows_add_up(worked)}
    projected = worked.derivation.steps[-1].key == "projected"
    return shared | {"question": sentences.question(worked.heads[0]), "answer": "",
                     "become": Markup(prose.HEADS_BECOME[len(worked.heads) > 1, projected])}


def _cited(part: Part, whole: Worked, citing: Citing) -> dict[str, Any]:
    """The tags of the steps, how the deck is cited, and what one may do with it."""
    title = f"{part.worked.example.title.strip()}: slides"
    work = citing.work(title, f"{part.folder}/{FILE}", example=whole.example)
    return {"tags": list(_tags(part, whole, citing)), "site": text(citing.site.title),
            "reference": text(reference(replace(work, path=f"{part.folder}/{FILE}"))),
            "rights": RIGHTS.format(Markup(LICENCE_ADDRESS))}


def _tags(part: Part, whole: Worked, citing: Citing) -> Iterator[tuple[Markup, Markup, Markup]]:
    """(tag, address, name) of each step; the address is '' where that of the site is not known."""
    for section in part.sections:
        step = section.step
        work = citing.work(step.key, page_of(citing, step.key, folder_of(whole)))
        yield Markup(citing.step_tags[step.key]), text(work.url), text(step.quantity.name)


@lru_cache(maxsize=1)
def _markdown() -> Markdown:
    return Markdown(extensions=["admonition", MathematicsExtension(late=True)])


def from_markdown(written: Markup) -> Markup:
    """Sentences of the pages as HTML, with places for formulas."""
    return Markup(_markdown().reset().convert(written))
