"""The quiz: one right choice each, none like another; by keyboard, and without scripts."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from playwright.sync_api import Browser, Page

from derivations.example import Example
from derivations.lesson.practice.makers import by_hand
from derivations.lesson.practice.quiz import (
    LEAST_CHOICES,
    MOST_CHOICES,
    Choice,
    quiz,
    shuffled,
    told_apart,
)
from derivations.lesson.practice.quiz_numbers import Candidate
from derivations.lesson.practice.scenes import elsewhere, stand_in
from derivations.pages.lesson import quiz as pages
from derivations.pages.worked import work_out
from derivations.values import Rationals
from tests import looks
from tests.browser import CHROMIUM, LOOKED_AT, opened, read_through, violations
from tests.strategies import examples
from tests.test_exercises import ALL, each_example, rounded_givens

LEAST = 10
PAGE = "lesson/quiz/"
LOOKS = (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS, looks.FONT, looks.FORMULAS)
OPEN = "() => document.querySelectorAll('details').forEach(box => { box.open = true; })"
in_browser = [pytest.mark.browser,
              pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")]


def printed(choice: Choice, example: Example) -> object:
    """What a choice looks like."""
    if choice.number is None:
        return choice.words or choice.token
    (rounded,) = choice.number.rounded(example.places)
    return rounded.value


@each_example
def test_questions_have_one_right_choice_and_none_twice(example: Example) -> None:
    sound(example)


@settings(max_examples=20)
@given(examples(5))
def test_questions_on_any_example_are_sound(example: Example) -> None:
    sound(example)


def sound(example: Example) -> None:
    found = quiz(example)
    assert len(found) >= LEAST and len({one.key for one in found}) == len(found)
    for one in found:
        assert LEAST_CHOICES <= len(one.choices) <= MOST_CHOICES, one.key
        assert [choice.right for choice in one.choices].count(True) == 1, one.key
        looks_like = [printed(choice, one.scenes["here"].example) for choice in one.choices]
        assert len(set(looks_like)) == len(looks_like), one.key
        whys = [choice.why for choice in one.choices]
        assert all(whys)
        assert len(set(whys)) == len(whys) or one.key == "heard"


def test_candidates_that_are_printed_alike_are_left_out() -> None:
    def candidate(key: str, top: int) -> Candidate:
        return Candidate(key, Rationals(((top,),), 100000))

    kept = told_apart([candidate("right", 10000), candidate("near", 10001),
                       candidate("other", 20000), candidate("again", 20000)], 4)
    assert [one.key for one in kept] == ["right", "other"]


def test_the_order_depends_on_the_key_and_on_nothing_else() -> None:
    def choices(*words: str) -> tuple[Choice, ...]:
        return tuple(Choice(word, "why", right=n == 0) for n, word in enumerate(words))

    def places(key: str, *words: str) -> list[int]:
        return [words.index(choice.words) for choice in shuffled(key, choices(*words))]

    assert places("weight", *"abcd") == places("weight", *"wxyz")
    assert len({tuple(places(one.key, *"abcd")) for one in quiz(ALL["i-love-cats"])}) > 5
    ideas = {one.key: [choice.words for choice in one.choices] for one in quiz(ALL["wide"])}
    for one in quiz(ALL["i-love-cats"]):
        assert one.scenes["here"].name or one.choices[0].words == "" \
            or ideas.get(one.key, []) == [choice.words for choice in one.choices] or one.places


def test_the_right_choice_stands_in_every_place() -> None:
    places = {next(n for n, choice in enumerate(one.choices) if choice.right)
              for one in quiz(ALL["i-love-cats"])}
    assert places == {0, 1, 2, 3}


@each_example
def test_nothing_but_the_explanation_tells_the_right_choice(example: Example) -> None:
    page = str(pages.shown(work_out(example)))
    labels = re.findall(r"<label.*?</label>", page, re.DOTALL)
    assert len(labels) == sum(len(one.choices) for one in quiz(example))
    for label in labels:
        assert "right" not in re.sub(r'data-ref="[^"]*"', "", label) or "quiz-rows" in label
        assert all(ref.startswith("quiz-") for ref in re.findall(r'data-ref="([^"]*)"', label))


@each_example
def test_it_can_be_read_without_scripts(example: Example) -> None:
    page = str(pages.shown(work_out(example)))
    questions = re.findall(r"<fieldset.*?</fieldset>", page, re.DOTALL)
    assert len(questions) == len(quiz(example))
    for question in questions:
        assert question.count("<legend>") == question.count("<details") == 1
        answers = re.findall(r"<li data-choice.*?</li>", question, re.DOTALL)
        assert len(answers) == question.count('type="radio"')
        assert sum("<strong>Right.</strong>" in answer for answer in answers) == 1
        assert sum("<strong>Not right.</strong>" in answer for answer in answers) \
            == len(answers) - 1


@each_example
def test_what_is_given_is_exact(example: Example) -> None:
    page = str(pages.shown(work_out(example)))
    for prompt in re.findall(r"<legend>.*?</legend>", page, re.DOTALL):
        assert rounded_givens(prompt) == []


@each_example
def test_printed_weights_lead_to_the_right_choice(example: Example) -> None:
    for one in quiz(example):
        if one.key != "output":
            continue
        here = next(ground for ground in (elsewhere(example), stand_in(example))
                    if ground.scene.name == one.scenes["here"].name)
        (found,) = by_hand(here, one.places["col"]).rounded(20)
        off = {choice.right: [] for choice in one.choices}
        for choice in one.choices:
            (offered,) = choice.number.rounded(20)
            off[choice.right].append(abs(offered.value - found.value))
        assert off[True] < [min(off[False])]


def test_the_questions_ask_for_other_entries_than_the_chapters() -> None:
    found = {one.key: one for one in quiz(ALL["i-love-cats"])}
    assert {found[key].places["row"] for key in ("score", "scaled", "weight", "output")} == {2}
    assert not {choice.number.key for choice in found["output"].choices} \
        - {"right", "mean", "backwards", "loudest", "total", "divided", "own"}


class Opened:
    """The quiz in a browser."""

    def __init__(self, browser: Browser, address: str, **how: object):
        self.page, self.problems = opened(browser, address + PAGE, **how)
        self.questions = self.page.locator(".quiz-question")
        self.score = self.page.locator(".quiz-score")

    def right(self, n: int) -> str:
        """The value of the right choice of a question."""
        return self.questions.nth(n).locator("[data-right]").get_attribute("data-choice")

    def verdict(self, n: int) -> str:
        return self.questions.nth(n).locator(".quiz-verdict").inner_text()

    def closed(self) -> None:
        assert self.problems == []
        self.page.context.close()


def chosen(page: Page) -> str:
    return page.evaluate("() => document.activeElement.value")


def choose_by_keys(page: Page, value: str) -> None:
    """From the first radio button of a question to the one with this value."""
    page.keyboard.press("Space")
    for _ in range(MOST_CHOICES):
        if chosen(page) == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{value} cannot be chosen by keyboard")


class TestInABrowser:
    pytestmark = in_browser

    def test_by_keyboard(self, browser: Browser, address: str) -> None:
        quiz_page = Opened(browser, address)
        page, first = quiz_page.page, quiz_page.questions.nth(0)
        first.locator("input").first.focus()
        choose_by_keys(page, quiz_page.right(0))
        assert first.locator(".quiz-verdict").is_hidden()  # moving along choices answers nothing
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert quiz_page.verdict(0).startswith("Right.")
        assert quiz_page.score.inner_text().startswith("Right. Score so far: 1 of 1")
        page.keyboard.press("Tab")  # what is folded is next
        assert page.evaluate("() => document.activeElement.matches('.quiz-answers summary')")
        quiz_page.closed()

    def test_wrong_then_right_counts_the_first_try(self, browser: Browser, address: str) -> None:
        quiz_page = Opened(browser, address)
        for n in (0, 1):
            question, right = quiz_page.questions.nth(n), quiz_page.right(n)
            false = next(letter for letter in "ab" if letter != right)
            for value, word in ((false, "Not right."), (right, "Right.")):
                question.locator(f"input[value={value}]").check()
                question.locator(".quiz-check").click()
                said = question.locator(f"[data-choice={value}] .quiz-why").text_content()
                assert quiz_page.verdict(n).startswith(word)
                assert question.locator(".quiz-verdict").text_content().strip() == said.strip()
        assert "Score so far: 0 of 2" in quiz_page.score.inner_text()
        third = quiz_page.questions.nth(2)
        third.locator(f"input[value={quiz_page.right(2)}]").check()
        third.locator("input:checked").press("Enter")
        assert "Score so far: 1 of 3" in quiz_page.score.inner_text()
        assert quiz_page.score.get_attribute("aria-live") == "polite"
        quiz_page.closed()

    def test_a_question_without_a_choice_asks_for_one(
        self, browser: Browser, address: str
    ) -> None:
        quiz_page = Opened(browser, address)
        quiz_page.questions.nth(0).locator(".quiz-check").click()
        assert quiz_page.verdict(0) == "Choose an answer first."
        assert quiz_page.score.inner_text() == ""
        quiz_page.closed()

    def test_reset(self, browser: Browser, address: str) -> None:
        quiz_page = Opened(browser, address)
        first = quiz_page.questions.nth(0)
        first.locator(f"input[value={quiz_page.right(0)}]").check()
        first.locator(".quiz-check").click()
        quiz_page.page.locator(".quiz-again").press("Enter")
        assert quiz_page.page.locator(".quiz input:checked").count() == 0
        assert quiz_page.page.locator(".quiz-verdict:visible").count() == 0
        assert quiz_page.score.inner_text() == "The quiz starts again."
        second = quiz_page.questions.nth(1)
        second.locator(f"input[value={quiz_page.right(1)}]").check()
        second.locator(".quiz-check").click()
        assert "1 of 1" in quiz_page.score.inner_text()
        quiz_page.closed()

    def test_without_scripts(self, browser: Browser, address: str) -> None:
        quiz_page = Opened(browser, address, width=375, scripts=False)
        page = quiz_page.page
        assert page.locator(".quiz button").count() == 0
        assert page.locator(".quiz input:visible").count() == 0
        folded = quiz_page.questions.nth(0).locator(".quiz-answers")
        assert folded.locator("li").first.is_hidden()
        folded.locator("summary").click()
        assert folded.get_by_text("Right.", exact=True).is_visible()
        quiz_page.closed()

    @pytest.mark.parametrize(("scheme", "width"), LOOKED_AT)
    def test_all_that_is_folded_looks_right(
        self, browser: Browser, address: str, scheme: str, width: int
    ) -> None:
        quiz_page = Opened(browser, address, scheme=scheme, width=width)
        page = quiz_page.page
        for n in (0, 1):  # one right, one wrong
            question, right = quiz_page.questions.nth(n), quiz_page.right(n)
            value = right if n == 0 else next(letter for letter in "ab" if letter != right)
            question.locator(f"input[value={value}]").check()
            question.locator(".quiz-check").click()
        page.evaluate(OPEN)
        read_through(page.evaluate)
        found = [problem for look in LOOKS for problem in page.evaluate(look)]
        assert found + violations(page) == []
        quiz_page.closed()

    @pytest.mark.parametrize(("scheme", "width"), LOOKED_AT)
    def test_all_that_is_folded_in_the_exercises_looks_right(
        self, browser: Browser, address: str, scheme: str, width: int
    ) -> None:
        page, problems = opened(browser, f"{address}lesson/practice/", scheme, width)
        page.evaluate(OPEN)
        read_through(page.evaluate)
        found = [problem for look in LOOKS for problem in page.evaluate(look)]
        assert found + violations(page) + problems == []
        page.context.close()

    def test_exercises_open_without_scripts(self, browser: Browser, address: str) -> None:
        page, problems = opened(browser, f"{address}lesson/practice/", scripts=False)
        for kind in ("hint", "solution"):
            box = page.locator(f"details.{kind}").first
            box.locator("summary").click()
            assert box.locator("p").first.is_visible()
        assert problems == []
        page.context.close()


def test_the_script_asks_for_nothing_and_keeps_nothing() -> None:
    script = Path("docs/assets/quiz.js").read_text()
    assert script.count('"use strict"') == 1
    assert not re.search(r"fetch|XMLHttp|localStorage|sessionStorage|innerHTML|eval\(", script)
