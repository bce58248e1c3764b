"""What a marker in the prose may say: each name here is a `{{ name }}` or `{{ name(...) }}`."""

from typing import Any

from markupsafe import Markup

from derivations.checks import check_entry
from derivations.decimals import table
from derivations.lesson.slopes import slopes
from derivations.pages import pictures, sentences
from derivations.pages.worked import Worked
from derivations.render import matrices, tables
from derivations.render.corner import CORNER
from derivations.render.forms import forms
from derivations.render.layout import layout
from derivations.render.markup import address, equation, listed, number, size
from derivations.render.words import entry_text, matrix_text
from derivations.step import Step
from derivations.trace import sources

OF_A_PLACE = ("name", "size", "number", "vector", "vectors", "matrix", "product",
              "entries", "entry", "general", "matrices")


def markers(worked: Worked) -> dict[str, Any]:
    """The markers about one example: rows and columns, `asker` and `heard` too, count from 1."""
    asker, heard = sentences.asker(worked), sentences.heard(worked)
    here = Markers(worked)
    named = {name: getattr(here, name) for name in OF_A_PLACE}
    return pictures.markers(worked) | named | {
        "question": sentences.question(worked),
        "sentence": sentences.sentence(worked),
        "asker": asker + 1,
        "heard": heard + 1,
        "most_heard": sentences.most_heard(worked, asker),
        "hidden": sentences.hidden(worked, asker),
        "scaling": sentences.scaling(worked),
        "rows_add_up": sentences.rows_add_up(worked),
        "whole_formula": sentences.whole(worked),
        "weights_of_asker": sentences.row_of_weights(worked, asker),
        "places": worked.example.places,
    }


class Markers:
    """Markers that name a step. An unknown step, row or column raises KeyError or IndexError."""

    def __init__(self, worked: Worked):
        self.worked = worked

    def _place(self, key: str, row: int, col: int) -> tuple[Step, int, int]:
        step = self.worked.derivation[key]
        rows, cols = step.shape
        if not (1 <= row <= rows and 1 <= col <= cols):
            raise IndexError(f"{key} has {rows} rows and {cols} columns, not ({row}, {col})")
        return step, row - 1, col - 1

    def name(self, row: int) -> Markup:
        """A token."""
        _, i, _ = self._place("queries", row, 1)
        return sentences.name(self.worked, i)

    def size(self, name: str) -> Markup:
        """n_q, n_k, d_model, d_k or d_v, as a number."""
        return size(name, self.worked.derivation.size(name))

    def number(self, key: str, row: int, col: int) -> Markup:
        """One entry's decimal."""
        step, i, j = self._place(key, row, col)
        return number(self.worked.decimal(step, i, j), key, i, j)

    def vector(self, key: str, row: int) -> Markup:
        """A whole row, as (0, 1)."""
        step, i, _ = self._place(key, row, 1)
        shown = [number(self.worked.decimal(step, i, j), key, i, j) for j in range(step.shape[1])]
        return Markup("({})").format(Markup(", ").join(shown))

    def vectors(self, key: str) -> Markup:
        """The rows of a step, as (0, 1), (1, 0) and (2, 1); of many, the first ones."""
        rows = len(self.worked.derivation[key].rows)
        shown = [self.vector(key, row) for row in range(1, min(rows, sentences.MOST_NAMED) + 1)]
        more = Markup(" and so on") if rows > len(shown) else Markup("")
        return listed(shown) + more

    def slopes(self, row: int) -> Markup:
        """How much each weight of a row moves with its own scaled score, as (0.1, 0.2)."""
        step, i, _ = self._place("weights", row, 1)
        found = table(slopes(self.worked.derivation), self.worked.example.places)
        shown = [number(found[i][j], "slopes", i, j) for j in range(step.shape[1])]
        return Markup("({})").format(Markup(", ").join(shown))

    def weights_of(self, row: int) -> Markup:
        """Whom a token listens to, with its weights."""
        _, i, _ = self._place("weights", row, 1)
        return sentences.row_of_weights(self.worked, i)

    def most_heard_by(self, row: int) -> Markup:
        """Whom a token listens to most."""
        _, i, _ = self._place("weights", row, 1)
        return sentences.most_heard(self.worked, i)

    def matrix(self, key: str) -> Markup:
        """A step's matrix as a table with its labels; of a large one a corner."""
        return tables.matrix_table(self.worked.derivation[key], self.worked.decimals)

    def product(self, key: str, row: int, col: int) -> Markup:
        """A step beside what it is made of; one entry is lit, with the numbers that go into it."""
        step, i, j = self._place(key, row, col)
        shown = str(layout(step, self.worked.derivation, self.worked.decimals))
        made_of = [address(line.key, *place)
                   for line in sources(step, i, j) for place in line.places]
        for kind, ref in (("at", address(key, i, j)), *(("lit", ref) for ref in made_of)):
            shown = shown.replace(f'class="number" data-ref="{ref}"',
                                  f'class="number {kind}" data-ref="{ref}"')
        return Markup(shown)

    def entries(self, key: str) -> Markup:
        """A step's entries in all four forms."""
        step = self.worked.derivation[key]
        return tables.entry_table(step, tables.worked_forms(
            step, self.worked.derivation, self.worked.decimals, tables.worked_entries(step)))

    def entry(self, key: str, row: int, col: int) -> Markup:
        """One entry, worked out, one form a line."""
        step, i, j = self._place(key, row, col)
        check_entry(self.worked.derivation, step, i, j)
        shown = forms(self.worked.derivation, self.worked.decimals, step, i, j)
        return equation(shown.aligned, entry_text(step, self.worked.decimals[key], i, j))

    def general(self, key: str) -> Markup:
        """The formula of entry (i, j); '' where the step is given."""
        step = self.worked.derivation[key]
        formula = matrices.general(step, self.worked.derivation)
        label = f"{step.quantity.entry_name}, the formula"
        return equation(formula, label) if formula else Markup("")

    def matrices(self, key: str, most_rows: int = CORNER[0]) -> Markup:
        """The step as matrices, in numbers if they have at most so many rows.

        '' where it is too large for any.
        """
        step = self.worked.derivation[key]
        derivation, decimals = self.worked.derivation, self.worked.decimals
        whole = matrices.equation(step, derivation, decimals, most_rows=most_rows)
        if not whole:
            return Markup("")
        shown = matrices.matrix_keys(whole, step, derivation)
        label = matrix_text(step, decimals[key]) if shown else f"{step.quantity.name}, as matrices"
        return equation(whole, label, shown)

