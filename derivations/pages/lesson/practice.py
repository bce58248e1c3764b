"""The exercises on the page: each with a hint and a solution that are folded."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from derivations.decimals import table
from derivations.lesson.practice import proofs as exercise_proofs
from derivations.lesson.practice.choices import column
from derivations.lesson.practice.data import Answer, Exercise, Named, Numbers, Queries
from derivations.lesson.practice.exercises import exercises
from derivations.lesson.practice.makers import by_hand as mixed_by_hand
from derivations.lesson.practice.proofs import prove
from derivations.lesson.practice.scenes import Scene, ground
from derivations.lesson.practice.tells import TELLS
from derivations.pages.lesson.counts import count, decimals
from derivations.pages.lesson.practice_givens import exactly, matrix
from derivations.pages.lesson.practice_scenes import Told
from derivations.pages.lesson.variants import scoped
from derivations.pages.prose import MISTAKES
from derivations.pages.worked import Worked
from derivations.render.markup import listed, number, text

MOST_QUERIES = 4
FOLD = '<details class="{}" markdown="1">\n<summary>{}</summary>\n\n{}\n\n</details>'
EXERCISE = """### <span data-count="exercise">{number}</span>. {title} {{: #exercise-{key} }}

<p class="level">Level: {level}</p>

{prompt}

{hint}

{solution}
"""
RESULT = '<p class="result" data-answer="{}"><strong>Answer:</strong> {}</p>'
ONE_QUERY = "The query is {}. It gives the weight {}."
TIED = "{} queries tie, each with the weight {}: {}{}."

BY_HAND = ("{pair}Take the weights of {name} as they are printed, {weights}, and mix column {col} "
           "of the values, {column}, by them. That gives {by_hand}, and the exact value gives "
           "{right}. {verdict}")
ALIKE = "Here both agree to the last digit shown. It need not be so."
APART = "The difference is no mistake in the method: it comes from working on with rounded numbers."


def markers(lesson: Worked) -> dict[str, Any]:
    """`exercises()` and how many there are."""
    return {"exercises": lambda: shown(lesson),
            "exercise": lambda key: alone(lesson, key),
            "by_hand": lambda: by_hand(lesson),
            "answer_decimals": lambda: decimals(lesson.example.places),
            "exercise_count": lambda: count(
                "exercises", len(exercises(lesson.example)))}


def check_exercises(lesson: Worked) -> int:
    """Prove every answer by a second route, and say how many there are.

    Raises CheckError.
    """
    return exercise_proofs.check_exercises(lesson.example)


def shown(lesson: Worked) -> Markup:
    """All exercises, each proved first. Raises CheckError."""
    found = exercises(lesson.example)
    for one in found:
        prove(one, lesson.example)
    told = teller(lesson)
    return Markup("\n\n").join(exercise(one, n, told) for n, one in enumerate(found, 1))


def alone(lesson: Worked, key: str) -> Markup:
    """One exercise, proved first; '' where the lesson's example has it not. Raises CheckError."""
    for n, one in enumerate(exercises(lesson.example), 1):
        if one.key == key:
            prove(one, lesson.example)
            shown = exercise(one, n, teller(lesson))
            return Markup(shown.replace("### ", "## ", 1))  # it stands right below the title
    return Markup("")


def by_hand(lesson: Worked) -> Markup:
    """A number of an output from the printed weights, beside what is right."""
    here = ground(lesson.example)
    told, row, col = teller(lesson)(here.scene), here.asker, column(here)
    found = mixed_by_hand(here, col)
    right = told.worked.decimals["output"][row][col]
    same = right is not None and found.rounded(told.places)[0].value == right.value
    return Markup(BY_HAND).format(
        pair=told.pair, name=told.name(row + 1), weights=told.vector("weights", row + 1),
        col=_safe(col + 1), column=told.column("values", col + 1), by_hand=_numbers(found, told),
        right=told.number("output", row + 1, col + 1), verdict=ALIKE if same else APART)


def teller(lesson: Worked) -> Callable[[Scene], Told]:
    """The markers of a scene, worked out when it is first met."""
    known: dict[str, Told] = {}

    def told(scene: Scene) -> Told:
        if scene.name not in known:
            known[scene.name] = Told(scene, lesson)
        return known[scene.name]

    return told


def exercise(one: Exercise, n: int, told: Callable[[Scene], Told]) -> Markup:
    """One exercise: its heading, its prompt, and what is folded."""
    names = _names(one, told)
    here: Told = names["here"]
    prompt, hint, solution = (
        filled(template, names) for template in (one.prompt, one.hint, one.solution))
    end = Markup(RESULT).format(Markup(one.key), names["answer"])
    return Markup(EXERCISE).format(
        number=n, title=text(one.title), key=Markup(one.key), level=Markup(one.level),
        prompt=here.pair + prompt, hint=Markup(FOLD).format(Markup("hint"), "Hint", hint),
        solution=Markup(FOLD).format(
            Markup("solution"), "Solution", solution + Markup("\n\n") + end))


def _names(one: Exercise, told: Callable[[Scene], Told]) -> dict[str, Any]:
    """What the texts of an exercise may say."""
    names: dict[str, Any] = {name: told(scene) for name, scene in one.scenes.items()}
    here: Told = names["here"]
    names |= {name: place + 1 for name, place in one.places.items()} | dict(one.counts)
    names |= {name: _beside(found, here) for name, found in one.shown.items() if name != "wrong"}
    names["answer"] = answer(one.answer, here)
    if isinstance(one.answer, Numbers):
        (names["rounded"], *_) = one.answer.rounded(here.places)
    if isinstance(one.answer, Named):
        names |= _about_mistake(one, one.answer, here)
    return names


def _about_mistake(one: Exercise, found: Named, here: Told) -> dict[str, Markup]:
    wrong = one.shown["wrong"]
    found_wrong = table(wrong.values, here.places)
    step = here.worked.derivation[wrong.key]
    suspects = sorted(text(MISTAKES[key]) for key in one.listed)
    shown_wrong = matrix(step, lambda i, j: number(found_wrong[i][j], wrong.key, i, j))
    return {"wrong": scoped(wrong.name, shown_wrong),
            "suspects": Markup("; ").join(suspects), "tell": Markup(TELLS[found.mistake])}


def answer(found: Answer, here: Told) -> Markup:
    """The answer in few words."""
    match found:
        case Numbers():
            return _numbers(found, here)
        case Queries():
            return _queries(found, here)
        case Named(mistake):
            return text(MISTAKES[mistake])


def _numbers(found: Numbers, here: Told) -> Markup:
    shown_numbers = [
        number(rounded, found.key, i, j)
        for rounded, (i, j) in zip(found.rounded(here.places), found.places, strict=True)]
    told = listed(shown_numbers)
    return scoped(found.name, told) if found.name else told


def _beside(found: Numbers, here: Told) -> Markup:
    """A number beside the steps: in full, but for what comes of rounded work."""
    if found.key == "by_hand":
        return _numbers(found, here)
    return scoped(found.name, exactly(found, here.places))


def _queries(found: Queries, here: Told) -> Markup:
    weight = _numbers(found.weight, here)
    rows = [_row(query) for query in found.found[:MOST_QUERIES]]
    if len(found.found) == 1:
        return Markup(ONE_QUERY).format(rows[0], weight)
    tied = count("queries that tie", len(found.found))
    more = Markup(" and so on") if len(found.found) > len(rows) else Markup("")
    return Markup(TIED).format(tied, weight, Markup(", ").join(rows), more)


def _row(query: tuple[int, ...]) -> Markup:
    numbers = [Markup(str(entry).replace("-", "\N{MINUS SIGN}")) for entry in query]
    return Markup('<span class="query">({})</span>').format(Markup(", ").join(numbers))


@cache
def _environment() -> Environment:
    return Environment(undefined=StrictUndefined, autoescape=True, finalize=_safe,
                       comment_start_string="{##", comment_end_string="##}")


def filled(template: str, names: Mapping[str, Any]) -> Markup:
    """A text with its markers filled in."""
    return Markup(_environment().from_string(template).render(names)).strip()


def _safe(value: object) -> Markup:
    """A whole number is a count; what is not Markup is text, and is shown as it is."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, int):
        return count("of the exercise", value)
    return text(value)
