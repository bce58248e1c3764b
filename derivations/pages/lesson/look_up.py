"""From a wrong number to the mistake that makes it: a table for the entries of a step."""

from string import ascii_uppercase

from markupsafe import Markup

from derivations.lesson.compared import Compared, suspects
from derivations.lesson.mistakes import Mistake
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.labels import entry_label
from derivations.pages.lesson.variants import scoped
from derivations.pages.prose import MISTAKES
from derivations.render.corner import corner
from derivations.render.markup import link, listed, number, table, text
from derivations.step import Step

OF_SHAPE = {"queries-and-keys-swapped", "no-transpose", "keys-and-values-swapped",
            "masked-after-softmax", "masked-with-zero", "not-shifted"}
RIGHT = Markup('<span class="as-right">right</span>')
ALIKE = Markup(' <span class="alike">as {}</span>')
MOST_ENTRIES = 150
PART = ("The matrix is {} by {}, too large for this table. Here are the entries of its first {} "
        "rows and {} columns.\n\n")
NOT_APART = "On this example {} cannot be told apart: all their numbers are the same."


def entries(mistakes: tuple[Compared, ...], key: str, variant: str) -> Markup:
    """What each mistake makes of each entry of a step: a row an entry, a column a mistake.

    Only mistakes that show on this variant: elsewhere other numbers are right. A number that two
    mistakes make says so, and one that is right all the same is no number but the word.
    """
    here = tuple(one for one in mistakes if one.variant == variant and _changes(one, key))
    if not here:
        return Markup("")
    step = here[0].right[key]
    names = [text(letter) for _, letter in _lettered(here)]
    rows, cols = covered(step)
    lines = [_line(here, step, i, j) for i in range(rows) for j in range(cols)]
    shown = table([text("entry"), text("right"), *names], lines, "look-up stacks",
                  f"wrong {step.quantity.name}, by mistake")
    return _linked(here) + _part(step) + shown + _not_apart(here)


def covered(step: Step) -> tuple[int, int]:
    """How many rows and columns have their entries in the table: all, if they are not too many."""
    rows, cols = step.shape
    return (rows, cols) if rows * cols <= MOST_ENTRIES else corner(step.shape)


def _part(step: Step) -> Markup:
    """Says which part of a large matrix the table is about."""
    if covered(step) == step.shape:
        return Markup("")
    return Markup(PART).format(*(count("lines", size) for size in (*step.shape, *covered(step))))


def _changes(one: Compared, key: str) -> bool:
    return any(place[0] == key for place in one.differing)


def _lettered(here: tuple[Compared, ...]) -> list[tuple[Compared, str]]:
    return list(zip(here, ascii_uppercase, strict=False))


def _linked(here: tuple[Compared, ...]) -> Markup:
    """A list of the columns, each with its page: heads of a table that stacks are not seen."""
    return Markup("").join(
        Markup("- {}: {}\n").format(letter, link(text(MISTAKES[one.mistake.key]),
                                                 mistake_page(one.mistake)))
        for one, letter in _lettered(here)) + Markup("\n")


def mistake_page(mistake: Mistake) -> str:
    """Where a mistake is shown, seen from a page of the lesson."""
    page = "shape-mistakes" if mistake.key in OF_SHAPE else "mistakes"
    return f"{page}.md#{mistake.key}"


def _line(here: tuple[Compared, ...], step: Step, i: int, j: int) -> list[Markup]:
    """An entry: what is right, and what each mistake gives."""
    (right,) = {one.true[step.key][i][j] for one in here}
    shown = number(right, step.key, i, j)
    name = entry_label(step, i, j)
    return [name, scoped(here[0].variant, shown) if here[0].variant else shown,
            *(_cell(here, one, step.key, i, j) for one in here)]


def _cell(here: tuple[Compared, ...], one: Compared, key: str, i: int, j: int) -> Markup:
    if (key, i, j) not in one.differing:
        return RIGHT
    wrong = one.wrong[key][i][j]
    assert wrong is not None
    others = [letter for other, letter in _lettered(here)
              if other is not one and other in suspects(here, key, i, j, wrong)]
    alike = ALIKE.format(listed([Markup(letter) for letter in others])) if others else Markup("")
    return scoped(f"mistake-{one.mistake.key}", number(wrong, key, i, j)) + alike


def _not_apart(here: tuple[Compared, ...]) -> Markup:
    """Says which mistakes give the same weights and output, all of them."""
    groups: list[list[Compared]] = []
    for one in here:
        same = next((group for group in groups if group[0].wrong == one.wrong), None)
        same.append(one) if same else groups.append([one])
    told = [Markup(NOT_APART).format(listed([text(MISTAKES[one.mistake.key]) for one in group]))
            for group in groups if len(group) > 1]
    return Markup("\n\n") + Markup(" ").join(told) if told else Markup("")
