"""The example that comes with the project, pinned: leave these out once you have your own.

    pytest -m "not default"
"""

import pytest

from derivations.example import load
from derivations.pages.worked import work_out
from tests.sites import EXAMPLES, LESSON, SHOWN

pytestmark = pytest.mark.default


def test_the_lesson_is_the_example_that_the_tests_know() -> None:
    known = load(EXAMPLES / "cats.toml")
    lesson = load(LESSON)
    assert (lesson.tokens, lesson.x, lesson.w_q, lesson.w_k, lesson.w_v) == \
        (known.tokens, known.x, known.w_q, known.w_k, known.w_v)


@pytest.mark.parametrize(("key", "rows"), [
    ("queries", ((1, 2), (0, 1), (2, 1))),
    ("keys", ((1, 0), (2, 1), (1, 2))),
    ("values", ((0, 1), (1, 0), (2, 1))),
    ("scores", ((1, 4, 5), (0, 1, 2), (2, 5, 4))),
])
def test_the_numbers_by_hand(key: str, rows: tuple[tuple[int, ...], ...]) -> None:
    step = work_out(load(LESSON)).derivation[key]
    assert step.values.integers == rows
    assert step.values.denominator == 1


def test_the_weight_of_cats_for_love() -> None:
    from derivations.decimals import table

    worked = work_out(load(LESSON))
    assert worked.decimals["weights"][1][2].text == "0.5760"
    nine = table(worked.derivation["weights"].values, 9)[1][2]
    assert (nine.text, nine.exact) == ("0.575975345", False)


def test_the_chinese_example_has_the_numbers_of_the_lesson() -> None:
    """As its note says."""
    ours, lesson = (work_out(load(path)).derivation for path in (SHOWN / "chinese.toml", LESSON))
    assert [step.values for step in ours.steps] == [step.values for step in lesson.steps]
