"""Every tag of the finished site, walked: each citation and each file of it is read back.

Chapters are cited as tags are.
BibTeX by pybtex, CSL by citeproc-py, RIS by bibutils where it is installed; the exact strings by
SymPy, arrays by NumPy, LaTeX and MathML by the reader of the pages. None of them wrote anything.
"""

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
import sympy
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle
from citeproc import formatter as formatters
from citeproc.source.json import CiteProcJSON
from lxml import etree, html
from pybtex.database import parse_string
from pylatexenc.latex2text import LatexNodes2Text

from derivations.example import load
from derivations.heads import derive_all
from derivations.render.converter import converted
from tests import sites
from tests.reader import Truth, read_page, truth_from_exact

pytestmark = pytest.mark.own
RIS2XML = shutil.which("ris2xml")
MODS = {"m": "http://www.loc.gov/mods/v3"}
DISPLAY = re.compile(r"\\\[\n(.*?)\n\\\]\n", re.DOTALL)
STUB = re.compile("has no such step|do without it|This tag is retired")
FORMATS = {"tex", "mml", "csv", "json", "npz"}


class Cited(NamedTuple):
    """A page with citations: where it is, what it says of itself to machines, and these."""

    name: str
    root: html.HtmlElement

    @property
    def tag(self) -> str:
        """Of a page below a folder of tags; '' of a chapter."""
        folder, _, name = self.name.rpartition("/")
        return name if f"/{folder}".endswith("/tag") else ""

    def meta(self, name: str) -> str:
        (found,) = self.root.xpath(f"//meta[@name='{name}']/@content")
        return str(found)

    def cited(self, name: str) -> str:
        """What is copied of a citation."""
        (found,) = self.root.xpath(f"//code[@id='cite-{name}']")
        return str(found.text_content())

    @property
    def note(self) -> str:
        """Tag, version, example and digest, from the reference."""
        found = re.search(rf"In: {re.escape(sites.CITING.site.title)}, (.*)\. http",
                          self.cited("reference"))
        assert found is not None, self.name
        return found[1]


@pytest.fixture(scope="module")
def cited(site: Path) -> list[Cited]:
    """Every page that can be cited: chapters, and tags of the lesson's example and all others."""
    pages = [Cited(path.parent.relative_to(site).as_posix(), html.parse(path).getroot())
             for path in sorted(site.rglob("index.html"))]
    found = [page for page in pages if page.root.xpath("//section[@id='cite']")]
    stubs = [page for page in pages if page.tag and page not in found]
    assert all(STUB.search(page.root.text_content()) for page in stubs)
    tags = {tag.tag for tag in sites.CITING.ledger.tags}
    assert {page.tag for page in (*found, *stubs)} == tags | {""}
    return found


def test_every_bibtex_is_read_by_pybtex(cited: list[Cited]) -> None:
    keys = set()
    for page in cited:
        ((key, entry),) = parse_string(page.cited("bibtex"), "bibtex").entries.items()
        plain = {name: LatexNodes2Text().latex_to_text(value)
                 for name, value in entry.fields.items()}
        assert plain["title"] == page.meta("citation_title")
        assert plain["note"] == page.note
        assert entry.fields["url"] == page.meta("citation_public_url")
        label = f"Tag {page.tag}" if page.tag else page.meta("citation_title")
        assert page.cited("latex").rstrip() == (
            rf"\cite[\href{{{entry.fields['url']}}}{{{label}}}]{{{key}}}")
        keys.add(key)
    assert len(keys) == len(cited)


def test_every_csl_is_read_by_citeproc(cited: list[Cited]) -> None:
    items = [item for page in cited for item in json.loads(page.cited("csl"))]
    for number, item in enumerate(items):
        item["id"] = str(number)  # the lesson's example is cited at two addresses
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = CitationStylesBibliography(style, CiteProcJSON(items), formatters.plain)
    for item in items:
        bibliography.register(Citation([CitationItem(item["id"])]))
    said = map(str, bibliography.bibliography())
    for page, item, line in zip(cited, items, said, strict=True):
        assert item["title"] == page.meta("citation_title")
        assert item["note"] == page.note
        assert item["URL"] == page.meta("citation_public_url")
        assert item["URL"] in line
        assert page.meta("citation_publication_date")[:4] in line


@pytest.mark.skipif(RIS2XML is None, reason="bibutils is not installed: no other reader of RIS")
def test_every_ris_is_read_by_bibutils(cited: list[Cited]) -> None:
    done = subprocess.run([str(RIS2XML), "-i", "utf8", "-o", "utf8", "-nt"],
                          input="\n".join(page.cited("ris") for page in cited).encode(),
                          capture_output=True, check=True)
    works = etree.fromstring(done.stdout).findall("m:mods", MODS)
    assert len(works) == len(cited)
    for page, work in zip(cited, works, strict=True):
        assert work.findtext("m:titleInfo/m:title", None, MODS) == page.meta("citation_title")
        assert work.findtext("m:note", None, MODS) == page.note
        assert (work.findtext("m:location/m:url", None, MODS)
                == page.meta("citation_public_url"))
        assert (work.findtext("m:originInfo/m:dateIssued", "", MODS).replace("-", "/")
                == page.meta("citation_publication_date"))


def files_of(page: Cited, site: Path) -> Iterator[tuple[Path, set[str]]]:
    """The files that a page offers, without their endings, each with its endings."""
    links = page.root.xpath("//article//a/@href")
    found = [(site / page.name / link).resolve() for link in links
             if Path(link).suffix[1:] in FORMATS]
    for name in dict.fromkeys(path.with_suffix("") for path in found):
        yield name, {path.suffix[1:] for path in found if path.with_suffix("") == name}


@cache
def truth_of(slug: str) -> Truth:
    """The true values of an example, or of one of its heads, from its integers."""
    name, _, head = slug.partition("/head-")
    derivation = derive_all(load(sites.SHOWN / f"{name}.toml"))
    return truth_from_exact(derivation.heads[int(head) - 1] if head else derivation)


def test_every_file_of_every_step_is_read_back(cited: list[Cited], site: Path) -> None:
    steps = 0
    for page in cited:
        for name, endings in files_of(page, site):
            assert endings == FORMATS, name
            slug = name.parent.relative_to(site / "examples").as_posix()
            assert problems(name, truth_of(slug)) == [], name
            steps += 1
    assert steps > 23


def problems(name: Path, truth: Truth) -> list[str]:
    """What is wrong with the five files of a step."""
    data, true = json.loads(name.with_suffix(".json").read_text()), truth.matrix(name.name)
    numbers, array = data["entries"], np.load(name.with_suffix(".npz"))[name.name]
    with mpmath.workdps(70):
        wrong = [f"json {entry}" for entry in numbers if not holds(entry, data["places"], true)]
        wrong += [f"npz {place}" for place, number in np.ndenumerate(array)
                  if number != float(true[place[0]][place[1]])]
    wrong += [f"npz: {array.shape}"] * (array.shape != (len(true), len(true[0])))
    wrong += ["csv is not json"] * (read_csv(name.with_suffix(".csv")) != numbers)
    wrong += read_page(f"<p>{name.with_suffix('.mml').read_text()}</p>", truth).faults
    return wrong + read_tex(name.with_suffix(".tex").read_text(), truth)


def holds(entry: dict[str, Any], places: int, true: list[list[Any]]) -> bool:
    """Is an entry the true one: its exact string to 40 digits, its decimal to half a unit?"""
    value = true[entry["row"] - 1][entry["column"] - 1]
    if mpmath.isinf(value):
        return (entry["exact"], entry["decimal"]) == ("-oo", "-oo")
    alone = not set(entry["exact"]) & set("sqrtexp*")  # a number: within an expression all is exact
    exact = mpmath.mpf(str(sympy.sympify(entry["exact"], rational=alone).evalf(60)))
    off = 0 if entry["decimal_is_exact"] else mpmath.mpf(10) ** -places / 2
    near = abs(exact - value) <= mpmath.mpf("1e-40") * max(1, abs(value))
    return bool(near and abs(mpmath.mpf(entry["decimal"]) - value) <= off)


def read_csv(path: Path) -> list[dict[str, Any]]:
    """The entries, as the JSON has them."""
    with path.open(newline="") as file:
        return [row | {"row": int(row["row"]), "column": int(row["column"]),
                       "decimal_is_exact": row["decimal_is_exact"] == "true"}
                for row in csv.DictReader(file)]


def read_tex(written: str, truth: Truth) -> list[str]:
    """What is wrong with the displays; there is at least one, and no mathematics beside them."""
    displays = DISPLAY.findall(written)
    page = "".join(f"<p>{converted(display, display=True)}</p>" for display in displays)
    report = read_page(page, truth)
    read = report.counts["formulas"] + report.counts["mentions"]
    return report.faults + ["a display was not read"] * (not len(displays) <= read)
