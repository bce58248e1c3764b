"""Several pages as one document: their articles, with links that lead from one to the other."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin

from lxml import html
from lxml.builder import E

from scripts.printing.browser import HERE
from scripts.printing.pages import Page

NOT_PRINTED = (".//section[@class='cite'] | .//script | .//nav[@class='walk'] | "
               ".//p[@class='on-paper'] | .//p[@class='as-pdf']")
TABLE = ".//div[@class='table matrix'][.//a[@data-ref=$ref]][not(ancestor::div[@class='sides'])]"
ENTRY = re.compile(r"-r\d+c\d+$|-r\d+$|-c\d+$|-matrix$|-all$")
BODY = {"class": "document", "dir": "ltr", "data-md-color-scheme": "default"}
OUTSIDE = re.compile(r"https?:|mailto:")


@dataclass(frozen=True)
class Document:
    """What is printed as one PDF. `address` is that of the site, '' where it is not known."""

    title: str
    pages: list[Page]
    address: str = ""
    facts: str = ""  # HTML: what is said of the whole of it
    authors: str = ""
    cover: html.HtmlElement | None = None

    @property
    def file(self) -> dict[str, int]:
        """The place of each page, by its file."""
        return {page.file.relative_to(page.site).as_posix(): place
                for place, page in enumerate(self.pages)}


def assembled(document: Document) -> str:
    """The HTML of a document."""
    ids = [set(page.article.xpath(".//@id")) for page in document.pages]
    tags = _tags(document)
    articles = [_article(document, place, ids, tags) for place in range(len(document.pages))]
    if document.cover is not None:
        articles.insert(0, document.cover)
    else:
        articles[0].xpath(".//h1")[0].addnext(facts(document))
    page = E.html(_head(document), E.body(*articles, BODY),
                  {"lang": document.pages[0].tree.get("lang", "en"), "class": "js"})
    return "<!doctype html>\n" + html.tostring(page, encoding="unicode")


def facts(document: Document) -> html.HtmlElement:
    """What is said of the whole document: version, date, example, licence."""
    return html.fragment_fromstring(f'<p class="facts">{document.facts}</p>')


def _head(document: Document) -> html.HtmlElement:
    """The styles of all its pages, and what measures boxes for paper."""
    sheets = dict.fromkeys(urljoin(page.address, sheet) for page in document.pages
                           for sheet in page.tree.xpath("//link[@rel='stylesheet']/@href"))
    measures = urljoin(document.pages[0].address, document.pages[0].tree.xpath(
        "//script[contains(@src, 'assets/print.js')]/@src")[0])
    return E.head(E.meta(charset="utf-8"), E.title(document.title),
                  *(E.link(rel="stylesheet", href=sheet) for sheet in sheets),
                  E.script(src=measures))


def _tags(document: Document) -> dict[str, html.HtmlElement]:
    """The tag of each step, as the page of all steps has it: the step's key -> the link."""
    return {heading.get("id"): found[0] for page in document.pages
            for heading in page.article.xpath(".//h2[contains(@class, 'step')]")
            if (found := heading.xpath("following-sibling::p[@class='step-tag'][1]/a"))}


def _article(
    document: Document, place: int, ids: list[set[str]], tags: dict[str, html.HtmlElement]
) -> html.HtmlElement:
    page = document.pages[place]
    article = html.fromstring(html.tostring(page.article, encoding="unicode"))
    for found in article.xpath(NOT_PRINTED):
        found.drop_tree()
    for key, tag in tags.items():
        _tagged(article, key, tag, page)
    for link in article.xpath(".//a[@href]"):
        _lead(link, document, place, ids)
    for named in article.xpath(".//*[@id]"):
        named.set("id", f"p{place}-{named.get('id')}")
    article.set("id", f"p{place}")
    return article


def _tagged(article: html.HtmlElement, key: str, tag: html.HtmlElement, page: Page) -> None:
    """A chapter that shows the matrix of a step has its tag in the margin beside it.

    Not where a wrong one stands beside it: the tag would be read as that one's.
    """
    if article.xpath(".//p[@class='step-tag']/a[text()=$said]", said=tag.text):
        return
    for table in article.xpath(TABLE, ref=f"{key}-r1c1")[:1]:
        link = E.a(tag.text or "", href=f"{HERE}tag/{(tag.text or '').removeprefix('Tag ')}/")
        table.insert(0, E.p(link, {"class": "step-tag"}))


def _lead(link: html.HtmlElement, document: Document, place: int, ids: list[set[str]]) -> None:
    """A link leads to its place in this document, or to the site, or, without one, nowhere."""
    href = link.get("href")
    file, anchor = document.pages[place].leads_to(href)
    inside = _inside(document, file, anchor, ids)
    if href.startswith("#") and link.xpath("ancestor-or-self::*[@id=$here]", here=anchor):
        del link.attrib["href"]  # what it leads to is where it stands
    elif inside:
        link.set("href", f"#{inside}")
    elif not file and OUTSIDE.match(href):
        return
    elif file and document.address:
        link.set("href", urljoin(document.address, file.removesuffix("index.html"))
                 + f"#{anchor}" * bool(anchor))
    else:
        del link.attrib["href"]
    link.set("class", f"{link.get('class', '')} of-site".strip())


def _inside(document: Document, file: str, anchor: str, ids: list[set[str]]) -> str:
    """The id of a place in this document, '' if it is not in it.

    A number that is derived on a page which is not printed stands on that of all steps, too.
    """
    if file in document.file:
        at = document.file[file]
        return f"p{at}-{anchor}" if anchor in ids[at] else f"p{at}"
    folder = file.rsplit("/", 2)[0]
    for whole in (f"{folder}/whole/index.html", f"{folder}/whole.html"):
        if whole in document.file and anchor:
            at = document.file[whole]
            here = [one for one in (anchor, ENTRY.sub("", anchor)) if one in ids[at]]
            return f"p{at}-{here[0]}" if here else ""
    return ""
