"""The lab's row, worked out again with mpmath: softmax over the keys that the lab shows."""

from typing import Any

import mpmath

from derivations.example import Example
from tests.truths import attention as at

Found = dict[str, tuple[dict[str, at.Matrix], dict[str, int]]]
DIGITS = 70
MOST_KEYS = 8


def truths(example: Example) -> Found:
    """The namespace lab: each row less its maximum; the second row of a long one is cut."""
    with mpmath.workdps(DIGITS):
        q, k, v = at.projections(example)
        scaled = at.divided(at.product(q, at.transposed(k)), at.divisor(example))
        marks = shown(example)
        return {"lab": (at.attend([shifted(*row) for row in zip(scaled, marks, strict=True)],
                                  v, marks), {})}


def shown(example: Example) -> at.Marks:
    """Which keys each row may hear; in the story's row, the first eight of these."""
    n = len(example.tokens)
    marks = at.marks_of(example) or [[True] * n for _ in range(n)]
    asker = 1 if n > 1 else 0
    if n > MOST_KEYS:
        marks[asker] = [m and sum(marks[asker][:j]) < MOST_KEYS
                        for j, m in enumerate(marks[asker])]
    return marks


def shifted(row: list[Any], marks: list[bool]) -> list[Any]:
    """Less the maximum of what is open; minus infinity where hidden."""
    top = max((t for t, m in zip(row, marks, strict=True) if m), default=mpmath.mpf(0))
    return [t - top if m else mpmath.ninf for t, m in zip(row, marks, strict=True)]
