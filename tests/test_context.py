"""What the templates of an example's pages are given: its walk, its origin, its language."""

from pathlib import Path

import pytest
from lxml import html

from derivations.example import build
from derivations.pages.context import context, spoken, walk
from derivations.pages.shown import _table
from derivations.pages.worked import Worked, work_out

ONE = {"w_q": [[1]], "w_k": [[2]], "w_v": [[1]]}
DATA = {"tokens": ["我", "爱"], "x": [[1], [2]]} | ONE


def worked(**more: object) -> Worked:
    return work_out(build(Path("t.toml"), DATA | more))


def test_tokens_say_their_language(site: Path) -> None:
    page = html.parse(site / "examples" / "hebrew" / "whole" / "index.html")
    found = page.xpath("//bdi/@lang")
    assert set(found) == {"he"}
    assert len(found) == len(page.xpath("//bdi")) > 10
    other = html.parse(site / "examples" / "causal" / "whole" / "index.html")
    assert not other.xpath("//bdi/@lang")


@pytest.mark.parametrize(("more", "said"), [
    ({"language": "zh-Hans"}, '<bdi lang="zh-Hans">a</bdi>'), ({}, "<bdi>a</bdi>"),
    ({"language": "zh", "context_tokens": ["j’"], "context_x": [[1]]}, "<bdi>a</bdi>"),
])
def test_of_another_text_the_language_is_not_known(more: dict[str, object], said: str) -> None:
    assert spoken("<bdi>a</bdi>", worked(**more)) == said


@pytest.mark.parametrize(("more", "said"), [
    ({}, ""), ({"author": "A <b>"}, "By A &#60;b&#62;."), ({"source": "a book"}, "Source: a book."),
    ({"source": "a book", "author": " A B "}, "Source: a book. By A B."),
])
def test_where_an_example_comes_from_is_told(more: dict[str, object], said: str) -> None:
    assert context(worked(**more))["origin"] == said


def test_the_walk_leads_through_all_heads_and_from_each_to_all() -> None:
    several = work_out(build(Path("t.toml"), {"tokens": ["a"], "x": [[1]], "heads": [ONE, ONE]}))
    assert "[head 1](head-1/index.md) and [head 2](head-2/index.md) → [together](together.md)" \
        in walk(several, None)
    assert "[output](output.md) → [all heads](../together.md)" in walk(several.heads[1], None)
    assert "all heads" not in walk(worked(), None)
    assert [context(part)["file"] for part in (several, several.heads[0])] == [
        "../t.toml", "../../t.toml"]


def test_what_was_checked_says_of_which_part() -> None:
    several = work_out(build(Path("t.toml"), {"tokens": ["a"], "x": [[1]], "heads": [ONE, ONE]}))
    heads = [str(_table(part, ())) for part in several.parts]
    assert "### [a: head 2](../examples/t/head-2/index.md) {: #example-t--head-2 }" in heads[1] \
        .replace("&#58;", ":")
    assert "### [a: all heads](../examples/t/together.md) {: #example-t }" in heads[2]
