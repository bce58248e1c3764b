"""Random examples, the same in every run: hundredths, with scaled scores of moderate size."""

from pathlib import Path
from random import Random

from derivations.example import Example, build

LARGEST_X = 100
LARGEST_WEIGHT = 50
Size = tuple[int, int, int]


def random_example(size: Size) -> Example:
    """An example of n tokens, width d_model, and d_k = d_v: scaled scores stay within 50."""
    n, d_model, d_k = size
    random = Random(f"attention {size}")
    data = {"tokens": [f"t{i}" for i in range(n)], "x": _matrix(random, n, d_model, LARGEST_X)}
    for key in ("w_q", "w_k", "w_v"):
        data[key] = _matrix(random, d_model, d_k, LARGEST_WEIGHT)
    return build(Path("random.toml"), data)


def _matrix(random: Random, rows: int, cols: int, largest: int) -> list[list[str]]:
    return [[f"{random.randint(-largest, largest)}/100" for _ in range(cols)] for _ in range(rows)]
