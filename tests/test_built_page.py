"""The finished pages, read back: every formula and every number, by a reader of their own."""

import re
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from mpmath import mpf

from derivations import numeric
from derivations.attention import derive
from derivations.example import Example, load
from derivations.pages.stages import stages_of
from tests import sites
from tests.reader import Report, Truth, read_page, truth_from_exact, truth_from_twin
from tests.truths.whole import SUPPOSED, truth_of

PATHS = {path.stem: path for path in (sites.LESSON, *sites.EXAMPLES.iterdir(),
                                      *sites.KINDS.iterdir())}
SLUGS = sorted(PATHS)
GIVEN = ("x", "w_q", "w_k", "w_v", "context_x", "b_q", "b_k", "b_v", "q", "k", "v")
GENERIC = """
tokens = ["a", "b"]
x = [[0.3, -1.1], [0.7, 0.4]]
w_q = [[1, 0.2], [-0.4, 1]]
w_k = [[0.9, -1], [0.3, 0.6]]
w_v = [[2, -0.5], [0.1, 1.7]]
"""


def floats(matrix) -> np.ndarray:
    rows, cols = matrix.shape
    return np.array([[float(matrix.entry(i, j)) for j in range(cols)] for i in range(rows)])


def twin(example: Example) -> Truth:
    """The truth according to NumPy."""
    inputs = {key: floats(matrix) for key in GIVEN if (matrix := example.matrix(key)).is_given}
    divisor = example.divisor
    value = None if divisor.kind == "sqrt_dk" else divisor.numerator / divisor.denominator
    mask = None if example.mask is None else np.array(example.mask)
    if "q" in inputs:
        arrays = numeric.attend(*inputs.values(), divisor=value, mask=mask)
    else:
        arrays = numeric.attention(**inputs, divisor=value, mask=mask)
    return truth_from_twin(arrays, inputs | {"mask": mask})


def read(path: Path, truth: Truth) -> Report:
    return read_page(path.read_text(encoding="utf-8"), truth)


def pages_of(gallery: Path, slug: str) -> list[Path]:
    """The pages of an example: overview, stages and the whole."""
    return sorted((gallery / "examples" / slug).rglob("index.html"))


@pytest.mark.parametrize("slug", SLUGS)
def test_worked_pages_against_the_engine(gallery: Path, slug: str) -> None:
    derivation = derive(load(PATHS[slug]))
    reports = {page.parent.name: read(page, truth_from_exact(derivation))
               for page in pages_of(gallery, slug)}
    audited = "published" in reports
    assert audited is bool(load(PATHS[slug]).published)
    assert len(reports) == 2 + len(stages_of(derivation)) + audited
    assert {name: report.faults for name, report in reports.items() if report.faults} == {}
    corners = sum(min(len(step.rows), 6) * min(len(step.cols), 8) for step in derivation.steps)
    whole = reports.pop("whole").counts
    assert whole["refs"] >= whole["cells"] == corners
    assert whole["formulas"] >= len(derivation.steps)
    assert not audited or reports.pop("published").counts["refs"] > 0
    overview = reports.pop(slug).counts
    assert overview["refs"] > 0
    stages = sum((report.counts for report in reports.values()), Counter())
    assert stages["cells"] == corners
    assert stages["named"] > 0 or slug in {"hostile", "wide"}  # too large for an equation
    assert stages["formulas"] >= len(derivation.steps)


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "saturated"])
def test_worked_pages_against_the_twin(gallery: Path, slug: str) -> None:
    """Stage by stage: the page of all steps shows the same numbers, and is read above."""
    truth = twin(load(PATHS[slug]))
    faults = {page.parent.name: read(page, truth).faults for page in pages_of(gallery, slug)
              if page.parent.name != "whole"}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_rounded_numbers_have_the_places_of_their_example(gallery: Path, slug: str) -> None:
    pages = unescape("".join(page.read_text(encoding="utf-8") for page in pages_of(gallery, slug)))
    rounded = re.findall(r'data-ref="[a-z_]+-r\d+c\d+"(?: href="[^"]*")?>[−\d]+\.?(\d*)', pages)
    places = load(PATHS[slug]).places
    assert all(len(digits) == places for digits in rounded)
    assert rounded or slug == "one"


def test_home_page(site: Path) -> None:
    report = read(site / "index.html", truth_from_exact(derive(load(sites.LESSON))))
    assert report.faults == []
    assert report.counts["formulas"] >= 4


def test_generic_page_holds_for_numbers(site: Path, tmp_path: Path) -> None:
    path = tmp_path / "generic.toml"
    path.write_text(GENERIC)
    truth = replace(truth_from_exact(derive(load(path))), parameters={"c": mpf("0.37")})
    report = read(site / "reference" / "generic" / "index.html", truth)
    assert report.faults == []
    assert report.counts["formulas"] >= 25


def test_every_page_has_only_formulas_that_can_be_read(site: Path) -> None:
    truth = truth_of(load(sites.LESSON))
    counts: Counter[str] = Counter()
    for page in site.rglob("*.html"):
        if page.parent.name != "generic":
            report = read_page(page.read_text(encoding="utf-8"), truth, SUPPOSED)
            assert report.faults == [], page
            counts += report.counts
    assert counts["formulas"] > 100
