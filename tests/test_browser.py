"""The finished site in real browsers: every page, both schemes, phone and desk, scripts or not.

In full for the heaviest page of each kind, once for every other; `make check-all` does everything.
"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests import looks, sites
from tests.browser import (
    CHROMIUM,
    CONTRAST,
    EVERYTHING,
    framed,
    one_of_each_kind,
    opened,
    read_through,
    served,
    violations,
)
from tests.firefox import FIREFOX, firefox, written
from tests.sites import ROOT

pytestmark = [pytest.mark.browser]
in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")
in_firefox = pytest.mark.skipif(FIREFOX is None, reason="no Firefox found: not tested in it")
PHONE = 375
SCREENSHOTS = ROOT / "build" / "screenshots"
LOOKS = (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS, looks.UNSEEN_LINKS, looks.FONT,
         looks.FORMULAS)
SHEETS = """() => [...document.querySelectorAll('.cards[id]')].map(e => e.id)"""
ELSEWHERE = """() => [...document.querySelectorAll('a[href]')].find(link =>
  link.checkVisibility({visibilityProperty: true}) && link.offsetWidth
  && link.origin === location.origin && link.pathname.endsWith('/')
  && link.pathname !== location.pathname).getAttribute('href')"""


def seen(page: Page, within: str | None = None, contrast: bool = True) -> list[str]:
    """What is wrong with how a page looks, and for a reader who does not see it."""
    found = [problem for look in LOOKS for problem in page.evaluate(look)]
    return found + violations(page, within, {CONTRAST: contrast})


def judged(
    browser: Browser, root: str, name: str, scheme: str, width: int, *,
    cards: bool = True, colours: bool = True,
) -> list[str]:
    """What is wrong with a page, and then with all of its cards shown; a screenshot is kept.

    Colours take axe most of its time. What a page says has the same ones on a phone and at a desk,
    so there only what is around it is measured, but in `make check-all`. Pages of one template
    have the same ones too: then `colours` is false.
    """
    page, problems = opened(browser, root + name, scheme, width)
    read_through(page.evaluate)
    contrast = EVERYTHING or (width == PHONE and colours)
    found = seen(page, contrast=contrast)
    if not contrast and colours:
        found += violations(page, {"exclude": [[".md-content"]]}, only=[CONTRAST])
    shot(page, f"{named(name)}-{scheme}-{width}")
    for sheet in page.evaluate(SHEETS) if cards else []:
        page.goto(f"{root}{name}#{sheet}")
        found += seen(page, f"#{sheet}", contrast)
    page.context.close()
    return found + problems


def named(name: str) -> str:
    """A page's name as that of a file."""
    return name.strip("/").replace("/", "-").removesuffix(".html") or "home"


def shot(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def wrong(names: list[str], judge: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """The pages with problems."""
    return {name: problems for name in names if (problems := judge(name))}


@pytest.mark.own
@in_chromium
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_each_kind_are_sound(
    browser: Browser, site: Path, address: str, scheme: str, width: int
) -> None:
    assert wrong(one_of_each_kind(site),
                 lambda name: judged(browser, address, name, scheme, width)) == {}


@pytest.mark.own
@in_chromium
@pytest.mark.parametrize("half", [0, 1])
def test_every_other_page_is_sound(
    browser: Browser, site: Path, address: str, half: int
) -> None:
    """A page of each kind is seen with all its cards.

    The pages of an example are as those of the lesson's, and so are the pages of its tags.
    """
    others = sorted(set(framed(site)) - set(one_of_each_kind(site)))
    assert bool(others) != EVERYTHING
    lesson = f"examples/{sites.OWN_LESSON.stem}/"
    alike = [name for name in others if name.startswith("examples/")
             and ("/tag/" in name or not name.startswith(lesson))]
    others = [name for name in others if name not in alike]
    assert wrong(others[half::2], lambda name: judged(
        browser, address, name, "light", PHONE, cards=False,
        colours=not name.startswith(("examples/", "tag/")))) == {}
    assert glanced_at(browser, address, alike[half::2]) == {}


def glanced_at(browser: Browser, root: str, names: list[str]) -> dict[str, list[str]]:
    """What is wrong with pages on a phone, without axe and without screenshots.

    They are opened one after the other in one window: that takes half the time.
    """
    page, problems = opened(browser, root, "light", PHONE)
    found = {}
    for name in names:
        page.goto(root + name)
        read_through(page.evaluate)
        found[name] = [*(problem for look in LOOKS for problem in page.evaluate(look)), *problems]
        problems.clear()
    page.context.close()
    return {name: told for name, told in found.items() if told}


@in_chromium
@pytest.mark.skipif(not EVERYTHING, reason="make check-all opens every page of the gallery")
@pytest.mark.parametrize("scheme, width", [("dark", 375), ("light", 1280)])
def test_every_page_of_the_gallery_is_sound(
    browser: Browser, gallery: Path, gallery_address: str, scheme: str, width: int
) -> None:
    assert wrong(framed(gallery), lambda name: judged(
        browser, gallery_address, name, scheme, width)) == {}


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
