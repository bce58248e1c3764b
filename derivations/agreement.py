"""Exact against numeric: every entry of every derived step, by a rigorous running bound.

The twin of a derivation is NumPy's float64 computation of the same example. An entry holds when
an upper bound of |float - exact| is at most the bound of its error, both in exact arithmetic.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from derivations import numeric
from derivations.bounds import GRID, SAYS_NOTHING, UNIT
from derivations.formula import Given
from derivations.running_bounds import MOST_DIGITS, enclosed, running_bounds
from derivations.step import Derivation, Divisor, Step
from derivations.values import Rationals, Rows

LARGEST = (2**1024 - 2**970) << GRID
Known = tuple[tuple[Fraction | None, ...], ...]


@dataclass(frozen=True)
class StepAgreement:
    """One step: how many numbers there are, how many are held within their bounds, and which.

    `overflowed` counts those beyond float64, held where the twin is infinite; `unbounded` those
    on which no bound says anything, neither held nor not. `errors` are upper bounds of
    |float - exact|; they and `bounds` are None where nothing finite can be compared.
    """

    key: str
    numbers: int
    held: int
    overflowed: int
    unbounded: int
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
    unbounded: bool = False
    error: int | None = None
    bound: int | None = None


def agree(derivation: Derivation) -> Agreement:
    """Hold the float64 twin against every exact value of a derivation."""
    floats, limits = twin(derivation), running_bounds(derivation)
    derived = (step for step in derivation.steps if not isinstance(step.formula, Given))
    return Agreement(tuple(_step(step, floats[step.key], limits[step.key]) for step in derived))


def twin(derivation: Derivation) -> dict[str, NDArray[np.float64]]:
    """The steps in float64: every input is rounded to the nearest float."""
    given = {step.formula.source: _floats(step.values) for step in derivation.steps
             if isinstance(step.formula, Given) and isinstance(step.values, Rationals)}
    if derivation.heads:
        outputs = [twin(head)["output"] for head in derivation.heads]
        return numeric.together(outputs, **given)
    mask = None if derivation.open is None else np.array(derivation.open)
    divisor = _float_divisor(derivation.divisor)
    if "q" in given:
        return numeric.attend(*given.values(), divisor=divisor, mask=mask)
    return numeric.attention(**given, divisor=divisor, mask=mask)


def _floats(matrix: Rationals) -> NDArray[np.float64]:
    """Integer by integer division, which Python rounds correctly."""
    return np.array([[entry / matrix.denominator for entry in row] for row in matrix.integers])


def _float_divisor(divisor: Divisor) -> float | None:
    """The example's own number, rounded; None where it is the paper's: the twin finds that."""
    if divisor.kind == "sqrt_dk":
        return None
    return divisor.numerator / divisor.denominator


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
        unbounded=sum(verdict.unbounded for verdict in verdicts),
        largest_bound=Fraction(max(verdict.bound or 0 for verdict in verdicts), UNIT),
        errors=tuple(tuple(_fraction(verdict.error) for verdict in row) for row in rows),
        bounds=tuple(tuple(_fraction(verdict.bound) for verdict in row) for row in rows),
    )


def _judged(number: float, exact: tuple[int, int] | None, bound: int) -> Verdict:
    """Is the float where it must be? Beyond the largest float that is infinity."""
    if exact is None:
        return Verdict(number == -inf)
    if bound >= SAYS_NOTHING:
        return Verdict(held=False, unbounded=True)
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
