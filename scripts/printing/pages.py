"""Pages of a built site: where they are, what they hold, and what they say of themselves."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from lxml import html

from scripts.printing.browser import HERE

LAST = "practice"  # of the chapters that are printed; after it comes what is done on a screen


@dataclass(frozen=True)
class Page:
    """A page of a built site; `name` is its path below the site, such as lesson/softmax."""

    site: Path
    name: str

    @cached_property
    def file(self) -> Path:
        """Where it is: a folder's index.html, or a file of its own in a site for a disk."""
        folder = self.site / self.name / "index.html"
        return folder if folder.is_file() else self.site / f"{self.name}.html"

    @property
    def address(self) -> str:
        """Its address while it is printed."""
        return HERE + self.file.relative_to(self.site).as_posix()

    @cached_property
    def tree(self) -> html.HtmlElement:
        """The page, parsed."""
        return html.fromstring(self.file.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))

    @property
    def article(self) -> html.HtmlElement:
        """What it says."""
        return self.tree.xpath("//article[contains(@class, 'md-content__inner')]")[0]

    @property
    def title(self) -> str:
        """Its heading, without the sign of its link."""
        heading = self.article.xpath(".//h1")[0]
        return "".join(heading.xpath(".//text()[not(ancestor::a[@class='headerlink'])]")).strip()

    @property
    def about(self) -> dict[str, Any]:
        """What it says of itself as data; nothing where it is not cited."""
        said = self.tree.xpath("//script[@type='application/ld+json']/text()")
        return json.loads(said[0]) if said else {}

    def leads_to(self, link: str) -> tuple[str, str]:
        """The file of the site that a link leads to, '' for one elsewhere; and the place in it."""
        url = urlsplit(urljoin(self.address, link))
        if not url.geturl().startswith(HERE):
            return "", ""
        path = unquote(url.path).lstrip("/")
        return path + "index.html" * (path.endswith("/") or not path), unquote(url.fragment)


def exists(page: Page) -> bool:
    """Is there such a page?"""
    return page.file.is_file()


def examples(site: Path) -> list[str]:
    """The slug of each example of a site."""
    return sorted(path.parent.name for path in (site / "examples").glob("*/index.html"))


def of_example(site: Path, slug: str, name: str) -> list[Page]:
    """The page of an example that is called so, or that of each of its heads in their order."""
    folders = sorted((site / "examples" / slug).glob("head-*"), key=_number)
    found = [Page(site, f"examples/{slug}/{name}"),
             *(Page(site, f"examples/{slug}/{folder.name}/{name}") for folder in folders)]
    return list(filter(exists, found))


def _number(folder: Path) -> int:
    return int(re.sub(r"\D", "", folder.name) or 0)


def chapters(site: Path) -> list[tuple[str, Page]]:
    """The chapters of the lesson with their names, as the navigation has them, up to practice."""
    first = Page(site, "lesson")
    section = "//nav[contains(@class, 'md-nav--primary')]//li[contains(@class, '--section')]"
    links = first.tree.xpath(f"{section}//a[contains(@class, 'md-nav__link')][@href]")
    found = [(" ".join(link.text_content().split()), _page(site, first, link.get("href")))
             for link in links]
    last = next(place for place, (_, page) in enumerate(found) if page.name.endswith(f"/{LAST}"))
    return found[:last + 1]


def _page(site: Path, start: Page, link: str) -> Page:
    file, _ = start.leads_to(link)
    return Page(site, file.removesuffix(".html").removesuffix("/index"))
