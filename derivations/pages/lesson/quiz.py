"""The quiz on the page: questions with radio buttons, and below each what its choices are worth.

It can be read without scripts: the answers are folded. docs/assets/quiz.js marks it.
"""

import re
from collections.abc import Callable
from string import ascii_lowercase
from typing import Any

from markupsafe import Markup

from derivations.lesson.practice.quiz import Choice, Question, quiz
from derivations.lesson.practice.scenes import Scene
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.practice import filled, teller
from derivations.pages.lesson.practice_scenes import Told
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render.markup import math, number

QUIZ = """<section class="quiz" aria-label="Quiz">
{questions}
<p class="quiz-score" role="status" aria-live="polite"></p>
</section>"""
QUESTION = """<fieldset class="quiz-question" id="quiz-{key}">
<legend><span class="quiz-number" id="quiz-{key}-number">Question \
<span data-count="question">{number}</span>.</span> {prompt}</legend>
<div class="quiz-choices">
{choices}
</div>
<div class="quiz-verdict" hidden></div>
<details class="quiz-answers">
<summary>Each choice, explained</summary>
<ul>
{answers}
</ul>
</details>
</fieldset>"""
CHOICE = ('<label class="quiz-choice"><input type="radio" name="quiz-{}" value="{}"> '
          "<span>{}</span></label>")
ANSWER = ('<li data-choice="{}"{}><span class="quiz-words">{}</span>: '
          '<div class="quiz-why"><strong>{}</strong> {}</div></li>')
RIGHT, WRONG = "Right.", "Not right."
FORMULA, STRESSED = re.compile(r"\$([^$]+)\$"), re.compile(r"\*([^*]+)\*")


def markers(lesson: Worked) -> dict[str, Any]:
    """`quiz()` and how many questions it has."""
    return {"quiz": lambda: shown(lesson),
            "question_count": lambda: count(
                "questions", len(quiz(lesson.example)))}


def shown(lesson: Worked) -> Markup:
    """The whole quiz."""
    told = teller(lesson)
    asked = (question(one, n, told) for n, one in enumerate(quiz(lesson.example), 1))
    return Markup(QUIZ).format(questions=Markup("\n").join(asked))


def question(one: Question, n: int, told: Callable[[Scene], Told]) -> Markup:
    """One question."""
    here = told(one.scenes["here"])
    names = {"here": here} | {name: place + 1 for name, place in one.places.items()}
    lettered = list(zip(ascii_lowercase, one.choices, strict=False))
    words = {letter: _words(choice, here) for letter, choice in lettered}
    choices = [Markup(CHOICE).format(Markup(one.key), letter, words[letter])
               for letter, _ in lettered]
    answers = [_answer(letter, choice, words[letter], names) for letter, choice in lettered]
    return Markup(QUESTION).format(
        key=Markup(one.key), number=n, prompt=_where(one, here) + inline(one.prompt, names),
        choices=Markup("\n").join(choices), answers=Markup("\n").join(answers))


def _where(one: Question, here: Told) -> Markup:
    """That a pair of tokens stands in for the example, where the question shows its numbers."""
    return here.pair if not all(choice.words for choice in one.choices) else Markup("")


def _words(choice: Choice, here: Told) -> Markup:
    """What a choice says: words, a token, or a number that links to nothing."""
    if choice.token is not None:
        token: Markup = here.name(choice.token + 1)
        return token
    if choice.number is None:
        return inline(choice.words, {})
    (rounded,), ((i, j),) = choice.number.rounded(here.places), choice.number.places
    return scoped(choice.number.name, number(rounded, choice.number.key, i, j))


def _answer(letter: str, choice: Choice, words: Markup, names: dict[str, Any]) -> Markup:
    here = names if choice.token is None else names | {"this": choice.token + 1}
    right = Markup(" data-right") if choice.right else Markup("")
    return Markup(ANSWER).format(
        letter, right, words, RIGHT if choice.right else WRONG, inline(choice.why, here))


def inline(template: str, names: dict[str, Any]) -> Markup:
    """A text with its markers filled in, as HTML: Markdown does not read what stands in a quiz."""
    with_formulas = FORMULA.sub(lambda found: str(math(found[1])), template)
    made = filled(STRESSED.sub(r"<em>\1</em>", with_formulas), names)
    return Markup(str(made).replace(' markdown="1"', ""))
