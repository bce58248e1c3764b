"""The key terms: defined once, linked where they are used, shown where one points at them."""

import re
from html import unescape
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, expect

from derivations.notation import SIZES
from derivations.pages.lesson.glossary import TERMS, anchor, key_terms, term

LESSON = Path(__file__).parents[1] / "docs" / "lesson"


def test_every_term_has_its_place(site: Path) -> None:
    page = html.parse(site / "lesson" / "glossary" / "index.html")
    shown = {entry.get("id"): entry.getnext().text_content() for entry in page.iter("dt")}
    assert shown == {anchor(name): meaning for name, meaning in TERMS.items()}


def test_sizes_are_set_as_formulas() -> None:
    listed = unescape(str(key_terms()))
    assert r'<dt id="d-model"><span class="math" data-tex="d_{\text{model}}"' in listed
    assert all(f">{size.key}<" not in listed for size in SIZES)
    assert not [name for name, meaning in TERMS.items() if re.search(r"-\d", meaning)]


@pytest.mark.parametrize("page", [
    "code", "comparisons", "limits", "walk-through", "mistakes", "shape-mistakes", "conventions"])
def test_later_pages_mark_their_terms(page: str) -> None:
    assert '{{ term("' in (LESSON / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "name"), [
    ("comparisons", "recurrent layer"), ("comparisons", "convolution"), ("comparisons", "kernel"),
    ("comparisons", "tanh"), ("comparisons", "dilated convolution"), ("limits", "gradient")])
def test_a_word_of_the_trade_is_marked_where_it_comes_first(page: str, name: str) -> None:
    source = (LESSON / f"{page}.md").read_text(encoding="utf-8")
    marked = source.index(f'term("{name}"')
    words = re.sub(r'\{\{ term\("', lambda found: " " * len(found[0]), source[:marked])
    assert not re.search(rf"\b{name.split(maxsplit=1)[0]}", words)


def test_a_term_that_is_not_defined_stops_the_build() -> None:
    with pytest.raises(KeyError):
        term("qwery")


def test_every_term_is_used(site: Path) -> None:
    """Or it is one that a beginner meets elsewhere: then it stands in the list alone."""
    used = {link.get("href").partition("#")[2] for path in (site / "lesson").rglob("index.html")
            for link in html.parse(path).iter("a") if link.get("class") == "term"}
    assert len(used) >= 20
    assert used <= {str(anchor(name)) for name in TERMS}


@pytest.mark.browser
@pytest.mark.parametrize("way", ["hover", "focus"])
def test_a_term_shows_its_definition(browser: Browser, address: str, way: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}lesson/scores/")
    link, short = page.locator("a.term", has_text="dot product").first, page.locator("#short")
    expect(short).to_be_hidden()
    getattr(link, way)()
    expect(short).to_have_text(TERMS["dot product"])
    assert link.get_attribute("aria-describedby") == "short"
    page.keyboard.press("Escape")
    expect(short).to_be_hidden()
    page.close()


@pytest.mark.browser
def test_without_scripts_a_term_leads_to_its_definition(browser: Browser, address: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}lesson/scores/")
    page.locator("a.term", has_text="dot product").first.click()
    assert page.url.endswith("lesson/glossary/#dot-product")
    expect(page.locator("#dot-product")).to_be_in_viewport()
    page.context.close()
