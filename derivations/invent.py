"""A new example for a lesson: small whole numbers in which every step shows, the same each time.

Random numbers are drawn until they make a good lesson: every row of scores has a largest one and no
two alike, the scores are not symmetric (so that a transpose shows), no query, key or value is
all 0, no two are alike, and no weight of the second token is close to 0 or 1. For a longer sentence
there may be no such numbers: then those are taken that come closest.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

Rows = list[list[int]]
MOST_TRIES = 20_000
LOWEST, HIGHEST = 0.02, 0.9  # of the weights of the story's token
LARGEST = 12  # of a score, in size
ENTRIES, OF_WORDS = (-1, 0, 0, 1, 1, 2), (0, 0, 1, 1)


class NotFound(Exception):
    """No example with these sizes made a good lesson."""


@dataclass(frozen=True)
class Sizes:
    """d_model, d_k and d_v."""

    d_model: int
    d_k: int
    d_v: int


def invent(tokens: Sequence[str], sizes: Sizes, seed: int) -> dict[str, Rows]:
    """x, w_q, w_k and w_v of a good lesson, or of the best that was drawn.

    Raises NotFound where not even the tokens could be told apart.
    """
    draw = random.Random(seed)
    best: dict[str, Rows] = {}
    most: tuple[bool, ...] = (False,)
    for _ in range(MOST_TRIES):
        found = {"x": _drawn(draw, len(tokens), sizes.d_model, OF_WORDS),
                 "w_q": _drawn(draw, sizes.d_model, sizes.d_k, ENTRIES),
                 "w_k": _drawn(draw, sizes.d_model, sizes.d_k, ENTRIES),
                 "w_v": _drawn(draw, sizes.d_model, sizes.d_v, ENTRIES)}
        if (merits := merits_of(found)) > most:
            best, most = found, merits
        if all(most):
            return best
    if best:
        return best
    raise NotFound(f"no good lesson was found for {len(tokens)} tokens with d_model "
                   f"{sizes.d_model} and d_k {sizes.d_k}; try larger sizes or another seed")


def merits_of(example: dict[str, Rows]) -> tuple[bool, ...]:
    """What is good about a lesson, what matters most first; (False,) where nothing else counts."""
    x = example["x"]
    if not _are_apart(x):
        return (False,)
    queries, keys, values = (_product(x, example[key]) for key in ("w_q", "w_k", "w_v"))
    scores = _product(queries, _turned(keys))
    story = scores[min(1, len(scores) - 1)]
    return (True, all(abs(score) <= LARGEST for row in scores for score in row),
            len(scores) == 1 or scores != _turned(scores), story.count(max(story)) == 1,
            _is_mild(story, len(keys[0])), *map(_are_apart, (values, keys, queries)),
            all(len(set(row)) == len(row) for row in scores))


def _drawn(draw: random.Random, rows: int, cols: int, numbers: Sequence[int]) -> Rows:
    return [[draw.choice(numbers) for _ in range(cols)] for _ in range(rows)]


def _product(a: Rows, b: Rows) -> Rows:
    columns = _turned(b)
    return [[sum(p * q for p, q in zip(row, column, strict=True)) for column in columns]
            for row in a]


def _turned(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def _are_apart(rows: Rows) -> bool:
    """Is no row all 0, and are no two alike?"""
    return all(map(any, rows)) and len({tuple(row) for row in rows}) == len(rows)


def _is_mild(row: list[int], d_k: int) -> bool:
    """Does each key get a weight that can be seen, and none nearly all of it?"""
    powers = [exp(score / sqrt(d_k)) for score in row]
    weights = [power / sum(powers) for power in powers]
    return len(row) == 1 or (min(weights) >= LOWEST and max(weights) <= HIGHEST)
