"""The PDFs, read back: their numbers are the certified ones, and nothing is cut or overlaps."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from lxml import html

from derivations.pages.hand_out import sheet
from derivations.pages.worked import Worked
from scripts.printing.assembled import Document
from scripts.printing.browser import printer
from scripts.printing.documents import as_pdf, lesson, of_one
from scripts.printing.pages import Page, chapters
from tests import paper, sites
from tests.browser import CHROMIUM, EVERYTHING

pytestmark = [pytest.mark.browser,
              pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not printed")]
SHEETS = ("hand-out.pdf", "key.pdf")
NAMES = ("all.pdf", *SHEETS, "lesson.pdf")
ADDRESS = "https://example.org/attention/"
SEVEN = """title = "Seven tokens"
tokens = ["The", "old", "cat", "saw", "a", "small", "bird"]
x = [[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1], [1, 1, 1, 0], [0, 2, 1, 1], [1, 0, 0, 2],
     [3, 1, 1, 0]]
w_q = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]]
w_k = [[0, 1, 1], [1, 0, 0], [1, 0, 1], [0, 1, 0]]
w_v = [[1, 0, 2], [0, 1, 0], [1, 1, 0], [0, 2, 1]]
"""


Printed = dict[str, tuple[Document, bytes]]


@pytest.fixture(scope="module")
def cats(site: Path) -> tuple[Printed, Worked]:
    """What is printed of the lesson and of its example."""
    return printed(site, "i-love-cats"), sites.worked(sites.LESSON)


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> tuple[Printed, Worked]:
    """The same of a lesson with seven tokens."""
    folder = tmp_path_factory.mktemp("seven")
    project = sites.project(folder / "project", {"seven.toml": SEVEN}, "seven", kept)
    done = sites.build(project, folder / "site", NO_CACHE="")
    assert done.returncode == 0, done.stderr
    path = project / "docs" / "examples" / "seven.toml"
    return printed(folder / "site", "seven"), sites.worked(path)


def printed(site: Path, slug: str) -> Printed:
    """Each document, by what it is."""
    found = [*of_one(site, slug, ADDRESS), ("lesson/lesson.pdf", lesson(site, ADDRESS))]
    with printer(site) as prints:
        return {name.rpartition("/")[2].replace(slug, "all"): (document, as_pdf(document, prints))
                for name, document in found}


def pdf_of(document: Document, paper: str = "A4") -> bytes:
    with printer(document.pages[0].site, paper) as prints:
        return as_pdf(document, prints)


def headings(document: Document) -> dict[str, str]:
    return {heading.get("id"): heading.text_content().removesuffix("#")
            for heading in document.pages[0].article.xpath(".//h2[contains(@class, 'step')]")}


def faults(name: str, pdf: bytes, document: Document, worked: Worked) -> list[str]:
    """What is wrong with the numbers of a PDF: they are those of its pages, and the certified."""
    text = paper.text_of(pdf)
    wrong = paper.unlike(text, document)
    if name == "all.pdf":
        wrong += paper.unprinted(text, headings(document), worked)
    if name in SHEETS:
        wrong += paper.unfilled(text, sheet(worked), answers=name == "key.pdf")
    if name != "lesson.pdf":  # which has exercises, and other sentences
        wrong += sorted(paper.uncertified(text, worked))
    return wrong


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("example", ["cats", "seven"])
def test_a_pdf_has_the_certified_numbers_and_is_whole(
    example: str, name: str, request: pytest.FixtureRequest
) -> None:
    documents, worked = request.getfixturevalue(example)
    document, pdf = documents[name]
    assert faults(name, pdf, document, worked) == []
    assert list(paper.overlaps(pdf)) == []
    assert paper.tiny(pdf) == []
    assert paper.unembedded(pdf) == []
    short = 100 if name == "lesson.pdf" else 200  # what a chapter ends with
    assert [text for text in paper.texts(pdf) if len(text) < short] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_second_printing_has_the_same_bytes(name: str, cats: tuple[Printed, Worked]) -> None:
    document, pdf = cats[0][name]
    if name == "lesson.pdf" and not EVERYTHING:
        pytest.skip("the lesson is long: make check-all prints it twice")
    assert pdf_of(document) == pdf


@pytest.mark.parametrize(("name", "old", "new"), [
    ("all.pdf", b'"../softmax/#weights-r2c3">0.5760<', b'"../softmax/#weights-r2c3">0.5761<'),
    ("all.pdf", b"<mn>0.5760</mn>", b"<mn>0.5761</mn>"),
    ("hand-out.pdf", b">16.9188<", b">16.9189<"),
    ("hand-out.pdf", b"</span>10</span>", b"</span>0.7071</span>"),
    ("key.pdf", b"<mn>0.5760</mn>", b"<mn>0.5761</mn>"),
    ("key.pdf", b">0.5760<", b">0.2840<"),
    ("lesson.pdf", b"<mn>0.5760</mn>", b"<mn>0.5761</mn>"),
])
def test_a_wrong_number_in_the_html_is_found_in_the_pdf(
    cats: tuple[Printed, Worked], name: str, old: bytes, new: bytes
) -> None:
    document, _ = cats[0][name]
    page = document.pages[-1]
    right = replace(document, pages=[page], cover=None)
    wrong = replace(right, pages=[planted(page, old, new)])
    assert name != "lesson.pdf" or faults(name, pdf_of(right), right, cats[1]) == []
    assert faults(name, pdf_of(wrong), right, cats[1])


def planted(page: Page, old: bytes, new: bytes) -> Page:
    """The page with something else in one place."""
    built = page.file.read_bytes()
    assert old in built
    found = Page(page.site, page.name)
    found.__dict__["tree"] = html.fromstring(
        built.replace(old, new, 1), parser=html.HTMLParser(encoding="utf-8"))
    return found


def test_what_overlaps_is_found(cats: tuple[Printed, Worked]) -> None:
    document, _ = cats[0]["key.pdf"]
    style = (b"<style>.table { font-size: 40px; letter-spacing: -20px !important; "
             b"line-height: 3px !important }</style><h1")
    wrong = replace(document, pages=[planted(document.pages[0], b"<h1", style)])
    assert list(paper.overlaps(pdf_of(wrong)))


def test_a_pdf_is_tagged_titled_and_in_outline_on_either_paper(
    cats: tuple[Printed, Worked], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", sites.ENVIRONMENT["SOURCE_DATE_EPOCH"])
    document, worked = cats[0]["all.pdf"][0], cats[1]
    pdf = pdf_of(document, "Letter")
    assert list(paper.overlaps(pdf)) == []
    with pikepdf.open(BytesIO(pdf)) as opened:
        root = opened.Root
        assert bool(root.MarkInfo.Marked)
        assert "/StructTreeRoot" in root
        assert str(root.Lang) == "en"
        assert bool(root.ViewerPreferences.DisplayDocTitle)
        assert str(opened.docinfo["/Title"]) == document.title == "I love cats: all steps"
        assert str(opened.docinfo["/Author"]) == "The Attention, derived authors"
        assert str(opened.docinfo["/CreationDate"]) == "D:20260101000000Z"
        assert re.match(r"Skia/PDF m\d+, pikepdf ", str(opened.docinfo["/Producer"]))
        with opened.open_outline() as outline:
            assert [one.title for one in outline.root[0].children] == list(
                headings(document).values())
        addresses = {str(link.A.URI) for page in opened.pages for link in page.get("/Annots", [])
                     if "/A" in link}
    tags = set(document.pages[0].article.xpath(".//p[@class='step-tag']/a/text()"))
    assert len(tags) == len(worked.derivation.steps)
    assert {f"{ADDRESS}examples/i-love-cats/tag/{tag[4:]}/" for tag in tags} <= addresses
    assert not [address for address in addresses if not address.startswith("https://")]
    assert tags <= set(paper.text_of(pdf).splitlines())


def test_the_lesson_is_one_pdf_whose_links_and_contents_lead_inside(
    site: Path, cats: tuple[Printed, Worked]
) -> None:
    _, pdf = cats[0]["lesson.pdf"]
    texts = paper.texts(pdf)
    names = [name for name, _ in chapters(site)]
    assert names[0] == "The lesson"
    assert names[-1].endswith("Practice")
    for name, page in chapters(site):
        number = int(re.search(rf"^{re.escape(name)}\s+(\d+)$", texts[0], re.MULTILINE)[1])
        assert page.title in texts[number - 1].replace("\n", " "), name
    assert not [text for text in texts[1:] if "Cite this" in text or "BibTeX" in text]
    beside = [text for text in texts if "Wrong:" in text and "Right:" in text]
    assert len(beside) > 3
    assert not [text for text in beside if "Tag " in text], "a tag beside a wrong matrix"
    assert "digest" in texts[0]
    assert "version" in texts[0]
    with pikepdf.open(BytesIO(pdf)) as opened:
        links = [link for page in opened.pages for link in page.get("/Annots", [])]
        inside = {str(link.Dest) for link in links if "/Dest" in link}
        assert inside <= set(opened.Root.Dests.keys())
        assert len(inside) > 60
        assert not [link for link in links if "/A" in link and ".invalid" in str(link.A.URI)]


def test_without_a_chromium_one_line_says_what_to_do(tmp_path: Path) -> None:
    done = sites.build(sites.ROOT, tmp_path / "site", PDF="1", CHROMIUM="no-such-chromium")
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if line]
    assert len(said) == 1
    assert "looked for no-such-chromium" in said[0]
    assert "Install" in said[0]
    assert not (tmp_path / "site").exists()
