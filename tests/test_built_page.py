"""The finished pages, read back: every formula and every number, by a reader of their own."""

import math
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from mpmath import mpf

from derivations import numeric
from derivations.attention import derive
from derivations.example import Example, load
from derivations.heads import derive_all
from derivations.pages.stages import stages_of
from derivations.render.corner import corner
from derivations.step import Derivation
from tests import sites
from tests.reader import Report, Truth, read_page, truth_from_exact, truth_from_twin
from tests.truths.whole import SUPPOSED, truth_of

SHOWN = {path.stem: path for path in sites.SHOWN.glob("*.toml")}
PATHS = {f"tests/{path.stem}": path for path in (*sites.EXAMPLES.iterdir(),
                                                 *sites.KINDS.iterdir())} | SHOWN
HEADS = {f"{slug}/head-{number}": head for slug, path in PATHS.items()
         for number, head in enumerate(load(path).heads, 1)}
SLUGS = sorted([*PATHS, *HEADS])
GIVEN = ("x", "w_q", "w_k", "w_v", "context_x", "b_q", "b_k", "b_v", "q", "k", "v")
TOO_LARGE = {"tests/hostile", "tests/wide"}  # for an equation of matrices
GENERIC = """
tokens = ["a", "b"]
x = [[0.3, -1.1], [0.7, 0.4]]
w_q = [[1, 0.2], [-0.4, 1]]
w_k = [[0.9, -1], [0.3, 0.6]]
w_v = [[2, -0.5], [0.1, 1.7]]
"""


def own(slugs: list[str]) -> list[object]:
    """Those of the site itself are marked."""
    return [slug if slug.startswith("tests/") else pytest.param(slug, marks=pytest.mark.own)
            for slug in slugs]


def floats(matrix) -> np.ndarray:
    rows, cols = matrix.shape
    return np.array([[float(matrix.entry(i, j)) for j in range(cols)] for i in range(rows)])


def twin(example: Example) -> Truth:
    """The truth according to NumPy."""
    if example.heads:
        return twin_together(example)
    inputs = {key: floats(matrix) for key in GIVEN if (matrix := example.matrix(key)).is_given}
    divisor = example.divisor
    value = None if divisor.kind == "sqrt_dk" else divisor.numerator / divisor.denominator
    mask = None if example.mask is None else np.array(example.mask)
    if "q" in inputs:
        arrays = numeric.attend(*inputs.values(), divisor=value, mask=mask)
    else:
        arrays = numeric.attention(**inputs, divisor=value, mask=mask)
    return truth_from_twin(arrays, inputs | {"mask": mask})


def twin_together(example: Example) -> Truth:
    """That of several heads: what they give side by side, and projected."""
    heads = {f"head-{number}": twin(head) for number, head in enumerate(example.heads, 1)}
    outputs = {name.replace("-", "_"): np.array(head.matrix("output"), dtype=float)
               for name, head in heads.items()}
    given = {key: floats(matrix) for key in ("w_o", "b_o")
             if (matrix := example.matrix(key)).is_given}
    arrays = numeric.together([*outputs.values()], **given)
    n_q, width = arrays["concatenated"].shape
    sizes = {"n_q": n_q, "d_concat": width, "d_out": [*arrays.values()][-1].shape[1]}
    return replace(truth_from_twin(outputs | arrays, given), variants=heads, sizes=sizes)


def example_of(slug: str) -> Example:
    return HEADS[slug] if slug in HEADS else load(PATHS[slug])


@cache
def derivation_of(slug: str) -> Derivation:
    name, _, head = slug.partition("/head-")
    derivation = derive_all(load(PATHS[name]))
    return derivation.heads[int(head) - 1] if head else derivation


def read(path: Path, truth: Truth) -> Report:
    return read_page(path.read_text(encoding="utf-8"), truth)


@pytest.fixture
def pages_of(request: pytest.FixtureRequest, slug: str) -> list[Path]:
    """The pages of an example or a head: overview, stages and the whole."""
    site = request.getfixturevalue("gallery" if slug.startswith("tests/") else "site")
    folder = site / "examples" / slug.removeprefix("tests/")
    return sorted(page for page in folder.rglob("index.html")
                  if not page.relative_to(folder).as_posix().startswith(("head-", "tag/")))


@pytest.mark.parametrize("slug", own(SLUGS))
def test_worked_pages_against_the_engine(pages_of: list[Path], slug: str) -> None:
    derivation = derivation_of(slug)
    reports = {page.parent.name: read(page, truth_from_exact(derivation))
               for page in pages_of}
    audited, has_whole = "published" in reports, not derivation.heads
    assert audited is (slug in PATHS and bool(example_of(slug).published))
    assert {name: report.faults for name, report in reports.items() if report.faults} == {}
    steps = derivation.own_steps
    corners = sum(math.prod(corner(step.shape)) for step in steps)
    hand_out, key = (reports.pop(name, None) for name in ("hand-out", "key"))
    assert len(reports) == 1 + has_whole + len(stages_of(derivation)) + audited
    if has_whole and slug not in TOO_LARGE - {"tests/hostile"}:
        assert hand_out and key
        assert hand_out.counts["refs"] < key.counts["refs"]
        assert key.counts["cells"] == sum(len(step.places) for step in steps)
    if has_whole:
        whole = reports.pop("whole").counts
        assert whole["refs"] >= whole["cells"] == corners
        assert whole["formulas"] >= len(steps)
    assert not audited or reports.pop("published").counts["refs"] > 0
    overview = reports.pop(slug.rsplit("/", maxsplit=1)[-1]).counts
    assert overview["refs"] > 0
    stages = sum((report.counts for report in reports.values()), Counter())
    assert stages["cells"] == corners
    assert stages["named"] > 0 or corners < sum(len(step.places) for step in steps)
    assert stages["formulas"] >= len(steps)


@pytest.mark.parametrize("slug", own([slug for slug in SLUGS if "/head-" not in slug]))
def test_the_page_of_each_tag_against_the_engine(
    request: pytest.FixtureRequest, slug: str
) -> None:
    """A page for each step; of heads it shows those of each."""
    derivation = derivation_of(slug)
    heads = {f"head-{head.head.number}": truth_from_exact(head) for head in derivation.heads}
    truth = replace(truth_from_exact(derivation), variants=heads)
    site = request.getfixturevalue("gallery" if slug.startswith("tests/") else "site")
    pages = (site / "examples" / slug.removeprefix("tests/") / "tag").iterdir()
    reports = {page.name: read(page / "index.html", truth) for page in pages}
    assert {name: report.faults for name, report in reports.items() if report.faults} == {}
    parts = (*derivation.heads, derivation)
    steps = [step for part in parts for step in part.own_steps]
    assert {sites.CITING.step_tags[step.key] for step in steps} == reports.keys()
    assert sum(report.counts["refs"] for report in reports.values()) >= sum(
        math.prod(corner(step.shape)) for step in steps)


@pytest.mark.parametrize("slug", own([slug for slug in SLUGS if slug != "tests/saturated"]))
def test_worked_pages_against_the_twin(pages_of: list[Path], slug: str) -> None:
    """Stage by stage: the page of all steps shows the same numbers, and is read above."""
    truth = twin(example_of(slug))
    faults = {page.parent.name: read(page, truth).faults for page in pages_of
              if page.parent.name != "whole"}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("slug", own(SLUGS))
def test_rounded_numbers_have_the_places_of_their_example(pages_of: list[Path], slug: str) -> None:
    pages = unescape("".join(page.read_text(encoding="utf-8") for page in pages_of))
    rounded = re.findall(r'data-ref="[a-z_]+\d?-r\d+c\d+"(?: href="[^"]*")?>[−\d]+\.?(\d*)', pages)
    places = example_of(slug).places
    assert all(len(digits) == places for digits in rounded)
    assert rounded or slug == "tests/one"


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


def _is_of_another(page: Path) -> bool:
    """Is it a page of an example that is not the lesson's? Those are read above."""
    folder, slug, *_ = page.parts if len(page.parts) > 2 else ("", "")
    return folder == "examples" and slug != sites.OWN_LESSON.stem


@pytest.mark.own
def test_every_page_has_only_formulas_that_can_be_read(site: Path) -> None:
    truth = truth_of(load(sites.OWN_LESSON))
    counts: Counter[str] = Counter()
    for page in site.rglob("*.html"):
        if page.parent.name != "generic" and not _is_of_another(page.relative_to(site)):
            report = read_page(page.read_text(encoding="utf-8"), truth, SUPPOSED)
            assert report.faults == [], page
            counts += report.counts
    assert counts["formulas"] > 100
