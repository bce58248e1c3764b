"""What is wrong with pages in Chromium: how they look, what axe says, what goes wrong in them."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page

from tests import looks
from tests.browser import CONTRAST, EVERYTHING, opened, read_through, violations
from tests.sites import ROOT

PHONE = 375
SCREENSHOTS = ROOT / "build" / "screenshots"
LOOKS = (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS, looks.UNSEEN_LINKS, looks.FONT,
         looks.FORMULAS)
SHEETS = """() => [...document.querySelectorAll('.cards[id]')].map(e => e.id)"""


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
