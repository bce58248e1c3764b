"""Each mistake against the same mistake made in mpmath, and the way back from its numbers."""

from pathlib import Path

import mpmath
import pytest
from mpmath import mpf

from derivations.decimals import Table, table
from derivations.example import Example, build, load
from derivations.lesson.compared import Compared, compared, look_up, suspects
from derivations.lesson.mistakes import MISTAKES, Overflow, ShapeFault
from derivations.lesson.sums import row_sums
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
    assert len(showing) >= 7
    for one in showing:
        here = tuple(other for other in mistakes if other.variant == one.variant)
        for key in {place[0] for place in one.differing}:
            found = look_up(here, key, one.wrong[key])
            assert one in found
            assert all(other.wrong[key] == one.wrong[key] for other in found), one.mistake.key


def test_on_the_default_example_all_are_told_apart_by_their_weights() -> None:
    mistakes = [one for one in compared(EXAMPLES["i-love-cats"]) if one.wrong]
    assert len(mistakes) == 9
    for one in mistakes:
        assert look_up(tuple(mistakes), "weights", one.wrong["weights"]) == (one,)


def test_two_mistakes_with_the_same_numbers_are_both_found() -> None:
    """With d_model = 1 the root of the wrong width is 1: as if there were no scaling."""
    example = build(Path("narrow.toml"), {
        "tokens": ["a", "b"], "x": [[1], [2]], "w_q": [[1, 2]], "w_k": [[1, 1]], "w_v": [[1, 0]]})
    found = by_key(example)
    unscaled, narrow = found["unscaled"], found["by-root-of-d-model"]
    both = look_up(tuple(found.values()), "weights", unscaled.wrong["weights"])
    assert both == (unscaled, narrow)


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
