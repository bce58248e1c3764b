"""What search knows: the words of every page, and neither LaTeX, nor markup, nor drawings."""

import json
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml import html
from playwright.sync_api import Page, sync_playwright

from scripts.search_text import boost, words
from tests.browser import ARGUMENTS, CHROMIUM, opened, served

KEPT = {"p", "ul", "ol", "li", "code", "pre", "sub", "sup"}
LATEX = re.compile(r"\\|\$|data-|[{}]|\b(?:frac|sqrt|mathrm|textmodel)\b")
DRAWINGS = ("//*[local-name() = 'svg'] | //div[@role = 'group'][not(contains(@class, 'symbols'))]"
            "[not(contains(@class, 'sizes'))][not(contains(@class, 'examples'))]")
EMPTY_PLACE = re.compile(r"  |\w [,.;:)]|\( ")


@pytest.fixture(scope="session")
def index(site: Path) -> list[dict[str, Any]]:
    return entries(site)


def entries(site: Path) -> list[dict[str, Any]]:
    return json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]


@pytest.mark.parametrize("content, read", [
    ("<p>one<br>two</p>", "<p>one<br> two</p>"),
    ("<p>one\n   two &amp; three &#60;</p>", "<p>one two &amp; three &#60;</p>"),
    ('<div class="table matrix"><div>1<br></div><p>2</p></div><p>3</p>', "<p>3</p>"),
    ("<div data-search-exclude><div>1</div>2<img><svg><text>3</text></svg></div>4", "4"),
    ('<p class="eyebrow">0</p>\n<h1><a class="card x">1</a><a class="cards">2</a></h1>',
     '<h1><a class="cards">2</a></h1>'),
    ('<p>1</p><p><a class="md-button">2</a></p>', "<p>1</p>"),
])
def test_words_are_read_and_drawings_left_out(content: str, read: str) -> None:
    assert words(content) == read


def test_a_formula_is_read_as_text() -> None:
    read = words('<p>a row of <span class="math" data-tex="W&#94;Q &#60; \\alpha"></span>.</p>')
    text = re.sub("<[^>]*>", "", read)
    assert "W" in text and "&lt;" in text
    assert "\\" not in text and text.startswith("a row of ") and text.endswith(".")


def test_the_lesson_stands_above_other_examples_and_overviews_above_steps() -> None:
    order = ["examples/a/index.md", "examples/a/softmax.md", "examples/b/index.md",
             "examples/b/softmax.md", "reference/index.md", "tag/0001.md", "examples/a/words.md",
             "index.md", "examples/b/words.md", "examples/a/tag/0001.md"]
    assert sorted(order, key=lambda name: -boost(name, "a")) == order


@pytest.mark.own
def test_every_page_but_those_to_print_is_found_by_its_title(
    site: Path, index: list[dict[str, Any]]
) -> None:
    titles = {entry["location"]: entry["title"] for entry in index}
    for path in site.rglob("index.html"):
        address = path.relative_to(site).as_posix().removesuffix("index.html")
        heading = html.parse(path).find(".//h1")
        for link in heading.iter("a"):
            link.drop_tree()
        if not address.endswith(("/whole/", "/hand-out/", "/key/")):
            assert titles[address] == " ".join(heading.text_content().split())


@pytest.mark.own
def test_the_index_holds_no_latex_no_markup_and_no_gaps(index: list[dict[str, Any]]) -> None:
    for entry in index:
        text = re.sub(r"</?(?:p|ul|ol|li)>", "\n", entry["text"])
        assert LATEX.search(text) is None, entry
        assert EMPTY_PLACE.search(text) is None, entry
        assert re.search(r"[<>#\\$]|\s\s|^\s|\s$", entry["title"]) is None, entry


def test_the_index_holds_no_drawings_and_no_live_tags_whatever_the_example(
    site: Path, gallery: Path
) -> None:
    for pages in (site, gallery):
        for entry in entries(pages):
            assert set(re.findall(r"</?(\w*)", entry["text"])) <= KEPT, entry
            assert "<" not in entry["title"]
            assert [drawn for drawn in drawings(pages / entry["location"].partition("#")[0])
                    if drawn in squeezed(unescape(re.sub("<[^>]*>", "", entry["text"])))] == []


@cache
def drawings(page: Path) -> list[str]:
    """The text of each matrix, card, equation and picture with numbers on a page, squeezed."""
    found = html.parse(page / "index.html").xpath(DRAWINGS)
    return [text for text in map(squeezed, (e.text_content() for e in found))
            if sum(char.isdigit() for char in text) > 3]


def squeezed(text: str) -> str:
    """A text without its spaces."""
    return "".join(text.split())


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")
@pytest.mark.parametrize("typed, first", [
    ("weights", "examples/i-love-cats/softmax/?h=weights#weights"),
    ("attention weights", "examples/i-love-cats/softmax/?h=attention+weights#weights"),
    ("cats", "examples/i-love-cats/?h=cats"),
    ("softmax", "examples/i-love-cats/softmax/?h=softmax"),
    ("hidden states", "reference/notation/?h=hidden+states#matrices"),
    ("alert", "examples/hostile/?h=alert"),
    ("<|endoftext|>", "examples/hostile/?h=endoftext"),
    ("שלום", "examples/hostile/?h=%D7%A9%D7%9C%D7%95%D7%9D"),
    ("猫", "examples/hostile/?h=%E7%8C%AB"),
    ("000J", "tag/000J/?h=000j"),
    ("tag 000j", "tag/000J/?h=tag+000j"),
    ("Tag 0012", "tag/0012/?h=tag+0012"),
])
def test_the_first_result_is_the_one_expected(page: Page, typed: str, first: str) -> None:
    box = page.locator(".md-search__input")
    box.fill("")
    box.click()
    box.press_sequentially(typed)
    box.press("End")  # a key that Playwright presses also where it pastes a character
    page.locator(f'.md-search-result__link[href*="{first}"]').first.wait_for()
    found = page.locator(".md-search-result__link").evaluate_all(
        "links => links.map(link => link.href).filter(href => !href.endsWith('?h='))")
    assert found[0] == urljoin(page.url, f"/{first}")
    assert page.locator(".md-search-result script").count() == 0


@pytest.fixture(scope="module")
def page(gallery: Path) -> Iterator[Page]:
    with sync_playwright() as playwright, served(gallery) as root:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page, problems = opened(browser, root)
        yield page
        assert problems == []
        browser.close()


def test_tokens_are_in_the_index_in_any_script(gallery: Path) -> None:
    texts = [entry["text"] for entry in entries(gallery)
             if entry["location"].startswith("examples/hostile/")]
    for token in ("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;|endoftext|&gt;", "שלום 猫"):
        assert any(token in text for text in texts), token
