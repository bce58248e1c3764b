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
from derivations.lesson.practice.data import Named, Numbers, Queries, of_step
from derivations.lesson.practice.exercises import exercises
from derivations.lesson.practice.proofs import check_exercises, prove
from derivations.lesson.practice.texts import EASY, HARD, MEDIUM
from derivations.pages.lesson import mistakes, practice, practice_givens, quiz
from derivations.pages.worked import work_out
from derivations.values import Rationals
from tests import sites
from tests.reader import Report, Truth, read_page, truth_from_exact
from tests.strategies import examples
from tests.truths import practice as practice_truths
from tests.truths import quiz as quiz_truths

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
    "nine": {"tokens": list("abcdefghi"), "x": [[n % 4, n // 3] for n in range(9)],
             "w_q": [[1, 0], [1, 1]], "w_k": [[1, 1], [0, -1]], "w_v": [["1/997"], [2]]},
    "sevenths": {"tokens": list("abcab"), "x": [[-3, 1], [1, 0], ["1/3", 2], [-3, 1], [0, 1]],
                 "w_q": [["-1/7"], [1]], "w_k": [["2/7"], ["1/9"]], "w_v": [["22/7"], [1]],
                 "places": 1, "mask": [[1] * 5] * 4 + [[1, 0, 1, 1, 1]]},
    "far": {"tokens": ["a", "b", "c"], "x": [[9, 0], [8, 1], [-9, 3]], "w_q": [[1, 0], [0, 1]],
            "w_k": [[1, 0], [0, 1]], "w_v": [["1/997", 1], [0, 3]], "scale": "1/10"},
    "one-suspect": {"tokens": ["a", "b", "c"], "x": [[1], [2], [0]], "w_q": [["1/2"]],
                    "w_k": [[1]], "w_v": [[0]], "mask": [[1, 1, 1], [1, 0, 1], [0, 0, 0]]},
}
RATIONAL = ("embeddings", "w_q", "w_k", "queries", "keys", "values", "scores")
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


def rounded_givens(shown: str) -> list[str]:
    """The numbers of exact steps that are rounded in a text."""
    marks = re.findall(r'<span class="number" data-ref="([^"]+)"([^>]*)>', shown)
    return [ref for ref, exact in marks
            if re.split(r"[.]", ref)[-1].partition("-r")[0] in RATIONAL and not exact]


def prompts(example: Example) -> dict[str, str]:
    """What each exercise shows before its hint."""
    told = practice.teller(work_out(example))
    return {one.key: str(practice.exercise(one, 1, told)).partition('<details class="hint"')[0]
            for one in exercises(example)}


@each_example
def test_what_an_exercise_gives_is_exact(example: Example) -> None:
    for shown in prompts(example).values():
        assert rounded_givens(shown) == []


@each_example
def test_an_exercise_shows_all_that_it_is_solved_from(example: Example) -> None:
    shown, found = prompts(example), {one.key: one for one in exercises(example)}
    assert not any("upper left corner" in prompt for prompt in shown.values())
    assert len(found["mistake"].listed) > 1
    here = found["mistake"].scenes["here"].derivation
    n = here.size("n_k")
    assert len(re.findall(r"weights-r\d+c\d+", shown["mistake"])) == n * n
    assert len(re.findall(r"[^_]scores-r\d+c\d+", shown["mistake"])) == n * n
    assert len(re.findall(r"mask-r\d+c\d+", shown["mistake"])) == (n * n if here.open else 0)
    if "listener" in found:
        rows, cols = found["listener"].scenes["here"].derivation["keys"].shape
        assert len(re.findall(r"keys-r\d+c\d+", shown["listener"])) == rows * cols


def printed(numbers: Numbers, example: Example) -> list[Fraction]:
    return [entry.value for entry in numbers.rounded(example.places)]


@each_example
def test_no_exercise_is_trivial(example: Example) -> None:
    found = {one.key: one for one in exercises(example)}
    assert any(printed(found["scaled"].answer, example)) or example.places < 3
    doubled = found["doubled"]
    before, after = (of_step(doubled.scenes[name], "weights", (
        doubled.places["row"], doubled.places["col"])) for name in ("here", "then"))
    assert printed(before, example) != printed(after, example)
    values = found["mean"].scenes["here"].derivation["values"]
    column = of_step(found["mean"].scenes["here"], "values", *(
        (j, found["mean"].places["col"]) for j in range(values.shape[0])))
    assert len(set(printed(column, example))) > 1
    assert printed(found["ratio"].answer, example)[0] < Fraction(10) ** 87  # e^200


def test_a_key_of_one_number_has_no_others_that_contribute() -> None:
    assert "This key has one number" in converted(ALL["sevenths"])
    assert "contribute" not in converted(ALL["sevenths"])


def test_the_root_makes_up_for_nothing_where_the_scale_is_no_root() -> None:
    assert "The root makes up" not in converted(ALL["six"])
    assert "The root makes up" in converted(ALL["i-love-cats"])


def test_tokens_that_change_places_are_read_in_the_new_order() -> None:
    words = re.sub("<[^>]+>", "", prompts(ALL["i-love-cats"])["order"])
    assert "love and I change places: now it reads “love I cats”." in words


def test_one_is_told_in_the_singular() -> None:
    words = re.sub("<[^>]+>", "", converted(ALL["sevenths"]))
    assert "to 1 decimal where" in words and "1 decimals" not in words
    assert "Likewise for the other token that" in words and "other 1 " not in words


def test_whom_a_mask_hides_is_told_of_everybody() -> None:
    n = 20
    long = build(Path("long.toml"), ONE | {
        "tokens": [f"t{k}" for k in range(n)], "x": [[k % 3] for k in range(n)],
        "mask": [[1] * 3 + [0] * 8 + [1] * 9, [1, 0, 1] + [0] * 17] + [[1] * n] * 18})
    worked = work_out(long)
    hidden = [re.sub("<[^>]+>", "", practice_givens.hidden(worked, i)) for i in range(3)]
    assert hidden[0].endswith("t9 and t10 from t0.") and hidden[2] == ""
    assert hidden[1] == "The mask lets t1 hear only t0 and t2."


def rows_of(shown: str) -> list[str]:
    """The first cells of a Markdown table, without its head."""
    lines = [line for line in shown.splitlines() if line.startswith("|")][2:]
    return [re.sub("<[^>]+>", "", line.split("|")[1]).strip() for line in lines]


@each_example
def test_the_look_up_has_a_row_of_its_own_for_every_entry(example: Example) -> None:
    entries = mistakes.markers(work_out(example))["look_up_table"]
    for key in ("weights", "output"):
        shown = str(entries(key))
        step = derive(example)[key]
        if shown:
            assert len(set(rows_of(shown))) == step.shape[0] * step.shape[1]


def test_a_look_up_says_which_of_equal_tokens_is_meant() -> None:
    rows = rows_of(mistakes.markers(work_out(ALL["repeated"]))["look_up_table"]("weights"))
    assert "the (token 4) for cat (token 2)" in rows and "saw for the (token 1)" in rows


def test_a_look_up_that_is_cut_says_so() -> None:
    n = 13
    long = build(Path("long.toml"), ONE | {
        "tokens": [f"t{k}" for k in range(n)], "x": [[k % 3] for k in range(n)]})
    shown = mistakes.markers(work_out(long))["look_up_table"]("weights")
    assert "entries of its first 8 rows and 8 columns" in re.sub("<[^>]+>", "", str(shown))
    assert len(rows_of(str(shown))) == 64


@settings(max_examples=15)
@given(examples(5))
def test_every_answer_of_any_example_is_proved(example: Example) -> None:
    try:
        derive(example)
    except ExampleError:
        return
    assert check_exercises(example) >= LEAST
