"""Exact against numeric: every entry of every derived step, by a rigorous running bound.

The twin of a derivation is NumPy's float64 computation of the same example. An entry holds when
an upper bound of |float - exact| is at most the bound of its error, both in exact arithmetic.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from derivations import bounds, decimals, numeric
from derivations.bounds import GRID, UNIT, Measured
from derivations.step import Derivation, Divisor, Step
from derivations.values import ExpSums, Rationals, Rooted, Rows, Values

GIVEN = ("embeddings", "w_q", "w_k", "w_v")
NOT_DERIVED = (*GIVEN, "mask")
LARGEST = (2**1024 - 2**970) << GRID
MOST_DIGITS = 365
Known = tuple[tuple[Fraction | None, ...], ...]
Enclosed = tuple[tuple[tuple[int, int] | None, ...], ...]


@dataclass(frozen=True)
class StepAgreement:
    """One step: how many numbers there are, how many are held within their bounds, and which.

    `overflowed` counts those beyond float64, held where the twin is infinite. `errors` are upper
    bounds of |float - exact|; they and `bounds` are None where nothing finite can be compared.
    """

    key: str
    numbers: int
    held: int
    overflowed: int
    largest_bound: Fraction
    errors: Known
    bounds: Known


@dataclass(frozen=True)
class Agreement:
    """The steps of a derivation, as far as they are derived and not given."""

    steps: tuple[StepAgreement, ...]

    @property
    def numbers(self) -> int:
        """How many numbers were compared."""
        return sum(step.numbers for step in self.steps)

    @property
    def held(self) -> int:
        """How many of them are within their bounds."""
        return sum(step.held for step in self.steps)

    def __getitem__(self, key: str) -> StepAgreement:
        return next(step for step in self.steps if step.key == key)


@dataclass(frozen=True)
class Verdict:
    """On one entry: its error and bound, on the grid."""

    held: bool
    overflowed: bool = False
    error: int | None = None
    bound: int | None = None


def agree(derivation: Derivation) -> Agreement:
    """Hold the float64 twin against every exact value of a derivation."""
    floats, limits = twin(derivation), running_bounds(derivation)
    derived = (step for step in derivation.steps if step.key not in NOT_DERIVED)
    return Agreement(tuple(_step(step, floats[step.key], limits[step.key]) for step in derived))


def twin(derivation: Derivation) -> dict[str, NDArray[np.float64]]:
    """The steps in float64: every input is rounded to the nearest float."""
    x, w_q, w_k, w_v = (_floats(_rationals(derivation[key])) for key in GIVEN)
    mask = None if derivation.open is None else np.array(derivation.open)
    divisor = _float_divisor(derivation.divisor)
    return numeric.attention(x, w_q, w_k, w_v, divisor=divisor, mask=mask)


def _floats(matrix: Rationals) -> NDArray[np.float64]:
    """Integer by integer division, which Python rounds correctly."""
    return np.array([[entry / matrix.denominator for entry in row] for row in matrix.integers])


def _float_divisor(divisor: Divisor) -> float:
    """Correctly rounded: one of root and the rational number is 1."""
    return sqrt(divisor.root) * (divisor.numerator / divisor.denominator)


def _step(step: Step, floats: NDArray[np.float64], limits: Rows) -> StepAgreement:
    exact = enclosed(step.values, _digits(limits))
    rows = [
        [_judged(*entry) for entry in zip(*row, strict=True)]
        for row in zip(floats.tolist(), exact, limits, strict=True)
    ]
    verdicts = [verdict for row in rows for verdict in row]
    return StepAgreement(
        step.key,
        numbers=len(verdicts),
        held=sum(verdict.held for verdict in verdicts),
        overflowed=sum(verdict.overflowed for verdict in verdicts),
        largest_bound=Fraction(max(verdict.bound or 0 for verdict in verdicts), UNIT),
        errors=tuple(tuple(_fraction(verdict.error) for verdict in row) for row in rows),
        bounds=tuple(tuple(_fraction(verdict.bound) for verdict in row) for row in rows),
    )


def _judged(number: float, exact: tuple[int, int] | None, bound: int) -> Verdict:
    """Is the float where it must be? Beyond the largest float that is infinity."""
    if exact is None:
        return Verdict(number == -inf)
    if bound >= bounds.SAYS_NOTHING:
        return Verdict(held=False)
    low, high = exact
    if low - bound > LARGEST or (number == inf and high + bound > LARGEST):
        return Verdict(number == inf, overflowed=True)
    if not isfinite(number):
        return Verdict(held=False, bound=bound)
    numerator, denominator = number.as_integer_ratio()
    place = numerator * (UNIT // denominator)
    error = max(place - low, high - place)
    return Verdict(error <= bound, error=error, bound=bound)


def _fraction(amount: int | None) -> Fraction | None:
    return None if amount is None else Fraction(amount, UNIT)


def _digits(limits: Rows) -> int:
    """So many digits that an enclosure is a thousand times narrower than any bound."""
    smallest = min((limit for row in limits for limit in row if limit), default=UNIT)
    return min(MOST_DIGITS, (UNIT // smallest).bit_length() * 30103 // 100000 + 5)


def enclosed(values: Values, digits: int) -> Enclosed:
    """(low, high) of every entry on the grid; None where it is minus infinity."""
    power = 10**digits
    return tuple(
        tuple(
            entry and ((entry[0] << GRID) // power, bounds.over(entry[1] << GRID, power))
            for entry in row
        )
        for row in decimals.enclosures(values, digits)
    )


def running_bounds(derivation: Derivation) -> dict[str, Rows]:
    """The bound of every entry's error, by step, from the roundings of the inputs on."""
    x, w_q, w_k, w_v = (bounds.inputs(_rationals(derivation[key])) for key in GIVEN)
    queries = _product(derivation["queries"], x, w_q)
    keys = _product(derivation["keys"], x, w_k)
    values = _product(derivation["values"], x, w_v)
    scores = _product(derivation["scores"], queries, keys.transposed())
    scaled = bounds.quotients(scores, _divisor_below(derivation.divisor))
    powers = derivation["exponentials"].values
    assert isinstance(powers, ExpSums)
    exponentials, normalisers = _exponentials(powers, scaled)
    weights = _weights(powers.exponents, scaled)
    return {
        "queries": queries.errors,
        "keys": keys.errors,
        "values": values.errors,
        "scores": scores.errors,
        "scaled_scores": scaled,
        "masked_scores": scaled,
        "exponentials": exponentials,
        "normalisers": normalisers,
        "weights": weights.errors,
        "output": bounds.product(weights, values),
    }


def _rationals(step: Step) -> Rationals:
    assert isinstance(step.values, Rationals)
    return step.values


def _product(step: Step, a: Measured, b: Measured) -> Measured:
    return Measured(bounds.sizes(_rationals(step)), bounds.product(a, b))


def _divisor_below(divisor: Divisor) -> int:
    return bounds.root_below(divisor.root, divisor.numerator, divisor.denominator)


def _exponentials(powers: ExpSums, scaled: Rows) -> tuple[Rows, Rows]:
    """The bounds of the exponentials, 0 where a key is hidden, and of their sums."""
    exponentials, normalisers = [], []
    for i, row in enumerate(_magnitudes(powers)):
        keys = powers.exponents.open_keys(i)
        highs = [row[j][1] for j in keys]
        errors = [bounds.power(row[j][1], scaled[i][j]) for j in keys]
        exponentials.append(bounds.spread(keys, errors, len(row)))
        normalisers.append((bounds.total(highs, errors),))
    return tuple(exponentials), tuple(normalisers)


def _weights(exponents: Rooted, scaled: Rows) -> Measured:
    """The weights of shifted exponentials, as the twin computes them; 0 where a key is hidden."""
    shifted = bounds.shifted(exponents)
    exact = _magnitudes(ExpSums(shifted, None, normalised=False))
    all_sizes, all_errors = [], []
    for i, row in enumerate(exact):
        keys = shifted.open_keys(i)
        distances = [bounds.size(shifted, shifted.rationals.integers[i][j]) for j in keys]
        lows, highs = [row[j][0] for j in keys], [row[j][1] for j in keys]
        sizes, errors = bounds.weights(distances, lows, highs, [scaled[i][j] for j in keys])
        all_sizes.append(bounds.spread(keys, sizes, len(row)))
        all_errors.append(bounds.spread(keys, errors, len(row)))
    return Measured(tuple(all_sizes), tuple(all_errors))


def _magnitudes(powers: ExpSums) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Enclosures of single exponentials, to some twenty significant digits of the smallest."""
    lowest = min(0, *(entry for row in powers.exponents.rationals.integers for entry in row))
    depth = (bounds.size(powers.exponents, lowest) >> GRID) + 1
    found = enclosed(powers, min(MOST_DIGITS, 20 + depth * 10 // 23))
    return tuple(tuple(entry or (0, 0) for entry in row) for row in found)
