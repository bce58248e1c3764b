"""Certified decimals: the same suite for both enclosures, held against mpmath and integers.

The oracle is written here from the integers of the values and knows nothing of ours but them.
"""

import re
from fractions import Fraction
from math import floor

import mpmath
import pytest
from hypothesis import example as shown_example
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations import decimals
from derivations.attention import derive
from derivations.decimals import GUARD, MOST_REFINEMENTS, Undecided, table
from derivations.enclosures import integer_digits, standard
from derivations.faults import ExampleError
from derivations.rounded import Rounded, round_rational
from derivations.values import ExpSums, Mask, Rationals, Rooted, rational_entry
from tests.strategies import built, examples

try:
    from derivations.enclosures import balls
except ImportError:
    balls = None

NEAR = mpmath.mpf("1e-40")
E30 = 10**30


@pytest.fixture(params=["standard", "balls"], scope="module")
def enclose(request):
    if request.param == "standard":
        return standard.enclosures
    if balls is None:
        pytest.skip("python-flint is not installed")
    return balls.enclosures


# The oracle.


def oracle(values, i, c, digits=60):
    """Entry (i, c) by mpmath, to so many digits after the point and before it."""
    exponents, tops = values.exponents, values.tops
    row, marks = exponents.rationals.integers[i], exponents.open
    keys = [j for j in range(len(row)) if marks is None or marks[i][j]]
    if not keys:
        return mpmath.mpf(0)
    steepest = max(abs(number) for number in row) // exponents.rationals.denominator
    heaviest = 1 if tops is None else max(abs(top) for line in tops.integers for top in line)
    with mpmath.workdps(digits + len(str(heaviest)) + steepest + 10):
        bottom = exponents.rationals.denominator * mpmath.sqrt(exponents.root)
        powers = {j: mpmath.exp(row[j] / bottom) for j in keys}
        if tops is None:
            top = powers.get(c, mpmath.mpf(0))
        else:
            top = mpmath.fsum(tops.integers[j][c] * powers[j] for j in keys) / tops.denominator
        return top / mpmath.fsum(powers.values()) if values.normalised else top


def assert_rounded(rounded, number):
    """Within half a unit of the last place printed, and written as decimals of its size are."""
    power = rounded.exponent - rounded.places
    size = len(str(int(abs(number)))) + 60
    with mpmath.workdps(size + rounded.places + 30):
        unit = mpmath.mpf(10) ** power
        assert abs(rounded.digits * unit - number) <= unit / 2 + NEAR * unit
    if rounded.exponent:
        assert 10**rounded.places <= abs(rounded.digits) < 10 ** (rounded.places + 1)
        assert abs(number) >= 10**9 or abs(number) < mpmath.mpf(10) ** (1 - rounded.places)


def sums(rows, tops=None, *, denominator=1, root=1, normalised=True, marks=None, over=1):
    """exponents rows / denominator / sqrt(root); `tops` a matrix of integers, over `over`."""
    exponents = Rooted(Rationals(tuple(map(tuple, rows)), denominator), root, marks)
    column = None if tops is None else Rationals(tuple(map(tuple, tops)), over)
    return ExpSums(exponents, column, normalised)


@st.composite
def exp_sums(draw):
    """Sums and quotients with exponents from -800 to 800 and coefficients of any sign."""
    n_q, n_k, cols = (draw(st.integers(1, 4)) for _ in range(3))
    denominator = draw(st.sampled_from([1, 1, 3, 10**7, 10**30 + 57]))
    root = draw(st.sampled_from([1, 2, 3, 4, 8, 64, 1000]))
    most = draw(st.sampled_from([1, 20, 20, 100, 800])) * denominator
    exponent = st.integers(-most, most) | st.sampled_from([0, most, -most, most - 1])
    size = draw(st.sampled_from([1, 10, 10**6, 10**40]))
    top = st.integers(-size, size) | st.sampled_from([0, 1, -1, size])

    def matrix(entries, rows, width):
        row = st.lists(entries, min_size=width, max_size=width).map(tuple)
        return tuple(draw(st.lists(row, min_size=rows, max_size=rows)))

    marks = matrix(st.booleans(), n_q, n_k) if draw(st.booleans()) else None
    tops = matrix(top, n_k, cols) if draw(st.booleans()) else None
    over = draw(st.sampled_from([1, 7, 10**6, 10**60]))
    return sums(matrix(exponent, n_q, n_k), tops, denominator=denominator, root=root,
                normalised=draw(st.booleans()), marks=marks, over=over)


def places_of(values):
    rows, cols = values.shape
    return [(i, c) for i in range(rows) for c in range(cols)]


# Enclosures enclose.


@given(values=exp_sums(), digits=st.sampled_from([0, 1, 3, 9, 10, 17, 60, 200]))
@settings(max_examples=60, deadline=None)
def test_enclosures_enclose(enclose, values, digits):
    enclosed = enclose(values, digits)
    assert [len(row) for row in enclosed] == [values.shape[1]] * values.shape[0]
    for i, c in places_of(values):
        low, high = enclosed[i][c]
        assert type(low) is type(high) is int
        number = oracle(values, i, c, digits + 60)
        with mpmath.workdps(len(str(abs(low))) + 80):
            scaled = number * mpmath.mpf(10) ** digits
            assert low - NEAR <= scaled <= high + NEAR
        assert high - low <= 2


CORNERS = {
    "nothing before the point": sums([[-5000, 0]], [[1], [0]]),
    "far below the last place": sums([[-5000]], normalised=False),
    "far above it": sums([[700, 699]], normalised=False),
    "equal and opposite": sums([[900, 900]], [[1], [-1]], normalised=False),
    "cancelling": sums([[1, 2]], [[10**60, 1], [-(10**60), 0]], over=10**50),
    "all negative": sums([[3, 1]], [[-1], [-2]], over=3),
    "coefficients zero": sums([[1, 2]], [[0], [0]]),
    "one key": sums([[17]], [[5]], root=2, over=7),
    "all hidden": sums([[1, 2]], [[5], [6]], marks=((False, False),)),
    "all hidden, not divided": sums([[1, 2]], marks=((False, False),), normalised=False),
    "largest hidden": sums([[4000, 2]], marks=((False, True),)),
    "tiny coefficients": sums([[1, 2]], [[1], [3]], over=10**70),
    "exponents zero": sums([[0, 0, 0]], [[1], [1], [2]]),
    "smallest differences": sums([[10**30, 10**30 + 1]], denominator=10**30),
    "saturated": sums([[800, 799]]),
}


@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("digits", [0, 1, 2, 10, 400])
def test_corners_are_enclosed(enclose, name, digits):
    values = CORNERS[name]
    for (i, c), (low, high) in zip(places_of(values), enclose(values, digits)[0], strict=True):
        number = oracle(values, i, c, digits + 60)
        with mpmath.workdps(len(str(abs(low))) + 80):
            assert low - NEAR <= number * mpmath.mpf(10) ** digits <= high + NEAR
        assert high - low <= 2


@given(values=exp_sums())
@settings(max_examples=100, deadline=None)
def test_no_entry_has_more_digits_than_the_bound(values):
    for i, c in places_of(values):
        assert len(str(int(abs(oracle(values, i, c, 10))))) <= integer_digits(values)


def test_large_common_denominators_are_enclosed(enclose):
    """Python refuses to print integers of more than 4300 digits: nothing may ask it to."""
    vast = 10**5000
    values = sums([[1, 2]], [[vast], [3 * vast + 1]], over=2 * vast)
    (((low, high),),) = enclose(values, 10)
    with mpmath.workdps(60):
        number = oracle(sums([[1, 2]], [[1], [3]], over=2), 0, 0)
        assert low <= number * 10**10 <= high
    assert table(values, 4, enclose)[0][0].text == mpmath.nstr(number, 5)


def test_fractions_with_many_denominators_are_refused():
    """144 fractions with hardly a common factor: their least common denominator is as long."""
    def matrix(start):
        return [[f"{i - j}/{10**37 + start + 9 * i + j}" for j in range(9)] for i in range(9)]

    keys = {"tokens": list("abcdefghi"), "x": matrix(1), "w_q": [[1]] * 9, "w_k": [[1]] * 9,
            "w_v": matrix(101)}
    with pytest.raises(ExampleError, match="x: needs a common denominator") as caught:
        built(keys)
    assert len(caught.value.faults) == 2


# The interval arithmetic of the standard library's enclosures, at low precision: there a missing
# unit shows.

ends = st.integers(-10**6, 10**6)
precisions = st.integers(2, 8)


def interval(arithmetic, numerator, denominator=1):
    exactly = standard.Decimal(numerator)
    return arithmetic.over((exactly, exactly), (standard.Decimal(denominator),) * 2)


@given(ends, st.integers(1, 999), precisions)
@settings(max_examples=300, deadline=None)
def test_exponentials_of_intervals_enclose(numerator, denominator, precision):
    arithmetic = standard.Arithmetic.of(precision)
    low, high = arithmetic.exp(interval(arithmetic, numerator % 4000 - 2000, denominator))
    with mpmath.workdps(1000):
        number = mpmath.exp(mpmath.mpf(numerator % 4000 - 2000) / denominator)
        assert 0 <= mpmath.mpf(str(low)) <= number <= mpmath.mpf(str(high))


@given(st.integers(1, 10**9), precisions)
@settings(max_examples=300, deadline=None)
def test_roots_enclose(m, precision):
    low, high = standard.Arithmetic.of(precision).root(m)
    assert Fraction(low) ** 2 <= m <= Fraction(high) ** 2
    assert 0 < low
    assert low != high or Fraction(low) ** 2 == m


@given(st.lists(ends, min_size=4, max_size=4), st.integers(1, 10**6), ends, precisions)
@settings(max_examples=300, deadline=None)
def test_sums_products_and_quotients_of_intervals_enclose(numbers, bottom, factor, precision):
    """Of every pair of ends: what they hold lies between what the ends give."""
    arithmetic = standard.Arithmetic.of(precision)
    a, b = (tuple(map(standard.Decimal, sorted(pair))) for pair in (numbers[:2], numbers[2:]))
    c = (standard.Decimal(bottom), standard.Decimal(bottom + abs(factor)))
    added, product = arithmetic.add(a, b), arithmetic.times(a, factor)
    quotient = arithmetic.over(a, c)
    for p in map(Fraction, a):
        assert Fraction(product[0]) <= p * factor <= Fraction(product[1])
        assert all(Fraction(added[0]) <= p + Fraction(q) <= Fraction(added[1]) for q in b)
        assert all(Fraction(quotient[0]) <= p / Fraction(q) <= Fraction(quotient[1]) for q in c)


def test_powers_of_zero_are_exact():
    arithmetic = standard.Arithmetic.of(10)
    assert arithmetic.exp(standard.ZERO) == (1, 1)
    assert arithmetic.root(49) == (7, 7)


# Rounded decimals, against the oracle.


@given(values=exp_sums(), places=st.integers(1, 30))
@settings(max_examples=80, deadline=None)
def test_decimals_are_correctly_rounded(enclose, values, places):
    rounded = table(values, places, enclose)
    for i, c in places_of(values):
        number = oracle(values, i, c)
        assert_rounded(rounded[i][c], number)
        assert rounded[i][c].places == places
        rational = rational_entry(values, i, c)
        is_large = abs(number) >= 10**9 and (rational is None or rational.denominator > 1)
        is_tiny = abs(number) < mpmath.mpf(10) ** (1 - places)
        keeps_digits = is_tiny and rational is None and not values.normalised
        assert bool(rounded[i][c].exponent) == (is_large or keeps_digits)
        assert rounded[i][c].exact == (rational is not None and rounded[i][c].value == rational)
        assert_written_well(rounded[i][c])


@given(example=examples(most=5))
@settings(max_examples=40, deadline=None)
def test_decimals_of_examples_are_correctly_rounded(enclose, example):
    derivation = derive(example)
    for step in derivation.steps:
        rounded = table(step.values, example.places, enclose)
        for i, row in enumerate(rounded):
            for j, entry in enumerate(row):
                assert entry is None or entry.places == example.places
                if isinstance(step.values, ExpSums):
                    assert_rounded(entry, oracle(step.values, i, j))
                elif entry is None:
                    assert not step.values.is_open(i, j)
                else:
                    assert_root_rounded(entry, step.values, i, j)
                if entry is not None:
                    assert_written_well(entry)


def assert_root_rounded(rounded, values, i, j):
    """|r / sqrt(m) - digits unit| <= unit / 2, squared: in integers, without a root."""
    root = values.root if isinstance(values, Rooted) else 1
    r = values.rationals.entry(i, j) if isinstance(values, Rooted) else values.entry(i, j)
    scaled = r * Fraction(10) ** (rounded.places - rounded.exponent)
    digits = rounded.digits if r > 0 else -rounded.digits
    assert digits >= 0
    low, high = max(0, 2 * digits - 1), 2 * digits + 1
    assert low * low * root <= 4 * scaled * scaled <= high * high * root


def assert_written_well(rounded):
    """Of the number itself, and never -0.0000."""
    assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", rounded.text)
    assert not re.fullmatch(r"-0(\.0*)?", rounded.text)
    assert Fraction(rounded.text) * Fraction(10) ** rounded.exponent == rounded.value
    decimals_shown = len(rounded.text.partition(".")[2])
    if rounded.exact:
        assert not re.search(r"\.\d*0$", rounded.text)
        assert decimals_shown <= rounded.places
    else:
        assert decimals_shown == rounded.places


def texts(values, places=4, enclose=None):
    return [[None if rounded is None else rounded.text for rounded in row]
            for row in table(values, places, enclose)]


def test_the_default_weights(enclose):
    weights = sums([[1, 4, 5], [0, 1, 2], [2, 5, 4]], root=2)
    assert texts(weights, 4, enclose) == [
        ["0.0381", "0.3177", "0.6443"], ["0.1400", "0.2840", "0.5760"],
        ["0.0743", "0.6200", "0.3057"]]
    outputs = sums([[0, 1, 2]], [[0, 1], [1, 0], [2, 1]], root=2)
    assert texts(outputs, 4, enclose) == [["1.4359", "0.7160"]]


def test_all_equal_rows(enclose):
    (row,) = table(sums([[7, 7, 7]], root=2), 4, enclose)
    assert set(row) == {Rounded(3333, 4)}
    (row,) = table(sums([[7, 7]], root=2), 4, enclose)
    assert set(row) == {Rounded(5000, 4, exact=True)} and row[0].text == "0.5"


def test_saturated_rows(enclose):
    assert texts(sums([[800, 799]]), 4, enclose) == [["0.7311", "0.2689"]]
    powers = table(sums([[800, 799]], normalised=False), 4, enclose)[0]
    assert powers == (Rounded(27264, 4, 347), Rounded(10030, 4, 347))
    assert texts(sums([[4999, -4999]]), 4, enclose) == [["1.0000", "0.0000"]]


def test_a_fully_masked_row_is_zero_exactly(enclose):
    marks = ((True, True), (False, False))
    for tops in (None, [[3], [5]]):
        for normalised in (True, False):
            values = sums([[1, 2], [1, 2]], tops, marks=marks, normalised=normalised)
            row = table(values, 4, enclose)[1]
            assert set(row) == {Rounded(0, 4, exact=True)}
            assert row[0].text == "0"


# Ties.


def test_a_column_that_does_not_change_is_rational(enclose):
    """1/8 - 10^-31, 1/8 and 1/8 + 10^-31 in every row: outputs known in full."""
    eighth = 125 * 10**28
    tops = [[eighth - 1, eighth, eighth + 1, 3 * eighth - 1, 3 * eighth, 3 * eighth + 1]] * 2
    (row,) = table(sums([[1, 2]], tops, over=10**31), 2, enclose)
    assert [rounded.text for rounded in row] == ["0.12", "0.12", "0.13", "0.37", "0.38", "0.38"]
    assert [rounded.tie for rounded in row] == [False, True, False, False, True, False]
    assert not any(rounded.exact for rounded in row)


@pytest.mark.parametrize("digits", [12, 31, 100, 400])
def test_near_ties_are_decided(enclose, digits):
    """1/8 or 3/8, plus or minus a weight times 10^-digits: irrational, so never a tie."""
    one = 10**digits
    rows = [[0, 1, 2], [3, 1, 1]]
    tops = [[one // 8 + s * t for s in (-1, 1)] + [3 * one // 8 + s * t for s in (-1, 1)]
            for t in (0, 1, 0)]
    for row in table(sums(rows, tops, root=2, over=one), 2, enclose):
        assert [rounded.text for rounded in row] == ["0.12", "0.13", "0.37", "0.38"]
        assert not any(rounded.tie or rounded.exact for rounded in row)


@pytest.mark.parametrize("places", [1, 7, 30])
def test_near_ties_are_decided_at_any_number_of_places(enclose, places):
    one = 10 ** (places + 50)
    tie = one // 10**places // 2  # half a unit of the last place
    tops = [[-tie + t, -tie - t, tie - t, tie + t] for t in (0, 1)]
    (row,) = table(sums([[1, 2]], tops, over=one), places, enclose)
    assert [rounded.digits for rounded in row] == [0, -1, 0, 1]
    assert row[0].text == "0." + "0" * places
    assert row[1].text == "-0." + "0" * (places - 1) + "1"


def test_weights_near_zero_and_one_are_not_zero_and_one(enclose):
    """No digit shows the difference: it is in the flag."""
    for rounded, text in zip(table(sums([[0, -200]]), 30, enclose)[0], "10", strict=True):
        assert rounded.text == text + "." + "0" * 30
        assert not rounded.exact


def test_ties_of_sums_of_exponentials(enclose):
    """e^0 terms alone are rational: 5/8 is a tie at two places, with e^1 it is not."""
    values = sums([[0, 1]], [[5, 5, 5, -5], [0, 1, -1, 0]], normalised=False, over=8)
    row = table(values, 2, enclose)[0]
    assert [rounded.text for rounded in row] == ["0.62", "0.96", "0.29", "-0.62"]
    assert [rounded.tie for rounded in row] == [True, False, False, True]


def test_a_hidden_tie_goes_to_the_even_digit(enclose):
    """Weights irrational, output exactly 0.00005; and 0.00015, -0.00005 and 0.000051."""
    tops = [[0, 0, 0, 0], [10, 30, -10, 10], [5, 15, -5, 6]]
    row = table(sums([[1, 1, 2]], tops, over=100000), 4, enclose)[0]
    assert row[:3] == (Rounded(0, 4, tie=True), Rounded(2, 4, tie=True), Rounded(0, 4, tie=True))
    assert [rounded.text for rounded in row] == ["0.0000", "0.0002", "0.0000", "0.0001"]
    assert not row[3].tie
    assert table(sums([[1, 1, 2]], tops, over=100000), 5, enclose)[0][0].text == "0.00005"


def test_a_hidden_tie_of_an_example():
    keys = {"tokens": ["a", "b", "c"], "x": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "w_q": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "w_k": [[1, 0, 0], [1, 0, 0], [2, 0, 0]],
            "w_v": [[0], ["0.0001"], ["0.00005"]], "scale": "none"}
    output = derive(built(keys))["output"].values
    assert table(output, 4)[0][0] == Rounded(0, 4, tie=True)


TIES = [
    ("0.125", 2, "0.12"), ("0.375", 2, "0.38"), ("-0.125", 2, "-0.12"), ("-0.375", 2, "-0.38"),
    ("0.05", 1, "0.0"), ("-0.05", 1, "0.0"), ("0.15", 1, "0.2"), ("2.5", 1, None),
    ("9.95", 1, "10.0"), ("999999999.95", 1, "1000000000.0"),
]


@pytest.mark.parametrize(("number", "places", "text"), TIES)
def test_ties_of_rationals_go_to_the_even_digit(number, places, text):
    rounded = round_rational(Fraction(number), places)
    assert rounded.text == (text or number)
    assert rounded.tie == (text is not None)
    assert rounded.exact == (text is None)


@given(st.fractions(), st.integers(1, 30))
@shown_example(Fraction(-1, 3), 4)
@shown_example(Fraction(10**12 + 1, 2), 30)
@settings(max_examples=200, deadline=None)
def test_rationals_are_rounded_half_to_even(value, places):
    rounded = round_rational(value, places)
    scaled = value * Fraction(10) ** (places - rounded.exponent)
    rest = scaled - floor(scaled)
    half = Fraction(1, 2)
    up = rest > half or (rest == half and floor(scaled) % 2 == 1)
    assert rounded.digits == floor(scaled) + up
    assert rounded.tie == (rest == half)
    assert rounded.exact == (rest == 0)
    assert_written_well(rounded)


# Roots.


@given(st.fractions(max_denominator=10**6), st.integers(1, 1000), st.integers(1, 30))
@settings(max_examples=150, deadline=None)
def test_roots_are_correctly_rounded(r, root, places):
    values = Rooted(Rationals(((r.numerator,),), r.denominator), root)
    rounded = table(values, places)[0][0]
    assert_root_rounded(rounded, values, 0, 0)
    assert_written_well(rounded)
    assert rounded.exact == (rational_entry(values, 0, 0) == rounded.value)


@pytest.mark.parametrize(("r", "root", "places", "text"), [
    (1, 2, 4, "0.7071"), (-5, 2, 4, "-3.5355"), (3, 4, 4, "1.5"), (0, 2, 4, "0"),
    (4, 2, 30, "2.828427124746190097603377448419"),
])
def test_scaled_scores(r, root, places, text):
    assert texts(Rooted(Rationals(((r,),)), root), places) == [[text]]


def test_roots_near_a_tie_are_decided():
    """The square of 0.125 is 2 (0.0883...)^2: numerators on either side of 0.125 sqrt(2)."""
    one = 10**60
    below = int(mpmath.floor(mpmath.mpf(0)))
    with mpmath.workdps(100):
        below = int(mpmath.floor(mpmath.sqrt(2) * one / 8))
    values = Rooted(Rationals(((below, below + 1, -below, -below - 1),), one), 2)
    assert texts(values, 2) == [["0.12", "0.13", "-0.12", "-0.13"]]


def test_minus_infinity_has_no_decimal():
    values = Rooted(Rationals(((1, 2),)), 2, ((True, False),))
    assert texts(values) == [["0.7071", None]]
    assert decimals.enclosures(values, 3) == (((707, 708), None),)


def test_masks_are_zero_and_one():
    assert texts(Mask(((True, False),))) == [["1", "0"]]


def test_enclosures_of_algebraic_values():
    values = Rationals(((1, -1, 3),), 3)
    assert decimals.enclosures(values, 2) == (((33, 34), (-34, -33), (100, 100)),)
    rooted = Rooted(Rationals(((1, -1, 0),)), 2)
    assert decimals.enclosures(rooted, 2) == (((70, 71), (-71, -70), (0, 0)),)


# Scientific notation.


def irrational(base, over=1):
    """(base - 3 + e) / over, as a sum of exponentials: just below base / over."""
    return sums([[0, 1]], [[base - 3], [1]], normalised=False, over=over)


SCIENTIFIC = [  # base - 0.2817, places
    (10**9, 4, "999999999.7183", 0),
    (10**9 + 1, 4, "1.0000", 9),
    (1234567890, 4, "1.2346", 9),
    (1234567890, 9, "1.234567890", 9),
    (1234567890, 12, "1.234567889718", 9),
    (9999950000, 4, "9.9999", 9),
    (9999950001, 4, "1.0000", 10),
    (9999999999, 4, "1.0000", 10),
    (10**10, 4, "1.0000", 10),
    (10**10, 10, "9.9999999997", 9),
    (10**10 + 1, 4, "1.0000", 10),
    (-9999950000 + 1, 4, "-9.9999", 9),
    (-9999950000, 4, "-1.0000", 10),
    (-(10**9) + 1, 4, "-999999999.2817", 0),
    (-(10**9), 4, "-1.0000", 9),
    (99999 * 10**20, 4, "9.9999", 24),
    (999995 * 10**20, 4, "9.9999", 25),
    (999995 * 10**20 + 1, 4, "1.0000", 26),
]


@pytest.mark.parametrize(("base", "places", "text", "exponent"), SCIENTIFIC)
def test_large_numbers_are_scientific(enclose, base, places, text, exponent):
    rounded = table(irrational(base), places, enclose)[0][0]
    assert (rounded.text, rounded.exponent) == (text, exponent)
    assert not rounded.exact and not rounded.tie


RATIONAL_SCIENTIFIC = [
    ("999999999.99996", 4, "1000000000.0000", 0),
    ("1000000000.5", 4, "1.0000", 9),
    ("1234567890.5", 10, "1.2345678905", 9),
    ("1234567890.5", 30, "1.2345678905", 9),
    ("9999949999.5", 4, "9.9999", 9),
    ("9999950000.5", 4, "1.0000", 10),
    ("-9999950000.5", 4, "-1.0000", 10),
    ("1234567890", 4, "1234567890", 0),
    ("9999950000", 4, "9999950000", 0),
    ("-123456789012345678901234567890", 4, "-123456789012345678901234567890", 0),
]


@pytest.mark.parametrize(("number", "places", "text", "exponent"), RATIONAL_SCIENTIFIC)
def test_large_rationals_are_scientific_unless_integers(number, places, text, exponent):
    rounded = round_rational(Fraction(number), places)
    assert (rounded.text, rounded.exponent) == (text, exponent)
    assert rounded.exact == (Fraction(text) * 10**exponent == Fraction(number))


@pytest.mark.parametrize(("number", "places", "text", "exponent"), [
    ("1234567890.25", 10, "1.2345678902", 9),
    ("1234567890.75", 10, "1.2345678908", 9),
    ("9999999999.85", 10, "9.9999999998", 9),
    ("9999999999.95", 10, "1.0000000000", 10),
    ("-9999999999.95", 10, "-1.0000000000", 10),
])
def test_scientific_ties(number, places, text, exponent):
    """One to the next power of ten is a tie too: between 9.9999999999 and 10.0000000000 e9."""
    rounded = round_rational(Fraction(number), places)
    assert (rounded.text, rounded.exponent) == (text, exponent)
    assert rounded.tie and not rounded.exact


def test_exponentials_up_to_the_limit(enclose):
    rounded = table(sums([[5000, 4999]], normalised=False), 30, enclose)[0][0]
    assert (rounded.exponent, rounded.text[:12]) == (2171, "2.9676283840")
    assert_rounded(rounded, oracle(sums([[5000, 4999]], normalised=False), 0, 0))


# Small negative numbers.


def test_nothing_is_minus_zero(enclose):
    small = 10**9
    negative = [
        sums([[1, 2]], [[-1], [0]], over=small),
        sums([[1, 2]], [[-1], [-1]], over=small),
        sums([[-900, 1]], [[-1], [0]]),
        sums([[0, 1]], [[-1], [0]], normalised=False, over=small),
        Rooted(Rationals(((-1,),), small), 2),
        Rooted(Rationals(((-1,),), small), 1),
        Rationals(((-1,),), small),
    ]
    for values in negative:
        for places in (1, 4, 8):
            assert texts(values, places, enclose) == [["0." + "0" * places]]
    assert texts(negative[0], 10, enclose) == [["-0.0000000003"]]


def test_tiny_sums_of_exponentials_keep_their_digits(enclose):
    """An exponential is never 0: below 10^(1 - places) it gets a power of ten."""
    values = sums([[-200, -6, -7, -2]], normalised=False)
    (row,) = table(values, 4, enclose)
    assert row == (Rounded(13839, 4, -87), Rounded(25, 4), Rounded(91188, 4, -4), Rounded(1353, 4))
    (row,) = table(sums([[-200, -6]]), 4, enclose)
    assert [rounded.text for rounded in row] == ["0.0000", "1.0000"], "weights do not"


@pytest.mark.parametrize(("tops", "text", "exponent"), [
    ((-1, -1), "-3.7183", -9), ((1, 1), "3.7183", -9), ((-2, 1), "7.1828", -10),
    ((-3, 1), "-2.8172", -10),
])
def test_tiny_sums_of_either_sign(enclose, tops, text, exponent):
    values = sums([[0, 1]], [[top] for top in tops], normalised=False, over=10**9)
    rounded = table(values, 4, enclose)[0][0]
    assert (rounded.text, rounded.exponent) == (text, exponent)


def test_tiny_sums_round_up_to_the_next_power(enclose):
    """9.99996e-8 and 9.99994e-8, and on either side of where powers of ten begin: 0.001."""
    off = [(99999600, "1.0000", -7), (99999400, "9.9999", -8)]
    for number, text, exponent in off:
        rounded = table(irrational(number, over=10**15), 4, enclose)[0][0]
        assert (rounded.text, rounded.exponent) == (text, exponent)
    below = table(irrational(10**6, over=10**9), 4, enclose)[0][0]
    above = table(irrational(10**6 + 1, over=10**9), 4, enclose)[0][0]
    assert (below.text, below.exponent, above.text, above.exponent) == ("1.0000", -3, "0.0010", 0)


@pytest.mark.parametrize("places", [4, 11, 30])
def test_the_smallest_exponential_is_decided(places):
    """e^-5000 = 3.3696e-2172, which takes up to 4352 digits after the point."""
    real = standard.enclosures if balls is None else balls.enclosures  # decimal is slow here
    rounded = table(sums([[-5000]], normalised=False), places, real)[0][0]
    with mpmath.workdps(60):
        number = mpmath.exp(-5000) * mpmath.mpf(10) ** 2172
        assert rounded.digits == int(mpmath.nint(number * mpmath.mpf(10) ** places))
    assert rounded.exponent == -2172


@pytest.mark.parametrize(("digits", "places", "exact", "text"), [
    (0, 4, False, "0.0000"), (0, 4, True, "0"), (5, 4, False, "0.0005"), (-5, 4, False, "-0.0005"),
    (-12000, 4, True, "-1.2"), (12000, 4, False, "1.2000"), (120000, 4, True, "12"),
    (120000, 4, False, "12.0000"), (10, 1, True, "1"), (7, 0, False, "7"), (-70, 0, True, "-70"),
])
def test_texts(digits, places, exact, text):
    assert Rounded(digits, places, exact=exact).text == text


def test_values_of_rounded_numbers():
    assert Rounded(27264, 4, 347).value == Fraction(27264) * 10**343
    assert Rounded(-5, 4).value == Fraction(-1, 2000)


@pytest.mark.parametrize("places", range(1, 31))
def test_every_number_of_places(enclose, places):
    """The digits of the logistic function of 1 and of e^-1, as mpmath prints them."""
    with mpmath.workdps(60):
        weight = mpmath.mpf(1) / (1 + mpmath.exp(-1))
        digits = int(mpmath.nint(weight * mpmath.mpf(10) ** places))
    ((first, second),) = table(sums([[1, 0]]), places, enclose)
    assert first.text == f"0.{digits:0{places}d}"
    assert Fraction(first.text) + Fraction(second.text) == 1


# Refinement.

TWO_ROWS = sums([[0, 1, 2], [5, 1, 7]], [[1, 8], [2, 1], [4, 3]], root=2,
                marks=((True, True, False), (True, True, True)))


class Wide:
    """An enclosure that is too wide until so many digits are asked for."""

    def __init__(self, real, until):
        self.real, self.until, self.asked = real, until, []

    def __call__(self, values, digits):
        self.asked.append((values.shape[0], digits))
        wider = 0 if digits >= self.until else 10 ** (digits - 1)
        return tuple(tuple((low - wider, high + wider) for low, high in row)
                     for row in self.real(values, digits))


def test_a_wide_enclosure_is_refined(enclose):
    wide = Wide(enclose, 70)
    assert table(TWO_ROWS, 4, wide) == table(TWO_ROWS, 4, enclose)
    assert wide.asked[0] == (2, 4 + GUARD)
    refined = [digits for rows, digits in wide.asked[1:] if rows == 1]
    assert len(refined) == len(wide.asked) - 1, "only the row of an open entry is refined"
    assert max(refined) >= 70
    assert refined == [20, 40, 80] * 2


def test_a_narrow_enclosure_is_used_once(enclose):
    narrow = Wide(enclose, 0)
    table(TWO_ROWS, 4, narrow)
    assert narrow.asked == [(2, 4 + GUARD)]


def test_only_near_ties_are_refined(enclose):
    one = 10**31
    values = sums([[0, 1], [0, 1]], [[one // 8, 3], [one // 8 + 1, 5]], over=one)
    counting = Wide(enclose, 0)
    assert [row[0].text for row in table(values, 2, counting)] == ["0.13", "0.13"]
    assert counting.asked[0] == (2, 8)
    assert {asked for asked in counting.asked[1:]} <= {(1, 16), (1, 32)}
    assert len(counting.asked) >= 3


def test_what_never_settles_is_undecided():
    """Everything between 0 and 1, however many digits are asked for."""
    asked = []

    def stuck(values, digits):
        asked.append((values.shape[0], digits))
        return (((0, 10**digits),) * values.shape[1],) * values.shape[0]

    with pytest.raises(Undecided, match="no rounding to 4 places was decided"):
        table(TWO_ROWS, 4, stuck)
    assert asked[0] == (2, 4 + GUARD)
    assert len(asked) == 1 + MOST_REFINEMENTS and {rows for rows, _ in asked[1:]} == {1}
    assert max(digits for _, digits in asked) >= 10_000


def test_a_tie_that_is_never_left_is_undecided():
    """Ends on either side of 1/8 by one unit, however many digits are asked for."""
    def stuck(values, digits):
        tie = 125 * 10 ** (digits - 3)
        return (((tie - 1, tie + 1),),)

    with pytest.raises(Undecided, match="no rounding to 2 places"):
        table(sums([[1, 2]], [[1], [2]]), 2, stuck)


def test_rational_entries_are_not_refined():
    """They do not even look at the enclosure: a wide one changes nothing."""
    values = sums([[1, 1, 2]], [[0], [10], [5]], over=100000)
    wide = Wide(standard.enclosures, 10**9)
    assert table(values, 4, wide)[0][0] == Rounded(0, 4, tie=True)
    assert len(wide.asked) == 1


@given(values=exp_sums(), places=st.integers(1, 30))
@settings(max_examples=40, deadline=None)
def test_both_implementations_print_the_same(values, places):
    if balls is None:
        pytest.skip("python-flint is not installed")
    assert table(values, places, standard.enclosures) == table(values, places, balls.enclosures)


def test_the_fastest_is_used_where_none_is_named(monkeypatch):
    assert decimals.fastest() is (standard.enclosures if balls is None else balls.enclosures)
    monkeypatch.setattr(decimals, "balls", None)
    assert decimals.fastest() is standard.enclosures
    assert texts(sums([[1, 0]])) == [["0.7311", "0.2689"]]
