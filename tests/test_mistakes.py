"""Each mistake against the same mistake made in mpmath, and the way back from its numbers."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from derivations.decimals import Table, table
from derivations.example import Example, build, load
from derivations.lesson.compared import Compared, compared, look_up, suspects
from derivations.lesson.mistakes import MISTAKES, Overflow, ShapeFault, Stuck
from derivations.lesson.sums import row_sums
from derivations.pages.lesson import conventions, mistakes
from derivations.pages.worked import work_out
from tests import sites
from tests.truths import lesson

SQUARE = {"tokens": ["a", "b"], "x": [[1, 0], [2, 1]], "w_q": [[1, 0], [1, 1]],
          "w_k": [[0, 1], [1, 2]], "w_v": [[1, 0], [-1, 1]]}
PATHS = [sites.LESSON, *(sites.EXAMPLES / f"{name}.toml"
                         for name in ("fractions", "hidden-row", "causal", "one"))]
EXAMPLES = {path.stem: load(path) for path in PATHS} | {
    "square": build(Path("square.toml"), SQUARE)}


def by_key(example: Example) -> dict[str, Compared]:
    return {one.mistake.key: one for one in compared(example)}


def near(shown: Table, true: list[list[mpf]]) -> bool:
    return all(abs(mpf(entry.value.numerator) / entry.value.denominator - value)
               <= mpf(10) ** (entry.exponent - entry.places) * mpf("0.5000001")
               for row, values in zip(shown, true, strict=True)
               for entry, value in zip(row, values, strict=True) if entry)


@pytest.mark.parametrize("slug", EXAMPLES)
def test_numbers_are_those_of_the_mistake_made_in_mpmath(slug: str) -> None:
    example = EXAMPLES[slug]
    with mpmath.workdps(70):
        truths = lesson.mistakes(example)
        with_numbers = {one.mistake.key: one for one in compared(example) if one.wrong}
        assert {f"mistake-{key}" for key in with_numbers} == truths.keys()
        for key, one in with_numbers.items():
            true = truths[f"mistake-{key}"]
            assert near(one.wrong["weights"], true["weights"]), key
            assert near(one.wrong["output"], true["output"]), key
            assert near(table(row_sums(one.found["weights"]), 12), true["row_sums"]), key


def test_there_are_eleven() -> None:
    assert len({mistake.key for mistake in MISTAKES}) == 11


@pytest.mark.parametrize("slug", ["i-love-cats", "fractions", "square"])
def test_the_look_up_finds_each_mistake_by_its_own_numbers(slug: str) -> None:
    mistakes = compared(EXAMPLES[slug])
    showing = [one for one in mistakes if one.wrong and one.shows]
    assert len(showing) >= 6
    for one in showing:
        here = tuple(other for other in mistakes if other.variant == one.variant)
        for key in {place[0] for place in one.differing}:
            found = look_up(here, key, one.wrong[key])
            assert one in found
            assert all(other.wrong[key] == one.wrong[key] for other in found), one.mistake.key


def test_on_the_default_example_all_are_told_apart() -> None:
    """By their weights, or by their output where only that is wrong."""
    mistakes = [one for one in compared(EXAMPLES["i-love-cats"]) if one.wrong]
    assert len(mistakes) == 9
    for one in mistakes:
        key = "weights" if any(place[0] == "weights" for place in one.differing) else "output"
        assert look_up(tuple(mistakes), key, one.wrong[key]) == (one,)


def test_two_mistakes_with_the_same_numbers_are_both_found() -> None:
    """With d_model = 1 the root of the wrong width is 1: as if there were no scaling."""
    example = build(Path("narrow.toml"), {
        "tokens": ["a", "b"], "x": [[1], [2]], "w_q": [[1, 2]], "w_k": [[1, 1]], "w_v": [[1, 0]]})
    found = by_key(example)
    unscaled, narrow = found["unscaled"], found["by-root-of-d-model"]
    both = look_up(tuple(found.values()), "weights", unscaled.wrong["weights"])
    assert both == (unscaled, narrow)


def test_right_numbers_rounded_to_fewer_places_are_no_mistake() -> None:
    """Rounded between steps, the weights of the lesson are the right ones, to two places."""
    found = by_key(EXAMPLES["i-love-cats"])["rounded-between"]
    assert {key for key, _, _ in found.differing} == {"output"}
    assert len(found.differing) == 2
    assert "The attention weights are the right ones" in str(mistakes.comparison(found))


def test_one_number_names_its_suspects() -> None:
    found = by_key(EXAMPLES["i-love-cats"])
    wrong = found["by-d-k"].wrong["weights"][1][2]
    assert suspects(tuple(found.values()), "weights", 1, 2, wrong) == (found["by-d-k"],)
    for i, row in enumerate(found["by-d-k"].true["weights"]):
        for j, right in enumerate(row):  # also where a mistake gives what is right
            here = tuple(one for one in found.values() if not one.variant)
            assert suspects(here, "weights", i, j, right) == ()


def test_shapes_that_do_not_fit() -> None:
    found = by_key(EXAMPLES["i-love-cats"])
    assert found["no-transpose"].found == ShapeFault("queries", "keys")
    found = by_key(EXAMPLES["fractions"])
    assert isinstance(found["keys-and-values-swapped"].found, ShapeFault | dict)
    assert by_key(EXAMPLES["square"])["no-transpose"].wrong


def test_swapping_does_not_show_where_the_scores_are_symmetric() -> None:
    example = build(Path("even.toml"), SQUARE | {"w_k": SQUARE["w_q"]})
    assert not by_key(example)["queries-and-keys-swapped"].shows


def test_no_mistake_of_masks_shows_on_one_token() -> None:
    found = by_key(EXAMPLES["one"])
    assert not found["masked-after-softmax"].shows
    assert not found["masked-with-zero"].shows


def test_floats_overflow() -> None:
    found = by_key(EXAMPLES["i-love-cats"])["not-shifted"].found
    assert isinstance(found, Overflow)
    assert {str(entry) for row in found.exponentials for entry in row} == {"inf"}
    assert {str(entry) for row in found.weights for entry in row} == {"nan"}


# The page: what is said of odd examples

ONE = {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}
OVER = {"tokens": ["a", "b", "c"], "x": [[9, 0], [8, 1], [-9, 3]], "w_q": [[1, 0], [0, 1]],
        "w_k": [[1, 0], [0, 1]], "w_v": [[1], [-1]], "scale": "1/10"}
UNDER = ONE | {"tokens": ["a", "b"], "x": [[9], [8]], "w_k": [[-1]], "scale": "1/10",
               "mask": "causal"}
HIDDEN = {"tokens": ["one", "two", "three"], "x": [[1, 2], [2, 1], [1, 1]], "scale": "none",
          "w_q": [[1, 0, 0], [0, 1, 0]], "w_k": [[0, 1, 1], [1, 0, 0]],
          "w_v": [[-1, -2], [-3, -4]], "mask": [[1, 0, 0], [1, 1, 0], [0, 0, 0]]}
HALF = {"tokens": ["3", "most", "x"], "x": [[1, 0], [0, 1], [2, 2]], "w_q": [[0, 0], [0, 0]],
        "w_k": [[1, 0], [0, 1]], "w_v": [[1, 1], [1, 1]], "scale": "none", "places": 1,
        "mask": [[1, 1, 0], [0, 1, 1], [0, 0, 0]]}
PAIRS = {"tokens": ["up", "down", "left", "down", "up"], "places": 2,
         "x": [[-1, "-1/2"], [2, 1], [-3, "-3/2"], [2, 1], [-1, "-1/2"]],
         "w_q": [[1, 0, 0], [0, 2, 1]], "w_k": [[-1, 0, 0], [0, -2, -1]],
         "w_v": [[1, 2, 3], [0, 0, 0]]}
THIRDS = {"tokens": ["x", "y", "z"], "x": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "places": 2,
          "w_q": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "w_k": [[0, 0, 0]] * 3, "w_v": [[7]] * 3,
          "mask": "causal"}
NINE = ONE | {"tokens": list("abcdefghi"), "x": [[i] for i in range(9)]}


def made(data: dict[str, Any]) -> dict[str, Any]:
    return mistakes.markers(work_out(build(Path("t.toml"), data)))


def plain(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", markup))


def told(data: dict[str, Any], key: str) -> str:
    """What is said below the matrices of a mistake."""
    return plain(made(data)["mistake"](key)).split("\n\n")[-1].strip()


@pytest.mark.parametrize(("data", "rows"), [
    (OVER, "the rows of a, b and c"), (UNDER, "the row of a"), (HIDDEN, ""), (HALF, ""),
    (ONE | {"tokens": ["a", "b"], "x": [[1], [6]], "w_k": [[100]]}, "the row of b"),
    (ONE | {"tokens": ["a", "b"], "x": [[1], ["731/730"]], "w_k": [[-730]]}, "the rows of a and b"),
])
def test_whether_the_examples_own_scores_need_the_shift(data: dict[str, Any], rows: str) -> None:
    said = plain(made(data)["without_shift"]())
    if not rows:
        assert said == "With the scores of this example nothing shows."
    else:
        assert f"it shows: in float64, the exponentials in {rows} are too large" in said


def test_the_output_of_one_who_hears_nobody_need_not_lie_between_the_values() -> None:
    assert plain(made(HIDDEN)["output_of_nobody"]()) == (
        "Only where a token may hear nobody, as in the row of three, the output is 0, wherever the "
        "values lie.")
    assert made(OVER)["output_of_nobody"]() == ""
    many = NINE | {"mask": [[0] * 9] * 9}
    assert "as in 9 rows, the output is 0" in plain(made(many)["output_of_nobody"]())


def test_a_row_of_nobody_adds_up_to_0_and_where_it_does_not_that_is_told() -> None:
    assert told(HIDDEN, "unscaled").startswith("On this example one cannot see it")
    assert told(HIDDEN, "by-d-k") == (
        "The sums of the rows do not give it away: each row of weights still adds up to 1, and a "
        "row in which nobody may be heard is still 0.")
    assert told(HIDDEN, "masked-with-zero").startswith(
        "What gives it away: in the weights, the row of three adds up to 1, not to 0, although "
        "nobody may be heard there. The output gives it away as well: ")
    lines = plain(made(HIDDEN)["mistakes_table"]()).split("\n")
    cells = {line.split("|")[1].strip().split("]")[0][1:]: line.split("|")[3].strip()
             for line in lines if line.startswith("| [")}
    assert cells["divided by the width"] == "yes (0 where nobody may be heard)"
    assert cells["mask as 0"] == "yes (also where nobody may be heard)"
    assert cells["softmax down the columns"] == "no"


def test_a_column_of_nobody_does_not_add_up_to_1() -> None:
    assert plain(made(HIDDEN)["hidden_columns"]()) == (
        "(A column in which everything is hidden stays 0.)")
    assert made(OVER)["hidden_columns"]() == made(HALF)["hidden_columns"]() == ""


def test_only_the_values_that_may_be_heard_count() -> None:
    """Row 1 of HALF hears the values 1 and 1, and not the 4 that the mask hides."""
    assert told(HALF, "down-the-columns").endswith(
        "number 1 of 3 is 1.5, and every value that it may hear is 1 there.")
    assert told(HALF, "masked-with-zero").endswith(
        "number 1 of 3 is 2, and every value that it may hear is 1 there.")
    assert told(HIDDEN, "masked-with-zero").endswith(
        "and the one value that it may hear is −7 there.")


def test_values_that_differ_but_not_in_their_decimals() -> None:
    data = {"tokens": ["a", "b"], "x": [[1, 1], [3, 1]], "w_q": [[1], [0]], "w_k": [[1], [0]],
            "w_v": [["1/1000"], [1]], "places": 1}
    assert told(data, "down-the-columns").endswith(
        "the values that it should be a mean of are all 1.0 there, in the decimals shown.")


def test_no_row_is_named_whose_sum_is_as_it_should_be() -> None:
    said = told(OVER, "down-the-columns")
    assert "the rows of a and b add up to 2.0000 and 0.0000, not to 1" in said
    assert "1.0000" not in said


@pytest.mark.parametrize("data", [PAIRS, THIRDS])
def test_a_sum_that_rounding_alone_may_give_is_no_sign(data: dict[str, Any]) -> None:
    said = told(data, "rounded-between")
    assert "What gives it away: in the weights" not in said
    assert said.startswith("The sums of the rows do not give it away: what a row misses of 1 may "
                           "come from rounding its weights.")


def test_the_sum_that_rounding_gives_is_a_sign_among_more_decimals() -> None:
    said = told(PAIRS | {"places": 4}, "rounded-between")
    assert "What gives it away: in the weights, the rows of" in said


def test_where_every_exponential_is_rounded_to_0_there_are_no_weights() -> None:
    found = by_key(build(Path("t.toml"), UNDER))["rounded-between"]
    assert (found.found, found.wrong, found.differing) == (Stuck((0, 1)), {}, frozenset())
    assert told(UNDER, "rounded-between") == (
        "On this example the work stops: in the rows of a and b, every exponential is rounded to "
        "0, and so is the sum. Nothing can be divided by it.")
    assert "no numbers, where a sum is rounded to 0 | no sums |" in \
        plain(made(UNDER)["mistakes_table"]())


@pytest.mark.parametrize(("data", "key", "said"), [
    (PAIRS, "rounded-between",
     "The attention weights are the right ones, in all decimals shown."),
    (THIRDS | {"w_k": [[1, 0, 0], [0, 2, 0], [0, 0, 3]]}, "unscaled",
     "The output is the right one, in all decimals shown."),
])
def test_a_step_that_stays_right_is_named_in_good_english(
        data: dict[str, Any], key: str, said: str) -> None:
    assert said in plain(made(data)["mistake"](key))


def test_the_output_alone_gives_a_mistake_away() -> None:
    said = told(PAIRS, "keys-and-values-swapped")
    assert "do not give it away" in said
    assert "But the output does: number 1 of" in said
    assert "as well" not in said


def test_of_many_rows_the_first_are_named_and_the_others_counted() -> None:
    said = told(NINE, "down-the-columns")
    assert "and others" not in said
    assert re.search(r"the rows of a, b, c, d, e, f, g and h add up to .*, not to 1, and 1 more "
                     r"row misses it as well\.", said)


@pytest.mark.parametrize(("scale", "own", "divide", "here"), [
    ("sqrt_dk", "", "Divide by .", ""),
    ("none", "This example leaves its scores as they are: its scale is 1.",
     "This example leaves its scores as they are: its scale is 1. Where the scale is the usual "
     "one, divide by .", "; in this example, "),
    ("7/3", "This example has a scale of its own, .",
     "This example has a scale of its own, . Where the scale is the usual one, divide by .",
     "; in this example, "),
])
def test_what_is_said_of_the_scale_is_true_of_the_example(
        scale: str, own: str, divide: str, here: str) -> None:
    said = conventions.markers(work_out(build(Path("t.toml"), OVER | {"scale": scale})))
    assert [plain(said[name]()) for name in ("scale_of_its_own", "divide_by_root", "divisor_here")
            ] == [own, divide, here]


@pytest.mark.parametrize(("page", "marker"), [
    ("shape-mistakes", "{{ without_shift() }}"), ("output", "{{ output_of_nobody() }}"),
    ("mistakes", "{{ hidden_columns() }}"), ("mistakes", "{{ scale_of_its_own() }}"),
    ("mistakes", "{{ divide_by_root() }}"), ("rounding", "{{ scale_of_its_own() }}"),
    ("conventions", "{{ divisor_here() }}"),
])
def test_what_depends_on_the_example_is_no_typed_sentence(page: str, marker: str) -> None:
    source = (sites.ROOT / "docs" / "lesson" / f"{page}.md").read_text(encoding="utf-8")
    assert marker in source


def test_where_the_shapes_fit_by_chance_the_numbers_may_be_right() -> None:
    """HIDDEN has three tokens and keys of three numbers, and no transpose does not show."""
    assert told(HIDDEN, "no-transpose").endswith("every decimal shown is the right one.")
    page = sites.ROOT / "docs" / "lesson" / "shape-mistakes.md"
    assert "the numbers are wrong" not in page.read_text(encoding="utf-8")
