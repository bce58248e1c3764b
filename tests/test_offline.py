"""The zip opens from a disk: mathematics, fonts, links and search, in Chromium and in Firefox."""

import hashlib
import zipfile
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser

from scripts.offline import NAME, build, pack
from tests import looks
from tests.browser import (
    CHROMIUM,
    addresses,
    broken,
    file,
    one_of_each_kind,
    opened,
    walked,
)
from tests.firefox import FIREFOX, firefox

in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")
in_firefox = pytest.mark.skipif(FIREFOX is None, reason="no Firefox found: not tested in it")
TYPED, FOUND = "exponential", "examples/i-love-cats/softmax.html?h=exponential#exponentials"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site for a disk, before it is packed."""
    site = tmp_path_factory.mktemp("built") / "site"
    assert build(site)
    return site


@pytest.fixture(scope="module")
def disk(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked: a folder whose name needs to be escaped in an address."""
    folder = tmp_path_factory.mktemp("a disk")
    pack(built, folder / "site.zip")
    with zipfile.ZipFile(folder / "site.zip") as zipped:
        assert zipped.testzip() is None
        zipped.extractall(folder / "for # 100%")
    return folder / "for # 100%" / NAME


def test_the_same_site_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    digests = set()
    for name in ("one.zip", "two.zip"):
        for path in built.rglob("*"):
            path.touch()
        pack(built, tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).digest())
    assert len(digests) == 1


def test_every_page_is_reached_and_every_link_leads_into_the_zip(disk: Path) -> None:
    assert broken(disk) == []
    assert {page or "index.html" for page in walked(disk)} == {
        page or "index.html" for page in addresses(disk)}
    written = {link.partition("#")[0] for page in disk.rglob("*.html")
               for link in html.parse(page).xpath("//a/@href")}
    inside = {link for link in written if not link.startswith("https://")}
    assert [link for link in inside if link.endswith(("/", "."))] == []  # a disk lists folders


@pytest.mark.browser
@in_chromium
def test_it_opens_in_chromium(disk: Path, browser: Browser) -> None:
    for name in one_of_each_kind(disk):
        page, problems = opened(browser, file(disk, name).as_uri())
        assert [page.evaluate(look) for look in (looks.FONT, looks.OVERFLOW)] == [[], []], name
        assert problems == [], name
        page.context.close()


@pytest.mark.browser
@in_chromium
def test_search_leads_to_a_page_in_chromium(disk: Path, browser: Browser) -> None:
    page, problems = opened(browser, (disk / "index.html").as_uri())
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially(TYPED)
    page.locator(f'.md-search-result__link[href$="{FOUND}"]').click()
    page.wait_for_url(f"**/{FOUND}")
    assert page.locator("#exponentials").is_visible()
    assert problems == []
    page.context.close()


@pytest.mark.browser
@in_firefox
def test_it_opens_and_finds_in_firefox(disk: Path) -> None:
    with firefox() as browser:
        for name in one_of_each_kind(disk):
            problems = browser.opened(file(disk, name).as_uri())
            assert [browser.evaluate(look) for look in (looks.FONT, looks.OVERFLOW)] == [[], []]
            assert problems == [], name
        browser.evaluate("() => document.querySelector('label[for=__search]').click()")
        browser.evaluate("() => document.querySelector('.md-search__input').focus()")
        browser.type(TYPED)
        link = f"document.querySelector('.md-search-result__link[href$=\"{FOUND}\"]')"
        browser.wait(f"() => {link} !== null")
        browser.evaluate(f"() => {link}.click()")
        assert browser.wait("() => location.hash === '#exponentials'")
        assert problems == []
