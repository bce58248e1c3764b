"""The checks that every build makes of an example, and how many numbers each covered."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from derivations.agreement import StepAgreement, agree
from derivations.decimals import Table, enclosures, table
from derivations.enclosures import standard
from derivations.formula import Given
from derivations.joined import Joined, rational
from derivations.rounded import Rounded
from derivations.second_route import disagreements
from derivations.step import Derivation, Step
from derivations.values import ExpSums, Rooted, Values

Place = tuple[int, int]
DIGITS = 40  # of the enclosures that hold what is said to be rational


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
    unbounded: int


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


def check_entry(derivation: Derivation, step: Step, i: int, j: int) -> None:
    """Check the entry equation of one more entry that a page works out.

    Raises CheckError.
    """
    for name in disagreements(derivation, step, [(i, j)]):
        raise CheckError(f"{step.key}: the entry equation of {name} does not give its value")


def _passed(step: Step, places: list[Place], twin: StepAgreement) -> StepChecks:
    rows, cols = step.shape
    return StepChecks(step, len(places), twin.numbers, twin.overflowed, rows * cols,
                      twin.largest_bound, twin.unbounded)


def _failures(
    derivation: Derivation, step: Step, decimals: dict[str, Table], places: int,
    worked: dict[str, list[Place]], twin: dict[str, StepAgreement],
) -> Iterable[str]:
    for name in disagreements(derivation, step, worked[step.key]):
        yield f"{step.key}: the entry equation of {name} does not give the engine's value"
    outside = twin[step.key].numbers - twin[step.key].held - twin[step.key].unbounded
    if outside:
        yield f"{step.key}: {outside} entries of the NumPy twin are outside their error bound"
    if isinstance(step.values, ExpSums | Joined) \
            and decimals[step.key] != table(step.values, places, standard.enclosures):
        yield f"{step.key}: the two implementations of certified decimals differ"
    if isinstance(step.values, ExpSums | Joined):
        yield from _not_rational(step, step.values)
    for i, j in step.places:
        if not _is_rounded(step.values, i, j, decimals[step.key][i][j], places):
            yield f"{step.key}: {step.quantity.entry(i + 1, j + 1)} is not correctly rounded"


def _not_rational(step: Step, values: ExpSums | Joined) -> Iterable[str]:
    """Each entry that is said to be a rational which it is not."""
    said = {(i, j): known for i, j in step.places
            if (known := rational(values, i, j)) is not None}
    ends = enclosures(values, DIGITS) if said else ()
    for (i, j), known in said.items():
        within = ends[i][j]
        if within and not within[0] <= known * 10**DIGITS <= within[1]:
            yield f"{step.key}: {step.quantity.entry(i + 1, j + 1)} is not {known}"


def _is_rounded(
    values: Values | Joined, i: int, j: int, rounded: Rounded | None, places: int
) -> bool:
    """Is an algebraic entry correctly rounded? Of the others, two implementations must agree."""
    known = rational(values, i, j)
    if known is not None:
        return is_rounding(known, rounded, places)
    if not isinstance(values, Rooted):
        return True
    if not values.is_open(i, j):
        return rounded is None
    return is_rounding_of_root(values.rationals.entry(i, j), values.root, rounded, places)


def is_rounding(value: Fraction, rounded: Rounded | None, places: int) -> bool:
    """Is this the rational, rounded half to even? In integers, and apart from what rounded it."""
    if rounded is None or rounded.places != places:
        return False
    unit = Fraction(10) ** (rounded.exponent - places)
    off = 2 * abs(value - rounded.digits * unit)
    nearest = off < unit or (off == unit and rounded.digits % 2 == 0)
    return nearest and rounded.exact == (off == 0)


def is_rounding_of_root(r: Fraction, root: int, rounded: Rounded | None, places: int) -> bool:
    """Is this r / sqrt(root), irrational, rounded? Its square lies between those of two halves."""
    if rounded is None or rounded.places != places or rounded.exact or rounded.tie:
        return False
    half = Fraction(10) ** (rounded.exponent - places) / 2
    near = 2 * rounded.digits * half * (1 if r > 0 else -1)
    square = r * r / root
    return max(near - half, Fraction(0)) ** 2 < square < max(near + half, Fraction(0)) ** 2
