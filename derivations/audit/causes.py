"""Why a published number may be wrong: known mistakes, and numbers rounded on the way, tried out.

All in floats, from exact values. A cause is named only where it gives every number that a step
prints, the right ones too, and is itself off where a printed number is wrong.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from derivations import numeric
from derivations.agreement import twin
from derivations.attention import derive
from derivations.audit.grades import OF_FLOAT32, RIGHT, WRONG, Graded, head_of, unit_of
from derivations.audit.values import KEYS
from derivations.example import Example
from derivations.example.published import Published
from derivations.step import Derivation
from derivations.values import Rationals

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
Candidate = tuple[str, Floats]
NOTHING: Floats = np.full((1, 1), np.nan)
ROUNDED = "computed from {step} rounded to {places}"
PRINTED = "computed from the printed {step}"
NO_SHARES = "impossible: weights are not negative, and a row adds up to 1"
NO_MEAN = "impossible: an output lies between the smallest and the largest value"
MOST_PLACES = 6
SLACK = 1e-3  # of a unit: for what floats lose
BEFORE = {"weights": ("scaled", "scores"), "output": ("weights", "scaled", "scores"),
          "scaled": ("scores",), "masked_scaled": ("scores",)}


def cause(example: Example, step: Graded, others: tuple[Graded, ...]) -> str:
    """What may have gone wrong in a step with wrong numbers; '' where nothing known explains it."""
    if not step.counts[WRONG] or (example.heads and not step.published.head):
        return ""
    head = head_of(example, step.published)
    right = derive(head)
    floats, name = twin(right), step.published.step
    exact = floats.get(KEYS.get(name, ""))
    candidates = (*_mistaken(right, floats, name), *_turned(head, name),
                  *_printed(right, floats, step, others), *_rounded(right, floats, name))
    found = dict.fromkeys(
        told for told, made in candidates
        if exact is not None and _explains(step, made, exact, example.float32))
    specific = [told for told in found if "computed from" not in told] or list(found)[:1]
    return " or ".join(specific) or ("" if example.float32 else _impossible(right, step.published))


def _explains(step: Graded, made: Floats, exact: Floats, float32: bool) -> bool:
    """Are all printed numbers these, rounded, and are these not the right ones?"""
    published, far = step.published, False
    if made.shape != exact.shape:
        return False
    near = float(OF_FLOAT32) * float(np.max(np.abs(made[np.isfinite(made)]), initial=0)) \
        if float32 else 0.0
    for i, row in enumerate(published.rows):
        for j, number in enumerate(row):
            other, true = made[published.first + i][j], exact[published.first + i][j]
            if number is None or not np.isfinite(other):
                if number is not None or np.isfinite(other):
                    return False
                continue
            half = float(unit_of(number, published.precision)) * (0.5 + SLACK)
            if abs(float(number) - other) > max(half, near):
                return False
            far |= step.grades[i][j] == WRONG and not abs(other - true) <= half
    return far


def _impossible(right: Derivation, published: Published) -> str:
    """Says so of weights that do not share out 1, and of outputs that no mean of values can be."""
    for i, row in enumerate(published.rows, published.first):
        numbers = [number or Fraction(0) for number in row]
        off = [unit_of(number, published.precision) / 2 for number in numbers]
        apart = abs(sum(numbers, Fraction(0)) - 1) > sum(off) and bool(right["weights"].keys(i))
        if published.step == "weights" and (min(numbers) < 0 or apart):
            return NO_SHARES
        if published.step == "output" and any(
                _is_outside(right, i, c, number, off[c]) for c, number in enumerate(numbers)):
            return NO_MEAN
    return ""


def _is_outside(right: Derivation, i: int, c: int, number: Fraction, off: Fraction) -> bool:
    """Is an output of row i beyond all values that it is a mean of?"""
    values = right.rationals("values")
    heard = [values.entry(j, c) for j in right["weights"].keys(i)] or [Fraction(0)]
    return not min(heard) - off <= number <= max(heard) + off


def _mistaken(right: Derivation, floats: dict[str, Floats], step: str) -> Iterator[Candidate]:
    """A step as known mistakes make it."""
    scores, values, keys = floats["scores"], floats["values"], floats["keys"]
    scaled, mask = floats["scaled_scores"], _mask(right)
    for told, logits in _logits(right, floats):
        yield told, _after(logits, mask, values, step)
    if scores.shape[0] == scores.shape[1]:
        yield "queries and keys swapped", _after(scaled.T, mask, values, step)
    if values.shape[1] == keys.shape[1]:
        swapped = numeric.scaled(floats["queries"] @ values.T, _divisor(right))
        yield "values and keys swapped", _after(swapped, mask, keys, step)
    masked = scaled if mask is None else numeric.masked(scaled, mask)
    yield "softmax down the columns", _from(numeric.softmax(masked.T).T, values, step)
    if mask is not None:
        yield "mask after softmax", _from(numeric.softmax(scaled) * mask, values, step)
        yield "mask as 0", _from(numeric.softmax(np.where(mask, scaled, 0)), values, step)
        yield "mask left out", _from(numeric.softmax(scaled), values, step)
        if mask.shape[0] == mask.shape[1]:
            yield "mask transposed", _after(scaled, mask.T, values, step)


def _logits(right: Derivation, floats: dict[str, Floats]) -> Iterator[Candidate]:
    """The scores with another divisor, or of another product."""
    scores, (n_k, d_k) = floats["scores"], floats["keys"].shape
    yield "no scaling", scores
    yield "divided by d_k", scores / d_k
    yield "divided by sqrt(d_k)", scores / d_k**0.5
    if "embeddings" in right:
        yield "divided by sqrt(d_model)", scores / right.size("d_model") ** 0.5
    if d_k == n_k:
        yield "keys not transposed", numeric.scaled(floats["queries"] @ floats["keys"],
                                                    _divisor(right))


def _mask(right: Derivation) -> Marks | None:
    return None if right.open is None else np.array(right.open)


def _divisor(right: Derivation) -> float:
    divisor = right.divisor
    return float(divisor.numerator / divisor.denominator * divisor.root**0.5)


def _after(logits: Floats, mask: Marks | None, values: Floats, step: str) -> Floats:
    """A step that follows from scaled scores before the mask."""
    if step == "scaled":
        return logits
    masked = logits if mask is None else numeric.masked(logits, mask)
    return masked if step == "masked_scaled" else _from(numeric.softmax(masked), values, step)


def _from(weights: Floats, values: Floats, step: str) -> Floats:
    """A step that follows from weights; nothing for one before them."""
    if step == "weights":
        return weights
    fits = step == "output" and weights.shape[1] == values.shape[0]
    return numeric.output(weights, values) if fits else NOTHING


def _rounded(right: Derivation, floats: dict[str, Floats], step: str) -> Iterator[Candidate]:
    """What follows from an earlier step, rounded to a few places."""
    for before in BEFORE.get(step, ()):
        for places in range(MOST_PLACES, -1, -1):
            told = "whole numbers" if not places else f"{places} place" + "s" * (places > 1)
            made = np.round(floats[KEYS[before]], places)
            yield ROUNDED.format(step=before, places=told), _onward(
                right, floats["values"], before, step, made)


def _printed(
    right: Derivation, floats: dict[str, Floats], step: Graded, others: tuple[Graded, ...]
) -> Iterator[Candidate]:
    """What follows from an earlier step as the source itself prints it."""
    for before in BEFORE.get(step.published.step, ()):
        for other in others:
            same = (other.published.step, other.published.head) == (before, step.published.head)
            whole = len(other.published.rows) == len(right[KEYS[before]].rows)
            if same and whole and set(other.counts) != {RIGHT}:
                made = np.array([[-np.inf if number is None else float(number) for number in row]
                                 for row in other.published.rows])
                yield PRINTED.format(step=before), _onward(
                    right, floats["values"], before, step.published.step, made)


def _onward(
    right: Derivation, values: Floats, before: str, step: str, made: Floats
) -> Floats:
    """A step, worked out in floats from another that was made before it."""
    if before == "weights":
        return _from(made, values, step)
    logits = numeric.scaled(made, _divisor(right)) if before == "scores" else made
    return _after(logits, _mask(right), values, step)


def _turned(example: Example, step: str) -> Iterator[Candidate]:
    """The weight matrices transposed, where they are square and so fit either way."""
    matrices = {key: example.matrix(key) for key in ("w_q", "w_k", "w_v")}
    if not all(matrix.is_given and len(set(matrix.shape)) == 1 for matrix in matrices.values()):
        return
    w_q, w_k, w_v = map(_transposed, matrices.values())
    turned = twin(derive(replace(example, w_q=w_q, w_k=w_k, w_v=w_v)))
    if (key := KEYS.get(step)) in turned:
        yield "transposed weights", turned[key]


def _transposed(matrix: Rationals) -> Rationals:
    return Rationals(tuple(zip(*matrix.integers, strict=True)), matrix.denominator)

