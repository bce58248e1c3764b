"""The same query in three layouts: each formula read back, and sentences for every shape."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from derivations.attention import derive
from derivations.example import Example, build, load
from derivations.pages.lesson import conventions
from derivations.pages.worked import Worked, work_out
from derivations.render.mathml import fill
from tests import sites
from tests.reader import read_page, truth_from_exact

FILES = sorted([sites.LESSON, *sites.EXAMPLES.iterdir()], key=lambda path: path.stem)
LAYOUTS = ("query_matrix", "stored_matrix", "query_as_row", "query_as_column", "query_by_linear")
PAGE = sites.ROOT / "docs" / "lesson" / "conventions.md"


def of(d_model: int, d_k: int) -> Worked:
    data = {"tokens": ["a", "b"], "x": [[1] * d_model, list(range(d_model))],
            "w_q": [[i + j for j in range(d_k)] for i in range(d_model)],
            "w_k": [[0] * d_k] * d_model, "w_v": [[1]] * d_model}
    return work_out(build(Path("t.toml"), data))


def square(w_q: list[list[int]], x: list[list[int]] | None = None) -> Worked:
    data = {"tokens": ["a", "b"], "x": x or [[1, 0], [2, 1]], "w_q": w_q,
            "w_k": [[0, 0], [0, 0]], "w_v": [[1], [1]]}
    return work_out(build(Path("t.toml"), data))


def plain(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_layout_is_read_back(path: Path) -> None:
    example = load(path)
    made = conventions.markers(work_out(example))
    page = fill("".join(made[name]() for name in LAYOUTS))
    report = read_page(page, truth_from_exact(derive(example)))
    assert report.faults == []
    large = path.stem == "wide"
    assert report.counts["formulas"] == (0 if large else len(LAYOUTS))
    assert (report.counts["named"] > 0) is not large


def test_the_layouts_as_numpy_has_them() -> None:
    """What the page says of x @ w, w.T @ x and x @ weight.T is one and the same query."""
    example = load(sites.EXAMPLES / "cats.toml")
    x, w_q = (np.array(matrix.integers) for matrix in (example.x, example.w_q))
    weight = w_q.T
    assert (x @ w_q == x @ weight.T).all()
    assert (x @ w_q == (w_q.T @ x.T).T).all()


def matrices(latex: str) -> list[list[list[str]]]:
    """The matrices of a formula, as text."""
    return [[row.split(" & ") for row in body.strip().split(r" \\ ")]
            for body in re.findall(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", latex)]


def latex_of(markup: str) -> str:
    (found,) = re.findall(r'data-tex="([^"]*)"', markup)
    return unescape(found)


def test_each_layout_shows_the_matrix_as_it_is_kept() -> None:
    made = conventions.markers(work_out(load(sites.EXAMPLES / "cats.toml")))
    kept = [["1", "0"], ["0", "0"], ["1", "1"], ["0", "0"], ["0", "1"]]
    turned = [["1", "0", "1", "0", "0"], ["0", "0", "1", "0", "1"]]
    assert kept in matrices(latex_of(made["query_as_row"]()))
    assert turned in matrices(latex_of(made["query_as_column"]()))
    by_linear = latex_of(made["query_by_linear"]())
    assert turned in matrices(by_linear)
    assert r"\end{bmatrix}^{\top}" in by_linear
    assert [["0"], ["1"]] in matrices(latex_of(made["query_as_column"]()))
    assert [["0", "1"]] in matrices(by_linear)


def test_what_is_too_large_is_said_and_not_shown() -> None:
    made = conventions.markers(of(9, 2))
    assert plain(made["query_matrix"]()) == (
        "The matrices of this example are too large to be written here: WQ has 9 rows and 2 "
        "columns. Its data files hold them.")
    assert [made[name]() for name in LAYOUTS[1:]] == [""] * 4


def test_long_fractions_are_too_large_too() -> None:
    long = "12345678901234567/9876543210987653"
    data = {"tokens": ["a", "b"], "x": [[long] * 8] * 2, "w_q": [[long] * 8] * 8,
            "w_k": [[0] * 8] * 8, "w_v": [[1]] * 8}
    made = conventions.markers(work_out(build(Path("t.toml"), data)))
    assert "too large" in made["query_matrix"]()
    assert made["query_as_row"]() == ""


@pytest.mark.parametrize(("worked", "told"), [
    (of(2, 2), "In this example it is square, 2 × 2. Transposed it is the same matrix, so here "
     "nothing comes out wrong."),
    (square([[1, 2], [3, 4]]), "In this example it is square, 2 × 2. Transposed it is another "
     "matrix, and the queries come out wrong."),
    (square([[1, 2], [3, 4]], x=[[0, 0], [0, 0]]), "In this example it is square, 2 × 2. "
     "Transposed it is another matrix, but one that happens to give the same queries."),
    (of(5, 2), "In this example it is not square: 5 × 2 against 2 × 5."),
    (of(1, 1), "In this example it is square, 1 × 1. Transposed it is the same matrix, so here "
     "nothing comes out wrong."),
])
def test_square_or_not(worked: Worked, told: str) -> None:
    assert plain(conventions.markers(worked)["square_or_not"]()) == told


def shapes(cell: str) -> list[tuple[int, int]]:
    return [(int(rows), int(cols)) for rows, cols in re.findall(r"(\d+) × (\d+)", plain(cell))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_shapes_multiply(path: Path) -> None:
    example: Example = load(path)
    shown = conventions.markers(work_out(example))["layouts_table"]()
    rows = [line.split("|")[1:-1] for line in shown.split("\n") if " times " in line]
    assert len(rows) == 3
    d_model, d_k = example.w_q.shape
    for name, _, product, kept in rows:
        left, right, made = shapes(product)
        assert left[1] == right[0]
        assert made == (left[0], right[1])
        assert sorted(made) == sorted((1, d_k))
        straight = plain(name).strip() == "rows"
        assert shapes(kept) == [(d_model, d_k) if straight else (d_k, d_model)]


def test_every_link_of_the_page_has_its_address() -> None:
    page = PAGE.read_text(encoding="utf-8")
    used = set(re.findall(r"\]\[(\w+)\]", page))
    assert used == set(re.findall(r"^\[(\w+)\]: https://", page, re.MULTILINE))
