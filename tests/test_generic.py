"""Identities for all numbers: proved where true, refused where false."""

import pytest
from sympy import Matrix, Rational, Symbol, exp, log, sqrt

from derivations import generic
from derivations.generic import IDENTITIES, MOVES, Generic, is_zero, softmax

SIZES = [(2, 2), (3, 2), (3, 4)]
a, b, c = (Symbol(name, real=True) for name in "abc")


@pytest.fixture(scope="module", params=SIZES, ids=str)
def g(request):
    return generic.generic(*request.param)


def all_zero(matrix):
    return all(is_zero(entry) for entry in matrix)


def columns(scores):
    """Softmax down the columns."""
    return softmax(scores.T).T


def causal(scores):
    """Softmax in which a query sees only the keys up to its own place."""
    powers = Matrix(scores.rows, scores.cols, lambda i, j: exp(scores[i, j]) if j <= i else 0)
    return Matrix(scores.rows, scores.cols, lambda i, j: powers[i, j] / sum(powers.row(i)))


def exponentials(scores):
    return scores.applyfunc(exp)


def doubled(scores):
    return softmax(2 * scores)


def shrunk(scores):
    """A little is kept for no key: rows add up to less than 1."""
    return softmax(scores) * Rational(999999, 1000000)


# What is true.


@pytest.mark.parametrize("statement", IDENTITIES)
def test_an_identity_is_proved(g, statement):
    assert IDENTITIES[statement](g)


def test_all_symbols_differ(g):
    """No two entries share a name: what holds for these symbols holds for all numbers."""
    symbols = [*g.queries, *g.keys, *g.values]
    assert len(set(symbols)) == len(symbols)
    assert all(symbol.is_Symbol for symbol in symbols)
    n, d = g.queries.shape
    assert (g.keys.shape, g.values.shape) == ((n, d), (n, 1))
    assert (g.weights.shape, g.output.shape) == ((n, n), (n, 1))


def test_the_attention_is_that_of_the_paper():
    g = generic.generic(2, 3)
    q, k, v = g.queries, g.keys, g.values
    score = {j: sum(q[0, l] * k[j, l] for l in range(3)) / sqrt(3) for j in range(2)}
    bottom = exp(score[0]) + exp(score[1])
    assert is_zero(g.scaled_scores[0, 1] - score[1])
    assert is_zero(g.weights[0, 1] - exp(score[1]) / bottom)
    assert is_zero(g.output[0] - (exp(score[0]) * v[0] + exp(score[1]) * v[1]) / bottom)


def test_the_moves_make_every_order():
    """A turn and a swap of neighbours generate all permutations."""
    start = Matrix([[0], [1], [2]])
    reached, fresh = {tuple(start)}, [start]
    while fresh:
        found = [move(order) for order in fresh for move in MOVES]
        fresh = [order for order in found if tuple(order) not in reached]
        reached |= {tuple(order) for order in fresh}
    assert len(reached) == 6


TRUE = {
    "powers add": exp(a) * exp(b) - exp(a + b),
    "powers subtract": exp(a - b) * exp(b) - exp(a),
    "the inverse": exp(-a) - 1 / exp(a),
    "over a root": exp((a + b) / sqrt(2)) - exp(a / sqrt(2)) * exp(b / sqrt(2)),
    "a shift": exp(a + c) / (exp(a + c) + exp(b + c)) - exp(a) / (exp(a) + exp(b)),
    "the logistic": 1 / (1 + exp(-a)) - exp(a) / (1 + exp(a)),
    "its reflection": 1 / (1 + exp(-a)) + 1 / (1 + exp(a)) - 1,
    "a product of sums": (exp(a) + 1) ** 2 - exp(2 * a) - 2 * exp(a) - 1,
    "nothing": a - a,
}


@pytest.mark.parametrize("name", TRUE)
def test_zero_is_recognised(name):
    assert is_zero(TRUE[name])


# What is false.

NOT_ZERO = {
    "one": exp(a) / exp(a),
    "an exponential": exp(a),
    "two exponentials": exp(a) - exp(b),
    "a sum for a product": exp(a) + exp(b) - exp(a + b),
    "a square": exp(a) ** 2 - exp(a),
    "a small number": Rational(1, 10**30),
    "a small factor": exp(a) * (1 + Rational(1, 10**30)) - exp(a),
    "another root": exp(a / sqrt(2)) - exp(a / sqrt(3)),
    "a shift of one score": exp(a + c) / (exp(a + c) + exp(b)) - exp(a) / (exp(a) + exp(b)),
    "the logistic with its sign flipped": 1 / (1 + exp(a)) - exp(a) / (1 + exp(a)),
    "zero at one point": a * exp(b),
    "zero where they are equal": exp(a) - exp(b) + a - b,
    "a logarithm": log(exp(a) + 1) - a,
}


@pytest.mark.parametrize("name", NOT_ZERO)
def test_what_is_not_zero_is_refused(name):
    assert not is_zero(NOT_ZERO[name])


def test_columns_do_not_add_up_to_one():
    weights = generic.generic(2, 2).weights
    assert not any(is_zero(sum(weights.col(j)) - 1) for j in range(weights.cols))


def test_a_softmax_down_the_columns_does_not_add_up_to_one_by_rows(g):
    weights = columns(g.scaled_scores)
    assert not any(is_zero(sum(weights.row(i)) - 1) for i in range(weights.rows))


def test_a_shift_of_one_score_changes_its_row(g):
    scores = g.scaled_scores
    scores[0, 0] += c
    difference = softmax(scores) - g.weights
    assert not any(is_zero(difference[0, j]) for j in range(scores.cols))
    assert all(is_zero(difference[i, j]) for i in range(1, scores.rows) for j in range(scores.cols))


def test_a_factor_changes_the_weights(g):
    assert not all_zero(softmax(g.scaled_scores * c) - g.weights)
    assert not all_zero(softmax(g.scaled_scores * sqrt(2)) - g.weights)


@pytest.mark.parametrize("move", MOVES)
def test_permuting_the_keys_without_the_values_changes_the_output(g, move):
    moved = Generic(g.queries, move(g.keys), g.values).output
    assert not any(is_zero(entry) for entry in moved - g.output)
    moved = Generic(g.queries, g.keys, move(g.values)).output
    assert not any(is_zero(entry) for entry in moved - g.output)


@pytest.mark.parametrize("move", MOVES)
def test_permuting_the_queries_does_change_the_outputs(g, move):
    assert not all_zero(Generic(move(g.queries), g.keys, g.values).output - g.output)


def test_queries_and_keys_cannot_be_exchanged(g):
    assert not all_zero(Generic(g.keys, g.queries, g.values).output - g.output)


def test_the_logistic_of_the_difference_the_other_way_round_is_refused(g):
    scores, weights = g.scaled_scores[:, :2], softmax(g.scaled_scores[:, :2])
    for i in range(scores.rows):
        difference = scores[i, 1] - scores[i, 0]
        assert not is_zero(weights[i, 1] - 1 / (1 + exp(difference)))
        assert not is_zero(weights[i, 0] - 1 / (1 + exp(-difference)))


def test_the_logistic_is_one_of_two_keys_only():
    g = generic.generic(3, 2)
    difference = g.scaled_scores[0, 1] - g.scaled_scores[0, 0]
    assert not is_zero(g.weights[0, 1] - 1 / (1 + exp(-difference)))


# Each statement is refused of an attention that it is not true of.

BROKEN = [
    ("rows_sum_to_one", columns),
    ("rows_sum_to_one", exponentials),
    ("rows_sum_to_one", shrunk),
    ("shift_changes_nothing", exponentials),
    ("shift_changes_nothing", columns),
    ("permuting_keys_changes_nothing", causal),
    ("permuting_queries_permutes_outputs", causal),
    ("weight_is_logistic", doubled),
    ("weight_is_logistic", columns),
    ("weight_is_logistic", shrunk),
]


@pytest.mark.parametrize(("identity", "wrong"), BROKEN)
def test_an_identity_is_refused_where_it_is_false(monkeypatch, g, identity, wrong):
    monkeypatch.setattr(generic, "softmax", wrong)
    assert not getattr(generic, identity)(g)


def test_every_identity_is_refused_of_something():
    refused = {name for name, _ in BROKEN}
    assert {prove.__name__ for prove in IDENTITIES.values()} == refused
    assert len(IDENTITIES) == 5
