"""How each exercise is made of an example: where it plays, which entries it asks for."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from derivations.decimals import table
from derivations.lesson.practice import scenes
from derivations.lesson.practice.choices import NothingToAsk, is_far, scored, telling_column
from derivations.lesson.practice.data import Exercise, Numbers, of_step, power, scalar
from derivations.lesson.practice.makers_changed import doubled, listener, mask, mistake, order
from derivations.lesson.practice.scenes import Ground, Scene


def query(here: Scene) -> Exercise:
    """The asker's first query number that is not 0."""
    row = min(1, len(here.example.tokens) - 1)
    queries = here.derivation.rationals("queries").integers[row]
    col = next((c for c, number in enumerate(queries) if number), 0)
    return Exercise("query", of_step(here, "queries", (row, col)), {"here": here},
                    {"row": row, "col": col})


def score(here: Scene) -> Exercise:
    """The score with the most products that are not 0."""
    queries, keys = (here.derivation.rationals(key).integers for key in ("queries", "keys"))
    n = len(queries)
    def products(place: tuple[int, int]) -> int:
        return sum(bool(q * k) for q, k in zip(queries[place[0]], keys[place[1]], strict=True))

    row, col = max(((i, j) for i in range(n) for j in range(n)), key=products)
    return Exercise("score", of_step(here, "scores", (row, col)), {"here": here},
                    {"row": row, "col": col})


def _scaled(here: Ground) -> Exercise:
    """A score of the asker; where the scale is 1, a scale of 2 takes its place."""
    scene, divisor = here.scene, here.scene.derivation.divisor
    if divisor.root == 1 and divisor.numerator == divisor.denominator:
        scene = scenes.halved(scene)
    col = scored(here)
    return Exercise("scaled", of_step(scene, "scaled_scores", (here.asker, col)), {"here": scene},
                    {"row": here.asker, "col": col})


def _hole(here: Ground) -> Exercise:
    """A number of a key, best one that is not 0, where a query's number that is not 0 meets it."""
    derivation = here.scene.derivation
    queries, keys = derivation.rationals("queries"), derivation.rationals("keys")
    rows = [here.asker, *range(len(queries.integers))]
    row = max(rows, key=lambda i: sum(map(bool, queries.integers[i])))
    inner = next((c for c, number in enumerate(queries.integers[row]) if number), -1)
    if inner < 0:
        raise NothingToAsk
    heard = (here.heard, *here.exponents.open_keys(here.asker))
    col = next((j for j in heard if keys.integers[j][inner]), here.heard)
    product = queries.entry(row, inner) * keys.entry(col, inner)
    rest = derivation.rationals("scores").entry(row, col) - product
    shown = {"rest": scalar(here.scene, "rest", rest),
             "product": scalar(here.scene, "product", product)}
    return Exercise("hole", of_step(here.scene, "keys", (col, inner)), {"here": here.scene},
                    {"row": row, "col": col, "inner": inner}, shown=shown)


def _row_sum(here: Ground) -> Exercise:
    return Exercise("row-sum", scalar(here.scene, "row_sum", Fraction(1)), {"here": here.scene},
                    {"row": here.asker})


def _tie(here: Ground) -> Exercise:
    then = _with_zeros(here)
    return _in(here, "tie", "weights", here.target, then)


def _mean(here: Ground) -> Exercise:
    return _in(here, "mean", "output", telling_column(here), _with_zeros(here))


def _weight(here: Ground) -> Exercise:
    """Of a token that is not heard most, with a score that is not 0 if there is one."""
    row = here.exponents.numerators(here.asker)
    col = next((j for j in row if row[j] and j != here.heard), here.target)
    return _in(here, "weight", "weights", col)


def _output(here: Ground) -> Exercise:
    """A number of the asker's output, and what it is by the printed weights."""
    col = telling_column(here)
    made = _in(here, "output", "output", col)
    return replace(made, shown={"by_hand": by_hand(here, col)})


def by_hand(here: Ground, col: int) -> Numbers:
    """A number of the asker's output, mixed by the weights as they are printed."""
    derivation, places = here.scene.derivation, here.scene.example.places
    weights = table(derivation["weights"].values, places)[here.asker]
    values = derivation.rationals("values")
    mixed = sum((weight.value * values.entry(j, col)
                 for j, weight in enumerate(weights) if weight), Fraction(0))
    return scalar(here.scene, "by_hand", mixed)


def _ratio(here: Ground) -> Exercise:
    """Of the largest weight to the smallest."""
    row = here.exponents.numerators(here.asker)
    low = min(row, key=lambda j: (row[j], j))
    apart = Fraction(row[here.heard] - row[low], here.exponents.rationals.denominator)
    if is_far(apart, here.exponents.root):
        raise NothingToAsk
    answer = power(here.scene, "ratio", apart, here.exponents.root)
    return Exercise("ratio", answer, {"here": here.scene},
                    {"row": here.asker, "high": here.heard, "low": low})


def _raised(here: Ground) -> Exercise:
    then = scenes.raised(here.scene, here.asker)
    return _in(here, "raised", "weights", here.target, then, by=scenes.RAISED_BY)


def _temperature(here: Ground) -> Exercise:
    then = scenes.warmed(here.scene)
    return _in(here, "temperature", "weights", here.heard, then,
               by=int(scenes.TEMPERATURE))


MAKERS: tuple[Callable[[Ground], Exercise], ...] = (
    _scaled, _hole, _row_sum, _tie, _mean, _weight, _output, _ratio, _raised, _temperature, mask,
    order, doubled, mistake, listener)


def _in(
    here: Ground, key: str, step: str, col: int, then: Scene | None = None, **counts: int
) -> Exercise:
    """An exercise on one number of the asker: of the changed scene, where there is one."""
    told = {"here": here.scene} | ({"then": then} if then else {})
    return Exercise(key, of_step(then or here.scene, step, (here.asker, col)), told,
                    {"row": here.asker, "col": col}, counts)


def _with_zeros(here: Ground) -> Scene:
    query = (0,) * here.scene.derivation.size("d_k")
    return scenes.asking(here.scene, "zero", here.asker, query)
