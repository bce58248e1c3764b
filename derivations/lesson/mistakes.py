"""The common mistakes, each computed on an example: what a wrong program or a wrong hand gets.

A mistake changes the weights or the output, or its shapes do not fit. All numbers are exact, as
those of the example are, and nothing here rounds (but `rounded_steps`, whose fault that is).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from derivations.agreement import twin
from derivations.attention import attended, derive, scaled_scores
from derivations.exact import multiply_each, multiply_transposed
from derivations.example import Example
from derivations.lesson.by_hand import rounded_steps
from derivations.lesson.variants import causal, overflow
from derivations.quotients import Quotients, mixed, quotients, softmax_entry
from derivations.step import NO_SCALE, Derivation, Divisor
from derivations.values import ExpSums, Rationals, Rooted, Values

SHOWN = ("weights", "output")
PLACES_BY_HAND = 2
Wrong = dict[str, Values | Quotients]


@dataclass(frozen=True)
class ShapeFault:
    """A product of two steps that cannot be: of `left` and `right`, perhaps `transposed`."""

    left: str
    right: str
    transposed: bool = False


@dataclass(frozen=True)
class Overflow:
    """What float64 makes of exponentials that are too large: no numbers, row by row."""

    exponentials: tuple[tuple[float, ...], ...]
    weights: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Stuck:
    """Rows where every exponential was rounded to 0, and with them their sum: no numbers at all."""

    rows: tuple[int, ...]


Found = Wrong | ShapeFault | Overflow | Stuck


@dataclass(frozen=True)
class Mistake:
    """A mistake: its key, and what it makes of a derivation.

    `on` names the variant on which it shows: "example", "masked" or "overflow". `places` are the
    decimals it is judged by, where these are not the example's.
    """

    key: str
    find: Callable[[Derivation], Found]
    on: str = "example"
    places: int | None = None


def where(mistake: Mistake, example: Example) -> tuple[str, Derivation]:
    """The variant on which a mistake shows ("" for the example itself), and what is right there."""
    match mistake.on:
        case "masked" if example.mask is None:
            return "causal", causal(example)
        case "overflow":
            return "overflow", overflow(example)
    return "", derive(example)


def unscaled(right: Derivation) -> Found:
    """The scores go into softmax as they are."""
    return _with_divisor(right, NO_SCALE)


def by_d_k(right: Derivation) -> Found:
    """Divided by d_k, not by its root."""
    return _with_divisor(right, Divisor("number", 1, right.size("d_k"), 1))


def by_root_of_d_model(right: Derivation) -> Found:
    """Divided by the root of the wrong width."""
    return _with_divisor(right, Divisor("sqrt_dk", right.size("d_model"), 1, 1))


def down_the_columns(right: Derivation) -> Found:
    """Softmax along the wrong axis: the columns add up to 1."""
    exponents = right.exponents
    rows, cols = exponents.shape
    columns = [{i: row for i in range(rows) if (row := _numerator(exponents, i, j)) is not None}
               for j in range(cols)]
    weights = quotients(exponents, [[softmax_entry(columns[j], i) for j in range(cols)]
                                    for i in range(rows)])
    return {"weights": weights, "output": mixed(weights, right.rationals("values"))}


def queries_and_keys_swapped(right: Derivation) -> Found:
    """K Q^T for Q K^T: the scores are transposed."""
    return _with_scores(right, multiply_transposed(
        right.rationals("keys"), right.rationals("queries")))


def no_transpose(right: Derivation) -> Found:
    """Q K for Q K^T: the shapes fit only where there are as many tokens as numbers in a key."""
    queries, keys = right.rationals("queries"), right.rationals("keys")
    if queries.shape[1] != keys.shape[0]:
        return ShapeFault("queries", "keys")
    return _with_scores(right, multiply_each(queries, keys)[0])


def keys_and_values_swapped(right: Derivation) -> Found:
    """Q V^T and A K: the shapes fit only where values are as wide as keys."""
    queries, values = right.rationals("queries"), right.rationals("values")
    if queries.shape[1] != values.shape[1]:
        return ShapeFault("queries", "values", transposed=True)
    found = _with_scores(right, multiply_transposed(queries, values))
    exponents = found["weights"]
    assert isinstance(exponents, ExpSums)
    return _shown(attended(exponents.exponents, right.rationals("keys")))


def masked_after_softmax(right: Derivation) -> Found:
    """Weights of hidden keys set to 0 after softmax: what is left adds up to less than 1."""
    open_, exponents = right.open, right.exponents
    assert open_ is not None
    rows = [dict(enumerate(row)) for row in exponents.rationals.integers]
    weights = quotients(exponents, [
        [softmax_entry(row if open_[i][j] else {}, j) for j in row] for i, row in enumerate(rows)])
    return {"weights": weights, "output": mixed(weights, right.rationals("values"))}


def masked_with_zero(right: Derivation) -> Found:
    """The scores of hidden keys set to 0, which e makes 1: they are heard after all."""
    exponents = right.exponents
    integers = tuple(
        tuple(entry if exponents.is_open(i, j) else 0 for j, entry in enumerate(row))
        for i, row in enumerate(exponents.rationals.integers))
    filled = Rooted(Rationals(integers, exponents.rationals.denominator), exponents.root)
    return _shown(attended(filled, right.rationals("values")))


def not_shifted(right: Derivation) -> Overflow:
    """The exponentials of large scores, in floats, without the shift by the maximum."""
    steps = twin(right)
    with np.errstate(invalid="ignore"):
        weights = steps["exponentials"] / steps["normalisers"]
    return Overflow(_rows(steps["exponentials"]), _rows(weights))


def _rows(floats: NDArray[np.float64]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in floats.tolist())


def rounded_between(right: Derivation) -> Found:
    """Every step rounded to two places before the next; nothing is divided by a sum of 0."""
    steps = rounded_steps(right, PLACES_BY_HAND)
    sums = steps["normalisers"]
    assert isinstance(sums, Rationals)
    stuck = [i for i, (whole,) in enumerate(sums.integers)
             if not whole and i not in right.closed_rows]
    return Stuck(tuple(stuck)) if stuck else steps


MISTAKES = (
    Mistake("unscaled", unscaled),
    Mistake("by-d-k", by_d_k),
    Mistake("by-root-of-d-model", by_root_of_d_model),
    Mistake("down-the-columns", down_the_columns),
    Mistake("queries-and-keys-swapped", queries_and_keys_swapped),
    Mistake("no-transpose", no_transpose),
    Mistake("keys-and-values-swapped", keys_and_values_swapped),
    Mistake("masked-after-softmax", masked_after_softmax, "masked"),
    Mistake("masked-with-zero", masked_with_zero, "masked"),
    Mistake("not-shifted", not_shifted, "overflow"),
    Mistake("rounded-between", rounded_between, places=PLACES_BY_HAND),
)


def _numerator(exponents: Rooted, i: int, j: int) -> int | None:
    return exponents.rationals.integers[i][j] if exponents.is_open(i, j) else None


def _with_divisor(right: Derivation, divisor: Divisor) -> Wrong:
    scaled = scaled_scores(right.rationals("scores"), divisor)
    return _softmax(right, scaled)


def _with_scores(right: Derivation, scores: Rationals) -> Wrong:
    return _softmax(right, scaled_scores(scores, right.divisor))


def _softmax(right: Derivation, scaled: Rooted) -> Wrong:
    exponents = replace(scaled, open=right.open)
    return _shown(attended(exponents, right.rationals("values")))


def _shown(steps: dict[str, Values]) -> Wrong:
    return {key: steps[key] for key in SHOWN}
