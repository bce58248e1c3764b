"""A Chromium that prints. It reads files of a built site and nothing else: no network is asked."""

import mimetypes
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Route, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SETTING = "CHROMIUM"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HERE = "http://site.invalid/"  # a name that no server has: what is asked for comes from the folder
DOCUMENT = "printed.html"
FINE = 4  # Chromium sets bars of roots to whole pixels: all is laid out larger, and printed smaller

Print = Callable[[str], bytes]


class NoChromium(Exception):
    """No Chromium is found: one line, with what was looked for and how to get one."""


def chromium() -> str:
    """The Chromium that is named in the environment, or the first that is found.

    Raises NoChromium.
    """
    names = (os.environ[SETTING],) if os.environ.get(SETTING) else NAMES
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NoChromium(f"PDFs are printed by Chromium, and none was found: looked for "
                         f"{', '.join(names)}. Install your system's package chromium, or set "
                         f"{SETTING} to the path of a Chromium or a Chrome.")
    return found


@contextmanager
def printer(site: Path, paper: str = "A4") -> Iterator[Print]:
    """What makes a PDF of the HTML of a document, whose addresses are those of the site."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield lambda text: _printed(browser, site, text, paper)
        finally:
            browser.close()


def _printed(browser: Browser, site: Path, text: str, paper: str) -> bytes:
    page = browser.new_page()
    try:
        page.route("**/*", lambda route: _answer(route, site, text))
        page.emulate_media(media="print", color_scheme="light")
        page.goto(HERE + DOCUMENT)
        page.add_style_tag(content=f"body {{ zoom: {FINE} }}")
        page.evaluate("() => document.fonts.ready.then(() => true)")
        return page.pdf(format=paper, scale=1 / FINE, prefer_css_page_size=False,
                        print_background=True, tagged=True, outline=True)
    finally:
        page.close()


def _answer(route: Route, site: Path, text: str) -> None:
    """The document, a file of the site, or that there is none."""
    url = route.request.url
    name = unquote(urlsplit(url).path).lstrip("/")
    path = site / name
    if not url.startswith(HERE) or not (name == DOCUMENT or path.is_file()):
        route.abort()
    elif name == DOCUMENT:
        route.fulfill(body=text, content_type="text/html; charset=utf-8")
    else:
        route.fulfill(path=path, content_type=mimetypes.guess_type(name)[0] or "font/woff2")
