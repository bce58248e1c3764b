"""Tables of true values: from the integers of a derivation, or from a float64 computation."""

from collections.abc import Iterable, Mapping
from typing import Any

import mpmath
from mpmath import mpf

from derivations.joined import Joined
from derivations.step import Derivation
from derivations.values import ExpSums, Mask, Rationals, Rooted, Values

from .table import DIGITS, Number, Truth

GIVEN = {"x": "embeddings", "context_x": "context", "q": "queries", "k": "keys", "v": "values"}


def truth_from_exact(derivation: Derivation) -> Truth:
    """Every entry of every step, computed here at 70 digits from its integers."""
    with mpmath.workdps(DIGITS):
        matrices = {step.key: _matrix(step.values) for step in derivation.steps}
        matrices |= {f"normalisers_{number}": _matrix(head["normalisers"].values)
                     for number, head in enumerate(derivation.heads, 1)}
    heads = {f"head-{number}": truth_from_exact(head)
             for number, head in enumerate(derivation.heads, 1)}
    return Truth(_with_mask(matrices), dict(derivation.sizes), variants=heads)


def _with_mask(matrices: dict[str, list[list[Number]]]) -> dict[str, list[list[Number]]]:
    """Without a mask every key is open: M is all ones, the masked scores are the scaled ones."""
    if "mask" in matrices or "scaled_scores" not in matrices:
        return matrices
    scaled = matrices["scaled_scores"]
    ones = [[mpf(1)] * len(row) for row in scaled]
    return {**matrices, "mask": ones, "masked_scores": scaled}


def _matrix(values: Values | Joined) -> list[list[Number]]:
    """The entries of one exact matrix."""
    match values:
        case Rationals(integers, denominator):
            return [[mpf(n) / denominator for n in row] for row in integers]
        case Mask(open_):
            return [[mpf(int(m)) for m in row] for row in open_]
        case Rooted():
            return _rooted(values)
        case ExpSums():
            return _exp_sums(values)
        case Joined(parts, row):
            (rest,) = _matrix(row)
            return [[mpmath.fsum(column) for column in zip(*rows, rest, strict=True)]
                    for rows in zip(*map(_exp_sums, parts), strict=True)]


def _rooted(values: Rooted) -> list[list[Number]]:
    root = mpmath.sqrt(values.root) * values.rationals.denominator
    return [
        [mpf(n) / root if _is_open(values, i, j) else -mpmath.inf for j, n in enumerate(row)]
        for i, row in enumerate(values.rationals.integers)
    ]


def _is_open(values: Rooted, i: int, j: int) -> bool:
    return values.open is None or values.open[i][j]


def _exp_sums(values: ExpSums) -> list[list[Number]]:
    """Rows of sums of exponentials, over their row sum where normalised; a closed row is 0."""
    exponents = _rooted(values.exponents)
    width = len(exponents[0])
    tops = _identity(width) if values.tops is None else _matrix(values.tops)
    return [_exp_row(row, tops, values.normalised) for row in exponents]


def _exp_row(exponents: list[Number], tops: list[list[Number]], normalised: bool) -> list[Number]:
    powers = [mpmath.exp(t) for t in exponents]
    below = mpmath.fsum(powers) if normalised else mpf(1)
    if below == 0:
        return [mpf(0)] * len(tops[0])
    columns = zip(*tops, strict=True)
    return [mpmath.fdot(zip(powers, column, strict=True)) / below for column in columns]


def _identity(n: int) -> list[list[Number]]:
    return [[mpf(int(i == j)) for j in range(n)] for i in range(n)]


def truth_from_twin(arrays: Mapping[str, Any], inputs: Mapping[str, Any]) -> Truth:
    """The float64 values of an independent computation, by step key, beside its inputs.

    `inputs` holds x (or embeddings), w_q, w_k, w_v and perhaps a mask; vectors become columns.
    """
    together = {GIVEN.get(key, key): value for key, value in {**inputs, **arrays}.items()}
    matrices = {key: _plain(value) for key, value in together.items() if value is not None}
    sizes = _sizes(matrices)
    return Truth(_with_mask(matrices), sizes, relative=mpf("1e-9"), absolute=mpf("1e-12"))


def _plain(array: Any) -> list[list[Number]]:
    return [[mpf(float(x)) for x in (row if isinstance(row, Iterable) else [row])] for row in array]


def _sizes(matrices: Mapping[str, list[list[Number]]]) -> dict[str, int]:
    """The sizes, from the shapes of those matrices that are there."""
    sides = {"n_q": ("queries", 0), "d_k": ("queries", 1), "n_k": ("keys", 0), "d_v": ("values", 1),
             "d_model": ("embeddings", 1), "d_context": ("context", 1)}
    return {
        name: (len(matrices[key]), len(matrices[key][0]))[axis]
        for name, (key, axis) in sides.items() if key in matrices
    }
