"""The PDFs of a site: of each example all steps, the hand-out and its key; and the lesson."""

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path

from lxml import html
from lxml.builder import E

from scripts.printing.assembled import Document, assembled, facts
from scripts.printing.browser import Print, printer
from scripts.printing.normal import normal, pages_of
from scripts.printing.pages import Page, chapters, examples, exists, of_example

SHEETS = ("hand-out", "key")


def write_all(site: Path, address: str = "") -> list[Path]:
    """Every PDF of a site, written beside the pages that it is printed from."""
    written = []
    with printer(site) as prints:
        for name, document in documents(site, address):
            path = site / name
            path.write_bytes(as_pdf(document, prints))
            written.append(path)
    return written


def documents(site: Path, address: str = "") -> Iterator[tuple[str, Document]]:
    """Each document of a site, and the name of its PDF."""
    for slug in examples(site):
        yield from of_one(site, slug, address)
    yield "lesson/lesson.pdf", lesson(site, address)


def of_one(site: Path, slug: str, address: str = "") -> Iterator[tuple[str, Document]]:
    """The documents of an example: all steps, and what there is for a class."""
    overview, folder = Page(site, f"examples/{slug}"), f"examples/{slug}"
    together = Page(site, f"{folder}/together")
    steps = of_example(site, slug, "whole") + [together] * exists(together)
    said = _said(site, [f"{folder}/tag"], address)
    yield f"{folder}/{slug}.pdf", Document(f"{overview.title}: all steps", steps, address, *said)
    for name in SHEETS:
        if pages := of_example(site, slug, name):
            yield f"{folder}/{name}.pdf", Document(pages[0].title, pages, address, *said)


def lesson(site: Path, address: str = "") -> Document:
    """The lesson, with a page in front of it that has its contents."""
    names, pages = zip(*chapters(site), strict=True)
    said = _said(site, ["lesson"], address)
    title = f"{_site_name(site)}: the lesson"
    document = Document(title, list(pages), address, *said)
    return replace(document, cover=_cover(document, names))


def _cover(document: Document, names: tuple[str, ...]) -> html.HtmlElement:
    contents = [E.li(E.a(name, href=f"#p{place}"), E.span(" ", {"class": "at"}))
                for place, name in enumerate(names)]
    return E.article(E.h1(document.title), facts(document), E.h2("Contents"), E.ol(*contents),
                     {"class": "md-typeset cover"})


def as_pdf(document: Document, prints: Print) -> bytes:
    """A document as a PDF. A page of contents is printed twice: then its numbers are known."""
    printed = prints(assembled(document))
    if document.cover is not None:
        _number(document.cover, pages_of(printed))
        printed = prints(assembled(document))
    return normal(printed, document.title, document.authors)


def _number(cover: html.HtmlElement, pages: dict[str, int]) -> None:
    for entry in cover.xpath(".//ol/li"):
        entry.xpath("span")[0].text = str(pages[entry.xpath("a/@href")[0].lstrip("#")])


def _site_name(site: Path) -> str:
    return next(_cited(site, ["lesson"]))["isPartOf"]["name"]


def _cited(site: Path, folders: list[str]) -> Iterator[dict[str, object]]:
    """What pages below these folders say of themselves as data, in the order of their names."""
    for folder in folders:
        for path in sorted((site / folder).rglob("*.html")):
            name = path.relative_to(site).as_posix().removesuffix(".html").removesuffix("/index")
            if about := Page(site, name).about:
                yield about


def _said(site: Path, folders: list[str], address: str) -> tuple[str, str]:
    """The facts of a document, and its authors, from the first page that is cited.

    The facts are authors, version, date, example, digest and licence.
    """
    said = next(_cited(site, folders))
    example, authors = said["isBasedOn"], ", ".join(one["name"] for one in said["author"])
    told = [authors, f"{said['isPartOf']['name']}, version {said.get('version', '')}, "
            f"{said.get('datePublished', '')}", f"Example: {example['name']}, "
            f"digest {example['identifier']}", f"Licence: {said['license']}"]
    facts = ". ".join(map(escape, told)) + "." + (f" {escape(address)}" if address else "")
    return facts, authors
