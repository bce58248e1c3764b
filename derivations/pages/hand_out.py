"""A sheet for class: the derivation with numbered blanks to fill in, and its key.

Both pages are made from one `Sheet`: a blank of the hand-out is the answer of the key.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from jinja2 import Environment
from markupsafe import Markup

from derivations.formula import Beside, Given
from derivations.pages import sentences
from derivations.pages.budget import Written
from derivations.pages.citing import Citing
from derivations.pages.parts import folder_of, sections_of
from derivations.pages.sections import Section
from derivations.pages.worked import Worked
from derivations.render import forms, tables
from derivations.render.markup import equation, number, text
from derivations.render.words import entry_name, entry_text
from derivations.step import Step

HAND_OUT, KEY = "hand-out.md", "key.md"
BLANK = Markup('<span class="blank" id="blank-{0}"><span class="unseen">blank </span>{0}</span>')
ANSWER = Markup('<span class="blank" id="blank-{0}"><sup>{0}</sup>{1}</span>')
WORKING = Markup('<div class="working" id="answer-{0}"><p><a href="#answer-{0}" '
                 'aria-label="Answer {0}"><strong>{0}.</strong></a> {1}</p>{2}</div>')
BEGUN = Markup('<div class="room" id="begin-{0}"><p><a href="#begin-{0}" aria-label="Blank {0}">'
               '<strong>{0}.</strong></a></p>{1}</div>')
MOST_NUMBERS, MOST_COLUMNS = 100, 12  # of a matrix that a sheet of paper can hold
FULL, STORY, NONE = 2, 1, 0  # how many of the answers are worked out: all, one a step, none


@dataclass(frozen=True)
class Blank:
    """A place to fill in: its number on the sheet, and the entry that belongs there."""

    number: int
    row: int
    col: int


@dataclass(frozen=True)
class Task:
    """A step to work out: one row of its matrix is blank."""

    section: Section
    blanks: tuple[Blank, ...]

    @property
    def step(self) -> Step:
        """The step."""
        return self.section.step

    @property
    def story(self) -> Blank:
        """The blank of the entry that all pages tell as a story."""
        return next(blank for blank in self.blanks
                    if (blank.row, blank.col) == self.section.story)

    def matrix(self, answers: bool) -> Markup:
        """The matrix, with its blanks or with the answers in their places."""
        found = {(blank.row, blank.col): blank.number for blank in self.blanks}
        shown = self.section.worked.decimals[self.step.key]

        def cell(i: int, j: int) -> Markup:
            decimal = number(shown[i][j], self.step.key, i, j)
            if (i, j) not in found:
                return decimal
            return ANSWER.format(found[i, j], decimal) if answers else BLANK.format(found[i, j])

        return tables.labelled(self.step, cell, "matrix" if answers else "sheet", whole=True)

    def begun(self) -> Markup:
        """The story's entry in symbols, unless these are the answer, and room to go on."""
        four = self._forms(self.story)
        is_open = "_{" in four.symbols
        shown = equation(f"{four.name} = {four.symbols}" if is_open else four.name,
                         f"{self.step.quantity.entry_name}, to be worked out")
        return BEGUN.format(self.story.number, shown)

    def workings(self, most: int) -> Markup:
        """How the answers are found."""
        blanks = {FULL: self.blanks, STORY: (self.story,), NONE: ()}[most]
        return Markup("").join(map(self._working, blanks))

    def _working(self, blank: Blank) -> Markup:
        derived, i, j = self.section.worked, blank.row, blank.col
        said = entry_text(self.step, derived.decimals[self.step.key], i, j)
        return WORKING.format(blank.number, entry_name(self.step, i, j),
                              equation(self._forms(blank).aligned, said))

    def _forms(self, blank: Blank) -> forms.Forms:
        worked = self.section.worked
        return forms.forms(worked.derivation, worked.decimals, self.step, blank.row, blank.col)


@dataclass(frozen=True)
class Sheet:
    """What is given, and what is to be worked out."""

    worked: Worked
    given: list[Section]
    tasks: list[Task]


def sheet(worked: Worked) -> Sheet:
    """The sheet of an example, or of one of its heads; blanks are numbered throughout.

    Without tasks where there are none, or a matrix is too large: then not all would be there that
    one needs.
    """
    numbers = count(1)
    sections = sections_of(worked, worked.derivation.own_steps, tables.MOST_ENTRIES)
    given = [one for one in sections if isinstance(one.step.formula, Given | Beside)]
    fits = all(rows * cols <= MOST_NUMBERS and cols <= MOST_COLUMNS
               for rows, cols in (one.step.shape for one in sections))
    return Sheet(worked, given, [Task(one, tuple(_blanks(one, numbers)))
                                 for one in sections if fits and one not in given])


def _blanks(section: Section, numbers: Iterator[int]) -> Iterator[Blank]:
    """The row of the story."""
    row, _ = section.story
    for col in range(section.step.shape[1]):
        yield Blank(next(numbers), row, col)


def has_sheet(worked: Worked) -> bool:
    """Has an example, or a head of it, a hand-out?"""
    return bool(sheet(worked).tasks)


def _named(worked: Worked, step: Step) -> tuple[Markup, Markup]:
    """What a matrix is called, and all of it."""
    return text(step.quantity.name), tables.matrix_table(step, worked.decimals, whole=True)


def hand_out_pages(
    worked: Worked, templates: Environment, citing: Citing
) -> dict[str, Iterator[Written]]:
    """The hand-out and its key, from full to bare; none where nothing is to be worked out."""
    found, folder = sheet(worked), folder_of(worked)
    if not found.tasks:
        return {}
    return {f"{folder}/{HAND_OUT}": _versions(found, templates, citing, answers=False),
            f"{folder}/{KEY}": _versions(found, templates, citing, answers=True)}


def _versions(
    found: Sheet, templates: Environment, citing: Citing, *, answers: bool
) -> Iterator[Written]:
    template, worked = templates.get_template("hand_out.md"), found.worked
    for most in (FULL, STORY, NONE):
        yield Written(template.render({
            "title": text(worked.example.title.strip()),
            "question": "" if worked.heads else sentences.question(worked),
            "has_powers": any(one and one.exponent for task in found.tasks
                              for row in worked.decimals[task.step.key] for one in row),
            "places": worked.example.places, "answers": answers, "most": most,
            "given": [_named(worked, one.step) for one in found.given],
            "tasks": found.tasks, "tags": citing.step_tags,
            "up": Markup("../" if worked.derivation.head else "")}))
