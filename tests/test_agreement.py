"""The verdict: every entry held for what is right, and some entry not held for what is wrong."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from derivations import bounds, numeric
from derivations.agreement import LARGEST, agree
from derivations.attention import derive
from derivations.bounds import UNIT, Measured
from derivations.example import ExampleError, build, load
from derivations.formula import Given
from derivations.values import Rationals

UNHURRIED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
CATS = Path(__file__).parent / "examples" / "cats.toml"
SQUARE = {
    "x": [["0.3", "-1.2", 2], ["1/3", "0.7", -1], [2, "-0.1", "1.5"], ["0.9", 1, "-2/7"]],
    "w_q": [["0.5", 1, "-0.3"], [-1, "0.2", "1/3"], ["0.7", "-0.4", 1]],
    "w_k": [[1, "0.6", "-0.2"], ["1/7", -1, "0.3"], ["-0.9", "0.4", 2]],
    "w_v": [["0.1", 1, "0.8"], [1, "-0.5", "2/3"], ["0.3", -1, "0.6"]],
}


def derived(x, w_q, w_k, w_v, **more):
    tokens = [f"t{i}" for i in range(len(x))]
    data = {"tokens": tokens, "x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, **more}
    return derive(build(Path("h.toml"), data))


def logits(*rows, **more):
    """A derivation with exactly these scaled scores, and values 1, 2, 3, ..."""
    n = len(rows)
    identity = [[int(i == j) for j in range(n)] for i in range(n)]
    keys = [list(column) for column in zip(*rows, strict=True)]
    return derived(identity, identity, keys, [[i + 1] for i in range(n)], scale="none", **more)


@pytest.fixture(scope="module")
def cats():
    return derive(load(CATS))


def assert_held(derivation):
    agreement = agree(derivation)
    derived_steps = [step for step in derivation.steps if not isinstance(step.formula, Given)]
    assert [step.key for step in agreement.steps] == [step.key for step in derived_steps]
    for step, found in zip(derived_steps, agreement.steps, strict=True):
        rows, cols = step.shape
        assert found.numbers == rows * cols
        assert found.held == found.numbers, f"{found.key}: {found.held} of {found.numbers}"
        assert [len(row) for row in found.errors] == [cols] * rows
        assert [len(row) for row in found.bounds] == [cols] * rows
    return agreement


# What is right.


def test_the_default_example_agrees(cats):
    agreement = assert_held(cats)
    assert agreement.numbers == agreement.held == 6 * 3 + 9 * 2 + 9 + 3 + 9 + 6
    assert agreement["queries"].errors == ((0, 0),) * 3
    assert 0 < agreement["weights"].largest_bound < Fraction(1, 10**13)
    assert 0 < agreement["output"].largest_bound < Fraction(1, 10**13)


def test_the_errors_are_those_of_the_twin(cats):
    """e^0 is 1 in both; 1/sqrt(2) differs from its float by 0.48e-16, known beforehand."""
    agreement = agree(cats)
    assert agreement["exponentials"].errors[1][0] == 0
    (error, *_), *_ = agreement["scaled_scores"].errors
    assert Fraction(4, 10**17) < error < Fraction(7, 10**17)


def test_a_causal_mask_agrees():
    agreement = assert_held(derived(**SQUARE, mask="causal"))
    hidden = agreement["masked_scores"]
    assert hidden.errors[0][1] is None and hidden.bounds[0][1] is None
    assert agreement["weights"].bounds[0][1] == 0


def test_a_fully_masked_row_agrees():
    mask = [[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 1], [0, 0, 0, 1]]
    agreement = assert_held(derived(**SQUARE, mask=mask))
    assert agreement["weights"].bounds[1] == (0, 0, 0, 0)
    assert agreement["normalisers"].bounds[1] == (0,)


def test_scores_of_800_and_799_overflow_and_agree():
    agreement = assert_held(logits([800, 799], [799, 800]))
    assert agreement["exponentials"].overflowed == 4
    assert agreement["normalisers"].overflowed == 2
    assert agreement["weights"].overflowed == 0
    assert agreement["exponentials"].errors == ((None, None), (None, None))


def test_a_sum_may_overflow_alone():
    agreement = assert_held(logits(["709.5", "709.5"], [0, 1]))
    assert agreement["exponentials"].overflowed == 0
    assert agreement["normalisers"].overflowed == 1


@pytest.mark.parametrize("edge", ["709.78271289338397", "709.78271289338398", "709.7827128933841"])
def test_the_edge_of_float64_agrees(edge):
    """e^709.782712893383973... is the largest float: within its bound either is right."""
    assert_held(logits([edge, 0], [0, edge]))


def test_underflowing_exponentials_agree():
    agreement = assert_held(logits(["-740", "-745.2"], [0, -5000]))
    assert agreement["exponentials"].largest_bound < Fraction(1, 10**14)
    assert 0 < agreement["exponentials"].bounds[1][1] <= Fraction(5, 2**1074)
    assert agreement["weights"].bounds[1][1] <= Fraction(6, 2**1074)


def test_a_number_to_divide_by_agrees():
    assert_held(derived(**SQUARE, scale="1/3"))


def test_a_bound_that_says_nothing_holds_nothing():
    """Scores that cancel from 10^20: float64 knows the exponents to no better than 1."""
    big = {"x": [[1, 1], [1, 1]], "w_q": [["1e10", "1e10"], [0, 0]],
           "w_k": [["1e10", "-1e10"], [0, 0]], "w_v": [["1/3"], [0]]}
    agreement = agree(derived(**big))
    assert agreement["scores"].held == 4
    for key in ("exponentials", "normalisers", "weights", "output"):
        assert agreement[key].held == 0
        assert agreement[key].unbounded == agreement[key].numbers
        assert {bound for row in agreement[key].bounds for bound in row} == {None}


# Whatever an author writes.

ordinary = st.one_of(
    st.integers(-9, 9),
    st.integers(-300, 300).map(lambda n: f"{n / 100:.2f}"),
    st.tuples(st.integers(-9, 9), st.integers(1, 12)).map(lambda pair: f"{pair[0]}/{pair[1]}"),
    st.integers(-(10**18), 10**18).map(lambda n: f"{'-' * (n < 0)}0.{abs(n):019d}"),
)
few = st.integers(-1, 1)
sizes = st.integers(1, 6)


def powers_of_ten(exponent):
    return st.integers(-99, 99).map(lambda n: f"{n}e{exponent}")


ENTRIES = [  # of x, of w_q and w_k, of w_v
    (ordinary, ordinary, ordinary),
    (few, few, few),
    (few, ordinary, powers_of_ten(60)),
    (powers_of_ten(8), powers_of_ten(-9), powers_of_ten(30)),
    (powers_of_ten(-8), powers_of_ten(7), powers_of_ten(-40)),
    (powers_of_ten(-20), powers_of_ten(-20), powers_of_ten(-50)),
    (powers_of_ten(-77), powers_of_ten(-77), powers_of_ten(-77)),
    (powers_of_ten(-77), powers_of_ten(77), st.one_of(powers_of_ten(-77), powers_of_ten(77))),
]


@st.composite
def examples(draw):
    """The keys of an example file: d_k and d_v differ."""
    n, d_model, d_k = draw(sizes), draw(sizes), draw(sizes)
    d_v = draw(sizes.filter(lambda size: size != d_k))
    of_x, of_w, of_v = draw(st.sampled_from(ENTRIES))

    def matrix(rows, cols, entries):
        row = st.lists(entries, min_size=cols, max_size=cols)
        return draw(st.lists(row, min_size=rows, max_size=rows))

    masks = st.one_of(st.just("none"), st.just("causal"), st.just("drawn"))
    mask = draw(masks)
    return {
        "x": matrix(n, d_model, of_x),
        "w_q": matrix(d_model, d_k, of_w),
        "w_k": matrix(d_model, d_k, of_w),
        "w_v": matrix(d_model, d_v, of_v),
        "mask": matrix(n, n, st.integers(0, 1)) if mask == "drawn" else mask,
        "scale": draw(st.sampled_from(["sqrt_dk", "none", 3, "0.7", "1/3"])),
    }


@given(examples())
@settings(max_examples=80, **UNHURRIED)
def test_every_entry_is_held(data):
    try:
        derivation = derived(**data)
    except ExampleError:
        reject()
    agreement = assert_held(derivation)
    assert agreement.numbers == agreement.held


@given(st.lists(st.lists(st.integers(-800, 800), min_size=2, max_size=2), min_size=2, max_size=2))
@settings(max_examples=30, **UNHURRIED)
def test_every_entry_is_held_wherever_exponentials_overflow_or_underflow(rows):
    agreement = assert_held(logits(*rows))
    beyond = sum(score > 709 for row in rows for score in row)
    assert agreement["exponentials"].overflowed == beyond


# What is wrong.

true_attention, true_softmax = numeric.attention, numeric.softmax
true_projected, true_output = numeric.projected, numeric.output


def with_keys_for_values(*given_matrices, **more):
    steps = true_attention(*given_matrices, **more)
    return steps | {"output": steps["weights"] @ steps["keys"]}


def unshifted(scores):
    with np.errstate(all="ignore"):
        powers = np.exp(scores)
        return powers / powers.sum(axis=1, keepdims=True)


def in_float32(scores):
    return true_softmax(scores.astype(np.float32)).astype(np.float64)


def last_off(matrix):
    changed = matrix.copy()
    changed[-1, -1] *= 1 + 1e-12
    return changed


MISTAKES = {
    "softmax in float32": ("softmax", "weights", in_float32),
    "root in float32": ("scaled", "scaled_scores", lambda s, d: s / float(np.float32(d))),
    "root of d_model": ("scaled", "scaled_scores", lambda s, d: s / math.sqrt(5)),
    "divided by d_k": ("scaled", "scaled_scores", lambda s, d: s / d**2),
    "keys for values": ("attention", "output", with_keys_for_values),
    "softmax down the columns": ("softmax", "weights", lambda t: true_softmax(t.T).T),
    "weights transposed": ("projected", "queries", lambda x, w, b: x @ w.T),
    "a product dropped": ("projected", "queries", lambda x, w, b: x[:, :-1] @ w[:-1]),
    "a product of a score dropped": ("scores", "scores", lambda q, k: q[:, :-1] @ k[:, :-1].T),
    "a product of the output dropped": ("output", "output", lambda a, v: a[:, :-1] @ v[:-1]),
    "weights rounded": ("output", "output", lambda a, v: a.round(4) @ v),
    "weights rounded to ten places": ("output", "output", lambda a, v: a.round(10) @ v),
    "exponentials in float32": ("exponentials", "exponentials", lambda t: np.exp(np.float32(t))),
    "one entry off by 1e-12": ("softmax", "weights", lambda t: last_off(true_softmax(t))),
    "one product off by 1e-12": ("output", "output", lambda a, v: last_off(true_output(a, v))),
    "nan": ("softmax", "weights", lambda t: true_softmax(t) * np.nan),
    "infinity": ("output", "output", lambda a, v: true_output(a, v) + np.inf),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_a_mistake_is_caught_where_it_is_made(monkeypatch, mistake, mask):
    function, first, wrong = MISTAKES[mistake]
    derivation = derived(**SQUARE, mask=mask)
    monkeypatch.setattr(numeric, function, wrong)
    agreement = agree(derivation)
    broken = [step.key for step in agreement.steps if step.held < step.numbers]
    assert broken and broken[0] == first


@pytest.mark.parametrize("mistake", [name for name in MISTAKES if name != "weights transposed"])
def test_a_mistake_is_caught_in_the_default_example(monkeypatch, cats, mistake):
    function, _, wrong = MISTAKES[mistake]
    monkeypatch.setattr(numeric, function, wrong)
    agreement = agree(cats)
    assert agreement.held < agreement.numbers


def test_a_softmax_without_the_shift_is_caught(monkeypatch):
    monkeypatch.setattr(numeric, "softmax", unshifted)
    agreement = agree(logits([800, 799], [0, 1]))
    assert agreement["weights"].held == 2
    assert agreement["output"].held == 1


def test_a_leak_through_the_mask_is_caught(monkeypatch):
    """A large negative number in place of minus infinity: caught in a fully masked row."""
    monkeypatch.setattr(numeric, "masked", lambda t, mask: np.where(mask, t, -1e9))
    mask = [[1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 1, 1]]
    agreement = agree(derived(**SQUARE, mask=mask))
    assert agreement["masked_scores"].held == 11
    assert agreement["weights"].held == 12


def test_a_matrix_of_another_shape_is_an_error(monkeypatch, cats):
    monkeypatch.setattr(numeric, "output", lambda a, v: true_output(a, v)[:, :1])
    with pytest.raises(ValueError):
        agree(cats)


# The bounds themselves, against the worst that their model allows.

U = Fraction(1, 2**53)
small = st.integers(0, 10**6).map(lambda n: Fraction(n, 10**6))
signs = st.sampled_from([-1, 1])


def on_grid(value):
    return math.ceil(value * UNIT)


@given(st.lists(st.tuples(small, small, signs, signs), min_size=1, max_size=5), small, small, signs)
@settings(max_examples=100, **UNHURRIED)
def test_the_bound_of_a_product_allows_the_worst_roundings(terms, e_a, e_b, sign):
    """Every input at its farthest, every operation rounded by u the same way (0 + a is exact)."""
    e_a, e_b = e_a / 2**50, e_b / 2**50
    exact, found = Fraction(0), Fraction(0)
    for number, (a, b, sign_a, sign_b) in enumerate(terms):
        exact += sign_a * a * sign_b * b
        farther = sign_a * (a + sign * e_a) * sign_b * (b + sign * e_b)
        found = (found + farther * (1 + sign * U)) * (1 + sign * U * bool(number))
    left = Measured((tuple(on_grid(a) for a, *_ in terms),), ((on_grid(e_a),) * len(terms),))
    right = Measured(tuple((on_grid(b),) for _, b, *_ in terms), ((on_grid(e_b),),) * len(terms))
    ((bound,),) = bounds.product(left, right)
    assert abs(found - exact) <= Fraction(bound, UNIT)


@given(small, small, signs, signs, st.integers(1, 50))
@settings(max_examples=100, **UNHURRIED)
def test_the_bound_of_a_quotient_allows_the_worst_roundings(size, error, sign, down, divisor):
    error /= 2**40
    found = (size + sign * error) / (divisor * (1 + down * U)) * (1 - down * U)
    score = Measured(((on_grid(size),),), ((on_grid(error),),))
    ((bound,),) = bounds.quotients(score, divisor * UNIT)
    assert abs(found - size / divisor) <= Fraction(bound, UNIT)
    assert Fraction(bound, UNIT) <= (error * 2 + 4 * size * U) / divisor + Fraction(1, 2**1070)


@given(st.lists(st.tuples(small, signs), min_size=1, max_size=6), st.integers(20, 60), signs)
@settings(max_examples=100, **UNHURRIED)
def test_the_bound_of_a_softmax_allows_the_worst_exponentials(row, bits, rounding):
    """Exponentials w at their farthest, one of them 1: the quotient of the changed ones."""
    exact = [Fraction(1), *(w for w, _ in row)]
    off = [w / 2**bits for w in exact]
    changed = [w + e * sign for w, e, (_, sign) in zip(exact, off, [(1, 1), *row], strict=True)]
    grid = [on_grid(w) for w in exact]
    _, limits = bounds.softmax(grid, grid, [on_grid(e) for e in off])
    for w, c, limit in zip(exact, changed, limits, strict=True):
        found = c / sum(changed) * (1 + rounding * U)
        assert abs(found - w / sum(exact)) <= Fraction(limit, UNIT)


@pytest.mark.parametrize("error", ["1e-16", "1e-10", "0.001", "0.5", "0.99"])
@pytest.mark.parametrize("exponent", ["0", "1", "-30", "-700", "700"])
def test_the_bound_of_an_exponential_allows_the_worst_exponent(exponent, error):
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(1000):
        exact = mpmath.exp(mpmath.mpf(exponent))
        worst = mpmath.exp(mpmath.mpf(exponent) + mpmath.mpf(error)) * (1 + mpmath.mpf(2) ** -50)
        size = int(mpmath.ceil(exact * UNIT))
        bound = bounds.power(size, on_grid(Fraction(error)))
        assert worst - exact <= mpmath.mpf(bound) / UNIT


def test_an_exponent_known_to_no_better_than_one_bounds_nothing():
    assert bounds.power(UNIT, UNIT) == bounds.VAST > bounds.SAYS_NOTHING > LARGEST


def test_inputs_are_off_by_their_rounding():
    measured = bounds.inputs(Rationals(((1, 10, -3),), 10))
    expected = [abs(Fraction(x) - y) for x, y in
                ((0.1, Fraction(1, 10)), (1.0, Fraction(1)), (-0.3, Fraction(-3, 10)))]
    assert list(measured.errors[0]) == [on_grid(error) for error in expected]
    assert measured.errors[0][1] == 0


# The one assumption.


@pytest.mark.parametrize("step", [1, 3])
def test_numpy_exp_is_within_four_units_in_the_last_place(step):
    """Against arb, over the whole range, near 0 and at both ends; strided arrays as well."""
    flint = pytest.importorskip("flint")
    random = np.random.default_rng(1706_03762)
    points = np.concatenate([
        random.uniform(-745.2, 709.78, 3000),
        random.uniform(-2, 2, 1500),
        random.uniform(-1, 1, 500) * 10.0 ** random.integers(-300, 0, 500),
        random.uniform(-745.2, -708, 500),
        random.uniform(709, 709.782712893384, 300),
        [0.0, -0.0, 1.0, -1.0, 709.782712893384, -745.1332191019412, -5000.0, 5e-324],
    ])
    numbers = np.exp(points[::step])
    with flint.ctx.workprec(200):
        allowed = flint.arb(bounds.EXP_ULPS) / 2**52, flint.arb(bounds.EXP_ULPS) / 2**1074
        for x, y in zip(points[::step].tolist(), numbers.tolist(), strict=True):
            exact = flint.arb(x).exp()
            error = abs(flint.arb(y) - exact)
            assert error <= allowed[0] * exact + allowed[1], (x, y)
