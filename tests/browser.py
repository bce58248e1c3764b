"""A Chromium for the tests, a server on the loopback, and the pages of a site: all, and by kind."""

import functools
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from axe_playwright_python.sync_playwright import Axe
from lxml import html
from playwright.sync_api import Browser, Page

from scripts.printing.browser import ARGUMENTS, NAMES

__all__ = ["ARGUMENTS"]  # a Chromium of the tests is started as that which prints
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
EVERYTHING = bool(os.environ.get("EVERYTHING"))  # make check-all
# What is tested beyond each kind of page: in two looks, which differ in both.
LOOKED_AT = [(scheme, width) for scheme in ("light", "dark") for width in (375, 1280)
             if EVERYTHING or (scheme == "light") == (width == 375)]
HERE = ("http://127.0.0.1:", "file:", "data:", "blob:", "about:")
SITE = "http://site/"
TWO_FRAMES = """() => new Promise(done =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a site, for as long as it is served."""
    handler = functools.partial(_Quiet, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def opened(
    browser: Browser, url: str, scheme: str = "light", width: int = 1280, *, scripts: bool = True
) -> tuple[Page, list[str]]:
    """A page, and everything that goes wrong in it from its opening on."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900},
                                  reduced_motion="reduce", java_script_enabled=scripts)
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text)
            if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: problems.extend(outside(request.url)))
    page.goto(url)
    return page, problems


def read_through(evaluate: Callable[[str], Any], *, scripts: bool = True) -> None:
    """Scrolls to the end and back: far from the window, what a page shows is not laid out."""
    top = 0
    while top < evaluate("() => document.documentElement.scrollHeight"):  # it grows on the way
        evaluate(f"() => {{ scrollTo({{top: {top}, behavior: 'instant'}}); }}")
        evaluate(TWO_FRAMES) if scripts else time.sleep(0.05)
        top += 800
    evaluate("() => { scrollTo({top: 0, behavior: 'instant'}); }")


CONTRAST = "color-contrast"


def violations(
    page: Page, context: str | dict | None = None, rules: dict[str, bool] | None = None,
    only: list[str] | None = None
) -> list[str]:
    """What axe finds in a page or a part of it; `rules` are turned on or off; or `only` these."""
    options = {"resultTypes": ["violations"],
               "rules": {name: {"enabled": on} for name, on in (rules or {}).items()},
               **({"runOnly": only} if only else {})}
    return [f"axe: {found['id']}: {node['html'][:120]}"
            for found in Axe().run(page, context, options).response["violations"]
            for node in found["nodes"]]


def outside(url: str) -> list[str]:
    """What to say of a request, if it leaves the site."""
    return [] if url.startswith(HERE) else [f"a request to {url}"]


def addresses(site: Path) -> list[str]:
    """Every page of a site, as a path below its root: the home page is the empty one."""
    return sorted(address(path.relative_to(site).as_posix()) for path in site.rglob("*.html"))


def framed(site: Path) -> list[str]:
    """The same, without slides: these have no header and no search, and tests of their own."""
    return [page for page in addresses(site) if not page.endswith("slides.html")]


def address(name: str) -> str:
    """Where a file is found."""
    folder, slash, last = name.rpartition("/")
    return folder + slash if last == "index.html" else name


def kind(address: str) -> str:
    """The kind of a page: pages of a kind come from one template."""
    match address.strip("/").split("/"):
        case [""]:
            return "home"
        case ["404.html"]:
            return "missing"
        case ["examples"]:
            return "examples"
        case ["examples", _]:
            return "overview"
        case ["examples", _, last] if last.startswith("head-"):
            return "overview"
        case ["examples", _, "tag", _]:
            return "tag"
        case ["examples", _, *_, ("whole" | "together" | "published" | "hand-out" | "key") as last]:
            return last
        case ["examples", _, *_]:
            return "stage"
        case [first, *_]:
            return first


def one_of_each_kind(site: Path) -> list[str]:
    """The heaviest page of each kind; every page where everything is asked for."""
    by_weight = sorted(framed(site), key=lambda page: file(site, page).stat().st_size)
    heaviest = {kind(page): page for page in by_weight}
    return framed(site) if EVERYTHING else sorted(heaviest.values())


def file(site: Path, page: str) -> Path:
    """The file of a page, or of anything else at an address."""
    path = site / page
    return path / "index.html" if path.is_dir() else path


class Linked(NamedTuple):
    """What a page can be linked to by, and what it links to: (address, id) on this site."""

    ids: set[str]
    links: list[tuple[str, str]]


@functools.cache
def linked(site: Path, page: str) -> Linked:
    """The ids and the links of a page."""
    tree = html.fromstring(file(site, page).read_bytes())
    hrefs = [urldefrag(urljoin(SITE + page, link)) for link in tree.xpath("//@href | //@src")]
    links = [(address(unquote(urlsplit(url).path)[1:]), unquote(anchor))
             for url, anchor in hrefs if url.startswith(SITE)]
    return Linked(set(tree.xpath("//@id")), links)


def walked(site: Path) -> set[str]:
    """Every page that links lead to from the home page."""
    found, left = set(), {""}
    while left:
        page = left.pop()
        found.add(page)
        left |= {to for to, _ in linked(site, page).links
                 if to not in found and file(site, to).suffix == ".html"}
    return found


def broken(site: Path) -> list[str]:
    """The links that lead nowhere: to no file, or to no element of a page."""
    return [f"{page}: {to}#{anchor}" for page in addresses(site)
            for to, anchor in linked(site, page).links if not _leads(site, to, anchor)]


def _leads(site: Path, to: str, anchor: str) -> bool:
    path = file(site, to)
    return path.is_file() and (
        not anchor or path.suffix != ".html" or anchor in linked(site, to).ids)
