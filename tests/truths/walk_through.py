"""The walk-through's products of weight and value, worked out again with mpmath."""

import mpmath
from mpmath import mpf

from derivations.example import Example
from tests.truths import attention as at

DIGITS = 70


def truths(example: Example) -> dict[str, tuple[dict[str, list[list[mpf]]], dict[str, int]]]:
    """Namespace walk: the weights of the second token (or the only one), times the values."""
    with mpmath.workdps(DIGITS):
        q, k, v = at.projections(example)
        found = at.head(q, k, v, at.divisor(example), example.mask)
        row = found["weights"][min(1, len(v) - 1)]
        products = [[weight * entry for entry in value]
                    for weight, value in zip(row, v, strict=True)]
    return {"walk": ({"weighted_values": products}, {})}
