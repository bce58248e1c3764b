"""A PDF as it is published: the same bytes from the same pages, small, and honest of its makers."""

import os
import re
from datetime import UTC, datetime
from io import BytesIO

import pikepdf

NODE = re.compile(rb"\(node(\d{8})\)")


def normal(printed: bytes, title: str, authors: str) -> bytes:
    """A printed PDF with its title, authors and dates; its id follows from its contents.

    The date is SOURCE_DATE_EPOCH, or the first of all dates: no clock is asked.
    """
    with pikepdf.open(BytesIO(_counted(printed))) as pdf:
        now = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
        date = f"D:{now:%Y%m%d%H%M%S}Z"
        pdf.docinfo["/Title"], pdf.docinfo["/Author"] = title, authors
        pdf.docinfo["/Creator"] = "Chromium"
        pdf.docinfo["/CreationDate"] = pdf.docinfo["/ModDate"] = date
        pdf.docinfo["/Producer"] = f"{pdf.docinfo.get('/Producer')}, pikepdf {pikepdf.__version__}"
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        packed = BytesIO()
        pdf.save(packed, deterministic_id=True, compress_streams=True, recompress_flate=True,
                 object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return packed.getvalue()


def _counted(printed: bytes) -> bytes:
    """The same with its elements numbered from 0: Chromium goes on from where it happens to be.

    A number keeps its width, so that all stays where the PDF says it is.
    """
    order = {number: place for place, number in enumerate(sorted(set(NODE.findall(printed))))}
    return NODE.sub(lambda found: b"(node%08d)" % order[found[1]], printed)


def pages_of(printed: bytes) -> dict[str, int]:
    """The page, counted from 1, of each place of a PDF that something in it links to."""
    with pikepdf.open(BytesIO(printed)) as pdf:
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, 1)}
        return {str(name).lstrip("/"): numbers[place[0].objgen]
                for name, place in pdf.Root.get("/Dests", {}).items()}
