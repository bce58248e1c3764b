"""What the pages of the lesson may say beyond the example itself: their markers."""

from typing import Any

from derivations.pages.lesson import (
    comparisons,
    conventions,
    glossary,
    lab,
    lengths,
    mistakes,
    practice,
    programs,
    quiz,
    rounding,
    sentences,
    side_by_side,
    tables,
    variants,
    walk_through,
)
from derivations.pages.worked import Worked

PARTS = (comparisons, conventions, lab, lengths, mistakes, practice, programs, quiz, rounding,
         sentences, side_by_side, tables, walk_through)


def lesson_markers(lesson: Worked) -> dict[str, Any]:
    """Every marker of the lesson. No two parts give the same one."""
    found = {"variant": variants.of(lesson), **glossary.markers()}
    for part in PARTS:
        more = part.markers(lesson)
        assert found.keys().isdisjoint(more), found.keys() & more.keys()
        found |= more
    return found
