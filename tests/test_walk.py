"""The walk from a number to the numbers that were typed, and back, by keyboard alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import CHROMIUM

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: browser tests left out"),
]
MOST_TABS = 250
FOCUSED = """([selector]) => document.activeElement.matches(selector)"""
START = "examples/i-love-cats/output/"


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=request.param,
                                  viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + START)
    yield page
    context.close()


def enter(page: Page, selector: str) -> None:
    """Press the tab key until this has the focus, then the enter key."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, [selector]):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    raise AssertionError(f"the tab key does not reach {selector} on {page.url}")


def here(page: Page) -> str:
    """The address of the number that one is at; its card is to be seen."""
    entry = page.url.partition("#")[2]
    page.locator(f"#{entry}").wait_for(state="visible")
    return entry


def test_from_an_output_to_the_typed_numbers_and_back(page: Page) -> None:
    enter(page, ".place a[data-ref=output-r3c1]")
    steps = [here(page)]
    while page.locator(f"#{steps[-1]} .from a[data-ref]").count():
        enter(page, f"#{steps[-1]} .from a[data-ref]")
        steps.append(here(page))
    assert [step.partition("-")[0] for step in steps] == [
        "output", "weights", "exponentials", "scaled_scores", "scores", "queries", "embeddings"]
    enter(page, f"#{steps[-1]} .from a")
    assert page.url.endswith("/words/#file")
    assert "w_q = [[1, 0]" in page.locator(".typed").inner_text()
    for step in reversed(steps):
        page.go_back()
        assert here(page) == step
    assert here(page) == "output-r3c1"


def test_onward_from_a_typed_number_to_an_output(page: Page, address: str) -> None:
    page.goto(address + "examples/i-love-cats/words/#embeddings-r3c1")
    seen = []
    for step in ("queries", "scores", "scaled_scores", "exponentials", "weights", "output"):
        enter(page, f".card:target .used a[href*='#{step}']")
        seen.append(page.url.partition("#")[2])
        if "c" not in seen[-1].rpartition("-")[2]:  # a row: pick its first number
            enter(page, f".place .main tr:has(#{seen[-1]}) a.number")
    assert seen == ["queries-r3", "scores-r3", "scaled_scores-r3c1", "exponentials-r3c1",
                    "weights-r3c1", "output-r3"]


def test_what_a_number_was_made_of_is_lit(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "examples/i-love-cats/scores/#scores-r2c3")
    lit = page.locator(".place .lit").evaluate_all("all => all.map(e => e.dataset.ref)")
    assert sorted(lit) == ["keys-r3c1", "keys-r3c2", "queries-r2c1", "queries-r2c2"]
    assert page.locator(".place .at").evaluate_all("all => all.map(e => e.dataset.ref)") == [
        "scores-r2c3"]
    page.locator(".place a[data-ref=scores-r1c1]").click()
    page.wait_for_function("document.querySelector('.at').dataset.ref == 'scores-r1c1'")
    assert page.locator(".card:visible").count() == 1
    page.close()


def test_an_entry_of_a_formula_leads_where_its_number_does(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "examples/i-love-cats/scores/")
    entry = page.locator("math [data-ref=keys-r3c2]")
    entry.hover()
    page.locator("#short").wait_for(state="visible")
    assert page.locator("#short .card-name").inner_text() == "key of cats, number 2"
    entry.click()
    page.wait_for_url("**/queries-keys-values/#keys-r3c2")
    page.close()


def test_a_number_of_a_picture_shows_its_short_form_and_leads_to_it(
    browser: Browser, address: str
) -> None:
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(address)
    number = page.locator(".picture a[data-ref=weights-r2c3]").first
    number.hover()
    page.locator("#short").wait_for(state="visible")
    number.click()
    page.wait_for_url("**/softmax/#weights-r2c3")
    assert problems == []
    page.close()


@pytest.mark.parametrize("how", ["hover", "focus"])
@pytest.mark.parametrize(("ref", "says"), [("scores-r3c2", "score of cats for love"),
                                           ("queries-r1c2", "query of I, number 2")])
def test_the_short_form_in_place(
    browser: Browser, address: str, how: str, ref: str, says: str
) -> None:
    page = browser.new_page()
    page.goto(address + "examples/i-love-cats/scores/")
    link = page.locator(f".place a[data-ref={ref}]")
    getattr(link, how)()
    short = page.locator("#short")
    short.wait_for(state="visible")
    assert short.locator(".card-name").inner_text() == says
    assert short.locator("math").count() == 1
    assert link.get_attribute("aria-describedby") == "short"
    box = short.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    page.keyboard.press("Escape")
    short.wait_for(state="hidden")
    assert page.url.endswith("/scores/")
    page.close()


@pytest.mark.parametrize("to", ["h1", ".place .main", "body"])
def test_the_short_form_goes_where_the_mouse_leaves(
    browser: Browser, address: str, to: str
) -> None:
    page = browser.new_page()
    page.goto(address + "examples/i-love-cats/scores/")
    page.locator(".place a[data-ref=scores-r3c2]").hover()
    short = page.locator("#short")
    short.wait_for(state="visible")
    at = page.locator(to).first.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 1, at["y"] + 1, steps=20)
    short.wait_for(state="hidden", timeout=3000)
    page.close()


def test_the_short_form_stays_while_it_is_pointed_at(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "examples/i-love-cats/scores/")
    page.locator(".place a[data-ref=scores-r3c2]").hover()
    short = page.locator("#short")
    short.wait_for(state="visible")
    box = short.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.wait_for_timeout(500)
    assert short.is_visible()
    page.mouse.move(1, 1)
    short.wait_for(state="hidden", timeout=3000)
    page.close()
