"""Parts of the lesson that large, hidden or symmetric examples need in another form."""

from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest
from markupsafe import Markup

from derivations.example import Example, load
from derivations.faults import ExampleError
from derivations.lesson import variants
from derivations.pages.lesson import chapters, lengths, sentences, side_by_side
from derivations.pages.worked import Worked, work_out
from derivations.step import Divisor
from derivations.values import Rationals
from tests import sites


@pytest.fixture(scope="module")
def own() -> Example:
    return load(sites.LESSON)


@pytest.fixture(scope="module")
def lesson(own: Example) -> Worked:
    return work_out(own)


def times(matrix: Rationals, factor: int) -> Rationals:
    return Rationals(tuple(tuple(factor * entry for entry in row) for row in matrix.integers),
                     matrix.denominator)


def of(marker: Callable, *asked: object) -> str:
    return str(Markup(marker(*asked)).striptags())


class TestTooLargeToPrint:
    def test_a_variant_is_left_out_and_the_others_stay(self, own: Example) -> None:
        """Scores of 2000 can be printed, eight times as much cannot."""
        wide = work_out(replace(own, w_q=times(own.w_q, 400)))
        shown = side_by_side.markers(wide)["weights_by"]
        rows = [line for line in shown("stretch").splitlines() if line.startswith("| ")]
        assert rows[-1].count(str(side_by_side.TOO_LARGE)) == 2
        assert rows[-2].count('data-ref="weights-r2c') == 3
        assert str(side_by_side.TOO_LARGE) not in shown("scale")

    def test_raw_embeddings_are_told_of(self, own: Example) -> None:
        large = replace(own, x=times(own.x, 100), w_q=Rationals(own.w_q.integers, 10**6))
        with pytest.raises(ExampleError, match=r"the dot product, in chapter 2, of the embedding "
                                               r"of token 1 for token 1 is beyond 5000"):
            variants.raw(large)


def test_each_table_names_the_variant_of_each_row(lesson: Worked) -> None:
    shown = side_by_side.markers(lesson)["weights_by"]
    for name, refs in (("scale", ["", "unscaled."]), ("temperature", ["cold.", "", "warm."])):
        rows = [line for line in shown(name).splitlines() if 'data-ref="' in line]
        assert [f'data-ref="{ref}weights-r2c1"' in row for ref, row in
                zip(refs, rows, strict=True)] == [True] * len(refs)


class TestEntriesOfARow:
    def test_all_of_a_short_one(self, lesson: Worked) -> None:
        shown = sentences.entries_of(lesson, "exponentials", 1)
        assert shown.count('class="equation"') == 3
        assert "of the" not in of(Markup, shown)

    def test_of_a_long_one_some_and_the_one_of_the_story(self) -> None:
        """Token 12 is listened to most: its score stands among those shown."""
        n = 12
        x = tuple((j,) for j in range(1, n + 1))
        wide = work_out(replace(
            load(sites.LESSON), tokens=tuple(f"t{j}" for j in range(n)), x=Rationals(x),
            w_q=Rationals(((1,),)), w_k=Rationals(((1,),)), w_v=Rationals(((1,),))))
        shown = sentences.entries_of(wide, "scores", 1)
        assert shown.count('class="equation"') == sentences.MOST_LISTED
        assert "s_{2,12}" in shown
        assert of(Markup, shown).endswith("These are 8 of the 12 numbers of the row.")

    def test_of_a_hidden_one_a_sentence(self) -> None:
        hidden = sites.worked(sites.EXAMPLES / "hidden-row.toml")
        for shown in (sentences.entries_of(hidden, "weights", 1),
                      sentences.sum_of_weights(hidden, 1)):
            assert of(Markup, shown).startswith("The mask hides every key from love, so ")


def test_equal_scores_are_not_called_chance(own: Example) -> None:
    """With the same matrix for queries and keys they are so by design."""
    alike = work_out(replace(own, w_k=own.w_q))
    assert of(sentences.not_symmetric, alike).startswith(
        "In this example every score is the same both ways. It need not be so:")


def test_a_length_is_worked_out_where_it_is_no_whole_number(own: Example) -> None:
    shown = unescape(lengths.length_worked(work_out(own)))
    assert r"\sqrt{1^{2} + 2^{2}} = \sqrt{5} \approx 2.2361" in shown
    negative = unescape(lengths.length_worked(work_out(replace(own, w_q=times(own.w_q, -1)))))
    assert r"\left(-1\right)^{2} + \left(-2\right)^{2}" in negative


def test_every_size_is_named(lesson: Worked) -> None:
    told = of(sentences.size_sentence, lesson)
    assert "is 5, the width of a token" in told
    assert told.count(" is ") == 5


def test_without_a_scale_the_row_says_so(own: Example) -> None:
    bare = work_out(replace(own, divisor=Divisor("none", 1, 1, 1)))
    assert "as in this example" in side_by_side.markers(bare)["weights_by"]("scale")


def test_a_chapter_says_its_own_pace() -> None:
    assert chapters.head(11, "word " * 300).striptags() == "Chapter 11 of 11 · about 2 minutes"
    assert chapters.head(11, "word", "at your own pace").striptags().endswith("· at your own pace")
