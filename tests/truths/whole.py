"""All that the pages of a site may show, when an example is the lesson's."""

from dataclasses import replace

import mpmath

from derivations.attention import derive
from derivations.example import Example
from tests.reader import Truth, truth_from_exact
from tests.reader.table import DIGITS
from tests.truths import attention as at
from tests.truths import comparisons, lab, lesson, practice, quiz, rounding, walk_through

PARTS = (lesson, comparisons, lab, practice, quiz, rounding, walk_through)
SUPPOSED = {"d_k = 2"}  # formulas of a sentence that takes a case of its own


def truth_of(example: Example) -> Truth:
    """The example's own truth, with those of everything else that the lesson shows."""
    with mpmath.workdps(DIGITS):
        head = at.head(*at.projections(example), at.divisor(example), at.marks_of(example))
        variants = {name: Truth(*found) for part in PARTS
                    for name, found in part.truths(example).items()}
    own = truth_from_exact(derive(example))
    return replace(own, matrices=own.matrices | {"slopes": head["slopes"]}, variants=variants)
