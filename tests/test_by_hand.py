"""Working by hand: each step rounded half up and worked on, against mpmath; and what is said."""

import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from html import unescape
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from derivations.attention import derive
from derivations.example import Example, build, load
from derivations.lesson.by_hand import STEPS, ByHand, enough_places, half_up, rounded_steps
from derivations.pages.lesson import rounding
from derivations.pages.worked import Worked, work_out
from tests import sites
from tests.reader import Truth, read_page, truth_from_exact
from tests.strategies import examples
from tests.truths import rounding as truth

FILES = sorted([sites.LESSON, *sites.EXAMPLES.iterdir()], key=lambda path: path.stem)
ONE = {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}
PLACES = (2, 3, 4)


def of(**data: object) -> Worked:
    return work_out(build(Path("t.toml"), ONE | data))


def plain(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", markup))


def truth_of(example: Example) -> Truth:
    """The truth of the example, with those of the rounding page beside it."""
    whole = truth_from_exact(derive(example))
    named = {name: Truth(*found) for name, found in truth.truths(example).items()}
    return Truth(whole.matrices, whole.sizes, variants=named)


# Rounding

@pytest.mark.parametrize(("value", "places", "text", "exponent"), [
    ("1/8", 2, "0.13", 0), ("-1/8", 2, "-0.13", 0), ("5/1000", 2, "0.01", 0),
    ("4999/1000000", 2, "0.00", 0),
    ("999999999999/1000", 2, "1000000000.00", 0),
    ("1234567890", 3, "1.235", 9), ("9995000000", 2, "1.00", 10), ("0", 3, "0.000", 0),
])
def test_half_up(value: str, places: int, text: str, exponent: int) -> None:
    rounded = half_up(Fraction(value), places)
    assert (rounded.text, rounded.exponent) == (text, exponent)


@given(st.decimals(-10**6, 10**6, places=6), st.integers(0, 5))
def test_half_up_is_that_of_decimal(value: Decimal, places: int) -> None:
    rounded = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    assert half_up(Fraction(value), places).value == Fraction(rounded)


# The steps, against mpmath

def assert_steps(example: Example) -> None:
    derivation = derive(example)
    with mpmath.workdps(truth.DIGITS):
        for places in PLACES:
            steps = rounded_steps(derivation, places)
            for key, rows in truth.by_hand(example, places).items():
                values = steps[key]
                assert values.shape == (len(rows), len(rows[0]))
                for i, row in enumerate(rows):
                    for j, right in enumerate(row):
                        entry = values.entry(i, j)
                        off = abs(mpf(entry.numerator) / entry.denominator - right)
                        assert off <= abs(right) * mpf("1e-50"), (key, i, j, places)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_steps_of_the_examples(path: Path) -> None:
    assert_steps(load(path))


@settings(max_examples=25)
@given(examples(most=3))
def test_the_steps_of_any_example(example: Example) -> None:
    assert_steps(example)


def test_every_step_goes_on_from_rounded_numbers() -> None:
    row = ByHand(derive(load(sites.EXAMPLES / "cats.toml")), 1, 2)
    assert [rounded.text for rounded in row.found["scaled_scores"]] == ["0.00", "0.71", "1.41"]
    assert [rounded.text for rounded in row.found["exponentials"]] == ["1.00", "2.03", "4.10"]
    assert row.found["normalisers"][0].text == "7.13"
    assert (row.first_wrong, row.wrong("exponentials"), row.wrong("weights")) == \
        ("exponentials", (2,), ())


# What is right, and which numbers are wrong

def wrong_entries(example: Example, i: int, places: int) -> set[tuple[str, int]]:
    """The entries of row i that are not the true value, rounded, by mpmath alone."""
    with mpmath.workdps(truth.DIGITS):
        whole = truth_from_exact(derive(example))
        by_hand = truth.by_hand(example, places)
        return {
            (key, j) for key in STEPS for j, found in enumerate(by_hand[key][i])
            if abs(found - truth.half_up(whole.matrices[key][i][j], places)) > abs(found) * 1e-30
        }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_exactly_the_wrong_numbers_are_called_wrong(path: Path) -> None:
    example = load(path)
    derivation = derive(example)
    for i in range(len(example.tokens)):
        for places in PLACES:
            row = ByHand(derivation, i, places)
            called = {(key, j) for key in STEPS for j in row.wrong(key)}
            wrong = wrong_entries(example, i, places)
            if row.stuck:  # then there is no number at all
                wrong |= {(key, j) for key in ("weights", "output") for j in row.entries(key)}
            assert called == wrong


def test_a_weight_that_is_halfway_is_rounded_up_and_right() -> None:
    eight = of(tokens=list("abcdefgh"), x=[[1]] * 8)
    row = ByHand(eight.derivation, 1, 2)
    assert {rounded.text for rounded in row.found["weights"]} == {"0.13"}
    assert row.wrong("weights") == ()


# The page

@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_page_is_read_back(path: Path) -> None:
    example = load(path)
    made = rounding.markers(work_out(example))
    shown = [made["step_by_hand"](key) for key in STEPS] + [made[name]() for name in (
        "by_hand_row", "first_wrong_digits", "enough_decimals", "printed_sums")]
    report = read_page("<p>" + "\n".join(shown) + "</p>", truth_of(example))
    assert report.faults == []
    assert report.counts["refs"] > 15


def test_a_wrong_number_is_marked_and_the_right_one_stands_beside() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "cats.toml")))
    (line,) = [line for line in made["step_by_hand"]("exponentials").split("\n") if "4.10<" in line]
    assert line.count('role="img" aria-label="wrong">✗<') == 3
    assert [plain(cell).strip() for cell in line.split("|")[1:4]] == \
        ["for cats", "4.113250", "4.10 ✗right: 4.11"]
    assert "✗" not in made["step_by_hand"]("weights")


def test_the_first_wrong_digit_is_told() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "cats.toml")))
    assert plain(made["first_wrong_digit"](2)) == (
        "With 2 decimals, the first wrong digit is in the exponentials: the exponential of love "
        "for cats comes out as 4.10, and right is 4.11. All 3 weights are right. Both numbers of "
        "the output are right.")
    assert plain(made["first_wrong_digit"](4)).endswith(
        "Of the 2 numbers of the output, 1 is wrong.")
    assert plain(made["first_wrong_digits"]()).count("With ") == 3


def test_a_token_that_occurs_twice_says_which() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "fractions.toml")))
    assert "the exponential of cat (token 2) for the (token 1) comes out as 0.25" in \
        plain(made["first_wrong_digit"](2))
    assert "| for the (token 4) |" in plain(made["step_by_hand"]("weights"))


def test_where_nothing_goes_wrong_that_is_said() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "one.toml")))
    assert plain(made["first_wrong_digit"](3)) == \
        "With 3 decimals, no digit of this row goes wrong."


def test_a_sum_that_is_rounded_to_0_stops_the_work() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "saturated.toml")))
    told = plain(made["first_wrong_digit"](2))
    assert told.startswith("With 2 decimals, every digit is right until the sum, and there")
    assert "nothing can be divided by it" in told
    assert "no number" in made["step_by_hand"]("weights")
    assert plain(made["enough_decimals"]()).startswith(
        "Even 10 decimals at each step do not make the weights of sure right to 2 places.")


def test_the_row_of_one_who_hears_somebody_is_taken() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "hidden-row.toml")))
    assert plain(made["by_hand_row"]()) == "love may listen to nobody, so the row is that of I."
    assert plain(made["step_by_hand"]("weights")).count("for ") == 2  # the third key is hidden


def test_where_nobody_is_heard_at_all() -> None:
    made = rounding.markers(of(tokens=["a", "b"], x=[[1], [2]], mask=[[0, 0], [0, 0]]))
    assert plain(made["first_wrong_digits"]()) == (
        "b may listen to nobody: its weights and its output are 0, and nothing is rounded.")
    assert plain(made["step_by_hand"]("output")) == (
        "b may listen to nobody, so here is nothing to work out.")
    assert plain(made["enough_decimals"]()) == "The weights of b are 0 with any number of decimals."
    assert plain(made["printed_sums"]()) == (
        "No token may listen to anybody here, so every weight is 0.")


def test_of_many_keys_the_first_are_shown_and_all_are_counted() -> None:
    made = rounding.markers(work_out(load(sites.EXAMPLES / "wide.toml")))
    assert plain(made["step_by_hand"]("weights")).count("| for ") == 8
    assert plain(made["step_by_hand"]("weights")).endswith(
        "These are the first 8 of 12; the sentences below count all.")
    assert "All 12 weights are right." in plain(made["first_wrong_digit"](2))


# How many decimals are enough

@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_enough_places_by_trying_each(path: Path) -> None:
    example = load(path)
    for i in range(len(example.tokens)):
        tried = {places: weights_right(example, i, places) for places in range(2, 11)}
        fewest = next((p for p in tried if all(tried[q] for q in tried if q >= p)), None)
        assert enough_places(derive(example), i, 2) == fewest


def weights_right(example: Example, i: int, places: int) -> bool:
    with mpmath.workdps(truth.DIGITS):
        found = truth.one_row(example, i, places)
        if not found["normalisers"][0] and not all(truth.hides(example)[i]):
            return False
        right = truth_from_exact(derive(example)).matrices["weights"][i]
        return all(abs(truth.half_up(a, 2) - truth.half_up(b, 2)) < 1e-30
                   for a, b in zip(found["weights"], right, strict=True))


def test_two_decimals_are_not_always_enough() -> None:
    needy = of(tokens=["a", "b", "c"], x=[["-6/4"], [1], ["-7/3"]], scale="none")
    assert enough_places(needy.derivation, 1, 2) == 4
    assert plain(rounding.markers(needy)["enough_decimals"]()) == (
        "4 decimals at each step are enough to make the weights of b right to 2 places, rounded to "
        "2 at the end. So are all numbers of decimals from there to 10: each was tried.")


# The sums of printed weights

def test_rows_whose_printed_weights_miss_1() -> None:
    said = plain(rounding.printed_sums(work_out(load(sites.EXAMPLES / "cats.toml"))))
    assert said == (
        "This site rounds every weight by itself, to 4 decimals. As printed, the row of I adds up "
        "to 1.0001. Every other row adds up to exactly 1 as printed.")


def test_rows_that_all_add_up() -> None:
    said = plain(rounding.printed_sums(of(tokens=["a", "b"], x=[[0], [0]], places=1)))
    assert said == (
        "This site rounds every weight by itself, to 1 decimal. Here each printed row adds up to "
        "exactly 1 all the same.")


def test_a_row_of_zeros_is_no_row_that_misses_1() -> None:
    half = of(tokens=["a", "b"], x=[[0], [0]], mask=[[1, 1], [0, 0]])
    assert plain(rounding.printed_sums(half)).endswith(
        "Here each printed row of a token that may hear somebody adds up to exactly 1 all the "
        "same.")
