"""Rows of weights under one another: of the example, and of variants of it.

A variant whose exponentials are too large to print is named, and its cells say so.
"""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from derivations.faults import ExampleError
from derivations.pages import sentences
from derivations.pages.lesson.variants import Variant, of, scoped
from derivations.pages.markers import Markers
from derivations.pages.worked import Worked
from derivations.render.markup import table, text

OWN = ""
TOO_LARGE = Markup('<span class="none">too far apart to print</span>')


@dataclass(frozen=True)
class Rows:
    """A table: what its rows are told by, the variant of each, and which columns it has."""

    header: str
    variants: dict[str, str]
    columns: tuple[str, ...] = ("weights",)


TABLES = {
    "scale": Rows("scores", {"as in this example": OWN, "without a scale": "unscaled"}),
    "stretch": Rows("scores", {"as in this example": OWN, "eight times, unscaled": "stretched"},
                    ("weights", "slopes")),
    "temperature": Rows("temperature", {"1/2": "cold", "1": OWN, "2": "warm"}),
}


def markers(lesson: Worked) -> dict[str, Callable[..., Markup]]:
    """`weights_by(name)`: one of the tables, for the story's token."""
    variant = of(lesson)
    return {"weights_by": lambda name: weights_by(lesson, variant, TABLES[name])}


def weights_by(lesson: Worked, variant: Callable[[str], Variant], rows: Rows) -> Markup:
    """The weights of one token, by variant."""
    row = sentences.asker(lesson) + 1
    lines = [[text(told), *_cells(lesson, variant, name, rows.columns, row)]
             for told, name in rows.variants.items()]
    return table([text(word) for word in (rows.header, *rows.columns)], lines,
                 "weights-by stacks", f"weights by {rows.header}")


def _cells(
    lesson: Worked, variant: Callable[[str], Variant], name: str, columns: tuple[str, ...], row: int
) -> list[Markup]:
    try:
        told = variant(name) if name else Markers(lesson)
    except ExampleError:
        return [TOO_LARGE] * len(columns)
    return [_cell(told, name, column, row) for column in columns]


def _cell(told: Variant | Markers, name: str, column: str, row: int) -> Markup:
    if column == "weights":
        return told.vector("weights", row)
    slopes = told.slopes(row)
    return slopes if name else scoped("own", slopes)
