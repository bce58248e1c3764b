"""All that the pages of a site may show, when an example is the lesson's."""

from dataclasses import replace

import mpmath

from derivations.attention import derive
from derivations.example import Example
from tests.reader import Truth, truth_from_exact
from tests.reader.table import DIGITS
from tests.truths import comparisons, lab, lesson, practice, quiz, rounding, walk_through

PARTS = (lesson, comparisons, lab, practice, quiz, rounding, walk_through)
SUPPOSED = {"d_k = 2"}  # formulas of a sentence that takes a case of its own


def truth_of(example: Example) -> Truth:
    """The example's own truth, with those of everything else that the lesson shows."""
    with mpmath.workdps(DIGITS):
        variants = {name: Truth(*found) for part in PARTS
                    for name, found in part.truths(example).items()}
    return replace(truth_from_exact(derive(example)), variants=variants)
