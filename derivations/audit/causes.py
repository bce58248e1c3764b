"""Why a published number may be wrong: known mistakes, and numbers rounded on the way, tried out.

A cause is named only where it gives every number that a step prints, the right ones too.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from derivations import decimals, numeric
from derivations.agreement import twin
from derivations.attention import derive
from derivations.audit.grades import WRONG, Graded, unit_of
from derivations.example import Example
from derivations.example.published import Published
from derivations.lesson.mistakes import MISTAKES, Mistake
from derivations.step import Derivation
from derivations.values import Rationals

Floats = NDArray[np.float64]
Candidate = tuple[str, Floats]
NAMES = {
    "unscaled": "no scaling",
    "by-d-k": "divided by d_k",
    "by-root-of-d-model": "divided by sqrt(d_model)",
    "down-the-columns": "softmax down the columns",
    "queries-and-keys-swapped": "queries and keys swapped",
    "no-transpose": "keys not transposed",
    "keys-and-values-swapped": "values and keys swapped",
    "masked-after-softmax": "mask after softmax",
    "masked-with-zero": "mask as 0",
}
ROUNDED = "computed from {step} rounded to {places}"
PRINTED = "computed from the printed {step}"
NO_SHARES = "impossible: weights are not negative, and a row adds up to 1"
NO_MEAN = "impossible: an output lies between the smallest and the largest value"
MOST_PLACES = 6
PLACES = 15  # of the exact numbers of a mistake
SLACK = 1e-9  # for what floats lose
BEFORE = {"weights": ("scaled", "scores"), "output": ("weights", "scaled", "scores"),
          "scaled": ("scores",)}
KEYS = {"scaled": "scaled_scores"}


def cause(example: Example, step: Graded, others: tuple[Graded, ...]) -> str:
    """What may have gone wrong in a step with wrong numbers; '' where nothing known explains it."""
    if not step.counts[WRONG] or (example.heads and not step.published.head):
        return ""
    head = example.heads[step.published.head - 1] if example.heads else example
    right = derive(head)
    candidates = (*_printed(right, step, others), *_rounded(right, step.published.step),
                  *_mistaken(right, step.published.step), *_turned(head, step.published.step))
    found = (name for name, floats in candidates if _explains(step, floats))
    return next(found, _impossible(right, step.published))


def _explains(step: Graded, floats: Floats) -> bool:
    """Are all printed numbers these, rounded?"""
    published = step.published
    return all(
        number is not None and np.isfinite(other) and abs(float(number) - other)
        <= float(unit_of(number, published.precision)) / 2 + SLACK
        for row, others in zip(published.rows, floats[published.first:], strict=False)
        for number, other in zip(row, others, strict=True))


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


def _mistaken(right: Derivation, step: str) -> Iterator[Candidate]:
    """The weights and outputs of known mistakes."""
    for mistake in MISTAKES:
        if mistake.key in NAMES and _can_be(right, mistake):
            found = mistake.find(right)
            if isinstance(found, dict) and step in found:
                table = decimals.table(found[step], PLACES)
                yield NAMES[mistake.key], np.array(
                    [[float(entry.value) if entry else -np.inf for entry in row] for row in table])


def _can_be(right: Derivation, mistake: Mistake) -> bool:
    """Can the mistake be made here? Some need a mask, embeddings, or as many queries as keys."""
    needs = {"by-root-of-d-model": "embeddings" in right,
             "queries-and-keys-swapped": right.size("n_q") == right.size("n_k"),
             "no-transpose": right.size("d_k") == right.size("n_k")}
    return needs.get(mistake.key, mistake.on != "masked" or right.open is not None)


def _rounded(right: Derivation, step: str) -> Iterator[Candidate]:
    """What follows from an earlier step, rounded to a few places."""
    floats = twin(right)
    for before in BEFORE.get(step, ()):
        for places in range(MOST_PLACES, -1, -1):
            told = "whole numbers" if not places else f"{places} place" + "s" * (places > 1)
            made = np.round(floats[KEYS.get(before, before)], places)
            yield ROUNDED.format(step=before, places=told), _onward(right, before, step, made)


def _printed(
    right: Derivation, step: Graded, others: tuple[Graded, ...]
) -> Iterator[Candidate]:
    """What follows from an earlier step as the source itself prints it."""
    for before in BEFORE.get(step.published.step, ()):
        for other in others:
            same = (other.published.step, other.published.head) == (before, step.published.head)
            whole = len(other.published.rows) == len(right[KEYS.get(before, before)].rows)
            if same and whole and set(other.counts) != {"right"}:
                made = np.array([[-np.inf if number is None else float(number) for number in row]
                                 for row in other.published.rows])
                yield PRINTED.format(step=before), _onward(
                    right, before, step.published.step, made)


def _onward(right: Derivation, before: str, step: str, made: Floats) -> Floats:
    """A step, worked out in floats from another that was made before it."""
    floats = twin(right)
    logits = made
    if before == "scores":
        divisor = right.divisor.numerator / right.divisor.denominator * right.divisor.root**0.5
        logits = numeric.scaled(made, divisor)
    if step == "scaled":
        return logits
    if before != "weights" and right.open is not None:
        logits = numeric.masked(logits, np.array(right.open))
    weights = made if before == "weights" else numeric.softmax(logits)
    return weights if step == "weights" else numeric.output(weights, floats["values"])


def _turned(example: Example, step: str) -> Iterator[Candidate]:
    """The weight matrices transposed, where they are square and so fit either way."""
    matrices = {key: example.matrix(key) for key in ("w_q", "w_k", "w_v")}
    if not all(matrix.is_given and len(set(matrix.shape)) == 1 for matrix in matrices.values()):
        return
    w_q, w_k, w_v = map(_transposed, matrices.values())
    turned = derive(replace(example, w_q=w_q, w_k=w_k, w_v=w_v))
    yield "transposed weights", twin(turned)[_key(step)]


def _key(step: str) -> str:
    return {"q": "queries", "k": "keys", "v": "values", "scaled": "scaled_scores"}.get(step, step)


def _transposed(matrix: Rationals) -> Rationals:
    return Rationals(tuple(zip(*matrix.integers, strict=True)), matrix.denominator)

