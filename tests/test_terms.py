"""The key terms: defined once, linked where they are used, shown where one points at them."""

from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, expect

from derivations.pages.lesson.glossary import TERMS, anchor, term


def test_every_term_has_its_place(site: Path) -> None:
    page = html.parse(site / "lesson" / "glossary" / "index.html")
    shown = {entry.get("id"): entry.getnext().text_content() for entry in page.iter("dt")}
    assert shown == {anchor(name): meaning for name, meaning in TERMS.items()}


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
