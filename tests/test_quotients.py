"""Quotients of sums of exponentials: exact arithmetic, what is rational, and certified decimals."""

from collections import Counter
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf

from derivations.decimals import fastest, table
from derivations.enclosures import of_quotients, standard
from derivations.quotients import Quotient, Quotients, mixed, softmax_entry, total
from derivations.values import Rationals

powers = st.integers(-9, 9)
sums = st.dictionaries(powers, st.integers(-9, 9), min_size=1, max_size=4).map(Counter)
bottoms = st.dictionaries(powers, st.integers(1, 9), min_size=1, max_size=4).map(Counter)
quotients = st.builds(Quotient, sums, bottoms)


def alone(quotient: Quotient, denominator: int = 3, root: int = 2) -> Quotients:
    return Quotients(((quotient,),), denominator, root)


def value(quotient: Quotient, denominator: int = 3, root: int = 2) -> mpf:
    """By mpmath, at its precision."""
    unit = 1 / (denominator * mpmath.sqrt(root))
    top, bottom = (mpmath.fsum(count * mpmath.exp(n * unit) for n, count in one.items())
                   for one in (quotient.top, quotient.bottom))
    return top / bottom


@given(quotients, quotients)
def test_sums_and_products(a: Quotient, b: Quotient) -> None:
    with mpmath.workdps(60):
        assert mpmath.almosteq(value(a + b), value(a) + value(b), mpf("1e-50"), mpf("1e-45"))
        assert mpmath.almosteq(value(a * b), value(a) * value(b), mpf("1e-50"), mpf("1e-45"))
        assert mpmath.almosteq(value(a.times(Fraction(-3, 7))), value(a) * -3 / 7,
                               mpf("1e-50"), mpf("1e-45"))


@given(quotients, st.integers(1, 20))
def test_decimals_are_correctly_rounded(quotient: Quotient, places: int) -> None:
    ((rounded,),) = table(alone(quotient), places)
    assert rounded is not None
    with mpmath.workdps(90):
        off = abs(value(quotient) - mpf(rounded.value.numerator) / rounded.value.denominator)
        unit = mpf(10) ** (rounded.exponent - places)
        assert off <= unit / 2 + mpf("1e-60")
        assert rounded.exact == (off < mpf("1e-60"))


@given(quotients, st.integers(0, 40))
def test_enclosures_hold_the_value(quotient: Quotient, digits: int) -> None:
    for enclose in {standard.enclosures, fastest()}:
        low, high = of_quotients.enclosed(alone(quotient), 0, 0, digits, enclose)
        with mpmath.workdps(120):
            scaled = value(quotient) * mpf(10) ** digits
            assert low - mpf("1e-60") <= scaled <= high + mpf("1e-60")
            assert high - low <= 2 + abs(scaled) / 100


@pytest.mark.parametrize(("top", "expected"), [
    ((6, 9), (2, 5)), ((-9, -6), (-5, -2)), ((-6, 9), (-3, 5)), ((0, 0), (0, 0))])
def test_the_ends_of_a_quotient_are_the_worst_of_the_ends_of_its_sums(
    top: tuple[int, int], expected: tuple[int, int]
) -> None:
    """Over something from 2 to 3."""
    found = of_quotients.enclosed(alone(softmax_entry({0: 0}, 0)), 0, 0, 0,
                                  lambda _, __: ((top, (2, 3)),))
    assert found == expected


def test_exponents_may_be_far_below_0() -> None:
    share = softmax_entry({0: -50_000, 1: -50_001}, 0)
    ((rounded,),) = table(alone(share, 1, 1), 6)
    assert rounded is not None
    assert rounded.text == "0.731059"  # 1 / (1 + 1/e)


@given(bottoms, st.fractions(-5, 5, max_denominator=9))
def test_a_multiple_of_what_is_below_is_rational(bottom: Counter, factor: Fraction) -> None:
    top = Counter({n: count * factor.numerator for n, count in bottom.items()})
    below = Counter({n: count * factor.denominator for n, count in bottom.items()})
    assert Quotient(top, below).rational == factor


@pytest.mark.parametrize(("top", "bottom"), [({1: 1}, {0: 1}), ({0: 1}, {0: 1, 1: 1}),
                                             ({1: 2, 0: 1}, {1: 1, 0: 1})])
def test_what_is_irrational(top: dict, bottom: dict) -> None:
    assert Quotient(Counter(top), Counter(bottom)).rational is None


def test_two_shares_of_other_rows_can_add_up_to_a_rational() -> None:
    """e/(1 + e) + 1/(1 + e) is 1, although both are irrational."""
    shares = [softmax_entry({0: 0, 1: 1}, j) for j in (0, 1)]
    assert [share.rational for share in shares] == [None, None]
    assert total(shares).rational == 1


def test_a_hidden_key_is_0() -> None:
    assert softmax_entry({0: 5}, 1).rational == 0
    assert total([]).rational == 0


def test_a_mix_over_several_bottoms() -> None:
    rows = [[softmax_entry({0: 0, 1: 1}, 0), softmax_entry({0: 0, 1: 2}, 1)]]
    values = Rationals(((1, 0), (2, -3)), 2)
    found = mixed(Quotients(tuple(map(tuple, rows)), 1, 1), values)
    with mpmath.workdps(40):
        first, second = (value(one, 1, 1) for one in rows[0])
        assert mpmath.almosteq(value(found.entry(0, 0), 1, 1), first / 2 + second, mpf("1e-30"))
        assert mpmath.almosteq(value(found.entry(0, 1), 1, 1), second * -3 / 2, mpf("1e-30"))
