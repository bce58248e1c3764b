"""Mistakes that show in the weights of an example, those first that no other is mistaken for."""

from dataclasses import dataclass

from derivations.decimals import Table, table
from derivations.lesson.mistakes import MISTAKES, Mistake
from derivations.quotients import Quotients
from derivations.step import Derivation
from derivations.values import Values

ASKED = ("queries-and-keys-swapped", "unscaled", "by-d-k", "by-root-of-d-model",
         "down-the-columns")  # all can be found out from the scores alone
LEAST_SUSPECTS = 2
MOST_TOKENS = 8  # the weights and the scores are shown whole


@dataclass(frozen=True)
class Shown:
    """A mistake and the weights that it gives: [n_q, n_k]."""

    mistake: Mistake
    weights: Values | Quotients


def told_apart(right: Derivation, places: int) -> tuple[Shown, ...]:
    """The mistakes that show in the weights, one first that gives numbers of its own.

    () where no mistake does, where there is one alone to choose, or the matrices are too large.
    """
    if right.size("n_q") > MOST_TOKENS:
        return ()
    shown = shown_in(right, places)
    numbers = [seen(one.weights, places) for one in shown]
    alone = [one for one, own in zip(shown, numbers, strict=True) if numbers.count(own) == 1]
    if not alone or len(shown) < LEAST_SUSPECTS:
        return ()
    return (alone[0], *(one for one in shown if one is not alone[0]))


def shown_in(right: Derivation, places: int) -> list[Shown]:
    """The mistakes whose weights are not the right ones as printed."""
    true = seen(right["weights"].of_one, places)
    found = [Shown(mistake, wrong["weights"]) for key in ASKED for mistake in MISTAKES
             if mistake.key == key and isinstance(wrong := mistake.find(right), dict)]
    return [one for one in found if seen(one.weights, places) != true]


def seen(weights: Values | Quotients, places: int) -> list[list[object]]:
    """The decimals that a page shows, as numbers."""
    decimals: Table = table(weights, places)
    return [[entry and entry.value for entry in row] for row in decimals]
