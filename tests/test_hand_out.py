"""The hand-out and its key: one object, and for each blank one answer, which is the right one."""

import re
from functools import cache
from pathlib import Path

import pytest
from lxml import html

from derivations.example import build
from derivations.formula import Beside, Given
from derivations.pages.budget import LONGEST_PAGE
from derivations.pages.example_pages import example_pages
from derivations.pages.hand_out import sheet
from derivations.pages.templating import own_templates
from derivations.pages.worked import Worked, work_out
from derivations.render.markup import address
from tests import sites

EXAMPLES = sorted([*sites.EXAMPLES.iterdir(), *sites.KINDS.iterdir(), *sites.SHOWN.glob("*.toml")])
EVERY = pytest.mark.parametrize("path", [
    pytest.param(path, marks=pytest.mark.own) if path.parent == sites.SHOWN else path
    for path in EXAMPLES], ids=lambda path: path.stem)


@cache
def shown(path: Path) -> dict[str, html.HtmlElement]:
    """The hand-outs and keys of an example, by name below its folder."""
    files, _ = example_pages(sites.worked(path), own_templates(), sites.CITING, True)
    found = {name.removeprefix(f"examples/{path.stem}/"): file.decode() for name, file in
             files.items() if name.endswith(("hand-out.md", "key.md"))}
    assert all(len(page.encode()) <= LONGEST_PAGE for page in found.values())
    return {name: html.fragment_fromstring(sites.converter().convert(page), create_parent=True)
            for name, page in found.items()}


def pairs(path: Path) -> list[tuple[Worked, html.HtmlElement, html.HtmlElement]]:
    """Each part that has something to work out, its hand-out and its key."""
    worked = sites.worked(path)
    found = []
    for part in worked.parts:
        below = part.example.slug.removeprefix(worked.example.slug).lstrip("/")
        names = [f"{below}/{name}".lstrip("/") for name in ("hand-out.md", "key.md")]
        if sheet(part).tasks:
            found.append((part, *(shown(path)[name] for name in names)))
        else:
            assert not set(names) & set(shown(path))
    return found


@EVERY
def test_each_blank_has_one_answer_in_the_key_and_none_on_the_hand_out(path: Path) -> None:
    for part, hand_out, key in pairs(path):
        blanks = {f"blank-{blank.number}": address(task.step.key, blank.row, blank.col)
                  for task in sheet(part).tasks for blank in task.blanks}
        assert hand_out.xpath("//*[starts-with(@id, 'blank-')]/@id") == list(blanks)
        answers = {box.get("id"): box.xpath(".//@data-ref") for box in
                   key.xpath("//*[starts-with(@id, 'blank-')]")}
        assert answers == {name: [entry] for name, entry in blanks.items()}
        assert not set(hand_out.xpath("//@data-ref")) & set(blanks.values())
        numbers = [sorted(page.xpath("//@data-ref")) for page in (hand_out, key)]
        assert sorted([*numbers[0], *blanks.values()]) == numbers[1]


@EVERY
def test_one_row_of_each_step_that_is_worked_out_is_blank(path: Path) -> None:
    for part, hand_out, key in pairs(path):
        steps = [step for step in part.derivation.own_steps
                 if not isinstance(step.formula, Given | Beside)]
        assert [task.step for task in sheet(part).tasks] == steps
        for task in sheet(part).tasks:
            assert {blank.row for blank in task.blanks} == {task.section.story[0]}
            assert len(task.blanks) == task.step.shape[1]
        for page in (hand_out, key):
            assert page.xpath("//h2[contains(@class, 'task')]/@id") == [step.key for step in steps]


def test_the_key_works_out_every_answer_and_the_hand_out_begins_one_of_each_step() -> None:
    ((part, hand_out, key),) = pairs(sites.LESSON)
    tasks = sheet(part).tasks
    answers = key.xpath("//div[@class='working']//strong/text()")
    assert answers == [f"{blank.number}." for task in tasks for blank in task.blanks]
    begun = hand_out.xpath("//div[@class='room']//strong/text()")
    assert begun == [f"{task.story.number}." for task in tasks]
    assert len(tasks) == 9


def test_a_sheet_holds_all_that_one_needs_or_there_is_none() -> None:
    ((_, hand_out, _),) = pairs(sites.EXAMPLES / "hostile.toml")
    given = hand_out.xpath("//div[@class='given']//@data-ref")
    assert {"embeddings-r10c1", "w_q-r1c3"} <= set(given)
    assert "keys-r10c3" in hand_out.xpath("//@data-ref")
    assert not pairs(sites.EXAMPLES / "wide.toml")


def test_no_answer_stands_where_one_begins() -> None:
    """A row that hears nobody has the formula 0, which is its answer."""
    data = {"tokens": ["a", "b"], "x": [[1, 0], [0, 1]], "w_q": [[1], [2]], "w_k": [[1], [1]],
            "w_v": [[3], [1]], "mask": [[1, 0], [0, 0]]}
    files, _ = example_pages(work_out(build(Path("t.toml"), data)), own_templates(), sites.CITING,
                             True)
    begun = re.findall(r'<div class="room" id="begin-\d+">.*?data-tex="([^"]*)"', files[
        "examples/t/hand-out.md"].decode())
    assert len(begun) == 10
    assert all("_{" in told.partition("=")[2] for told in begun if "=" in told)
    assert "a_{2,1}" in begun


def test_numbers_with_a_power_of_ten_are_not_said_to_be_rounded_to_places() -> None:
    data = {"tokens": ["a", "b"], "x": [[2, 0], [0, 2]], "w_q": [[2], [-2]], "places": 1,
            "w_k": [[1], [1]], "w_v": [[3], [1]]}
    files, _ = example_pages(work_out(build(Path("t.toml"), data)), own_templates(), sites.CITING,
                             True)
    assert "Round as the numbers beside them are" in files["examples/t/hand-out.md"].decode()
