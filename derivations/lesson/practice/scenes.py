"""Where the exercises play: the lesson's example, a pair of tokens in its place, and variants.

A scene is a derivation with the name that its numbers carry on the page ("" for the example).
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from derivations.attention import (
    FORMULAS,
    assembled,
    attended,
    derive,
    exact_values,
    scaled_scores,
    sizes_of,
)
from derivations.exact import multiply_transposed
from derivations.example import Example
from derivations.lesson.variants import at_temperature
from derivations.step import Derivation, Divisor
from derivations.values import Mask, Rationals, Rooted, Values, causal

RAISED_BY = 3
TEMPERATURE = Fraction(2)
HALVES = Divisor("number", 1, 2, 1)


@dataclass(frozen=True)
class Scene:
    """A derivation, the example file it could come from, and what its numbers are told by."""

    name: str
    example: Example
    derivation: Derivation

    @property
    def prefix(self) -> str:
        """What the names of its variants begin with; the name of numbers beside its steps."""
        return self.name or "practice"


@dataclass(frozen=True)
class Ground:
    """A scene and its story, in rows counted from 0.

    `asker` is the token that asks, `heard` the first of those with its largest score, and
    `target` the first other token that it may hear.
    """

    scene: Scene
    asker: int
    heard: int
    target: int

    @property
    def exponents(self) -> Rooted:
        """The scaled scores, masked: [n_q, n_k]."""
        return self.scene.derivation.exponents


def ground(example: Example) -> Ground:
    """The example with a token that gives different weights; where it has none, a pair."""
    scene = own(example)
    rows = _weighing(scene)
    return _told(scene, rows[0]) if rows else stand_in(example)


def elsewhere(example: Example) -> Ground:
    """The same, best with another asker than the one whose numbers the chapters work out."""
    here = ground(example)
    rows = [i for i in _weighing(here.scene) if i != here.asker]
    return _told(here.scene, rows[-1]) if rows else here


def stand_in(example: Example) -> Ground:
    """The pair of tokens, of which the second gives different weights."""
    two = pair(example)
    return _told(Scene("practice-pair", two, derive(two)), 1)


def own(example: Example) -> Scene:
    """The example itself."""
    return Scene("", example, derive(example))


def pair(example: Example) -> Example:
    """Two tokens with small whole numbers, for an example with nothing to weigh.

    Its queries are (1, 2) and (0, 1), its keys (1, 0) and (1, 2), its values 4 and 0.
    """
    def matrix(*rows: tuple[int, ...]) -> Rationals:
        return Rationals(rows)

    return replace(
        example, tokens=("a", "b"), mask=None, divisor=Divisor("sqrt_dk", 2, 1, 1),
        x=matrix((1, 0), (0, 1)), w_q=matrix((1, 2), (0, 1)), w_k=matrix((1, 0), (1, 2)),
        w_v=matrix((4,), (0,)))


def _weighing(scene: Scene) -> list[int]:
    """The rows with different weights, the second token first, and then in order."""
    found = scene.derivation.exponents
    first = min(1, found.shape[0] - 1)
    rows = [first, *(i for i in range(found.shape[0]) if i != first)]
    return [i for i in rows if len(set(found.numerators(i).values())) > 1]


def _told(scene: Scene, asker: int) -> Ground:
    row = scene.derivation.exponents.numerators(asker)
    heard = max(row, key=lambda j: (row[j], -j))
    target = next(j for j in row if j != asker)
    return Ground(scene, asker, heard, target)


def halved(scene: Scene) -> Scene:
    """The scores divided by 2."""
    return _derived(scene, "halved", divisor=HALVES)


def unmasked(scene: Scene) -> Scene:
    """Each token may hear each."""
    return _derived(scene, "unmasked", mask=None)


def causally(scene: Scene) -> Scene:
    """Each token may hear itself and those before it."""
    return _derived(scene, "causal", mask=causal(len(scene.example.tokens)))


def warmed(scene: Scene) -> Scene:
    """The scaled scores divided by 2 as well."""
    return Scene(f"{scene.prefix}-warm", scene.example,
                 at_temperature(scene.example, TEMPERATURE))


def swapped(scene: Scene, i: int, j: int) -> Scene:
    """Two tokens in each other's place, without a mask."""
    x, tokens = scene.example.x, scene.example.tokens
    order = list(range(len(tokens)))
    order[i], order[j] = j, i
    rows = Rationals(tuple(x.integers[k] for k in order), x.denominator)
    return _derived(scene, "swapped", tokens=tuple(tokens[k] for k in order), x=rows, mask=None)


def doubled(scene: Scene) -> Scene:
    """Queries and keys written twice, side by side: d_k doubles, and so does each score."""
    def twice(matrix: Rationals) -> Rationals:
        return Rationals(tuple(row + row for row in matrix.integers), matrix.denominator)

    divisor = scene.example.divisor
    if divisor.kind == "sqrt_dk":
        divisor = replace(divisor, root=2 * divisor.root)
    return _derived(scene, "doubled", w_q=twice(scene.example.w_q),
                    w_k=twice(scene.example.w_k), divisor=divisor)


def raised(scene: Scene, asker: int) -> Scene:
    """The asker's scores, each with 3 added."""
    values = exact_values(scene.example)
    scores = values["scores"]
    assert isinstance(scores, Rationals)
    more = RAISED_BY * scores.denominator
    row = tuple(entry + more for entry in scores.integers[asker])
    return _with_scores(scene, "raised", values, _with_row(scores, asker, row))


def asking(scene: Scene, variant: str, asker: int, query: tuple[int, ...]) -> Scene:
    """The asker with another query."""
    values = exact_values(scene.example)
    queries, keys = values["queries"], values["keys"]
    assert isinstance(queries, Rationals) and isinstance(keys, Rationals)
    asked = _with_row(queries, asker, tuple(entry * queries.denominator for entry in query))
    values["queries"] = asked
    return _with_scores(scene, variant, values, multiply_transposed(asked, keys))


def _derived(scene: Scene, variant: str, **changes: Any) -> Scene:
    example = replace(scene.example, **changes)
    return Scene(f"{scene.prefix}-{variant}", example, derive(example))


def _with_scores(
    scene: Scene, variant: str, values: dict[str, Values], scores: Rationals
) -> Scene:
    """The example's derivation with other scores, and what follows from them."""
    example, mixed = scene.example, values["values"]
    assert isinstance(mixed, Rationals)
    scaled = scaled_scores(scores, example.divisor)
    moved = replace(scaled, open=example.mask)
    masked: dict[str, Values] = {} if example.mask is None else \
        {"mask": Mask(example.mask), "masked_scores": moved}
    steps = values | {"scores": scores, "scaled_scores": scaled} | masked | attended(moved, mixed)
    return Scene(f"{scene.prefix}-{variant}", example,
                 assembled(example, steps, FORMULAS, sizes_of(example)))


def _with_row(matrix: Rationals, i: int, row: tuple[int, ...]) -> Rationals:
    return Rationals((*matrix.integers[:i], row, *matrix.integers[i + 1:]), matrix.denominator)
