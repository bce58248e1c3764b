"""How each exercise is made of an example: where it plays, which entries it asks for."""

from collections.abc import Callable
from fractions import Fraction

from derivations.lesson.practice import scenes
from derivations.lesson.practice.data import (
    Exercise,
    Named,
    Numbers,
    Queries,
    of_step,
    over_root,
    power,
    scalar,
)
from derivations.lesson.practice.mistakes import told_apart
from derivations.lesson.practice.queries import best_queries, is_enumerable
from derivations.lesson.practice.scenes import Ground, Scene

MOST_ANSWERS = 6


class NothingToAsk(Exception):
    """The example has nothing that this exercise could ask for."""


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
    """The score for the token heard most; where the scale is 1, a scale of 2 takes its place."""
    scene, divisor = here.scene, here.scene.derivation.divisor
    if divisor.root == 1 and divisor.numerator == divisor.denominator:
        scene = scenes.halved(scene)
    place = here.asker, here.heard
    return Exercise("scaled", of_step(scene, "scaled_scores", place), {"here": scene},
                    {"row": here.asker, "col": here.heard})


def _hole(here: Ground) -> Exercise:
    """A number of a key, where a number of a query that is not 0 meets it."""
    derivation = here.scene.derivation
    queries, keys = derivation.rationals("queries"), derivation.rationals("keys")
    rows = [here.asker, *range(len(queries.integers))]
    row = max(rows, key=lambda i: sum(map(bool, queries.integers[i])))
    inner = next((c for c, number in enumerate(queries.integers[row]) if number), -1)
    if inner < 0:
        raise NothingToAsk
    col = here.heard
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
    return _in(here, "mean", "output", _column(here), _with_zeros(here))


def _weight(here: Ground) -> Exercise:
    """Of a token that is not heard most, with a score that is not 0 if there is one."""
    row = here.exponents.numerators(here.asker)
    col = next((j for j in row if row[j] and j != here.heard), here.target)
    return _in(here, "weight", "weights", col)


def output(here: Ground) -> Exercise:
    """A number of the asker's output."""
    return _in(here, "output", "output", _column(here))


def _ratio(here: Ground) -> Exercise:
    """Of the largest weight to the smallest."""
    row = here.exponents.numerators(here.asker)
    low = min(row, key=lambda j: (row[j], j))
    apart = Fraction(row[here.heard] - row[low], here.exponents.rationals.denominator)
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


def _mask(here: Ground) -> Exercise:
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


def _order(here: Ground) -> Exercise:
    """The asker and its target change places."""
    example = here.scene.example
    before = here.scene if example.mask is None else scenes.unmasked(here.scene)
    then = scenes.swapped(here.scene, here.asker, here.target)
    col = _column(here)
    return Exercise("order", of_step(then, "output", (here.target, col)),
                    {"here": here.scene, "before": before, "then": then},
                    {"row": here.asker, "other": here.target, "col": col})


def _doubled(here: Ground) -> Exercise:
    divisor = here.scene.derivation.divisor
    top = Fraction(2 * divisor.numerator * divisor.root, divisor.denominator)
    then = scenes.doubled(here.scene)
    return Exercise("doubled", over_root(here.scene, "divisor", top, divisor.root),
                    {"here": here.scene, "then": then},
                    {"row": here.asker, "col": here.heard})


def _mistake(here: Ground) -> Exercise:
    """A mistake whose weights no other gives."""
    found = told_apart(here.scene.derivation, here.scene.example.places)
    if not found:
        raise NothingToAsk
    key = found[0].mistake.key
    wrong = Numbers(f"{here.scene.prefix}-{key}", "weights", found[0].weights)
    return Exercise("mistake", Named(key), {"here": here.scene}, shown={"wrong": wrong},
                    listed=tuple(one.mistake.key for one in found))


def _listener(here: Ground) -> Exercise:
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


MAKERS: tuple[Callable[[Ground], Exercise], ...] = (
    _scaled, _hole, _row_sum, _tie, _mean, _weight, output, _ratio, _raised, _temperature, _mask,
    _order, _doubled, _mistake, _listener)


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


def _column(here: Ground) -> int:
    """The first column in which the values that the asker may hear differ, else the first."""
    values = here.scene.derivation.rationals("values").integers
    heard = here.exponents.open_keys(here.asker)
    return next((c for c in range(len(values[0])) if len({values[j][c] for j in heard}) > 1), 0)
