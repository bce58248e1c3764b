"""Working by hand, worked out again with mpmath: from the example's integers alone."""

from typing import Any

import mpmath
from mpmath import mpf

from derivations.example import Example
from tests.truths.attention import (
    Matrix,
    divisor,
    marks_of,
    product,
    projections,
    transposed,
)

Found = dict[str, tuple[dict[str, Matrix], dict[str, int]]]
DIGITS = 70
TIE = mpf("1e-45")


def truths(example: Example) -> Found:
    """Namespace -> (matrices, sizes): by-hand-2, -3 and -4, and the sums of printed weights."""
    with mpmath.workdps(DIGITS):
        found: Found = {f"by-hand-{places}": (by_hand(example, places), {}) for places in (2, 3, 4)}
        return found | {"printed": ({"normalisers": printed_sums(example)}, {})}


def by_hand(example: Example, places: int) -> dict[str, Matrix]:
    """Every row of every step, rounded half up before the next."""
    rows = [one_row(example, i, places) for i in range(len(example.tokens))]
    return {key: [row[key] for row in rows] for key in rows[0]}


def one_row(example: Example, i: int, places: int) -> dict[str, list[Any]]:
    hidden = hides(example)[i]
    scaled = [half_up(score / divisor(example), places) for score in scores(example)[i]]
    powers = [mpf(0) if is_hidden else half_up(mpmath.exp(t), places)
              for t, is_hidden in zip(scaled, hidden, strict=True)]
    whole = half_up(sum(powers, mpf(0)), places)
    weights = [half_up(power / whole, places) if whole else mpf(0) for power in powers]
    output = [half_up(sum((w * v for w, v in zip(weights, column, strict=True)), mpf(0)), places)
              for column in zip(*values(example), strict=True)]
    return {"scaled_scores": scaled, "exponentials": powers, "normalisers": [whole],
            "weights": weights, "output": output}


def printed_sums(example: Example) -> Matrix:
    """The sum of each row of weights as this site prints them."""
    sums = []
    for row, hidden in zip(scores(example), hides(example), strict=True):
        powers = [mpf(0) if is_hidden else mpmath.exp((score - max(row)) / divisor(example))
                  for score, is_hidden in zip(row, hidden, strict=True)]
        whole = sum(powers, mpf(0))
        sums.append([sum((half_even(p / whole, example.places) if whole else mpf(0)
                          for p in powers), mpf(0))])
    return sums


def half_up(value: Any, places: int) -> Any:
    """Ten digits or more before the point: one before it, and a power of ten."""
    size = abs(value)
    exponent = int(mpmath.floor(mpmath.log10(size) + TIE)) if size >= 10**9 else 0
    unit = mpf(10) ** (exponent - places)
    return mpmath.sign(value) * mpmath.floor(size / unit + mpf("0.5") + TIE) * unit


def half_even(value: Any, places: int) -> Any:
    scaled = value * mpf(10) ** places
    low = mpmath.floor(scaled)
    rest = scaled - low
    if abs(rest - mpf("0.5")) < TIE:
        return (low + low % 2) / mpf(10) ** places
    return (low + (rest > 0.5)) / mpf(10) ** places


def scores(example: Example) -> Matrix:
    queries, keys, _ = projections(example)
    return product(queries, transposed(keys))


def values(example: Example) -> Matrix:
    return projections(example)[2]


def hides(example: Example) -> list[list[bool]]:
    n = len(example.tokens)
    return [[not mark for mark in row] for row in marks_of(example) or [[True] * n] * n]
