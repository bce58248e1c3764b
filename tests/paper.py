"""Reads a PDF back: its text, its numbers, where each character stands; and what it should say."""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pikepdf
import pypdfium2
from lxml import html
from pypdf import PdfReader

from derivations.pages.hand_out import Sheet, Task
from derivations.pages.worked import Worked
from derivations.render.corner import corner
from derivations.step import Step
from scripts.printing.assembled import Document

DECIMAL = re.compile(r"[−-]?\d+\.\d+(?![.\d])")
NOT_A_NUMBER = re.compile(r"version \S+|arXiv:\S+|(?:section|sections) [\d.]+|https?://\S+|doi:\S+")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
ADDED = re.compile(r"\(https?://[^()]*\)|Tag\s+\w+")  # addresses of links; tags, in the margin too
TASK = re.compile(r"^\d+\. [A-Z]", re.MULTILINE)  # how the heading of a task begins
# On paper a product in its place has the numbers of its columns once, above all
NOT_ON_PAPER = ("//*[@class='unseen' or @class='on-paper' or @class='as-pdf' or @class='step-tag']"
                "| //section[@class='cite'] | //nav | //script | //annotation "
                "| //semantics/*[position() > 1] | //svg//title | //svg//desc "
                "| //*[contains(@class, 'columns')]//*[contains(@class, 'main')]//thead")
STRETCHED = set("√∑()[]{}|⎡⎢⎣⎤⎥⎦⎧⎨⎩")  # what is as high as what it stands beside
FILES = {"/FontFile", "/FontFile2", "/FontFile3"}
LOWEST = 3  # points: digits of five points
SHARED = 0.35  # of the smaller of two characters: more than this is an overlap


def texts(pdf: bytes) -> list[str]:
    """The text of each page."""
    return [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]


def text_of(pdf: bytes) -> str:
    """The text of all pages, without their numbers."""
    pages = texts(pdf)
    return "\n".join(re.sub(rf"^{number} / {len(pages)}$", "", page, count=1, flags=re.MULTILINE)
                     for number, page in enumerate(pages, 1))


def said(document: Document) -> str:
    """What the pages of a document say, as far as it is for paper."""
    first = document.facts if document.cover is None else _said(document.cover)
    return "\n".join([first, *(_said(page.article) for page in document.pages)])


def _said(article: html.HtmlElement) -> str:
    found = html.fromstring(html.tostring(article, encoding="unicode"))
    for hidden in found.xpath(NOT_ON_PAPER):
        hidden.drop_tree()
    for listed in found.xpath("//ol[not(ancestor-or-self::*[contains(@class, 'cover')])]"):
        for number, entry in enumerate(listed.xpath("li"), 1):
            entry.text = f"{number}. {entry.text or ''}"
    return " ".join(found.itertext())


def numbers(text: str) -> Counter[str]:
    """The numbers of a text, each as often as it is there."""
    return Counter(NUMBER.findall(ADDED.sub("", text)))


def unlike(text: str, document: Document) -> list[str]:
    """The numbers of a PDF that are not on its pages, or on them and not in it.

    As text a power of a number stands right behind it: such whole numbers have equal digits.
    """
    here, there = numbers(text), numbers(said(document))
    only_here, only_there = here - there, there - here
    digits = [sorted("".join(found.elements())) for found in (only_here, only_there)]
    if digits[0] == digits[1] and "." not in digits[0]:
        return []
    return [f"only in the PDF: {only_here}", f"only on the pages: {only_there}"]


def shown(step: Step, worked: Worked) -> list[list[str]]:
    """The certified decimals of a step, as far as a page shows its matrix."""
    rows, columns = corner(step.shape)
    return [[rounded.text.replace("-", "−") if rounded else "−∞" for rounded in row[:columns]]
            for row in worked.decimals[step.key][:rows]]


def unprinted(text: str, headings: dict[str, str], worked: Worked) -> list[str]:
    """The rows of matrices that do not stand, in their order, below the heading of their step."""
    lines, faults = text.splitlines(), []
    at = {key: lines.index(heading) for key, heading in headings.items()}
    ends = [*sorted(at.values()), len(lines)]
    for step in worked.derivation.steps:
        start = at[step.key]
        left = lines[start:ends[ends.index(start) + 1]]
        for row in shown(step, worked):
            found = [place for place, line in enumerate(left)
                     if line.split()[-len(row):] == row and len(line.split()) > len(row)]
            if not found:
                faults.append(f"{step.key}: {' '.join(row)}")
            left = left[found[0] + 1:] if found else left
    return faults


def unfilled(text: str, sheet: Sheet, *, answers: bool) -> list[str]:
    """The tasks of a hand-out or a key whose row does not stand below their heading.

    On a hand-out it is the numbers of its blanks, on a key each with its certified answer; as
    text they may come at the end of a page, after other headings. The other rows stand on both.
    """
    starts = [found.start() for found in TASK.finditer(text)]
    assert len(starts) == len(sheet.tasks)
    below = [f" {' '.join(text[start:].split())} " for start in starts]
    return [f"{task.step.key}: {row}" for task, said in zip(sheet.tasks, below, strict=True)
            for row in _rows(task, sheet.worked, answers) if f" {row} " not in said]


def _rows(task: Task, worked: Worked, answers: bool) -> Iterator[str]:
    """The rows of a task's matrix as they are printed."""
    blanks = {(blank.row, blank.col): str(blank.number) for blank in task.blanks}
    for i, row in enumerate(worked.decimals[task.step.key]):
        decimals = [rounded.text.replace("-", "−") if rounded else "−∞" for rounded in row]
        yield " ".join(f"{blanks.get((i, j), decimal)} {decimal}" if answers and (i, j) in blanks
                       else blanks.get((i, j), decimal) for j, decimal in enumerate(decimals))


def uncertified(text: str, worked: Worked) -> set[str]:
    """The decimals of a text that are those of no step, nor the sum of a row as it is printed."""
    known = {rounded.text for table in worked.decimals.values() for row in table
             for rounded in row if rounded}
    known |= {f"{float(sum(rounded.value for rounded in row)):.{worked.example.places}f}"
              for row in worked.decimals["weights"]}
    found = DECIMAL.findall(NOT_A_NUMBER.sub("", text))
    return {number for number in found if number.replace("−", "-") not in known
            and number.lstrip("−-") not in known}


def overlaps(pdf: bytes) -> Iterator[str]:
    """The characters that stand on another, or beyond the page."""
    for number, page in enumerate(pypdfium2.PdfDocument(pdf), 1):
        signs, boxes = _boxes(page)
        width, height = page.get_size()
        beyond = (boxes[:, 0] < 20) | (boxes[:, 2] > width - 20) | (boxes[:, 1] < 20) | (
            boxes[:, 3] > height - 20)
        yield from (f"page {number}: {signs[k]} is beyond the page" for k in np.flatnonzero(beyond))
        yield from (f"page {number}: {signs[a]} on {signs[b]}" for a, b in _on_another(boxes))


def tiny(pdf: bytes) -> list[str]:
    """The digits that are too small to read."""
    return [f"page {number}: {sign} is {box[3] - box[1]:.1f} points high"
            for number, page in enumerate(pypdfium2.PdfDocument(pdf), 1)
            for sign, box in zip(*_boxes(page), strict=True)
            if sign in "0123456789" and box[3] - box[1] < LOWEST]


def _boxes(page: pypdfium2.PdfPage) -> tuple[list[str], np.ndarray]:
    text = page.get_textpage()
    found = [(text.get_text_range(k, 1), text.get_charbox(k)) for k in range(text.count_chars())]
    kept = [(sign, box) for sign, box in found if sign.strip() and sign not in STRETCHED
            and box[2] > box[0] and box[3] > box[1]]
    return [sign for sign, _ in kept], np.array([box for _, box in kept]).reshape(-1, 4)


def _on_another(boxes: np.ndarray) -> Iterator[tuple[int, int]]:
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    both = np.clip(high - low, 0, None).prod(axis=2)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    shared = both > SHARED * np.minimum(areas[:, None], areas[None, :])
    yield from ((int(a), int(b)) for a, b in np.argwhere(np.triu(shared, 1)))


def unembedded(pdf: bytes) -> list[str]:
    """The fonts that a PDF only names."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        fonts = [one for one in opened.objects
                 if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/Font"
                 and one.get("/Subtype") not in ("/Type0", "/Type3")]
        assert fonts
        return [str(font.get("/BaseFont")) for font in fonts
                if not FILES & set(font.get("/FontDescriptor", {}).keys())]
