"""One step of an example as a section of a page: as cards beside its place, or as tables."""

from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from derivations.formula import Dot, Given
from derivations.notation import BY_KEY
from derivations.pages import pictures, prose, sentences
from derivations.pages.markers import Markers
from derivations.pages.notes import notes
from derivations.pages.worked import Worked
from derivations.render import tables
from derivations.render.cards import card
from derivations.render.corner import is_cut
from derivations.render.layout import layout
from derivations.render.markup import link, math, numbered
from derivations.step import Step

Place = tuple[int, int]
SHOW_ALL = Markup('<p class="show-all"><a href="#{0}-all">Show all {1}</a></p>')
FORMATS = {"tex": "LaTeX", "mml": "MathML", "csv": "CSV", "json": "JSON", "npz": "NumPy"}


@dataclass(frozen=True)
class Section:
    """What a template needs of a step; `entries` are the places worked out, counted from 0."""

    worked: Worked
    step: Step
    entries: list[Place]

    @property
    def key(self) -> Markup:
        """The step's key, which is its address."""
        return Markup(self.step.key)

    @property
    def heading(self) -> Markup:
        """Its heading."""
        one = prose.ONE_HEAD_HEADINGS if len(self.worked.heads) == 1 else {}
        return Markup((prose.HEADINGS | one)[self.step.key])

    @property
    def explanation(self) -> Markup:
        """What it means."""
        if self.step.key == "scaled_scores":
            return sentences.scaling(self.worked)
        if len(self.worked.derivation.closed_rows) == len(self.worked.example.tokens) \
                and self.step.key == "output":
            return Markup(prose.NOBODY_HEARD)
        told = Markup(self._explanations[self.step.key])
        bias = self.step.formula.bias if isinstance(self.step.formula, Dot) else None
        if bias:
            told += Markup(" ") + Markup(prose.BIASED).format(bias=math(BY_KEY[bias].matrix))
        if self.step.key == "projected":
            told += Markup(" " + prose.FROM_ROUNDED)
        is_before = self.step.key == "scores" and self.worked.derivation.open is not None
        return told + Markup(" " + prose.MASK_LATER) if is_before else told

    @property
    def _explanations(self) -> dict[str, str]:
        """What the steps mean in this example."""
        cases = ((self.worked.derivation.crosses, prose.CROSSING),
                 (_is_typed(self.worked), prose.TYPED),
                 (len(self.worked.heads) == 1, prose.ONE_HEAD),
                 (self.worked.derivation.open is not None, prose.MASKED_EXPLANATIONS))
        return prose.EXPLANATIONS | {key: told for holds, more in cases if holds
                                     for key, told in more.items()}

    @property
    def size_of_sum(self) -> Markup:
        """What the upper limit of its sum is."""
        return sentences.size_of_sum(self.worked, self.step)

    @cached_property
    def formulas(self) -> list[tuple[str, Markup]]:
        """Its formula for any entry, and its equation of matrices: (name, box), if there are."""
        here = Markers(self.worked)
        found = {"formula": here.general, "matrices": here.matrices}
        boxes = [(name, make(self.step.key)) for name, make in found.items()
                 if not isinstance(self.step.formula, Given)]
        return [(name, box) for name, box in boxes if box]

    @property
    def matrix(self) -> Markup:
        """Its matrix as a table."""
        return tables.matrix_table(self.step, self.worked.decimals)

    @cached_property
    def table(self) -> Markup:
        """Its entries in all four forms, one a row; '' where they are given."""
        return self.entries_at(None)

    def entries_at(self, anchors: str | None) -> Markup:
        """The same, each with a short address that begins so."""
        if isinstance(self.step.formula, Given) or not self.entries:
            return Markup("")
        return tables.entry_table(self.step, self._forms, anchors)

    @property
    def is_complete(self) -> bool:
        """Does the table hold every form of its entries? One too long to read is left out."""
        return all(forms.complete for _, _, forms in self._forms)

    @cached_property
    def _forms(self) -> list[tables.Worked]:
        return tables.worked_forms(
            self.step, self.worked.derivation, self.worked.decimals, self.entries)

    @property
    def place(self) -> Markup:
        """Its matrix beside what it is made of."""
        note = tables.corner_note(self.step) if self.is_cut else Markup("")
        return note + layout(self.step, self.worked.derivation, self.worked.decimals)

    @property
    def cards(self) -> Markup:
        """A card for each entry worked out: that of the story is shown until one is picked."""
        derivation, decimals = self.worked.derivation, self.worked.decimals
        made = Markup("").join(
            card(self.step, derivation, decimals, i, j, "story" if (i, j) == self.story else "")
            for i, j in self.entries)
        more = SHOW_ALL.format(self.key, len(self.entries)) if len(self.entries) > 1 else ""
        return Markup('<div class="cards" id="{}-all">{}{}</div>').format(self.key, made, more)

    @cached_property
    def story(self) -> Place:
        """The entry that the pages tell as a story: what the asker hears of whom it hears most.

        Of a row of numbers it is the first that is not 0.
        """
        asker = sentences.asker(self.worked)
        heard = 0 if self.worked.heads else sentences.heard(self.worked)
        row = heard if self.step.key in ("context", "keys", "values") else asker
        row = row if self.step.rows.tokens else 0
        cols = [heard] if self.step.cols.tokens else range(self.step.shape[1])
        places = [(row, col) for col in cols if (row, col) in self.entries] or self.entries
        shown = ((place, self.worked.decimal(self.step, *place)) for place in places)
        return next((place for place, rounded in shown if rounded and rounded.digits), places[0])

    @property
    def entries_heading(self) -> str:
        """How the entries are announced."""
        name = self.step.quantity.entry_name
        if self.is_whole:
            return f"Each {name}"
        return "One row, worked out" if len(self.entries) > 1 else f"One {name}, worked out"

    @property
    def is_whole(self) -> bool:
        """Is every entry worked out?"""
        return len(self.entries) == len(self.step.places)

    @property
    def is_cut(self) -> bool:
        """Is only a corner of the matrix shown?"""
        return is_cut(self.step)

    @cached_property
    def pictures(self) -> Markup:
        """What its numbers look like."""
        return pictures.of_step(self.worked, self.step.key)

    @property
    def notes(self) -> Markup:
        """What is to be said of its numbers."""
        return notes(self.worked, self.step)

    @property
    def source(self) -> Markup:
        """Where the paper defines it."""
        return Markup(self.step.quantity.source)

    @property
    def downloads(self) -> Markup:
        """The step as data."""
        return Markup(", ").join(
            link(Markup(label), f"{self.step.key}.{kind}") for kind, label in FORMATS.items())


def _is_typed(worked: Worked) -> bool:
    """Are queries, keys and values given?"""
    return not worked.heads and isinstance(worked.derivation["queries"].formula, Given)


def numbered_formulas(sections: list[Section], page: int | str) -> dict[str, dict[str, Markup]]:
    """The numbered equations of a page, by step and name: (page.1), (page.2) and so on."""
    found: dict[str, dict[str, Markup]] = {}
    count = 0
    for section in sections:
        boxes = found[section.step.key] = {"formula": Markup(""), "matrices": Markup("")}
        for name, box in section.formulas:
            count += 1
            boxes[name] = numbered(box, f"{section.key}-{name}", f"{page}.{count}")
    return found
