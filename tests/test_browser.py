"""The finished site in a real browser: every page, both schemes, phone and desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import ARGUMENTS, CHROMIUM, served
from tests.sites import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: browser tests left out"),
]
PAGES = ("", "examples/", "examples/i-love-cats/", "reference/", "reference/notation/",
         "reference/generic/", "reference/verification/", "404.html")
SCREENSHOTS = ROOT / "build" / "screenshots"
TEXT_OUTSIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = e => { for (; e; e = e.parentElement)
    if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowX) && e !== document.body
        && e !== document.documentElement) return true;
    return false; };
  return [...document.querySelectorAll('.md-content *')]
    .filter(e => e.getBoundingClientRect().right > wide + 1 && !scrolls(e) && e.innerText)
    .map(e => e.tagName + ': ' + e.innerText.slice(0, 40));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def gallery_address(gallery: Path) -> Iterator[str]:
    with served(gallery) as address:
        yield address


def opened(browser: Browser, url: str, scheme: str, width: int) -> tuple[Page, list[str]]:
    """A page, and everything that went wrong while it was opened."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900},
                                  reduced_motion="reduce")
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text)
            if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: problems.append(f"a request to {request.url}")
            if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")) else None)
    page.goto(url, wait_until="networkidle")
    return page, problems


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound(
    browser: Browser, address: str, name: str, scheme: str, width: int
) -> None:
    page, problems = opened(browser, address + name, scheme, width)
    assert problems == []
    assert page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert page.evaluate(TEXT_OUTSIDE) == []
    violations = Axe().run(page).response["violations"]
    assert [(found["id"], [node["html"][:120] for node in found["nodes"]])
            for found in violations] == []
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    title = name.strip("/").replace("/", "-").removesuffix(".html") or "home"
    page.screenshot(path=SCREENSHOTS / f"{title}-{scheme}-{width}.png", full_page=True)
    page.context.close()


def test_the_math_font_is_there_and_nothing_moves(browser: Browser, address: str) -> None:
    page, problems = opened(browser, address + "examples/i-love-cats/", "light", 1280)
    assert page.evaluate("document.fonts.check('16px \"STIX Two Math\"', '\U0001d460')")
    shift = page.evaluate("""() => new Promise(done => new PerformanceObserver(list => done(
        list.getEntries().reduce((sum, e) => sum + e.value, 0)))
        .observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))""")
    assert shift == 0
    assert problems == []
    page.context.close()


def test_an_address_of_an_entry_lights_it(browser: Browser, address: str) -> None:
    page, _ = opened(browser, address + "examples/i-love-cats/#scores-r2c3", "light", 1280)
    lit = page.locator("#scores-r2c3").evaluate(
        "e => getComputedStyle(e.closest('tr').cells[1]).backgroundColor")
    assert lit == "rgb(255, 233, 168)"
    assert page.locator("#scores-r2c3").is_visible()
    page.context.close()


def test_formulas_scroll_in_their_own_box_by_keyboard(browser: Browser, address: str) -> None:
    page, _ = opened(browser, address + "examples/i-love-cats/", "light", 375)
    box = page.locator(".equation").nth(1)
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert box.evaluate("e => e.scrollLeft") > 0
    assert page.evaluate("window.scrollX") == 0
    page.context.close()


def test_hostile_tokens_do_nothing(browser: Browser, gallery_address: str) -> None:
    page, problems = opened(browser, gallery_address + "examples/hostile/", "light", 375)
    assert problems == []
    assert "<script>alert(1)</script>" in page.locator(".md-content").inner_text()
    page.goto(gallery_address)
    page.locator("label[for=__search]").first.click()
    page.locator(".md-search__input").press_sequentially("alert")
    page.locator(".md-search-result__item").first.wait_for()
    assert problems == []
    assert page.locator(".md-search-result script").count() == 0
    page.context.close()


def test_a_planted_request_is_noticed(browser: Browser, address: str) -> None:
    page, problems = opened(browser, address, "light", 375)
    page.evaluate("fetch('http://127.0.0.2:9/x').catch(() => 0)")
    page.wait_for_timeout(300)
    assert any("127.0.0.2" in problem for problem in problems)
    page.context.close()
