"""The exact engine: by hand, by Fractions, and by the entry equations as a second route."""

from dataclasses import replace
from fractions import Fraction
from math import gcd
from pathlib import Path

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations import exact
from derivations.attention import LARGEST_EXPONENT, derive, ones
from derivations.example import load
from derivations.faults import ExampleError
from derivations.formula import (
    Dot,
    Exponential,
    Given,
    Masked,
    Ratio,
    RowSum,
    Scaled,
    address,
    entry,
)
from derivations.notation import BY_KEY
from derivations.second_route import disagreements, exact_value, exponential
from derivations.values import (
    ExpSums,
    Mask,
    Rationals,
    Rooted,
    rational_entry,
    reduced,
    square_root,
)
from tests.strategies import built, dot, examples

CATS = Path(__file__).parent / "examples" / "cats.toml"
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
# All sizes are 3, so that a wrong index still finds an entry: only the value can betray it.
CUBE = {
    "tokens": ["a", "b", "c"],
    "x": [["1/2", -1, 2], [3, "0.7", -2], [1, 5, "-1/3"]],
    "w_q": [["0.1", 1, "-0.3"], [-1, "0.2", "1/3"], ["0.7", "-0.4", 1]],
    "w_k": [[1, "0.6", "-0.2"], ["1/7", -1, "0.3"], ["-0.9", "0.4", 2]],
    "w_v": [["0.1", 1, "0.8"], [1, "-0.5", "2/3"], ["0.3", -1, "0.6"]],
}


def fractions(values):
    rows, cols = values.shape
    return [[rational_entry(values, i, j) for j in range(cols)] for i in range(rows)]


def head(scores, values=None, **more):
    """A derivation with exactly these scores S, and no scale but what is given."""
    n = len(scores)
    identity = [[int(i == j) for j in range(n)] for i in range(n)]
    keys = {"tokens": [f"t{i}" for i in range(n)], "x": identity, "w_q": identity,
            "w_k": [list(col) for col in zip(*scores, strict=True)],
            "w_v": values or [[i + 1] for i in range(n)], "scale": "none", **more}
    return derive(built(keys))


@pytest.fixture(scope="module")
def cats():
    return derive(load(CATS))


@pytest.fixture(scope="module")
def cube():
    return derive(built({**CUBE, "mask": [[1, 1, 0], [1, 1, 1], [0, 1, 1]]}))


# The default example, by hand.

BY_HAND = {
    "embeddings": [[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 0, 0]],
    "queries": [[1, 2], [0, 1], [2, 1]],
    "keys": [[1, 0], [2, 1], [1, 2]],
    "values": [[0, 1], [1, 0], [2, 1]],
    "scores": [[1, 4, 5], [0, 1, 2], [2, 5, 4]],
}


@pytest.mark.parametrize("key", BY_HAND)
def test_the_default_numbers(cats, key):
    assert fractions(cats[key].values) == BY_HAND[key]


def test_the_default_steps_and_sizes(cats):
    assert [step.key for step in cats.steps] == [
        "embeddings", "w_q", "w_k", "w_v", "queries", "keys", "values", "scores", "scaled_scores",
        "exponentials", "normalisers", "weights", "output"]
    assert dict(cats.sizes) == {"n_q": 3, "n_k": 3, "d_model": 5, "d_k": 2, "d_v": 2}
    assert "mask" not in cats and "output" in cats
    assert cats["normalisers"].shape == (3, 1) and cats["output"].shape == (3, 2)


def test_the_default_exponentials_are_a_structure(cats):
    """Exponents s / sqrt(2), values over the whole row: nothing was evaluated."""
    weights, output = cats["weights"].values, cats["output"].values
    assert weights.exponents == Rooted(Rationals(((1, 4, 5), (0, 1, 2), (2, 5, 4))), 2)
    assert output.exponents == weights.exponents
    assert output.terms(1, 0) == ((0, 0), (1, 1), (2, 2))
    assert weights.terms(1, 2) == ((2, 1),)
    assert cats["normalisers"].values.terms(0, 0) == ((0, 1), (1, 1), (2, 1))


def test_mask_steps_stand_before_the_exponentials(cube):
    keys = [step.key for step in cube.steps]
    assert keys[8:12] == ["scaled_scores", "mask", "masked_scores", "exponentials"]


# Products of matrices, against Fractions.

rationals = st.builds(Fraction, st.integers(-10**6, 10**6), st.integers(1, 60))
inner = st.integers(1, 5)


@st.composite
def pairs(draw):
    """A [n, m] and B [m, p], each as integers over one denominator (not always the least)."""
    n, m, p = draw(inner), draw(inner), draw(inner)

    def matrix(rows, cols):
        row = st.lists(st.integers(-10**20, 10**20), min_size=cols, max_size=cols)
        integers = draw(st.lists(row, min_size=rows, max_size=rows))
        return Rationals(tuple(map(tuple, integers)), draw(st.integers(1, 10**9)))

    return matrix(n, m), matrix(m, p)


def entries(a):
    return [[Fraction(entry, a.denominator) for entry in row] for row in a.integers]


def transposed(a):
    return Rationals(tuple(zip(*a.integers, strict=True)), a.denominator)


def assert_lowest_terms(a):
    flat = [entry for row in a.integers for entry in row]
    assert {type(number) for number in (*flat, a.denominator)} == {int}
    assert a.denominator >= 1
    assert gcd(a.denominator, *flat) == 1


@given(pairs())
@settings(max_examples=150, deadline=None)
def test_products_are_sums_of_products(pair):
    a, b = pair
    expected = [[dot(row, col) for col in zip(*entries(b), strict=True)] for row in entries(a)]
    for product in (*exact.multiply_each(a, b), exact.multiply_transposed(a, transposed(b))):
        assert entries(product) == expected
        assert product.shape == (a.shape[0], b.shape[1])
        assert_lowest_terms(product)


@given(pairs(), st.integers(-99, 99), st.integers(1, 99))
@settings(max_examples=80, deadline=None)
def test_scaling_multiplies_every_entry(pair, numerator, denominator):
    a, _ = pair
    scaled = exact.scale(a, numerator, denominator)
    factor = Fraction(numerator, denominator)
    assert entries(scaled) == [[entry * factor for entry in row] for row in entries(a)]
    assert_lowest_terms(scaled)


@pytest.mark.parametrize(("integers", "denominator", "expected"), [
    (((2, 4), (6, 0)), 2, Rationals(((1, 2), (3, 0)), 1)),
    (((2, 3),), 6, Rationals(((2, 3),), 6)),
    (((0, 0),), 12, Rationals(((0, 0),), 1)),
    (((-4, 8),), 12, Rationals(((-1, 2),), 3)),
])
def test_reduced(integers, denominator, expected):
    assert reduced(integers, denominator) == expected


# Entry equations against the engine.


def found(derivation, step):
    return disagreements(derivation, step, step.places)


@pytest.mark.parametrize("more", [{}, {"mask": "causal"}, {"scale": "none"}, {"scale": "2/3"},
                                  {"mask": [[0, 0, 0], [1, 0, 1], [0, 1, 0]]}], ids=str)
def test_both_routes_agree_on_the_cube(more):
    derivation = derive(built({**CUBE, **more}))
    for step in derivation.steps:
        assert found(derivation, step) == []


def test_both_routes_agree_on_the_default_example(cats):
    for step in cats.steps:
        assert found(cats, step) == []


@given(examples(most=5))
@settings(max_examples=60, deadline=None)
def test_both_routes_agree(example):
    derivation = derive(example)
    for step in derivation.steps:
        assert found(derivation, step) == []


def test_every_step_but_the_given_ones_has_equations(cube):
    given_steps = {step.key for step in cube.steps if isinstance(step.formula, Given)}
    assert given_steps == {"embeddings", "w_q", "w_k", "w_v", "mask"}
    for step in cube.steps:
        for i, j in step.places:
            assert (step.expression(i, j) is None) == (step.key in given_steps)


WRONG_FORMULAS = [
    ("queries", Dot("embeddings", "w_k")),
    ("queries", Dot("w_q", "embeddings")),
    ("queries", Dot("embeddings", "w_q", transposed=True)),
    ("keys", Dot("embeddings", "w_q")),
    ("values", Dot("embeddings", "w_k")),
    ("scores", Dot("queries", "keys")),
    ("scores", Dot("keys", "queries", transposed=True)),
    ("scores", Dot("queries", "values", transposed=True)),
    ("scores", Dot("queries", "keys", transposed=True, masked=True)),
    ("scaled_scores", Scaled("scaled_scores")),
    ("scaled_scores", Scaled("queries")),
    ("masked_scores", Masked("scores", "mask")),
    ("exponentials", Exponential("scaled_scores")),
    ("exponentials", Exponential("scores")),
    ("normalisers", RowSum("weights")),
    ("normalisers", RowSum("scaled_scores")),
    ("weights", Ratio("scaled_scores", "normalisers")),
    ("weights", Ratio("weights", "normalisers")),
    ("weights", Ratio("exponentials", "exponentials")),
    ("output", Dot("weights", "keys", masked=True)),
    ("output", Dot("weights", "values", transposed=True, masked=True)),
    ("output", Dot("exponentials", "values", masked=True)),
    ("output", Dot("values", "weights")),
]


@pytest.mark.parametrize(("key", "formula"), WRONG_FORMULAS, ids=str)
def test_a_wrong_formula_is_found(cube, key, formula):
    assert found(cube, replace(cube[key], formula=formula))


@pytest.mark.parametrize("key", ["queries", "keys", "values", "scores"])
def test_a_sum_that_stops_early_is_found(cube, key):
    assert found(cube, replace(cube[key], width=2))


@pytest.mark.parametrize("key", ["masked_scores", "normalisers", "weights", "output"])
def test_another_mask_in_the_formula_is_found(cube, key):
    flipped = ((True, True, True), (True, False, True), (True, True, True))
    assert found(cube, replace(cube[key], open=flipped))


def test_another_divisor_is_found(cube):
    number = replace(cube.divisor, root=1, numerator=3)
    assert found(replace(cube, divisor=number), cube["scaled_scores"])


def test_values_of_another_step_are_found(cube):
    weights = cube["weights"].values
    wrong = {
        "queries": cube["keys"].values,
        "scores": transposed(cube["scores"].values),
        "scaled_scores": replace(cube["scaled_scores"].values, root=2),
        "masked_scores": replace(cube["masked_scores"].values, open=None),
        "exponentials": replace(cube["exponentials"].values, normalised=True),
        "normalisers": replace(cube["normalisers"].values, normalised=True),
        "weights": replace(weights, normalised=False),
        "output": replace(cube["output"].values, tops=transposed(cube["values"].values)),
    }
    for key, values in wrong.items():
        assert found(cube, replace(cube[key], values=values)), key


def test_a_softmax_down_the_columns_is_found(cube):
    exponents = cube["weights"].values.exponents
    turned = Rooted(transposed(exponents.rationals), exponents.root,
                    tuple(zip(*exponents.open, strict=True)))
    assert found(cube, replace(cube["weights"], values=ExpSums(turned, None, normalised=True)))


def shifted(values, i, j):
    """The same values, off by a millionth of a unit at one place."""
    match values:
        case Rationals(integers, denominator):
            rows = [[entry * 10**6 for entry in row] for row in integers]
            rows[i][j] += 1
            return Rationals(tuple(map(tuple, rows)), denominator * 10**6)
        case Rooted(matrix, root, is_open):
            return Rooted(shifted(matrix, i, j), root, is_open)


@pytest.mark.parametrize("key", ["queries", "keys", "values", "scores", "scaled_scores"])
def test_a_small_error_is_found_where_it_is(cube, key):
    step = cube[key]
    for i, j in step.places:
        wrong = replace(step, values=shifted(step.values, i, j))
        assert found(cube, wrong) == [step.quantity.entry(i + 1, j + 1)]


@pytest.mark.parametrize("key", ["exponentials", "normalisers", "weights", "output"])
def test_a_small_error_of_one_exponent_is_found_in_its_row(cube, key):
    """Of entry (2, 3): no other row may be blamed, and that row must be."""
    step = cube[key]
    wrong = replace(step.values, exponents=shifted(step.values.exponents, 1, 2))
    names = found(cube, replace(step, values=wrong))
    row = [step.quantity.entry(2, j + 1) for j in range(step.shape[1])]
    assert names and set(names) <= set(row)


def test_only_the_places_asked_for_are_compared(cube):
    step = cube["scores"]
    wrong = replace(step, values=shifted(step.values, 1, 2))
    assert disagreements(cube, wrong, [(0, 0), (2, 1)]) == []
    assert disagreements(cube, wrong, [(0, 0), (1, 2)]) == ["s_{2,3}"]


def test_equal_exponents_are_one_symbol():
    root = sympy.sqrt(2)
    assert exponential(2 / root) == exponential(root)
    assert exponential(sympy.Integer(0)) == 1
    assert exponential(-sympy.oo) == 0
    assert exponential(root) != exponential(-root)


@pytest.mark.parametrize("key", BY_KEY)
@pytest.mark.parametrize("place", [(0, 0), (0, 10), (11, 0), (122, 100)])
def test_an_address_is_the_inverse_of_an_entry(key, place):
    symbol = entry(key, *place)
    assert symbol.name == f"{key}-r{place[0] + 1}c{place[1] + 1}"
    assert address(symbol) == (key, *place)


# What is rational.


def sums(exponents, tops=None, root=1, normalised=True, is_open=None, denominator=1):
    """One row of exponents; `tops` is a column."""
    column = None if tops is None else Rationals(tuple((top,) for top in tops), denominator)
    marks = None if is_open is None else (tuple(map(bool, is_open)),)
    return ExpSums(Rooted(Rationals((tuple(exponents),)), root, marks), column, normalised)


RATIONAL = [
    # quotients: the mean of the values is the same in every group of equal exponents
    (sums([1, 1, 2], [0, 10, 5], denominator=100000), Fraction(5, 100000)),
    (sums([1, 2, 3], [7, 7, 7], denominator=3), Fraction(7, 3)),
    (sums([1, 2, 1, 2], [0, 1, 4, 3]), 2),
    (sums([5, 5, 5], [1, 2, 4]), Fraction(7, 3)),
    (sums([5, 5, 7], [-1, 1, 0]), 0),
    (sums([1, 2], [3, 4], is_open=[0, 1]), 4),
    (sums([1, 2, 9], [3, 3, 4], is_open=[1, 1, 0]), 3),
    (sums([1, 2], [3, 4], is_open=[0, 0]), 0),
    # sums of exponentials: nothing may be left but e^0
    (sums([0, 0, 3], [1, 2, 0], normalised=False), 3),
    (sums([4, 4, 0], [1, -1, 5], normalised=False, denominator=2), Fraction(5, 2)),
    (sums([1, 0], [1, 1], normalised=False, is_open=[0, 1]), 1),
    (sums([1, 2], [1, 1], normalised=False, is_open=[0, 0]), 0),
    # single weights and exponentials
    (sums([2, 2, 2], None), Fraction(1, 3)),
    (sums([2, 3, 3], None, is_open=[0, 1, 1]), 0),
    (sums([0, 3], None, normalised=False), 1),
    (sums([3, 0], None, normalised=False, is_open=[0, 1]), 0),
]
IRRATIONAL = [
    sums([1, 1, 2], [0, 10, 6]),
    sums([1, 2, 3], [7, 7, 8]),
    sums([1, 2, 1, 2], [0, 1, 4, 4]),
    sums([1, 2], [0, 1]),
    sums([0, 1], [1, 1], normalised=False),
    sums([4, 4, 0], [1, -2, 5], normalised=False),
    sums([1, 2], None),
    sums([1, 2, 3], None, is_open=[1, 0, 1]),
    sums([1, 0], None, normalised=False),
    sums([1, 2, 2], [1, 2, 2], root=2),
]


@pytest.mark.parametrize(("values", "expected"), RATIONAL)
def test_what_is_rational(values, expected):
    assert rational_entry(values, 0, 0) == expected


@pytest.mark.parametrize("values", IRRATIONAL)
def test_what_is_not_rational(values):
    assert rational_entry(values, 0, 0) is None


@given(examples(most=4))
@settings(max_examples=40, deadline=None)
def test_rational_entries_are_those_without_exponentials_or_roots(example):
    """By SymPy: cancelled, with one symbol for each exponential, only a number is rational."""
    derivation = derive(example)
    for step in derivation.steps:
        for i, j in step.places:
            rational = rational_entry(step.values, i, j)
            value = sympy.cancel(exact_value(derivation, step, i, j))
            if rational is None:
                assert value == -sympy.oo or not value.is_Rational
            else:
                assert value == sympy.Rational(rational.numerator, rational.denominator)


def test_a_hidden_tie_of_an_example():
    """Scores 1, 1, 2 with values 0, 0.0001, 0.00005: transcendental weights, a rational output."""
    derivation = head([[1, 1, 2], [1, 2, 1], [0, 0, 0]], [[0], ["0.0001"], ["0.00005"]])
    output = derivation["output"].values
    assert rational_entry(derivation["weights"].values, 0, 0) is None
    assert rational_entry(output, 0, 0) == Fraction(1, 20000)
    assert rational_entry(output, 1, 0) is None
    assert rational_entry(output, 2, 0) == Fraction(1, 20000)


@pytest.mark.parametrize(("r", "root", "expected"), [
    (3, 4, Fraction(3, 2)), (-6, 9, -2), (0, 2, 0), (5, 1, 5), (3, 2, None), (2, 8, None)])
def test_scaled_scores_are_rational_over_a_perfect_square(r, root, expected):
    assert rational_entry(Rooted(Rationals(((r,),)), root), 0, 0) == expected


def test_minus_infinity_is_not_rational():
    assert rational_entry(Rooted(Rationals(((0,),)), 4, ((False,),)), 0, 0) is None


@given(st.integers(0, 10**40))
@settings(max_examples=50, deadline=None)
def test_square_roots(root):
    assert square_root(root * root) == root
    assert root == 0 or square_root(root * root + 1) is None


# Masks.


def test_a_fully_masked_row_is_zero():
    derivation = head([[1, 2, 3], [4, 5, 6], [7, 8, 10]], mask=[[1, 0, 1], [0, 0, 0], [0, 1, 0]])
    assert fractions(derivation["weights"].values)[1:] == [[0, 0, 0], [0, 1, 0]]
    assert fractions(derivation["output"].values)[1:] == [[0], [2]]
    assert fractions(derivation["normalisers"].values)[1] == [0]
    assert fractions(derivation["exponentials"].values)[1] == [0, 0, 0]
    assert fractions(derivation["mask"].values) == [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    masked = derivation["masked_scores"]
    assert [exact_value(derivation, masked, 0, j) for j in range(3)] == [1, -sympy.oo, 3]
    assert derivation["weights"].keys(1) == ()
    assert derivation["output"].expression(1, 0) == 0
    assert derivation["weights"].values.groups == (((0,), (2,)), (), ((1,),))


def test_a_causal_mask_is_lower_triangular():
    derivation = head(IDENTITY, mask="causal")
    assert derivation.open == ((True, False, False), (True, True, False), (True, True, True))
    assert derivation["mask"].values == Mask(derivation.open)
    assert [derivation["output"].keys(i) for i in range(3)] == [(0,), (0, 1), (0, 1, 2)]


def test_a_hidden_key_has_no_part_in_its_row():
    """The hidden score may be anything: neither sums nor what is rational changes."""
    mask = [[1, 0, 1], [1, 1, 1], [1, 1, 1]]
    low = head([[1, -99, 1], [0, 1, 2], [3, 4, 5]], mask=mask)
    high = head([[1, 99, 1], [0, 1, 2], [3, 4, 5]], mask=mask)
    for derivation in (low, high):
        assert fractions(derivation["weights"].values)[0] == [Fraction(1, 2), 0, Fraction(1, 2)]
        assert rational_entry(derivation["output"].values, 0, 0) == 2


# Scales.

SCALES = [
    ({}, ("sqrt_dk", 3, 1, 1)),
    ({"scale": "sqrt_dk"}, ("sqrt_dk", 3, 1, 1)),
    ({"scale": "none"}, ("none", 1, 1, 1)),
    ({"scale": 2}, ("number", 1, 2, 1)),
    ({"scale": "0.5"}, ("number", 1, 1, 2)),
    ({"scale": "2/3"}, ("number", 1, 2, 3)),
]


@pytest.mark.parametrize(("more", "expected"), SCALES, ids=str)
def test_scales(more, expected):
    derivation = derive(built({**CUBE, **more}))
    divisor = derivation.divisor
    assert (divisor.kind, divisor.root, divisor.numerator, divisor.denominator) == expected
    scores, scaled = derivation["scores"].values, derivation["scaled_scores"].values
    assert scaled.root == divisor.root
    factor = Fraction(divisor.denominator, divisor.numerator)
    assert entries(scaled.rationals) == [[s * factor for s in row] for row in entries(scores)]
    assert_lowest_terms(scaled.rationals)


def test_a_perfect_square_makes_the_scaled_scores_rational():
    keys = {"tokens": ["a", "b"], "x": [[1], [2]], "w_q": [[1, 1, 1, 1]], "w_k": [[3, 0, 0, 0]],
            "w_v": [[1]]}
    derivation = derive(built(keys))
    assert derivation["scaled_scores"].values.root == 4
    assert fractions(derivation["scaled_scores"].values) == [[Fraction(3, 2), 3], [3, 6]]
    assert fractions(derivation["weights"].values) == [[None, None], [None, None]]


def test_a_perfect_square_leaves_equal_exponents_equal():
    keys = {"tokens": ["a", "b"], "x": [[1], [1]], "w_q": [[1, 1, 1, 1]], "w_k": [[3, 0, 0, 0]],
            "w_v": [[1]]}
    assert fractions(derive(built(keys))["weights"].values) == [[Fraction(1, 2)] * 2] * 2


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_exponent(sign):
    limit = sign * LARGEST_EXPONENT
    exponents = head([[limit, 0], [0, 0]])["exponentials"].values.exponents
    assert exponents.rationals.entry(0, 0) == limit
    with pytest.raises(ExampleError, match="token 1 for token 2 is beyond 5000"):
        head([[0, f"{limit}.000001"], [0, 0]])


def test_the_largest_exponent_counts_after_scaling():
    assert head([[7071, 0], [0, 0]], scale="sqrt_dk")  # over sqrt(2): 4999.95
    with pytest.raises(ExampleError, match="token 1 for token 1"):
        head([[7072, 0], [0, 0]], scale="sqrt_dk")  # 5000.66


def test_a_column_of_ones():
    assert ones(3) == Rationals(((1,), (1,), (1,)))
