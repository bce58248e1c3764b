"""The quiz: questions with one right choice each, on ideas and on the numbers of an example.

Wrong numbers come from mistakes that people make. One that is printed like the right number, or
like another choice, is left out; a question with fewer than three choices is not asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations
from math import factorial

from derivations.example import Example
from derivations.lesson.practice.data import Numbers
from derivations.lesson.practice.quiz_ideas import IDEAS
from derivations.lesson.practice.quiz_numbers import NUMBERS, Candidate
from derivations.lesson.practice.quiz_texts import PROMPTS, RIGHT, WRONG
from derivations.lesson.practice.scenes import Ground, Scene, elsewhere

LEAST_CHOICES, MOST_CHOICES = 3, 4


@dataclass(frozen=True)
class Choice:
    """What can be chosen: words or a number, and why it is right or wrong (marker language)."""

    words: str
    why: str
    right: bool
    number: Numbers | None = None
    token: int | None = None


@dataclass(frozen=True)
class Question:
    """A question; its choices stand in the order in which they are shown."""

    key: str
    prompt: str
    choices: tuple[Choice, ...]
    scenes: Mapping[str, Scene]
    places: Mapping[str, int] = field(default_factory=dict)


def quiz(example: Example) -> tuple[Question, ...]:
    """Every question that the example, or its pair, has something to ask by."""
    here = elsewhere(example)
    ideas = [Question(key, prompt, shuffled(key, tuple(
                Choice(words, why, right=n == 0) for n, (words, why) in enumerate(choices))),
                {"here": here.scene})
             for key, (prompt, choices) in IDEAS.items()]
    numbers = [found for key in NUMBERS if (found := _on_numbers(key, here))]
    return (*_alternating(ideas, [*numbers, *_on_tokens(here)]),)


def _alternating(ideas: list[Question], numbers: list[Question]) -> list[Question]:
    """Two on ideas, then one on numbers, and so on."""
    mixed: list[Question] = []
    for n, idea in enumerate(ideas):
        mixed.append(idea)
        if n % 2:
            mixed += numbers[n // 2:n // 2 + 1]
    return [*mixed, *numbers[len(ideas) // 2:]]


def shuffled(key: str, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices in an order that depends on the question's key and their number alone."""
    n = len(choices)
    chosen = sum(place * ord(char) for place, char in enumerate(key, 1)) % factorial(n)
    return tuple(choices[k] for k in list(permutations(range(n)))[chosen])


def _on_numbers(key: str, here: Ground) -> Question | None:
    """A question for a number; None where too few wrong ones look different."""
    scene, places, candidates = NUMBERS[key](here)
    kept = told_apart(candidates, scene.example.places)[:MOST_CHOICES]
    if len(kept) < LEAST_CHOICES:
        return None
    choices = tuple(
        Choice("", RIGHT[key] if n == 0 else WRONG[key][one.key], n == 0, one.numbers(key))
        for n, one in enumerate(kept))
    return Question(key, PROMPTS[key], shuffled(key, choices), {"here": scene}, places)


def told_apart(candidates: list[Candidate], places: int) -> list[Candidate]:
    """The candidates that are printed unlike every one before them; the first is the right one."""
    kept: dict[object, Candidate] = {}
    for one in candidates:
        (rounded,) = one.numbers("").rounded(places)
        kept.setdefault(rounded.value, one)
    return list(kept.values())


def _on_tokens(here: Ground) -> list[Question]:
    """Who is heard most, where one token alone is."""
    row = here.exponents.numerators(here.asker)
    if list(row.values()).count(row[here.heard]) > 1 or len(row) < LEAST_CHOICES:
        return []
    others = sorted((j for j in row if j != here.heard), key=lambda j: (-row[j], j))
    choices = [Choice("", RIGHT["heard"], right=True, token=here.heard)]
    choices += [Choice("", WRONG["heard"]["other"], right=False, token=j)
                for j in others[: MOST_CHOICES - 2]]
    choices.append(Choice("all of them equally", WRONG["heard"]["equal"], right=False))
    return [Question("heard", PROMPTS["heard"], shuffled("heard", tuple(choices)),
                     {"here": here.scene}, {"row": here.asker, "high": here.heard})]
