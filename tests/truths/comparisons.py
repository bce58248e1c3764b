"""What each layer costs, counted again: from the example's sizes alone, one operation at a time."""

from itertools import product
from typing import Any

from mpmath import mpf

from derivations.example import Example

KERNEL = 3
Found = dict[str, tuple[dict[str, list[list[Any]]], dict[str, int]]]


def truths(example: Example) -> Found:
    """Namespace costs: one row for each layer, in the order of the table."""
    n, d = len(example.tokens), len(example.w_q.integers)
    d_k, d_v = len(example.w_q.integers[0]), len(example.w_v.integers[0])
    columns = {
        "path": [1, n, layers_that_see(n), 1, 1],
        "sequential": [1, n, 1, 1, 1],
        "operations": [counted(n, n, d), counted(n, d, d), counted(KERNEL, n, d, d),
                       counted(n, n, d), counted(n, d, d)],
        "memory": [counted(n, n), counted(n, d), counted(n, d), counted(n, n, d),
                   counted(n, d) + counted(d, d)],
        "even": [counted(d, d, d)],
        "multiplications": [2 * counted(n, d, d_k) + counted(n, d, d_v), counted(n, n, d_k),
                            counted(n, n, d_v)],
        "pairs": [counted(n, n, d_k) + counted(n, n, d_v)],
    }
    matrices = {key: [[mpf(number)] for number in column] for key, column in columns.items()}
    return {"costs": (matrices, {})}


def counted(*sizes: int) -> int:
    """One for each place in a grid of this many sides."""
    return sum(1 for _ in product(*map(range, sizes)))


def layers_that_see(n: int) -> int:
    """How many dilated layers until the last of n tokens hears the first: walked, not computed."""
    heard, layers = {n - 1}, 0
    while 0 not in heard or layers == 0:
        step = KERNEL**layers
        heard = {place - step * back for place in heard for back in range(KERNEL)}
        heard, layers = {max(place, 0) for place in heard}, layers + 1
    return layers
