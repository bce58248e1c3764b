"""A new example for a lesson: small whole numbers in which every step shows, the same each time.

Random numbers are drawn until they make a good lesson: every row of scores has a largest one and no
two alike, the scores are not symmetric (so that a transpose shows), no query, key or value is
all 0, no two are alike, and no weight of the second token is close to 0 or 1.
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
    """x, w_q, w_k and w_v of a good lesson.

    Raises NotFound.
    """
    draw = random.Random(seed)
    for _ in range(MOST_TRIES):
        found = {"x": _drawn(draw, len(tokens), sizes.d_model, OF_WORDS),
                 "w_q": _drawn(draw, sizes.d_model, sizes.d_k, ENTRIES),
                 "w_k": _drawn(draw, sizes.d_model, sizes.d_k, ENTRIES),
                 "w_v": _drawn(draw, sizes.d_model, sizes.d_v, ENTRIES)}
        if is_good(found):
            return found
    raise NotFound(f"no good lesson was found for {len(tokens)} tokens with d_model "
                   f"{sizes.d_model} and d_k {sizes.d_k}; try larger sizes or another seed")


def is_good(example: dict[str, Rows]) -> bool:
    """Does every step show something?"""
    x = example["x"]
    queries, keys, values = (_product(x, example[key]) for key in ("w_q", "w_k", "w_v"))
    scores = _product(queries, _turned(keys))
    return all(map(_are_apart, (x, queries, keys, values))) and _shows(scores) \
        and _is_mild(scores[min(1, len(scores) - 1)], len(keys[0]))


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


def _shows(scores: Rows) -> bool:
    """No two scores of a row are alike, none is large, and rows are not columns."""
    apart = all(len(set(row)) == len(row) for row in scores)
    small = all(abs(score) <= LARGEST for row in scores for score in row)
    return apart and small and (len(scores) == 1 or scores != _turned(scores))


def _is_mild(row: list[int], d_k: int) -> bool:
    """Does each key get a weight that can be seen, and none nearly all of it?"""
    powers = [exp(score / sqrt(d_k)) for score in row]
    weights = [power / sum(powers) for power in powers]
    return len(row) == 1 or (min(weights) >= LOWEST and max(weights) <= HIGHEST)
