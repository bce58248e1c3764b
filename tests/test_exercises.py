"""The exercises: every answer is proved, a wrong one is found, and the page says what is true."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import markdown
import pytest
from hypothesis import given, settings

from derivations.attention import derive
from derivations.checks import CheckError
from derivations.example import Example, build, load
from derivations.faults import ExampleError
from derivations.lesson.practice.data import Named, Numbers, Queries
from derivations.lesson.practice.exercises import exercises
from derivations.lesson.practice.proofs import check_exercises, prove
from derivations.lesson.practice.texts import EASY, HARD, MEDIUM
from derivations.pages.lesson import practice, quiz
from derivations.pages.worked import work_out
from derivations.values import Rationals
from tests import sites
from tests.reader import Report, Truth, read_page, truth_from_exact
from tests.strategies import examples
from tests.truths import practice as practice_truths
from tests.truths import quiz as quiz_truths

pytestmark = pytest.mark.once

LEAST = 12
LEVELS = (EASY, MEDIUM, HARD)
ONE = {"x": [[1], [2], [3]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}
WIDE_ROWS = [[1, 0, -1, 2, 0, 1, 1, 0], [0, 1, 1, 0, 2, 0, -1, 1]]
MORE = {
    "seven": {"tokens": list("abcdefg"), "x": [[n % 3, n % 2, 1] for n in range(7)],
              "w_q": [[1, 0], [0, 2], [1, 1]], "w_k": [[1, 1], [0, -1], [2, 0]],
              "w_v": [[1, 0, 2], [0, 1, 1], [1, 1, 0]]},
    "repeated": {"tokens": ["the", "cat", "saw", "the", "cat"],
                 "x": [[1, 0], [0, 1], [1, 1], [1, 0], [0, 1]], "w_q": [[1, 2], [0, 1]],
                 "w_k": [[1, 0], [1, 1]], "w_v": [[3, 1], [1, 2]], "mask": "causal"},
    "all-equal": ONE | {"tokens": ["a", "b", "c"], "w_k": [[0]]},
    "nobody": ONE | {"tokens": ["a", "b", "c"], "mask": [[0, 0, 0]] * 3},
    "no-query": ONE | {"tokens": ["a", "b", "c"], "w_q": [[0]]},
    "only-itself": ONE | {"tokens": ["a", "b", "c"], "mask": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    "all-open": ONE | {"tokens": ["a", "b", "c"], "mask": [[1, 1, 1]] * 3},
    "too-large": ONE | {"tokens": ["a", "b", "c"], "w_q": [[300]], "scale": "none"},
    "wide-keys": {"tokens": ["a", "b"], "x": [[1, 0], [0, 1]], "w_q": WIDE_ROWS,
                  "w_k": WIDE_ROWS[::-1], "w_v": [[1], [2]]},
    "six": {"tokens": ["a", "b", "c"], "x": [[1, 0], [0, 1], [1, 1]],
            "w_q": [[1, 0, 2, 0, 0, 1], [0, 1, 1, 0, 2, 0]],
            "w_k": [[1, 0, -1, 0, 0, 1], [0, 1, 1, 0, 2, 0]], "w_v": [[1, 4], [2, -3]],
            "scale": "1/3", "places": 2},
}
PATHS = [sites.LESSON, *sorted(sites.EXAMPLES.iterdir())]
ALL = {path.stem: load(path) for path in PATHS} | {
    name: build(Path(f"{name}.toml"), data) for name, data in MORE.items()}
each_example = pytest.mark.parametrize("example", ALL.values(), ids=ALL)


@cache
def converted(example: Example) -> str:
    """The exercises and the quiz as a page."""
    lesson = work_out(example)
    body = "\n\n".join(map(str, (
        practice.shown(lesson), practice.by_hand(lesson), quiz.shown(lesson))))
    converter = markdown.Markdown(extensions=[
        "attr_list", "md_in_html", "tables", "derivations.pages.labelled_tables",
        "derivations.pages.mathematics"])
    return f"<html><body>{converter.convert(body)}</body></html>"


def read(page: str, example: Example) -> Report:
    spaces = practice_truths.truths(example) | quiz_truths.truths(example)
    variants = {name: Truth(*space) for name, space in spaces.items()}
    return read_page(page, replace(truth_from_exact(derive(example)), variants=variants))


def wrong(answer):
    """Another answer of the same kind."""
    match answer:
        case Numbers(values=values):
            rows, cols = values.shape
            (true, *_) = answer.rounded(20)
            off = true.value + Fraction(1, 1000)
            top = off.numerator
            return replace(answer, values=Rationals(((top,) * cols,) * rows, off.denominator))
        case Queries(found=found):
            return replace(answer, found=(tuple(-entry or 1 for entry in found[0]),))
        case Named():
            return Named("no-such-mistake")


@each_example
def test_every_answer_is_proved(example: Example) -> None:
    assert check_exercises(example) >= LEAST


@each_example
def test_exercises_go_from_easy_to_hard_and_each_is_another(example: Example) -> None:
    found = exercises(example)
    levels = [LEVELS.index(one.level) for one in found]
    assert levels == sorted(levels) and set(levels) == {0, 1, 2}
    assert len({one.key for one in found}) == len(found) >= LEAST
    assert all(one.title and one.prompt and one.hint and one.solution for one in found)


@each_example
def test_a_wrong_answer_key_is_found(example: Example) -> None:
    for one in exercises(example):
        with pytest.raises(CheckError, match=f"exercise {one.key}"):
            prove(replace(one, answer=wrong(one.answer)), example)


def test_an_answer_about_another_entry_is_found() -> None:
    example = ALL["i-love-cats"]
    (weight,) = (one for one in exercises(example) if one.key == "weight")
    other = replace(weight.answer, places=((1, 0),))
    assert other != weight.answer
    with pytest.raises(CheckError, match="weight"):
        prove(replace(weight, answer=other), example)


def test_a_wrong_name_among_the_mistakes_is_found() -> None:
    example = ALL["i-love-cats"]
    (asked,) = (one for one in exercises(example) if one.key == "mistake")
    with pytest.raises(CheckError, match="the numbers are made by"):
        prove(replace(asked, answer=Named(asked.listed[1])), example)


def test_a_query_that_ties_and_is_left_out_is_found() -> None:
    example = ALL["hostile"]
    (asked,) = (one for one in exercises(example) if one.key == "listener")
    assert len(asked.answer.found) == 3
    short = replace(asked.answer, found=asked.answer.found[:2])
    with pytest.raises(CheckError, match="listener"):
        prove(replace(asked, answer=short), example)


def test_an_exercise_about_another_example_is_found() -> None:
    (first, *_) = exercises(ALL["i-love-cats"])
    with pytest.raises(CheckError, match="another example"):
        prove(first, ALL["fractions"])


def test_the_build_stops_at_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = work_out(ALL["i-love-cats"])
    found = exercises(lesson.example)
    planted = (*found[:-1], replace(found[-1], answer=wrong(found[-1].answer)))
    monkeypatch.setattr(practice, "exercises", lambda _: planted)
    with pytest.raises(CheckError, match=found[-1].key):
        practice.shown(lesson)


@each_example
def test_the_page_says_what_is_true(example: Example) -> None:
    page = converted(example)
    report = read(page, example)
    assert report.faults == []
    assert report.counts["formulas"] > 20 and report.counts["refs"] > 60


def test_a_wrong_number_on_the_page_is_noticed() -> None:
    example = ALL["i-love-cats"]
    page = converted(example)
    for name in ("practice-causal.weights-r2c1", "practice.divisor-r1c1", "quiz-weight.share-r1c1"):
        shown = re.search(rf'data-ref="{name}"[^>]*>([^<]+)<', page)
        planted = page.replace(shown[0], shown[0].replace(f">{shown[1]}<", ">0.1234<"))
        assert [fault for fault in read(planted, example).faults if name.split(".")[1] in fault]


@each_example
def test_what_the_page_shows_is_the_answer(example: Example) -> None:
    page = converted(example)
    for one in exercises(example):
        shown = re.search(rf'data-answer="{one.key}">(.*?)</p>', page, re.DOTALL)[1]
        if isinstance(one.answer, Numbers):
            written = re.findall(r">([^<]+)</span>", shown)
            expected = [entry.text for entry in one.answer.rounded(example.places)]
            assert [text.replace("−", "-") for text in written] == expected or "<sup>" in shown


@each_example
def test_the_page_has_no_marker_left_and_no_markup_of_tokens(example: Example) -> None:
    page = converted(example)
    assert "{{" not in page.replace("{{ y }}", "") and "{%" not in page
    assert "<script" not in page and 'markdown="' not in page and "Undefined" not in page
    assert not re.search(r"<(p|li|legend)>\s*</\1>", page)


def test_where_an_example_has_nothing_to_weigh_a_pair_says_so() -> None:
    page = converted(ALL["one"])
    assert "a pair of tokens stands in" in page
    assert "a pair of tokens stands in" not in converted(ALL["i-love-cats"])


@settings(max_examples=15)
@given(examples(5))
def test_every_answer_of_any_example_is_proved(example: Example) -> None:
    try:
        derive(example)
    except ExampleError:
        return
    assert check_exercises(example) >= LEAST
