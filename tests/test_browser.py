"""The finished site in real browsers: with scripts and without, by keyboard, in Firefox; and that
what is wrong in a page is noticed.
"""

from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Locator

from tests import looks
from tests.browser import (
    CHROMIUM,
    one_of_each_kind,
    opened,
    read_through,
    served,
)
from tests.firefox import FIREFOX, firefox, written
from tests.judging import LOOKS, SCREENSHOTS, named, wrong

pytestmark = [pytest.mark.browser]
in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")
in_firefox = pytest.mark.skipif(FIREFOX is None, reason="no Firefox found: not tested in it")
ELSEWHERE = """() => [...document.querySelectorAll('a[href]')].find(link =>
  link.checkVisibility({visibilityProperty: true}) && link.offsetWidth
  && link.origin === location.origin && link.pathname.endsWith('/')
  && link.pathname !== location.pathname).getAttribute('href')"""


@in_chromium
def test_without_scripts_all_is_shown_and_links_walk(
    browser: Browser, site: Path, address: str
) -> None:
    def judge(name: str) -> list[str]:
        page, problems = opened(browser, address + name, width=375, scripts=False)
        read_through(page.evaluate, scripts=False)
        found = [problem for look in (*LOOKS, looks.HIDDEN) for problem in page.evaluate(look)]
        to = page.evaluate(ELSEWHERE)
        page.locator(f'a[href="{to}"]:visible').first.click()
        page.wait_for_url(urljoin(address + name, to))
        page.context.close()
        return found + problems

    assert wrong(one_of_each_kind(site), judge) == {}


@pytest.mark.own
@in_firefox
def test_pages_of_each_kind_are_sound_in_firefox(site: Path, address: str) -> None:
    with firefox() as browser:
        def judge(name: str) -> list[str]:
            problems = browser.opened(address + name, 375)
            read_through(browser.evaluate)
            found = [problem for look in LOOKS for problem in browser.evaluate(look)]
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            browser.screenshot(SCREENSHOTS / f"{named(name)}-firefox-375.png")
            return found + problems

        assert wrong(one_of_each_kind(site), judge) == {}


def test_firefox_is_waited_for_until_it_has_said_all_of_its_address(tmp_path: Path) -> None:
    said = tmp_path / "WebDriverBiDiServer.json"
    assert written(said) is None
    for text, found in (("", None), ('{"ws_host": "127', None), ('{"ws_port": 1}', {"ws_port": 1})):
        said.write_text(text)
        assert written(said) == found


@in_firefox
def test_a_planted_request_and_a_planted_error_are_noticed_in_firefox(address: str) -> None:
    with firefox() as browser:
        problems = browser.opened(address)
        browser.evaluate("() => fetch('http://127.0.0.2:9/x').catch(() => 0)")
        browser.evaluate("() => { console.error('planted'); }")
        browser.wait("() => true")
    assert any("127.0.0.2" in problem for problem in problems)
    assert "planted" in problems


@in_chromium
def test_what_looks_wrong_is_noticed(browser: Browser, address: str) -> None:
    page, _ = opened(browser, address)
    assert [page.evaluate(look) for look in (*LOOKS, looks.HIDDEN)] == [[]] * (len(LOOKS) + 1)
    page.evaluate("""() => {
      const [first, second, third] = document.querySelectorAll('.md-content p');
      first.style.cssText = 'position: relative; top: 2em';
      second.style.cssText = 'width: 3000px; max-width: none';
      third.style.cssText = 'visibility: hidden';
      document.querySelector('msqrt, msub').replaceWith(document.createElementNS(
        'http://www.w3.org/1998/Math/MathML', 'msub'));
    }""")
    assert page.evaluate(looks.FORMULAS) == ["a <msub> of 0 parts: "]
    assert any("overlaps" in problem for problem in page.evaluate(looks.OVERLAPS))
    assert page.evaluate(looks.TEXT_OUTSIDE) != []
    assert page.evaluate(looks.HIDDEN) != []
    assert page.evaluate(looks.OVERFLOW) != []
    page.locator(".md-content p a").first.evaluate(
        "e => { e.parentElement.style.clipPath = 'inset(50%)'; }")
    assert page.evaluate(looks.UNSEEN_LINKS) != []
    page.context.close()


@in_chromium
@pytest.mark.parametrize("selector", [".equation", ".table.matrix", ".md-content h2"])
def test_parts_that_overlap_are_noticed(browser: Browser, address: str, selector: str) -> None:
    page, _ = opened(browser, address + "examples/i-love-cats/whole/")
    assert page.evaluate(looks.OVERLAPS) == []
    page.locator(selector).first.evaluate("e => { e.style.cssText = 'margin-top: -3em'; }")
    assert page.evaluate(looks.OVERLAPS) != []
    page.context.close()


@in_chromium
def test_the_math_font_is_there_and_nothing_moves(browser: Browser, address: str) -> None:
    page, problems = opened(browser, address + "examples/i-love-cats/whole/")
    assert page.evaluate("document.fonts.check('16px \"STIX Two Math\"', '\U0001d460')")
    shift = page.evaluate("""() => new Promise(done => new PerformanceObserver(list => done(
        list.getEntries().reduce((sum, e) => sum + e.value, 0)))
        .observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))""")
    assert shift == 0
    assert problems == []
    page.context.close()


@in_chromium
def test_an_address_of_an_entry_lights_it(browser: Browser, address: str) -> None:
    page, _ = opened(browser, address + "examples/i-love-cats/whole/#scores-r2c3")
    lit = page.locator("#scores-r2c3").evaluate(
        "e => getComputedStyle(e.closest('tr').cells[1]).backgroundColor")
    assert lit == "rgb(255, 233, 168)"
    assert page.locator("#scores-r2c3").is_visible()
    page.context.close()


def scrolls(box: Locator) -> bool:
    """Whether a box has more in it than it shows, once it is shown."""
    box.scroll_into_view_if_needed()
    box.page.wait_for_timeout(50)
    return box.evaluate("e => e.scrollWidth > e.clientWidth")


@in_chromium
def test_formulas_scroll_in_their_own_box_by_keyboard(browser: Browser, address: str) -> None:
    page, _ = opened(browser, address + "examples/i-love-cats/whole/", width=375)
    box = next(box for box in page.locator(".equation").all() if scrolls(box))
    page.wait_for_function("e => e.tabIndex === 0", arg=box.element_handle())
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("e => e.scrollLeft > 0", arg=box.element_handle())
    assert page.evaluate("window.scrollX") == 0
    page.context.close()


@in_chromium
def test_the_palette_switches_and_stays(browser: Browser, address: str) -> None:
    page, problems = opened(browser, address)
    assert page.locator("body").get_attribute("data-md-color-scheme") == "default"
    page.locator("[data-md-component=palette] label:visible").click()
    page.goto(address + "examples/")
    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
    assert problems == []
    page.context.close()


@in_chromium
def test_hostile_tokens_do_nothing(browser: Browser, gallery_address: str) -> None:
    page, problems = opened(browser, gallery_address + "examples/hostile/", width=375)
    assert problems == []
    assert "<script>alert(1)</script>" in page.locator(".md-content").inner_text()
    page.context.close()


@in_chromium
def test_a_planted_request_is_noticed(browser: Browser, address: str) -> None:
    page, problems = opened(browser, address)
    page.evaluate("""() => {
      fetch('http://127.0.0.2:9/fetched').catch(() => 0);
      document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.2:9/shown.png'}));
      const script = document.createElement('script');
      script.src = 'http://127.0.0.2:9/run.js';
      document.body.append(script);
    }""")
    page.wait_for_timeout(300)
    for name in ("fetched", "shown.png", "run.js"):
        assert any(f"127.0.0.2:9/{name}" in problem for problem in problems), name
    page.context.close()


@in_chromium
def test_planted_inline_scripts_and_styles_are_refused(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    planted = ('<script>document.title = "planted"</script><style>body { display: none }</style>'
               '<img src="no.png" onerror="document.title = \'planted\'">'
               '<p style="display: none">still here</p>')
    page = (site / "reference" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "index.html").write_text(page.replace("</article>", planted + "</article>"),
                                         encoding="utf-8")
    with served(tmp_path) as root:
        page, problems = opened(browser, root)
        assert "planted" not in page.title()
        assert page.get_by_text("still here").is_visible()
        assert sum("Content Security Policy" in problem for problem in problems) >= 4
        page.context.close()
