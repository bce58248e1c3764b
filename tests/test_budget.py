"""The budgets of a page hold whatever the example: the fullest version within them is shown."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from derivations.example import build
from derivations.pages.budget import Written, fullest
from derivations.pages.worked import work_out
from tests import sites
from tests.test_site import BUDGET_FORMULA, BUDGET_FORMULAS, BUDGET_MARKDOWN

MATRICES = ('<table class="matrix', '<table class="factor', "heat", r"\begin{bmatrix}")
Data = dict[str, Any]


def matrix(rows: int, cols: int, seed: int) -> list[list[int]]:
    """Small integers, none of them like its neighbours."""
    return [[(i * 7 + j * 5 + i * j * seed + seed) % 5 - 2 for j in range(cols)]
            for i in range(rows)]


def of(n: int, heads: int, d: int = 2, d_v: int = 1) -> Data:
    """An example of so many tokens and heads."""
    each = [{"w_q": matrix(d, d, h), "w_k": matrix(d, d, h + 1), "w_v": matrix(d, d_v, h + 2)}
            for h in range(heads)]
    return {"tokens": [f"word{i}" for i in range(n)], "x": matrix(n, d, 3), "heads": each,
            "w_o": matrix(heads * d_v, d, 4)}


def alone(n: int, d: int, **more: object) -> Data:
    """An example without heads."""
    return {"tokens": [f"word{i}" for i in range(n)], "x": matrix(n, d, 3), "w_q": matrix(d, d, 1),
            "w_k": matrix(d, d, 2), "w_v": matrix(d, d, 3)} | more


PRINTED = {"published": {"weights": [["0.5"] * 40] * 40}, "published_places": {"weights": 1}}


def printed(n: int, heads: int) -> Data:
    """An example of which a source prints every step of every head, all wrong."""
    steps = {"q": 2, "k": 2, "v": 1, "scores": n, "scaled": n, "weights": n,
             "output": 1}
    each = {step: [["0.77"] * width] * n for step, width in steps.items()}
    return of(n, heads) | {"published": {"heads": [each] * heads},
                           "published_places": dict.fromkeys(steps, 2)}


EXAMPLES = {
    "six words, eight heads": of(6, 8), "many heads": of(2, 60),
    "sixteen wide heads": of(3, 16, 3, 3), "one head": of(3, 1),
    "widths of four": alone(4, 4), "five words": alone(5, 3),
    "long names": alone(4, 2, tokens=["<" * 60] * 4, language="zh-Hans"),
    "very long names": of(8, 4) | {"tokens": ["{" * 300] * 8,
                                   "language": "abcdefgh-12345678-12345678-12345678"},
    "much printed": alone(40, 2, **PRINTED), "printed of heads": printed(6, 8),
}


@cache
def pages(name: str) -> dict[str, str]:
    """The Markdown of an example's pages."""
    files = sites.files_of(work_out(build(Path("t.json"), EXAMPLES[name])))
    return {page: text.decode() for page, text in files.items() if page.endswith(".md")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_page_is_within_its_budgets(name: str) -> None:
    for page, text in pages(name).items():
        assert len(text.encode()) <= BUDGET_MARKDOWN, page
        assert text.count('class="math display"') <= BUDGET_FORMULAS, page
        latex = map(unescape, re.findall(r'data-tex="([^"]*)"', text))
        assert max(map(len, latex), default=0) <= BUDGET_FORMULA, page
        shown = unescape(text)
        matrices = sum(shown.count(kind) for kind in MATRICES)
        assert matrices <= 20 or page.endswith("whole.md"), (page, matrices)


def test_an_overview_leads_to_every_head_whether_there_is_room_for_it_or_not() -> None:
    for name, heads in (("six words, eight heads", 8), ("many heads", 60), ("one head", 1)):
        overview = pages(name)["examples/t/index.md"]
        for number in range(1, heads + 1):
            assert f"](head-{number}/index.md)" in overview
        shown = overview.count("{: #head-")
        assert 0 < shown <= heads
        assert (shown < heads) is ("{: #others }" in overview)
        assert (shown < heads) is (name != "one head")


def test_as_many_heads_have_a_picture_as_there_is_room_for() -> None:
    overview = pages("six words, eight heads")["examples/t/index.md"]
    one = overview.index("{: #head-2 }") - overview.index("{: #head-1 }")
    assert len(overview.encode()) + one > BUDGET_MARKDOWN


def test_of_many_heads_side_by_side_those_in_the_corner_are_shown() -> None:
    page = pages("many heads")["examples/t/together.md"]
    place = page[page.index('<div class="place'):page.index('<div class="cards')]
    assert re.findall(r'data-ref="head_(\d+)-r1c1"', place) == [str(n) for n in range(1, 9)]
    assert r"\operatorname{Concat}(O^{(1)}, O^{(2)}, O^{(3)}, \ldots, O^{(60)})" in unescape(page)


def test_of_much_that_is_printed_a_corner_is_shown() -> None:
    page = pages("much printed")["examples/t/published.md"]
    assert page.count('class="printed"') == 8 * 8
    assert "The source prints 40 by 40 numbers" in page
    assert "| 1600 |" in page


@pytest.mark.parametrize(("links", "taken"), [
    ("", "b"), ("!", "b"), ("!!", "c"), ("!" * 99_999, "c")])
def test_the_fullest_page_within_the_budget_is_taken(links: str, taken: str) -> None:
    made = [Written(letter * size) for letter, size in (("a", 100_001), ("b", 99_999), ("c", 9))]
    assert fullest(made, "p.md", lambda _, page: (page + links).encode()).text[0] == taken


def test_of_what_is_printed_there_is_always_a_summary() -> None:
    page = pages("printed of heads")["examples/t/published.md"]
    assert page.count("| Head ") == 7 * 8
    assert 'class="printed"' not in page
    assert "grades each of them" in page
    assert "](#head" not in page


def test_a_page_of_all_steps_on_which_no_entry_fits_says_so() -> None:
    head = pages("very long names")["examples/t/head-1/whole.md"]
    assert "-entries }" not in head
    assert "and entries in symbols" not in head
    assert "and its matrix or a corner of it." in head
