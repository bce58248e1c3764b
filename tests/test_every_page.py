"""Every page of the finished site in Chromium, in both schemes, on a phone and at a desk.

In full for the heaviest page of each kind, once for every other; `make check-all` does everything.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import sites
from tests.browser import CHROMIUM, EVERYTHING, framed, one_of_each_kind, opened, read_through
from tests.judging import LOOKS, PHONE, judged, wrong

pytestmark = [pytest.mark.browser,
              pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")]


@pytest.mark.own
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_each_kind_are_sound(
    browser: Browser, site: Path, address: str, scheme: str, width: int
) -> None:
    assert wrong(one_of_each_kind(site),
                 lambda name: judged(browser, address, name, scheme, width)) == {}


@pytest.mark.own
@pytest.mark.parametrize("half", [0, 1])
def test_every_other_page_is_sound(
    browser: Browser, site: Path, address: str, half: int
) -> None:
    """A page of each kind is seen with all its cards.

    The pages of an example are as those of the lesson's, and so are the pages of its tags and the
    tags' own addresses.
    """
    others = sorted(set(framed(site)) - set(one_of_each_kind(site)))
    assert bool(others) != EVERYTHING
    lesson = f"examples/{sites.OWN_LESSON.stem}/"
    alike = [name for name in others if name.startswith("tag/") or (name.startswith("examples/")
             and ("/tag/" in name or not name.startswith(lesson)))]
    others = [name for name in others if name not in alike]
    assert wrong(others[half::2], lambda name: judged(
        browser, address, name, "light", PHONE, cards=False,
        colours=not name.startswith("examples/"))) == {}
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


@pytest.mark.skipif(not EVERYTHING, reason="make check-all opens every page of the gallery")
@pytest.mark.parametrize("scheme, width", [("dark", 375), ("light", 1280)])
def test_every_page_of_the_gallery_is_sound(
    browser: Browser, gallery: Path, gallery_address: str, scheme: str, width: int
) -> None:
    assert wrong(framed(gallery), lambda name: judged(
        browser, gallery_address, name, scheme, width)) == {}
