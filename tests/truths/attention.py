"""Attention in mpmath, on plain lists: what every truth of the lesson is made of."""

from collections.abc import Callable

import mpmath
from mpmath import mpf

from derivations.example import Example

Matrix = list[list[mpf]]
Marks = list[list[bool]]


def numbers(matrix) -> Matrix:
    """A rational matrix of an example."""
    return [[mpf(n) / matrix.denominator for n in row] for row in matrix.integers]


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[mpmath.fdot(zip(row, column, strict=True)) for column in zip(*b, strict=True)]
            for row in a]


def transposed(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


def divided(a: Matrix, by: mpf) -> Matrix:
    return [[entry / by for entry in row] for row in a]


def divisor(example: Example) -> mpf:
    found = example.divisor
    return mpmath.sqrt(found.root) * found.numerator / found.denominator


def projections(example: Example) -> tuple[Matrix, Matrix, Matrix]:
    x = numbers(example.x)
    q, k, v = (product(x, numbers(w)) for w in (example.w_q, example.w_k, example.w_v))
    return q, k, v


def attend(logits: Matrix, values: Matrix, marks: Marks | None = None) -> dict[str, Matrix]:
    """Softmax along rows, and the mix: hidden keys are left out, a row of none is 0."""
    marks = marks or [[True] * len(logits[0])] * len(logits)
    powers = [[mpmath.exp(t) if m else mpf(0) for t, m in zip(row, on, strict=True)]
              for row, on in zip(logits, marks, strict=True)]
    sums = [mpmath.fsum(row) for row in powers]
    weights = [[p / z if z else mpf(0) for p in row] for row, z in zip(powers, sums, strict=True)]
    return {"scaled_scores": logits, "exponentials": powers, "normalisers": [[z] for z in sums],
            "weights": weights, "output": product(weights, values),
            "slopes": [[a * (1 - a) for a in row] for row in weights]}


def head(q: Matrix, k: Matrix, v: Matrix, by: mpf, marks: Marks | None = None) \
        -> dict[str, Matrix]:
    """One head from its queries, keys and values."""
    scores = product(q, transposed(k))
    return {"queries": q, "keys": k, "values": v, "scores": scores,
            **attend(divided(scores, by), v, marks)}


def marks_of(example: Example) -> Marks | None:
    return None if example.mask is None else [list(row) for row in example.mask]


def causal(n: int) -> Marks:
    return [[j <= i for j in range(n)] for i in range(n)]


def rounded(value: mpf, places: int, half: Callable[[mpf], mpf] = mpmath.nint) -> mpf:
    return half(value * mpf(10) ** places) / mpf(10) ** places
