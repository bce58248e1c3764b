"""Reads a PDF back: its text, its numbers, where each character stands."""

import re
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pikepdf
import pypdfium2

from derivations.pages.worked import Worked
from derivations.render.corner import corner
from derivations.step import Step

DECIMAL = re.compile(r"[−-]?\d+\.\d+(?![.\d])")
NOT_A_NUMBER = re.compile(r"version \S+|arXiv:\S+|(?:section|sections) [\d.]+|https?://\S+|doi:\S+")
FOOT = re.compile(r"^\d+ / \d+$", re.MULTILINE)
STRETCHED = set("√∑()[]{}|⎡⎢⎣⎤⎥⎦⎧⎨⎩")  # what is as high as what it stands beside
FILES = {"/FontFile", "/FontFile2", "/FontFile3"}
SHARED = 0.35  # of the smaller of two characters: more than this is an overlap


def texts(pdf: bytes) -> list[str]:
    """The text of each page."""
    return [page.get_textpage().get_text_range().replace("\r", "")
            for page in pypdfium2.PdfDocument(pdf)]


def text_of(pdf: bytes) -> str:
    """The text of all pages, without their numbers."""
    return FOOT.sub("", "\n".join(texts(pdf)))


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
