"""The exercises that change the example, or ask what was changed: from the mask to a query."""

from fractions import Fraction

from derivations.lesson.practice import scenes
from derivations.lesson.practice.choices import NothingToAsk, moved, telling_column
from derivations.lesson.practice.data import (
    Exercise,
    Named,
    Numbers,
    Queries,
    of_step,
    over_root,
    scalar,
)
from derivations.lesson.practice.mistakes import told_apart
from derivations.lesson.practice.queries import best_queries, is_enumerable
from derivations.lesson.practice.scenes import Ground

MOST_ANSWERS = 6


def mask(here: Ground) -> Exercise:
    """A causal mask; where the example has a mask, the example without it."""
    example = here.scene.example
    if example.mask is None:
        row, then = max(1, here.asker), scenes.causally(here.scene)
        heard = tuple((row, j) for j in range(row + 1))[:MOST_ANSWERS]
        return Exercise("causal", of_step(then, "weights", *heard),
                        {"here": here.scene, "then": then}, {"row": row},
                        {"keys": len(heard)})
    hidden = [(i, j) for i in (here.asker, *range(len(example.mask)))
              for j, is_open in enumerate(example.mask[i]) if not is_open]
    if not hidden:
        raise NothingToAsk
    then = scenes.unmasked(here.scene)
    return Exercise("unmasked", of_step(then, "weights", hidden[0]),
                    {"here": here.scene, "then": then},
                    {"row": hidden[0][0], "col": hidden[0][1]})


def order(here: Ground) -> Exercise:
    """The asker and its target change places."""
    example = here.scene.example
    before = here.scene if example.mask is None else scenes.unmasked(here.scene)
    then = scenes.swapped(here.scene, here.asker, here.target)
    col = telling_column(here)
    return Exercise("order", of_step(then, "output", (here.target, col)),
                    {"here": here.scene, "before": before, "then": then},
                    {"row": here.asker, "other": here.target, "col": col})


def doubled(here: Ground) -> Exercise:
    """Queries and keys written twice, for a token whose weight changes as printed."""
    divisor = here.scene.derivation.divisor
    top = Fraction(2 * divisor.numerator * divisor.root, divisor.denominator)
    then = scenes.doubled(here.scene)
    col = moved(here, then)
    return Exercise("doubled", over_root(here.scene, "divisor", top, divisor.root),
                    {"here": here.scene, "then": then},
                    {"row": here.asker, "col": col})


def mistake(here: Ground) -> Exercise:
    """A mistake whose weights no other gives."""
    found = told_apart(here.scene.derivation, here.scene.example.places)
    if not found:
        raise NothingToAsk
    key = found[0].mistake.key
    wrong = Numbers(f"{here.scene.prefix}-{key}", "weights", found[0].weights)
    return Exercise("mistake", Named(key), {"here": here.scene}, shown={"wrong": wrong},
                    listed=tuple(one.mistake.key for one in found))


def listener(here: Ground) -> Exercise:
    """The query that makes the asker hear its target; a large one is argued by sign."""
    places = {"row": here.asker, "col": here.target}
    if not is_enumerable(here):
        keys = here.scene.derivation.rationals("keys")
        largest = sum((abs(keys.entry(here.target, c)) for c in range(keys.shape[1])), Fraction(0))
        answer = scalar(here.scene, "largest_score", largest)
        return Exercise("signs", answer, {"here": here.scene}, places)
    found = best_queries(here)
    then = scenes.asking(here.scene, "listener", here.asker, found[0])
    best = Queries(found, of_step(then, "weights", (here.asker, here.target)))
    tried = 3 ** here.scene.derivation.size("d_k")
    return Exercise("listener", best, {"here": here.scene, "then": then}, places,
                    {"tried": tried})
