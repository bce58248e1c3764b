"""The checks that every build makes of an example, and how many numbers each covered."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from derivations.agreement import StepAgreement, agree
from derivations.decimals import Table, table
from derivations.enclosures import standard
from derivations.formula import Given
from derivations.second_route import disagreements
from derivations.step import Derivation, Step

Place = tuple[int, int]


class CheckError(Exception):
    """A check of this build failed: the site must not be published."""


@dataclass(frozen=True)
class StepChecks:
    """What was checked of one step: how many numbers, and the largest error bound of the twin."""

    step: Step
    by_second_route: int
    by_twin: int
    overflowed: int
    rounded_twice: int
    bound: Fraction


def check(
    derivation: Derivation, decimals: dict[str, Table], places: int,
    worked: dict[str, list[Place]],
) -> tuple[StepChecks, ...]:
    """Check every derived step; `worked` names the entries that pages work out in full.

    Raises CheckError, naming every step and entry that fails.
    """
    twin = {step.key: step for step in agree(derivation).steps}
    derived = [step for step in derivation.steps if not isinstance(step.formula, Given)]
    failures = [failure for step in derived
                for failure in _failures(derivation, step, decimals, places, worked, twin)]
    if failures:
        raise CheckError("\n".join(failures))
    return tuple(_passed(step, worked[step.key], twin[step.key]) for step in derived)


def _passed(step: Step, places: list[Place], twin: StepAgreement) -> StepChecks:
    rows, cols = step.shape
    return StepChecks(step, len(places), twin.numbers, twin.overflowed, rows * cols,
                      twin.largest_bound)


def _failures(
    derivation: Derivation, step: Step, decimals: dict[str, Table], places: int,
    worked: dict[str, list[Place]], twin: dict[str, StepAgreement],
) -> Iterable[str]:
    for name in disagreements(derivation, step, worked[step.key]):
        yield f"{step.key}: the entry equation of {name} does not give the engine's value"
    if twin[step.key].held != twin[step.key].numbers:
        outside = twin[step.key].numbers - twin[step.key].held
        yield f"{step.key}: {outside} entries of the NumPy twin are outside their error bound"
    if decimals[step.key] != table(step.values, places, standard.enclosures):
        yield f"{step.key}: the two implementations of certified decimals differ"
