"""What can be downloaded: each format is read back by what others would read it with."""

import io
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from lxml import etree

from derivations.agreement import twin
from derivations.citing.digest import digest
from derivations.example import load
from derivations.floats import nearest
from derivations.formula import Given
from derivations.pages.sections import FORMATS
from derivations.values import Rationals
from tests import sites
from tests.reader import read_page, truth_from_exact

EXAMPLES = sorted([*sites.EXAMPLES.iterdir(), *sites.KINDS.iterdir(), sites.LESSON])
PDFLATEX = shutil.which("pdflatex")
EVERY = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@cache
def files_of(path: Path) -> dict[str, bytes]:
    """The files of an example, by name below its folder."""
    found = sites.files_of(sites.worked(path))
    return {name.removeprefix(f"examples/{path.stem}/"): file for name, file in found.items()}


@EVERY
def test_every_step_has_every_format_with_the_numbers_of_the_step(path: Path) -> None:
    files, worked = files_of(path), sites.worked(path)
    for part in worked.parts:
        below = part.example.slug.removeprefix(worked.example.slug).lstrip("/")
        for step in part.derivation.own_steps:
            name = f"{below}/{step.key}".lstrip("/")
            assert all(f"{name}.{kind}" in files for kind in FORMATS)
            array = np.load(io.BytesIO(files[f"{name}.npz"]))[step.key]
            assert array.dtype == np.float64
            assert np.array_equal(array, np.array(nearest(step.values)))
            data = json.loads(files[f"{name}.json"])
            assert data["tag"] == sites.CITING.step_tags[step.key]
            assert data["digest"] == digest(load(path))
            assert data["example"] == part.example.slug
            assert data["version"] == sites.CITING.site.version


@EVERY
def test_the_mathml_of_a_step_is_one_formula_that_holds(path: Path) -> None:
    files, worked = files_of(path), sites.worked(path)
    for part in worked.parts:
        below = part.example.slug.removeprefix(worked.example.slug).lstrip("/")
        truth = truth_from_exact(part.derivation)
        for step in part.derivation.own_steps:
            written = files[f"{below}/{step.key}.mml".lstrip("/")].decode()
            root = etree.fromstring(written)
            assert root.tag == "{http://www.w3.org/1998/Math/MathML}math"
            report = read_page(f"<p>{written}</p>", truth)
            assert report.faults == [], step.key
            assert report.counts["formulas"] + report.counts["mentions"] == 1


def unpacked(path: Path, folder: Path) -> Path:
    with ZipFile(io.BytesIO(files_of(path)[f"{path.stem}.zip"])) as pack:
        assert all(name.startswith(f"{path.stem}/") for name in pack.namelist())
        assert {entry.date_time for entry in pack.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        pack.extractall(folder)
    return folder / path.stem


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    """The program of a zip, run where it was unpacked, with NumPy alone."""
    return subprocess.run([sys.executable, "-W", "error", "check.py"], cwd=folder, text=True,
                          capture_output=True, check=False)


@EVERY
def test_the_zip_of_an_example_checks_itself(path: Path, tmp_path: Path) -> None:
    folder = unpacked(path, tmp_path)
    assert (folder / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    done = checked(folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("All numbers agree.\n")
    worked = sites.worked(path)
    derived = [step for part in worked.parts for step in part.derivation.own_steps
               if not isinstance(step.formula, Given)]
    keys = {line.split()[1].rstrip(":") for line in done.stdout.splitlines()[:-1]}
    assert {step.key for step in derived} <= keys


@pytest.mark.parametrize("name", ["i-love-cats", "heads", "biases", "hidden-row"])
def test_a_wrong_number_in_a_zip_is_found(name: str, tmp_path: Path) -> None:
    (path,) = (path for path in EXAMPLES if path.stem == name)
    folder = unpacked(path, tmp_path)
    for step in folder.rglob("*.json"):
        data = json.loads(step.read_text())
        if not data.get("formula"):  # it is typed, or says what scores are divided by
            continue
        right = step.read_text()
        entry = data["entries"][-1]
        entry["decimal"] = "7.7777"
        step.write_text(json.dumps(data))
        done = checked(folder)
        step.write_text(right)
        assert done.returncode == 1, step
        assert "1 numbers do not agree." in done.stdout
        where = f"  {step.name} row {entry['row']} column {entry['column']}: 7.7777, found "
        assert where in done.stdout


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_a_wrong_number_in_another_file_of_a_zip_is_found(kind: str, tmp_path: Path) -> None:
    file = unpacked(sites.LESSON, tmp_path) / f"weights.{kind}"
    if kind == "csv":
        file.write_text(file.read_text().replace("0.5760", "0.5761"))
    else:
        array = np.load(file)["weights"]
        np.savez(file, weights=array + np.array([[0, 0, 0], [0, 0, 1e-6], [0, 0, 0]]))
    done = checked(file.parent)
    assert done.returncode == 1
    assert f"  weights.{kind} row 2 column 3: 0.57" in done.stdout
    assert "1 numbers do not agree." in done.stdout


def test_a_zip_says_what_it_is_and_how_to_cite_it(tmp_path: Path) -> None:
    said = (unpacked(sites.LESSON, tmp_path) / "README.txt").read_text()
    assert said.startswith("I love cats\n")
    assert f"digest {digest(load(sites.LESSON))}" in said
    assert "check.py" in said
    assert "creativecommons.org/licenses/by/4.0" in said


def test_the_zip_is_the_same_each_time() -> None:
    first = files_of(sites.LESSON)["i-love-cats.zip"]
    files_of.cache_clear()
    assert files_of(sites.LESSON)["i-love-cats.zip"] == first


def test_the_exact_strings_of_what_was_typed_are_what_was_typed() -> None:
    """check.py begins with them."""
    worked = sites.worked(sites.EXAMPLES / "fractions.toml")
    files, floats = files_of(sites.EXAMPLES / "fractions.toml"), twin(worked.derivation)
    assert floats["output"].shape == (len(worked.derivation.tokens), worked.example.d_v)
    for step in worked.derivation.steps:
        if isinstance(step.formula, Given) and isinstance(step.values, Rationals):
            data = json.loads(files[f"{step.key}.json"])
            assert [Fraction(entry["exact"]) for entry in data["entries"]] == [
                step.values.entry(i, j) for i, j in step.places]


@pytest.mark.skipif(PDFLATEX is None, reason="there is no pdflatex")
@pytest.mark.parametrize("path", [sites.LESSON, *(sites.KINDS / name for name in (
    "heads.toml", "biases.toml", "cross.toml")), sites.EXAMPLES / "hidden-row.toml"],
                         ids=lambda path: path.stem)
def test_the_latex_of_every_step_compiles_alone_and_within_a_document(
    path: Path, tmp_path: Path
) -> None:
    names = []
    for name, contents in files_of(path).items():
        if name.endswith(".tex"):
            names.append(name.replace("/", "-"))
            (tmp_path / names[-1]).write_bytes(contents)
    inputs = "\n".join(rf"\input{{{name}}}" for name in names)
    (tmp_path / "all.tex").write_text(
        rf"\documentclass{{article}}\usepackage{{amsmath}}\begin{{document}}{inputs}\end{{document}}")
    for name in ("all.tex", *names):
        done = subprocess.run([str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", name],
                              cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-600:]
        assert "Undefined control sequence" not in done.stdout
    assert (tmp_path / "all.pdf").is_file()


def spoiled(folder: Path) -> dict[str, tuple[str, str, str]]:
    """What may be wrong in a zip: a file, what stands there, and what it is made into."""
    return {
        "typed, decimal": ("embeddings.csv", "1,3,1,1,true", "1,3,1,7,true"),
        "typed, in json": ("w_q.json", '"decimal": "1"', '"decimal": "2"'),
        "exact, in csv": ("weights.csv", "exp(1/sqrt(2))", "exp(3/sqrt(2))"),
        "exact, in json": ("weights.json", '"exact": "(1)/', '"exact": "(2)/'),
        "no number": ("weights.csv", "0.5760", "abc"),
        "nothing": ("weights.csv", "0.5760", ""),
        "another place": ("weights.csv", "2,3,", "2,9,"),
        "no text": ("weights.json", '"row": 1', '"row": one'),
    }


@pytest.mark.parametrize("fault", spoiled(Path()))
def test_whatever_is_wrong_in_a_zip_is_named(fault: str, tmp_path: Path) -> None:
    folder = unpacked(sites.LESSON, tmp_path)
    name, old, new = spoiled(folder)[fault]
    assert old in (folder / name).read_text()
    (folder / name).write_text((folder / name).read_text().replace(old, new, 1))
    done = checked(folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"\n  {name} " in done.stdout


@pytest.mark.parametrize("name", ["weights.json", "weights.csv", "output.npz", "embeddings.npz"])
def test_a_file_that_is_missing_in_a_zip_is_named(name: str, tmp_path: Path) -> None:
    folder = unpacked(sites.LESSON, tmp_path)
    (folder / name).unlink()
    done = checked(folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"\n  {name} cannot be read: FileNotFoundError" in done.stdout


def test_what_floats_lose_in_a_difference_of_large_numbers_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("""tokens = ["a", "b"]
x = [["1e-6", "1/1000000000"], ["-1e-6", 0]]
w_q = [["1e-3", 0], [0, "1e9"]]
w_k = [[1, "1e2"], [0, 1]]
w_v = [["1e15", 1], [1, "1e-12"]]
""")
    done = checked(unpacked(path, tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
