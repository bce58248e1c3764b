"""The lab's markers: the story's row of scores as a table, and what the script starts from.

The script (docs/assets/lab.js) works with floats; every number written here is certified.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from markupsafe import Markup

from derivations.attention import attended, ones
from derivations.decimals import Table, table
from derivations.lesson.variants import row_maxima_removed
from derivations.pages import sentences
from derivations.pages.lesson.counts import count, decimals
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render import markup
from derivations.render.markup import listed, number, text
from derivations.render.words import token_name
from derivations.values import Rationals, Rooted

NAMESPACE = "lab"
MOST_KEYS = 8
MOST_PLACES = 6
HEADER = ("token", "score", "scaled score", "less the largest", "exponential of that", "weight")
FROM_EXAMPLE = ("scores", "scaled_scores")
OWN = ("scaled_scores", "exponentials", "weights")
HIDDEN = "hidden"
SOME_WEIGHTS = "Of the {} keys in the lab, {} gives {}."
MOUNT = (
    '<div class="lab" data-scores="{scores}" data-divide="{divide}" data-by="{by}" '
    'data-decimals="{decimals}">\n<p class="lab-off">With scripts, you can change these scores '
    "and the divisor here, and all that follows from them is worked out again. Without "
    "scripts, the table below shows the example’s own row.</p>\n</div>")


def markers(lesson: Worked) -> dict[str, Any]:
    """`lab()`: where the script builds; `lab_row()`: the certified table; and what is said."""
    row = row_of(lesson)
    return {
        "lab": lambda: mount(row),
        "lab_row": lambda: row_table(row),
        "lab_keys": lambda: keys_told(row),
        "lab_weights": lambda: weights_told(row),
        "lab_places": lambda: decimals(places_shown(lesson)),
    }


@dataclass(frozen=True)
class Row:
    """The row of token i, or what the lab takes of it; i and the keys count from 0."""

    worked: Worked
    i: int
    keys: tuple[int, ...]

    @property
    def open(self) -> tuple[bool, ...]:
        """May the token listen to each of these keys?"""
        return tuple(self.worked.derivation.exponents.is_open(self.i, j) for j in self.keys)

    @cached_property
    def shifted(self) -> Rooted:
        """The scaled scores less the largest open one: [1, keys]."""
        whole = self.worked.derivation.exponents
        integers = whole.rationals.integers[self.i]
        taken = Rationals((tuple(integers[j] for j in self.keys),), whole.rationals.denominator)
        return row_maxima_removed(Rooted(taken, whole.root, (self.open,)))

    @cached_property
    def decimals(self) -> dict[str, Table]:
        """What softmax over these keys makes of the row, certified: [1, keys] each; the sum."""
        steps = {"scaled_scores": self.shifted,
                 **attended(self.shifted, ones(len(self.keys)))}
        return {key: table(values, self.worked.example.places) for key, values in steps.items()}


def row_of(worked: Worked) -> Row:
    """The row of the token whose story the pages tell.

    Of more than eight keys, the lab takes the first eight that are open (or, where none is, the
    first eight) and leaves the others out of the sum.
    """
    i, n = sentences.asker(worked), len(worked.example.tokens)
    every = tuple(range(n))
    if n <= MOST_KEYS:
        return Row(worked, i, every)
    return Row(worked, i, (worked.derivation.exponents.open_keys(i) or every)[:MOST_KEYS])


def mount(row: Row) -> Markup:
    """Where the script builds the lab: the scores, and what they are divided by, as floats."""
    divisor = row.worked.derivation.divisor
    scores = (_float(_score(row, j)) if is_open else HIDDEN
              for j, is_open in zip(row.keys, row.open, strict=True))
    by_root = divisor.kind == "sqrt_dk"
    divide = Fraction(divisor.root) if by_root else Fraction(divisor.numerator, divisor.denominator)
    return Markup(MOUNT).format(
        scores=Markup(" ".join(scores)), divide=Markup(_float(divide)),
        by=Markup("d_k" if by_root else "divisor"), decimals=places_shown(row.worked))


def row_table(row: Row) -> Markup:
    """The row, key by key, from its scores to its weights; below, the sums."""
    body = [[token_name(row.worked.example.tokens, j), *_cells(row, place)]
            for place, j in enumerate(row.keys)]
    total = number(row.decimals["normalisers"][0][0], "normalisers", row.i, 0)
    whole = Markup("1" if any(row.open) else "0")
    sums = [text("sum"), *[Markup("")] * 3, scoped(NAMESPACE, total), whole]
    return markup.table([text(word) for word in HEADER], [*body, sums], "lab-row",
                        "the row, from scores to weights")


def keys_told(row: Row) -> Markup:
    """How many keys the lab works with, and what becomes of the others."""
    n, left = len(row.worked.example.tokens), len(row.worked.derivation.exponents.open_keys(row.i))
    if n > MOST_KEYS:
        return _some_told(n, left)
    hidden = sentences.hidden(row.worked, row.i)
    told = Markup("The row has one key.") if n == 1 else Markup(
        "The row has {} keys, one for each token.").format(count("lab_keys", n))
    return told + (Markup(" ") + hidden + Markup(" A hidden key stays out of the sums.")
                   if hidden else Markup(""))


def weights_told(row: Row) -> Markup:
    """Whom the token listens to, with the weights that the lab starts from, the largest first."""
    if len(row.worked.derivation.exponents.open_keys(row.i)) <= MOST_KEYS:
        return sentences.row_of_weights(row.worked, row.i)
    scaled = row.shifted.rationals.integers[0]
    places = sorted(range(len(row.keys)), key=lambda place: -scaled[place])
    return Markup(SOME_WEIGHTS).format(
        count("lab_shown", MOST_KEYS), sentences.name(row.worked, row.i),
        listed([_key_told(row, place) for place in places]))


def places_shown(worked: Worked) -> int:
    """How many decimals the script shows: floats have no more to give."""
    return min(worked.example.places, MOST_PLACES)


def _key_told(row: Row, place: int) -> Markup:
    """A key and its weight: cats the weight 0.2."""
    j, weight = row.keys[place], row.decimals["weights"][0][place]
    key = text("itself") if j == row.i else sentences.name(row.worked, j)
    return key + Markup(" the weight ") + scoped(NAMESPACE, number(weight, "weights", row.i, j))


def _some_told(n: int, left: int) -> Markup:
    """The same where the row is longer than what the lab has room for."""
    every, most = count("lab_keys", n), count("lab_shown", MOST_KEYS)
    if left == 0:
        return Markup("The row has {} keys, and the mask hides all of them. The lab shows the "
                      "first {}.").format(every, most)
    of = Markup("The row has {} keys.").format(every) if left == n else Markup(
        "The row has {} keys, and the mask leaves {} of them open.").format(
            every, count("lab_open", left))
    if left <= MOST_KEYS:
        return of + Markup(" The lab shows {}.").format(
            Markup("this one" if left == 1 else "these"))
    return of + Markup(
        " The lab takes the first {} {}and leaves the others out of the sum. Its weights are "
        "those of this shorter row.").format(most, Markup("" if left == n else "of these "))


def _cells(row: Row, place: int) -> list[Markup]:
    """Score and scaled score are the example's own; what follows is softmax over these keys."""
    j, derivation = row.keys[place], row.worked.derivation
    given = [number(row.worked.decimal(derivation[key], row.i, j), key, row.i, j)
             for key in FROM_EXAMPLE]
    return given + [scoped(NAMESPACE, number(row.decimals[key][0][place], key, row.i, j))
                    for key in OWN]


def _score(row: Row, j: int) -> Fraction:
    scores = row.worked.derivation.rationals("scores")
    return scores.entry(row.i, j)


def _float(value: Fraction) -> str:
    """The float64 next to a number, as a script reads it: a start for the script, never shown."""
    return repr(float(value))
