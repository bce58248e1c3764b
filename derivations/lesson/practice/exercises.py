"""The exercises of the lesson, as data: a prompt, a hint, a solution and an exact answer each.

They play on the lesson's example and on variants made from it. Where an example has no token that
gives different weights, a pair of tokens takes its place, so that every exercise has something to
ask. The page and the tests use the same objects; `exercise_proofs` proves the answers.
"""

from derivations.example import Example
from derivations.faults import ExampleError
from derivations.lesson.practice import scenes
from derivations.lesson.practice.choices import NothingToAsk
from derivations.lesson.practice.data import Exercise
from derivations.lesson.practice.makers import MAKERS, query, score


def exercises(example: Example) -> tuple[Exercise, ...]:
    """All exercises on an example, from easy to hard."""
    here, beside = scenes.ground(example), scenes.stand_in(example)
    found = [query(scenes.own(example)), score(scenes.own(example))]
    for make in MAKERS:
        try:
            found.append(make(here))
        except (ExampleError, NothingToAsk):  # too large to print or to show, or trivial
            found.append(make(beside))
    return tuple(found)
