"""The walk-through: the four matrix steps as scenes, with their captions, in a player.

A scene is a still with all of its numbers. With scripts one is shown at a time, from the first on:
docs/assets/walk-through.css and .js.
"""

from collections.abc import Callable, Iterator
from typing import Any

from markupsafe import Markup

from derivations.decimals import Table, table
from derivations.pages import sentences
from derivations.pages.lesson.walk_captions import Captions
from derivations.pages.worked import Worked
from derivations.render.figures import svg
from derivations.render.figures import walk as scenes
from derivations.render.figures.walk import Walk
from derivations.render.figures.walk_cells import Drawn
from derivations.render.markup import number
from derivations.values import ExpSums, Rationals, Rooted

BESIDE = 480.0  # a wider drawing has no room for its caption beside it
Scene = tuple[str, Drawn, Markup]
SPEEDS = (("slow", "slow"), ("normal", "normal"), ("fast", "fast"))
BUTTONS = (("previous", "Previous step"), ("play", "Play"), ("next", "Next step"))
MOTION = "Press <em>Play</em>, or go step by step with the buttons. After that the arrow keys " \
         "lead from step to step, too. Right after <em>Play</em>, the space bar pauses and plays " \
         "on."
LESS_MOTION = "This device asks for less motion, so nothing plays: the steps stand one below the " \
              "other. The buttons lead from step to step. Press one, and after that the arrow " \
              "keys do so, too."


def markers(lesson: Worked) -> dict[str, Any]:
    """The walk-through, and what its page says of the example."""
    return {"walk_through": lambda: player(lesson), "walk_shares": lambda: shares(lesson)}


def player(lesson: Worked) -> Markup:
    """The scenes, one below the other, and the controls, which are there where scripts are."""
    found = told(lesson)
    shown = Markup("\n").join(_item(n, *scene) for n, scene in enumerate(found, 1))
    return Markup('<div class="walk-through one" role="group" aria-label="walk-through" '
                  'tabindex="-1">\n{}\n<ol class="scenes">\n{}\n</ol>\n</div>').format(
                      _controls(f"Step 1 of {len(found)}: {found[0][0]}"), shown)


def told(lesson: Worked) -> list[Scene]:
    """The scenes in order: a name, a drawing, a caption."""
    walk = Walk(lesson.derivation, lesson.decimals, weighted(lesson, sentences.asker(lesson)),
                sentences.asker(lesson), sentences.heard(lesson))
    caption = Captions(lesson, walk)
    return [*_of_scores(walk, caption), *_of_row(walk, caption), *_of_values(walk, caption)]


def weighted(lesson: Worked, i: int) -> Table:
    """The weight that query i gives each key, times the value of the key [n_k, d_v]: certified."""
    values = lesson.derivation.rationals("values")
    row, parts = _only_row(lesson.derivation.exponents, i), range(len(values.integers))
    alone = (ExpSums(row, _only_key(values, j), normalised=True) for j in parts)
    return tuple(table(part, lesson.example.places)[0] for part in alone)


def shares(lesson: Worked) -> Markup:
    """What the asker divides by, as an answer to who competes."""
    i = sentences.asker(lesson)
    asker, keys = sentences.name(lesson, i), lesson.derivation["weights"].keys(i)
    if not keys:
        return Markup("Here {} may listen to nobody, so it has nothing to share out.").format(asker)
    if len(keys) == 1:
        return Markup("Here {} may listen to one token only, which gets all of it.").format(asker)
    total = number(lesson.decimals["normalisers"][i][0], "normalisers", i, 0)
    return Markup("Here all exponentials of {} are divided by one sum, {}.").format(asker, total)


def _only_row(exponents: Rooted, i: int) -> Rooted:
    row = Rationals((exponents.rationals.integers[i],), exponents.rationals.denominator)
    return Rooted(row, exponents.root, None if exponents.open is None else (exponents.open[i],))


def _only_key(values: Rationals, j: int) -> Rationals:
    """The values, with 0 for all but key j."""
    nothing = (0,) * values.shape[1]
    rows = tuple(row if n == j else nothing for n, row in enumerate(values.integers))
    return Rationals(rows, values.denominator)


def _item(n: int, name: str, drawn: Drawn, caption: Markup) -> Markup:
    """A scene in the list."""
    kind = "scene-picture wide" if drawn.box.width > BESIDE else "scene-picture"
    figure = svg.figure(kind, drawn.box.html, caption, drawn.facts)
    current = Markup(" current" if n == 1 else "")
    return Markup('<li class="scene{}" value="{}" data-beats="{}">\n<p class="scene-name">{}</p>\n'
                  "{}\n</li>").format(current, n, drawn.beats, Markup(name), figure)


def _controls(position: str) -> Markup:
    """How to play, buttons, where the walk is, the speed."""
    button = '<button type="button" class="md-button" data-do="{}"{}>{}</button>'
    buttons = Markup("").join(
        Markup(button).format(Markup(do), Markup(' aria-disabled="true"' * (do == "previous")),
                              Markup(told))
        for do, told in BUTTONS)
    speeds = Markup("").join(
        Markup('<option value="{0}"{2}>{1}</option>').format(
            Markup(value), Markup(told), Markup(" selected" if value == "normal" else ""))
        for value, told in SPEEDS)
    return Markup(
        '<p class="how scripted"><span class="motion">{}</span>'
        '<span class="less-motion">{}</span></p>\n'
        '<div class="controls scripted">\n<div class="buttons">{}</div>\n'
        '<p class="position" role="status" aria-live="polite">{}</p>\n</div>\n'
        '<div class="options scripted">\n<label class="speed">Speed <select>{}</select></label>\n'
        '<button type="button" class="all" data-do="all" aria-pressed="false">All steps at once'
        '</button>\n</div>'
    ).format(Markup(MOTION), Markup(LESS_MOTION), buttons, Markup(position), speeds)


def _of_scores(walk: Walk, caption: Captions) -> Iterator[Scene]:
    yield "Queries meet keys", scenes.queries_and_keys(walk), caption.queries_and_keys()
    yield "One score: a row times a column", scenes.one_score(walk), caption.one_score()
    yield "All scores", scenes.all_scores(walk), caption.all_scores()


def _of_row(walk: Walk, caption: Captions) -> Iterator[Scene]:
    told: dict[str, tuple[str, Callable[[], Markup]]] = {
        "scaled_scores": ("The scores, divided", caption.scaled),
        "masked_scores": ("The mask", caption.masked),
        "exponentials": ("Exponentials, and their sum", caption.exponentials),
        "weights": ("The weights", caption.weights),
    }
    for key, (name, say) in told.items():
        if key in walk.derivation:
            yield name, scenes.row_until(walk, key), say()


def _of_values(walk: Walk, caption: Captions) -> Iterator[Scene]:
    yield "Each value, times its weight", scenes.weighted_values(walk, added=False), \
        caption.weighted()
    yield "Added up: the output", scenes.weighted_values(walk, added=True), caption.output()
    yield "All outputs", scenes.all_outputs(walk), caption.all_outputs()
