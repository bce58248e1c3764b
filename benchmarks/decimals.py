"""Certified decimals of softmax weights: arb's balls, the standard library, and sympy.N."""

from collections.abc import Iterator
from functools import partial
from math import prod

from sympy import Expr, N, Rational, exp, sqrt

from benchmarks.inputs import random_example
from benchmarks.measure import Row, best
from derivations.attention import exact_values
from derivations.decimals import Enclose, Table, table
from derivations.enclosures import balls, standard
from derivations.values import ExpSums

SIZE = (16, 64, 64)
PLACES = 6
ROUNDS = 7


def rows() -> Iterator[Row]:
    """Each implementation with the next slower one, for one weight."""
    weights = exact_values(random_example(SIZE))["weights"]
    assert isinstance(weights, ExpSums)
    by_balls = partial(_table, weights, balls.enclosures)
    by_decimal = partial(_table, weights, standard.enclosures)
    if by_balls() != by_decimal():
        raise AssertionError("the two implementations print different digits")
    expressions = [_weight(weights, i, j) for i in range(SIZE[0]) for j in range(SIZE[0])]
    by_n = partial(_sympy_n, expressions)
    what = f"a weight of {SIZE[0]} to {PLACES} places"
    yield _row(f"{what}, arb balls", "standard decimal", best(by_balls, by_decimal, ROUNDS))
    yield _row(f"{what}, arb balls", "sympy.N (proves nothing)", best(by_balls, by_n, 3))
    yield _row(f"{what}, standard decimal", "sympy.N (proves nothing)", best(by_decimal, by_n, 3))


def _row(what: str, against: str, timed: tuple[float, float]) -> Row:
    count = prod((SIZE[0], SIZE[0]))
    return Row(what, against, timed[0] / count, timed[1] / count)


def _table(weights: ExpSums, enclose: Enclose) -> Table:
    """From a matrix seen for the first time: nothing kept from an earlier call."""
    fresh = ExpSums(weights.exponents, weights.tops, weights.normalised)
    return table(fresh, PLACES, enclose)


def _weight(weights: ExpSums, i: int, j: int) -> Expr:
    """The expression e^(r/sqrt(d_k)) over its row's sum, built before the clock starts."""
    row = [weights.exponents.rationals.entry(i, k) for k in range(weights.shape[1])]
    terms = [exp(Rational(r.numerator, r.denominator) / sqrt(weights.exponents.root)) for r in row]
    return terms[j] / sum(terms)


def _sympy_n(expressions: list[Expr]) -> list[str]:
    return [str(N(expression, PLACES)) for expression in expressions]
