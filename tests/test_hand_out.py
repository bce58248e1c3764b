"""The hand-out and its key: one object, and for each blank one answer, which is the right one."""

from functools import cache
from pathlib import Path

import pytest
from lxml import html

from derivations.formula import Beside, Given
from derivations.pages.budget import LONGEST_PAGE
from derivations.pages.example_pages import example_pages
from derivations.pages.hand_out import sheet
from derivations.pages.templating import own_templates
from derivations.pages.worked import Worked
from derivations.render.corner import corner
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
            assert len(task.blanks) == corner(task.step.shape)[1]
        for page in (hand_out, key):
            assert page.xpath("//h2[contains(@class, 'task')]/@id") == [step.key for step in steps]


def test_the_key_works_out_every_answer_and_the_hand_out_begins_one_of_each_step() -> None:
    ((part, hand_out, key),) = pairs(sites.LESSON)
    tasks = sheet(part).tasks
    answers = key.xpath("//div[@class='working']//b/text()")
    assert answers == [f"{blank.number}." for task in tasks for blank in task.blanks]
    begun = hand_out.xpath("//div[@class='room']//b/text()")
    assert begun == [f"{task.story.number}." for task in tasks]
    assert len(tasks) == 9


def test_a_page_too_long_works_out_fewer_answers() -> None:
    wide = sites.EXAMPLES / "wide.toml"
    (part, _, key), *_ = pairs(wide)
    blanks = sum(len(task.blanks) for task in sheet(part).tasks)
    assert 0 < len(key.xpath("//div[@class='working']")) <= blanks
