"""The lesson's example with one thing changed, worked out as a derivation of its own.

Each is compared with the example: attention without weights, without a scale, with a causal mask,
at another temperature, shifted by the maximum; and two scores too large for a float.
"""

from dataclasses import replace
from fractions import Fraction

from derivations.attention import (
    FORMULAS,
    assembled,
    attended,
    check_exponents,
    derive,
    exact_values,
    sizes_of,
)
from derivations.exact import multiply_transposed
from derivations.example import Example
from derivations.formula import Dot, Exponential, Formula
from derivations.step import NO_SCALE, Derivation, Divisor
from derivations.values import ExpSums, Mask, Rationals, Rooted, Values
from derivations.values import causal as causal_open

STRETCH = 8
LARGE_SCORES = (800, 799)  # e to either is beyond the largest float64
RAW_FORMULAS: dict[str, Formula] = FORMULAS | {
    "scores": Dot("embeddings", "embeddings", transposed=True),
    "exponentials": Exponential("scores"),
    "output": Dot("weights", "embeddings", masked=True),
}


def raw(example: Example) -> Derivation:
    """Attention of the embeddings to themselves: no matrices, no scale, no mask."""
    bare = replace(example, mask=None, divisor=NO_SCALE)
    scores = multiply_transposed(example.x, example.x)
    check_exponents(bare, Rooted(scores, 1), "dot product, in chapter 2, of the embedding")
    values = {"embeddings": example.x, "scores": scores,
              **attended(Rooted(scores, 1), example.x)}
    n, d_model = example.x.shape
    sizes = {"n_q": n, "n_k": n, "d_model": d_model, "d_k": d_model, "d_v": d_model}
    return assembled(bare, values, RAW_FORMULAS, sizes)


def unscaled(example: Example) -> Derivation:
    """The same, with the scores as they are."""
    return derive(replace(example, divisor=NO_SCALE))


def stretched(example: Example) -> Derivation:
    """The same with eight times the scores, unscaled: as rows 64 times as wide may give them."""
    return derive(replace(example, divisor=Divisor("number", 1, 1, STRETCH)))


def causal(example: Example) -> Derivation:
    """The same, where each token may listen only to itself and to those before it."""
    return derive(replace(example, mask=causal_open(len(example.tokens))))


def at_temperature(example: Example, temperature: Fraction) -> Derivation:
    """The same, with the scaled scores divided by a temperature as well."""
    divisor = example.divisor
    warmer = Fraction(divisor.numerator, divisor.denominator) * temperature
    return derive(replace(example, divisor=Divisor(
        divisor.kind, divisor.root, warmer.numerator, warmer.denominator)))


def shifted(example: Example) -> Derivation:
    """The same, with the largest scaled score of each row taken from all of the row."""
    values = exact_values(example)
    exponents = values["weights"]
    assert isinstance(exponents, ExpSums)
    mixed, moved = values["values"], row_maxima_removed(exponents.exponents)
    assert isinstance(mixed, Rationals)
    masked: dict[str, Values] = {} if moved.open is None else \
        {"mask": Mask(moved.open), "masked_scores": moved}
    steps = values | {"scaled_scores": Rooted(moved.rationals, moved.root)} | masked \
        | attended(moved, mixed)
    return assembled(example, steps, FORMULAS, sizes_of(example))


def row_maxima_removed(exponents: Rooted) -> Rooted:
    """Each row minus the largest of its open entries: [n_q, n_k]."""
    rows = []
    for i, row in enumerate(exponents.rationals.integers):
        largest = max((row[j] for j in exponents.open_keys(i)), default=0)
        rows.append(tuple(entry - largest for entry in row))
    rationals = Rationals(tuple(rows), exponents.rationals.denominator)
    return Rooted(rationals, exponents.root, exponents.open)


def overflow(example: Example) -> Derivation:
    """Two tokens with the scores 800 and 799: float64 has no number for e to the 800."""
    def matrix(*rows: tuple[int, ...]) -> Rationals:
        return Rationals(rows)

    high, low = LARGE_SCORES
    return derive(replace(
        example, tokens=("1", "2"), mask=None, divisor=NO_SCALE, x=matrix((1, 0), (0, 1)),
        w_q=matrix((1,), (1,)), w_k=matrix((high,), (low,)), w_v=matrix((1,), (0,))))
