"""Working by hand with few decimals, as markers of the lesson: the steps, and the wrong digits."""

from functools import cache
from typing import Any

from markupsafe import Markup

from derivations.decimals import table
from derivations.lesson.by_hand import MOST_PLACES, ByHand, enough_places
from derivations.pages import sentences
from derivations.pages.lesson.counts import count, decimals
from derivations.pages.lesson.printed_sums import printed_sums
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render.markup import number, text
from derivations.render.markup import table as table_of
from derivations.step import Step

TRIED = {2: "two decimals", 3: "three decimals", 4: "four decimals"}
CERTIFIED = 6
WANTED = 2
MOST_SHOWN = 8
WRONG = '{} <span class="wrong" role="img" aria-label="wrong">✗</span>' \
    '<br><span class="instead">right: {}</span>'
NO_NUMBER = '<span class="wrong" role="img" aria-label="no number">– ✗</span>' \
    '<br><span class="instead">right: {}</span>'


def markers(lesson: Worked) -> dict[str, Any]:
    """The markers of the rounding page; all but the last are about one row, the asker's."""
    here = _Page(lesson)
    return {
        "by_hand_row": here.row,
        "step_by_hand": here.step,
        "first_wrong_digits": here.first_wrong_digits,
        "first_wrong_digit": here.first_wrong,
        "enough_decimals": here.enough,
        "printed_sums": lambda: printed_sums(lesson),
    }


class _Page:
    """One row by hand: the asker's, or the first that hears somebody where the asker does not."""

    def __init__(self, lesson: Worked):
        self.lesson, self.i = lesson, row_by_hand(lesson)
        self.name = sentences.name(lesson, self.i)
        self.worked = cache(lambda places: ByHand(lesson.derivation, self.i, places))
        self.hears_nobody = self.i in lesson.derivation.closed_rows

    def row(self) -> Markup:
        """Whose row it is."""
        asker = sentences.asker(self.lesson)
        if self.i == asker:
            return Markup("The row is that of {}.").format(self.name)
        return Markup("{} may listen to nobody, so the row is that of {}.").format(
            sentences.name(self.lesson, asker), self.name)

    def step(self, key: str) -> Markup:
        """A step of the row: certified, then by hand with so many decimals."""
        entries = self.worked(min(TRIED)).entries(key)
        if self.hears_nobody or not entries:
            return Markup("{} may listen to nobody, so here is nothing to work out.").format(
                self.name)
        step = self.lesson.derivation[key]
        certified = table(step.values, CERTIFIED)[self.i]
        rows = [[self._label(step, j), number(certified[j], key, self.i, j),
                 *(self._cell(key, j, places) for places in TRIED)] for j in entries[:MOST_SHOWN]]
        heads = [text(head) for head in (step.quantity.entry_name, "certified", *TRIED.values())]
        shown = table_of(heads, rows, "by-hand stacks", f"the {step.quantity.name} by hand")
        return shown + _left_out(len(entries))

    def _cell(self, key: str, j: int, places: int) -> Markup:
        """What comes out by hand; where that is wrong, a mark and what is right."""
        worked = self.worked(places)
        right = number(worked.true[key][j], key, self.i, j)
        if worked.stuck and key in ("weights", "output"):
            return Markup(NO_NUMBER).format(right)
        found = self._found(key, j, places)
        return Markup(WRONG).format(found, right) if worked.is_wrong(key, j) else found

    def _found(self, key: str, j: int, places: int) -> Markup:
        rounded = self.worked(places).found[key][j]
        return scoped(f"by-hand-{places}", number(rounded, key, self.i, j))

    def first_wrong_digits(self) -> Markup:
        """Where the first wrong digit stands, for each number of decimals."""
        if self.hears_nobody:
            return Markup("{} may listen to nobody: its weights and its output are 0, and nothing "
                          "is rounded.").format(self.name)
        return Markup("\n").join(Markup("- {}").format(self.first_wrong(p)) for p in TRIED)

    def first_wrong(self, places: int) -> Markup:
        """Where the first wrong digit stands with so many decimals, and what becomes of it."""
        worked = self.worked(places)
        key = worked.first_wrong
        opening = Markup("With {}, ").format(decimals(places))
        if self.hears_nobody or key is None:
            return opening + Markup("no digit of this row goes wrong.")
        told = [opening + self._first(worked, key), *([self._stuck()] if worked.stuck else []),
                *([self._end(worked)] if not worked.stuck else [])]
        return Markup(" ").join(told)

    def _first(self, worked: ByHand, key: str) -> Markup:
        if worked.stuck and key in ("weights", "output"):
            return Markup("every digit is right until the sum, and there the work stops.")
        step, j = self.lesson.derivation[key], worked.wrong(key)[0]
        return Markup("the first wrong digit is in the {}: the {} comes out as {}, and right is "
                      "{}.").format(
            text(step.quantity.name), self._entry(step, j), self._found(key, j, worked.places),
            number(worked.true[key][j], key, self.i, j))

    def _entry(self, step: Step, j: int) -> Markup:
        """exponential of love for cats; with its place, where a token occurs twice."""
        name = text(step.quantity.entry_name) + Markup(" of ") + self.name
        if step.quantity.vector:
            return name
        return name + Markup(" " if step.cols.tokens else ", ") + self._label(step, j)

    def _label(self, step: Step, j: int) -> Markup:
        """An entry within its row: for cats, number 1, or the token of the row."""
        if step.quantity.vector:
            return self.name
        if step.cols.tokens:
            return Markup("for ") + sentences.name(self.lesson, j)
        return Markup("number ") + count("column", j + 1)

    def _stuck(self) -> Markup:
        return Markup("Every exponential of this row is rounded to 0, and so is their sum: nothing "
                      "can be divided by it. Subtract the largest scaled score from all of the row "
                      "first, and the work goes on.")

    def _end(self, worked: ByHand) -> Markup:
        """What became of it in the weights and the output."""
        return Markup(" ").join(_judged(len(worked.wrong(key)), len(worked.entries(key)), key)
                                for key in ("weights", "output"))

    def enough(self) -> Markup:
        """How many decimals make the weights right to two places."""
        if self.hears_nobody:
            return Markup("The weights of {} are 0 with any number of decimals.").format(self.name)
        places = enough_places(self.lesson.derivation, self.i, WANTED)
        right = Markup("the weights of {} right to {} places").format(
            self.name, count("wanted", WANTED))
        if places is None:
            return Markup("Even {} at each step do not make {}.").format(
                decimals(MOST_PLACES), right)
        return Markup("{} at each step are enough to make {}, rounded to {} at the end. So are "
                      "all numbers of decimals from there to {}: each was tried.").format(
            decimals(places), right, count("wanted", WANTED), count("decimals", MOST_PLACES))


def row_by_hand(lesson: Worked) -> int:
    """The asker's row, or the first in which somebody is heard; the asker's where there is none."""
    asker, closed = sentences.asker(lesson), lesson.derivation.closed_rows
    if asker not in closed:
        return asker
    return next((i for i in range(len(lesson.example.tokens)) if i not in closed), asker)


def _judged(wrong: int, whole: int, key: str) -> Markup:
    """How many numbers of a step are wrong, in every number of words."""
    one, many = {"weights": ("weight", "weights"),
                 "output": ("number of the output", "numbers of the output")}[key]
    if whole == 1:
        return Markup(f"The one {one} is {'wrong' if wrong else 'right'}.")
    if wrong in (0, whole):
        every = Markup("Both") if whole == 2 else Markup("All {}").format(count("of-row", whole))
        return Markup("{} {} are {}.").format(
            every, Markup(many), Markup("wrong" if wrong else "right"))
    return Markup("Of the {} {}, {} {} wrong.").format(
        count("of-row", whole), Markup(many), count("wrong", wrong),
        Markup("is" if wrong == 1 else "are"))


def _left_out(entries: int) -> Markup:
    if entries <= MOST_SHOWN:
        return Markup("")
    return Markup("\n\nThese are the first {} of {}; the sentences below count all.").format(
        count("shown", MOST_SHOWN), count("entries", entries))
