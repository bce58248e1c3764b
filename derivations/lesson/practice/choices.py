"""Which entry an exercise asks for: one that is not trivial."""

from fractions import Fraction

from derivations.lesson.practice.data import Numbers, of_step
from derivations.lesson.practice.scenes import Ground, Scene
from derivations.values import Rationals

TOO_FAR = 200  # most pocket calculators end at e^230


class NothingToAsk(Exception):
    """The example has nothing that this exercise could ask for."""


def column(here: Ground) -> int:
    """The first column in which the values heard differ, best as printed; else the first."""
    values, heard = here.scene.derivation.rationals("values"), here.exponents.open_keys(here.asker)
    columns = [[values.entry(j, c) for j in heard] for c in range(values.shape[1])]
    apart = [_differ(_printed(found, here.scene.example.places)) for found in columns]
    either = [_differ(found) for found in columns]
    return next((c for kind in (apart, either) for c, told in enumerate(kind) if told), 0)


def telling_column(here: Ground) -> int:
    """The same, where the values differ as printed.

    Raises NothingToAsk.
    """
    col, values = column(here), here.scene.derivation.rationals("values")
    heard = here.exponents.open_keys(here.asker)
    if not _differ(_printed([values.entry(j, col) for j in heard], here.scene.example.places)):
        raise NothingToAsk
    return col


def scored(here: Ground) -> int:
    """The token heard most, or the first other one with a score that is not 0."""
    scores: Rationals = here.scene.derivation.rationals("scores")
    keys = (here.heard, *here.exponents.open_keys(here.asker))
    return next((j for j in keys if scores.entry(here.asker, j)), here.heard)


def moved(here: Ground, then: Scene) -> int:
    """The token heard most, or the first other one whose weight is printed otherwise then.

    Raises NothingToAsk.
    """
    for j in (here.heard, *here.exponents.open_keys(here.asker)):
        before, after = (_as_printed(of_step(scene, "weights", (here.asker, j)), scene)
                         for scene in (here.scene, then))
        if before != after:
            return j
    raise NothingToAsk


def is_far(top: Fraction, root: int) -> bool:
    """Is e^(top / sqrt(root)) beyond a pocket calculator?"""
    return top * top > TOO_FAR * TOO_FAR * root


def _as_printed(numbers: Numbers, scene: Scene) -> Fraction:
    (rounded,) = numbers.rounded(scene.example.places)
    return rounded.value


def _printed(values: list[Fraction], places: int) -> list[Fraction]:
    return [round(value, places) for value in values]


def _differ(values: list[Fraction]) -> bool:
    return len(set(values)) > 1
