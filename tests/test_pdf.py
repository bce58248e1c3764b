"""The PDFs, read back: their numbers are the certified ones, and nothing is cut or overlaps."""

import re
from collections import Counter
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from lxml import html

from derivations.pages.worked import Worked
from scripts.printing.assembled import Document
from scripts.printing.browser import printer
from scripts.printing.documents import as_pdf, lesson, of_one
from scripts.printing.pages import Page, chapters
from tests import paper, sites
from tests.browser import CHROMIUM, EVERYTHING

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"),
              pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not printed")]
ADDRESS = "https://example.org/attention/"
SEVEN = """title = "Seven tokens"
tokens = ["The", "old", "cat", "saw", "a", "small", "bird"]
x = [[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1], [1, 1, 1, 0], [0, 2, 1, 1], [1, 0, 0, 2],
     [3, 1, 1, 0]]
w_q = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]]
w_k = [[0, 1, 1], [1, 0, 0], [1, 0, 1], [0, 1, 0]]
w_v = [[1, 0, 2], [0, 1, 0], [1, 1, 0], [0, 2, 1]]
"""


@pytest.fixture(scope="module")
def cats(site: Path) -> tuple[Document, Worked]:
    """All steps of the lesson's example."""
    return whole(site, "i-love-cats"), sites.worked(sites.LESSON)


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> tuple[Document, Worked]:
    """All steps of an example of seven tokens."""
    folder = tmp_path_factory.mktemp("seven")
    project = sites.project(folder / "project", {"seven.toml": SEVEN}, "seven", kept)
    done = sites.build(project, folder / "site", NO_CACHE="")
    assert done.returncode == 0, done.stderr
    path = project / "docs" / "examples" / "seven.toml"
    return whole(folder / "site", "seven"), sites.worked(path)


def whole(site: Path, slug: str) -> Document:
    return dict(of_one(site, slug, ADDRESS))[f"examples/{slug}/{slug}.pdf"]


def pdf_of(document: Document, paper: str = "A4") -> bytes:
    with printer(document.pages[0].site, paper) as prints:
        return as_pdf(document, prints)


def faults(pdf: bytes, document: Document, worked: Worked) -> list[str]:
    """What is wrong with the numbers of a PDF of all steps."""
    text = paper.text_of(pdf)
    headings = {heading.get("id"): heading.text_content().removesuffix("#")
                for heading in document.pages[0].article.xpath(".//h2[contains(@class, 'step')]")}
    return [*paper.unprinted(text, headings, worked), *sorted(paper.uncertified(text, worked))]


def digits(text: str) -> Counter[str]:
    return Counter(sign for sign in text if sign in "0123456789")


def on_screen(document: Document) -> str:
    """What the pages of a document say, as far as it is for paper."""
    found = html.fromstring(html.tostring(document.pages[0].article, encoding="unicode"))
    for hidden in found.xpath("//*[@class='unseen' or @class='on-paper' or @class='as-pdf']"
                              "| //section[@class='cite'] | //nav | //annotation "
                              "| //semantics/*[position() > 1]"):
        hidden.drop_tree()
    return found.text_content() + document.facts


@pytest.mark.parametrize("name", ["cats", "seven"])
def test_a_pdf_has_the_certified_numbers_and_is_whole(
    name: str, request: pytest.FixtureRequest
) -> None:
    document, worked = request.getfixturevalue(name)
    pdf = pdf_of(document)
    assert faults(pdf, document, worked) == []
    assert digits(paper.text_of(pdf)) == digits(on_screen(document))
    assert list(paper.overlaps(pdf)) == []
    assert paper.unembedded(pdf) == []
    assert [text for text in paper.texts(pdf) if len(text) < 200] == []
    assert name == "seven" or pdf_of(document) == pdf, "a second printing has other bytes"


@pytest.mark.parametrize(("old", "new"), [
    (b'href="../softmax/#weights-r2c3">0.5760<', b'href="../softmax/#weights-r2c3">0.5761<'),
    (b"<mn>0.5760</mn>", b"<mn>0.5761</mn>"),
    (b"<h2 class=\"step\" id=\"weights\"", b"<style>.table { font-size: 40px; letter-spacing: -20px"
     b" !important; line-height: 3px !important }</style><h2 class=\"step\" id=\"weights\""),
])
def test_what_is_wrong_in_the_html_is_found_in_the_pdf(
    cats: tuple[Document, Worked], old: bytes, new: bytes
) -> None:
    document, worked = cats
    page = Page(document.pages[0].site, document.pages[0].name)
    built = page.file.read_bytes()
    assert old in built
    page.__dict__["tree"] = html.fromstring(
        built.replace(old, new), parser=html.HTMLParser(encoding="utf-8"))
    wrong = Document(document.title, [page], ADDRESS, document.facts)
    pdf = pdf_of(wrong)
    assert faults(pdf, wrong, worked) or list(paper.overlaps(pdf))


def test_a_pdf_is_tagged_titled_and_in_outline_on_either_paper(
    cats: tuple[Document, Worked], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", sites.ENVIRONMENT["SOURCE_DATE_EPOCH"])
    document, worked = cats
    pdf = pdf_of(document, "Letter")
    assert list(paper.overlaps(pdf)) == []
    with pikepdf.open(BytesIO(pdf)) as opened:
        root = opened.Root
        assert bool(root.MarkInfo.Marked)
        assert "/StructTreeRoot" in root
        assert str(root.Lang) == "en"
        assert bool(root.ViewerPreferences.DisplayDocTitle)
        assert str(opened.docinfo["/Title"]) == document.title == "I love cats: all steps"
        assert str(opened.docinfo["/CreationDate"]) == "D:20260101000000Z"
        assert re.match(r"Skia/PDF m\d+, pikepdf ", str(opened.docinfo["/Producer"]))
        with opened.open_outline() as outline:
            assert [one.title for one in outline.root[0].children] == [
                heading.text_content().removesuffix("#") for heading
                in document.pages[0].article.xpath(".//h2[contains(@class, 'step')]")]
        addresses = {str(link.A.URI) for page in opened.pages for link in page.get("/Annots", [])
                     if "/A" in link}
    tags = set(document.pages[0].article.xpath(".//p[@class='step-tag']/a/text()"))
    assert len(tags) == len(worked.derivation.steps)
    assert {f"{ADDRESS}examples/i-love-cats/tag/{tag[4:]}/" for tag in tags} <= addresses
    assert not [address for address in addresses if not address.startswith("https://")]
    assert tags <= set(paper.text_of(pdf).splitlines())


def test_the_lesson_is_one_pdf_whose_links_and_contents_lead_inside(site: Path) -> None:
    document = lesson(site)
    pdf = pdf_of(document)
    texts = paper.texts(pdf)
    names = [name for name, _ in chapters(site)]
    assert names[0] == "The lesson"
    assert names[-1].endswith("Practice")
    for name, page in chapters(site):
        number = int(re.search(rf"^{re.escape(name)}\s+(\d+)$", texts[0], re.MULTILINE)[1])
        assert page.title in texts[number - 1].replace("\n", " "), name
    assert not [text for text in texts[1:] if "Cite this" in text or "BibTeX" in text]
    assert "digest" in texts[0]
    assert "version" in texts[0]
    assert paper.unembedded(pdf) == []
    assert list(paper.overlaps(pdf)) == []
    with pikepdf.open(BytesIO(pdf)) as opened:
        links = [link for page in opened.pages for link in page.get("/Annots", [])]
        inside = {str(link.Dest) for link in links if "/Dest" in link}
        assert inside <= set(opened.Root.Dests.keys())
        assert len(inside) > 60
        assert not [link for link in links if "/A" in link and ".invalid" in str(link.A.URI)]
    assert not EVERYTHING or pdf_of(document) == pdf


def test_without_a_chromium_one_line_says_what_to_do(tmp_path: Path) -> None:
    done = sites.build(sites.ROOT, tmp_path / "site", PDF="1", CHROMIUM="no-such-chromium")
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if line]
    assert len(said) == 1
    assert "looked for no-such-chromium" in said[0]
    assert "Install" in said[0]
    assert not (tmp_path / "site").exists()
