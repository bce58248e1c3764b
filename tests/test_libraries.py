"""The page of libraries: its file is of the lesson's example, and says what the libraries do.

Floats differ from machine to machine, so errors are held to a bound, and not to those of the file.
"""

import json
import math
import shutil
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from derivations.attention import derive
from derivations.example import load
from derivations.floats import nearest
from derivations.pages.libraries import BITS, LEAST, PLACE, markers
from derivations.pages.worked import work_out
from derivations.step import Derivation
from scripts import libraries
from scripts.attentions import ATTENTIONS, LIBRARIES, Attention
from scripts.meanings import of_causal, of_masks, of_scale
from tests.sites import EXAMPLES, LESSON, ROOT, converter

DATA = json.loads((ROOT / "docs" / PLACE).read_text(encoding="utf-8"))
ASKED = {"masks": ("mask", of_masks), "causal": ("causal", of_causal),
         "scales": ("scale", of_scale)}
EXP_ULPS = 4  # off by no more is e^x: assumed of each library, as of NumPy in derivations/bounds.py
Data = dict[str, Any]

each_library = pytest.mark.parametrize("module", [
    pytest.param(module, marks=pytest.mark.skipif(not find_spec(module),
                                                  reason=f"{name} is not installed"))
    for module, name in LIBRARIES.items()])


def of(module: str) -> list[Attention]:
    return [one for one in ATTENTIONS if one.module == module]


def contradicted(data: Data, module: str) -> list[Any]:
    """What the file says of a library, and the library does not."""
    return [(said, found) for key, (argument, ask) in ASKED.items()
            for said, found in zip(
                [one for one in data[key] if one["library"] == LIBRARIES[module]],
                [ask(one) for one in of(module) if getattr(one, argument)], strict=True)
            if said != found]


@each_library
def test_the_file_says_what_a_library_means(module: str) -> None:
    assert contradicted(DATA, module) == []


@pytest.mark.parametrize(("module", "key", "field", "planted"), [
    ("numpy", "masks", "true", "hidden"), ("numpy", "masks", "all_hidden", "mean"),
    ("numpy", "scales", "given", "multiplies"), ("onnx", "masks", "true", "hidden"),
    ("onnx", "masks", "all_infinite", "NaN"), ("onnx", "causal", "alignment", "bottom right"),
    ("onnx", "scales", "default", "1/d_k")])
def test_a_wrong_meaning_in_the_file_is_found(
    module: str, key: str, field: str, planted: str
) -> None:
    pytest.importorskip(module, reason=f"{LIBRARIES[module]} is not installed")
    data = json.loads(json.dumps(DATA))
    next(one for one in data[key] if one["library"] == LIBRARIES[module])[field] = planted
    assert len(contradicted(data, module)) == 1


def test_a_mask_taken_the_other_way_is_seen() -> None:
    numpy = of("numpy")[0]
    turned = replace(numpy, run=lambda *heads, mask=None: numpy.run(
        *heads, mask=None if mask is None else ~mask))
    assert of_masks(turned)["true"] == "hidden"
    assert of_masks(turned)["all_hidden"] == "0"


@pytest.mark.parametrize(("out", "said"), [
    (np.full((2, 5), np.nan), "NaN"), (np.full((2, 5), 1 / 3), "mean"), (np.zeros((2, 5)), "0"),
    (np.full((2, 5), 7.0), "unclear")])
def test_what_comes_of_nothing_is_named(out: np.ndarray, said: str) -> None:
    def run(q: Any, k: Any, v: Any, mask: Any = None) -> np.ndarray:
        hidden = mask is not None and not mask.any()
        return out if hidden else of("numpy")[0].run(q, k, v, mask=mask)

    assert of_masks(replace(of("numpy")[0], run=run))["all_hidden"] == said


@pytest.mark.default
def test_the_file_is_of_the_lesson_as_it_is_now() -> None:
    assert DATA["example"] == {"slug": libraries.lesson().stem,
                               "sha256": sha256(libraries.lesson().read_bytes()).hexdigest()}


def test_the_file_stands_as_it_is_written() -> None:
    assert (ROOT / "docs" / PLACE).read_text(encoding="utf-8") == libraries.as_json(DATA)
    assert list(DATA["versions"]) == sorted({one["library"] for one in DATA["errors"]})


def coarse(library: str, derivation: Derivation) -> bool:
    """Is something done in float32, whatever goes in? JAX's softmax, and a scale given to ONNX."""
    return library == "JAX" or (library == "ONNX" and derivation.divisor.kind != "sqrt_dk")


def bounds(derivation: Derivation, library: str, precision: str) -> list[Fraction]:
    """How far off each number of the output may be, whatever the order of a library's sums.

    A score takes at most d_k + 14 roundings: its inputs, the scale and the root of it, products
    and sums. Its largest is taken away, so that is off as well. Then e^x, and what divides it, are
    off alike; n products are added. Higham (2002), sections 3.1 and 3.4; a tenth more than enough.
    """
    u = Fraction(1, 2 ** BITS["float32" if coarse(library, derivation) else precision])
    n, d, divisor = derivation.size("n_k"), derivation.size("d_k"), derivation.divisor
    q, k, v = (np.abs(libraries.floats(derivation, key, "float64"))
               for key in ("queries", "keys", "values"))
    weights = np.array(nearest(derivation["weights"].values))
    reach = (q @ k.T * (weights > 0)).max(axis=1, keepdims=True)
    reach *= divisor.denominator / divisor.numerator / math.sqrt(divisor.root)
    assert (reach * float(u) * (d + 16) < 0.01).all(), "then the bound says nothing"
    relative = 1.1 * (2 * (2 * (d + 16) * reach + 2 * EXP_ULPS) + 2 * n + 8)
    rows = relative * (weights @ v) * float(u)
    return [Fraction(entry) + n * Fraction(2) ** LEAST[precision]
            for i, row in enumerate(rows.tolist()) if i not in derivation.closed_rows
            for entry in row]


def beyond(one: Attention, derivation: Derivation, precision: str) -> list[Fraction]:
    """The errors that are larger than they may be."""
    numbers = libraries.output(one, derivation, precision).tolist()
    exact = libraries.exact_output(derivation)
    errors = [abs(Fraction(number) - right) for i, row in exact.items()
              for number, right in zip(numbers[i], row, strict=True)]
    limits = bounds(derivation, one.library, precision)
    return [error for error, limit in zip(errors, limits, strict=True) if error > limit]


@each_library
@pytest.mark.parametrize("precision", BITS)
@pytest.mark.parametrize("path", [LESSON, EXAMPLES / "fractions.toml", EXAMPLES / "causal.toml",
                                  EXAMPLES / "hidden-row.toml"], ids=lambda path: path.stem)
def test_a_library_is_within_the_bound(module: str, precision: str, path: Path) -> None:
    derivation = derive(load(path))
    assert beyond(of(module)[0], derivation, precision) == []


def test_a_library_that_is_off_is_beyond_the_bound() -> None:
    numpy, derivation = of("numpy")[0], derive(load(LESSON))

    def single(*heads: np.ndarray, **options: Any) -> np.ndarray:
        return numpy.run(*(one.astype(np.float32) for one in heads), **options)

    def unscaled(*heads: np.ndarray, **_: Any) -> np.ndarray:
        return numpy.run(*heads, divisor=1.0)

    for run in (single, unscaled):
        assert beyond(replace(numpy, run=run), derivation, "float64")


def out_of_reach(data: Data) -> list[Data]:
    """The rows of the file whose largest error no library can have; or that cannot be true."""
    derivation = derive(load(libraries.lesson()))
    exact = [entry for row in libraries.exact_output(derivation).values() for entry in row]

    def most(one: Data) -> Fraction:
        limits = bounds(derivation, one["library"], one["precision"])
        return max(limit / libraries.ulp(right, one["precision"])
                   for limit, right in zip(limits, exact, strict=True))

    return [one for one in data["errors"]
            if not 0 <= one["mean"] <= one["largest"] <= most(one)
            or one["numbers"] != len(exact) or not 0 <= one["nearest"] <= len(exact)]


@pytest.mark.default
def test_the_errors_in_the_file_can_be() -> None:
    assert out_of_reach(DATA) == []


@pytest.mark.default
@pytest.mark.parametrize("planted", [{"largest": 1e6}, {"mean": 100.0}, {"nearest": 99},
                                     {"numbers": 5}])
def test_errors_in_the_file_that_cannot_be_are_found(planted: Data) -> None:
    errors = [DATA["errors"][0] | planted, *DATA["errors"][1:]]
    assert out_of_reach(DATA | {"errors": errors}) == errors[:1]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_nearest_float_and_its_ulp(number: float) -> None:
    exact = Fraction(number)
    assert libraries.nearest(exact, "float64") == exact
    assert libraries.ulp(exact, "float64") == math.ulp(number)
    with np.errstate(over="ignore"):
        single = np.float32(number)
    if np.isfinite(single):
        assert libraries.nearest(exact, "float32") == Fraction(float(single))
        assert libraries.ulp(Fraction(float(single)), "float32") == abs(float(np.spacing(single)))


@given(st.fractions(max_denominator=10**9).filter(lambda value: 0 < abs(value) < 10**30))
def test_a_quotient_is_rounded_as_python_does(value: Fraction) -> None:
    assert float(libraries.nearest(value, "float64")) == value.numerator / value.denominator


@pytest.mark.parametrize("precision", BITS)
def test_an_error_is_in_ulps_of_the_right_float(precision: str) -> None:
    third = Fraction(1, 3)
    right = np.dtype(precision).type(1) / np.dtype(precision).type(3)
    above = np.nextafter(right, np.dtype(precision).type(1))
    off, is_nearest = libraries.error(float(right), third, precision)
    assert is_nearest and 0 < off <= Fraction(1, 2)
    further, is_nearest = libraries.error(float(above), third, precision)
    signed = (Fraction(float(right)) - third) / Fraction(float(np.spacing(right)))
    assert not is_nearest and further == signed + 1
    assert libraries.error(math.nan, third, precision) == (None, False)


def test_the_same_file_every_time() -> None:
    here = [one for one in ATTENTIONS if one.module == "numpy"]
    once, twice = (libraries.as_json(libraries.found(LESSON, here)) for _ in range(2))
    assert once == twice


def test_an_output_that_is_no_number_has_no_error() -> None:
    def run(*heads: np.ndarray) -> np.ndarray:
        out = of("numpy")[0].run(*heads)
        out[0, 0] = np.nan
        return out

    found = libraries.measured(replace(of("numpy")[0], run=run), derive(load(LESSON)), "float64")
    assert (found["largest"], found["mean"]) == (None, None)
    assert 0 <= found["nearest"] < found["numbers"]


def page(folder: Path, example: Path, data: Data | str) -> dict[str, Any]:
    """The markers of the page, where the lesson's example and the file are these."""
    (folder / "examples").mkdir()
    (folder / "reference").mkdir()
    shutil.copy(example, folder / "examples")
    written = data if isinstance(data, str) else json.dumps(data)
    (folder / PLACE).write_text(written, encoding="utf-8")
    return markers(folder, work_out(load(folder / "examples" / example.name)))


def of_example(path: Path) -> Data:
    digest = sha256(path.read_bytes()).hexdigest()
    return DATA | {"example": {"slug": path.stem, "sha256": digest}}


def test_the_tables_show_the_file(tmp_path: Path) -> None:
    shown = page(tmp_path, LESSON, of_example(LESSON))
    markdown = Markup("\n\n").join(marker() for marker in shown.values())
    made = converter().convert(markdown)
    assert made.count("<table") == 7
    for one in DATA["errors"]:
        assert f'{one["library"]}, {one["precision"]}' in made
        assert f'{one["nearest"]} of {one["numbers"]}' in made
    for one in (one for key in ASKED for one in DATA[key]):
        assert f'<code>{one["argument"].replace("_", "&#95;")}</code>' in str(markdown)
    assert "{{" not in made and "|" not in made


@pytest.mark.parametrize(("found", "said"), [
    ("0", "0"), ("NaN", "NaN"), ("mean", "the mean of all values"),
    ("not hidden", "as if nothing were hidden"), ("unclear", "something else")])
def test_what_comes_of_nothing_is_said_in_words(tmp_path: Path, found: str, said: str) -> None:
    row = {"library": "JAX", "call": "attention", "argument": "mask", "added": "bias",
           "true": "hidden", "all_hidden": found, "all_infinite": found}
    shown = str(page(tmp_path, LESSON, DATA | {"masks": [row]})["libraries_hidden"]())
    assert f"| {said} | {said}, by <code>bias</code> |" in shown


def test_errors_of_another_example_are_left_out(tmp_path: Path) -> None:
    shown = page(tmp_path, EXAMPLES / "causal.toml", DATA)
    assert "measured of another example" in shown["libraries_errors"]()
    assert "<div" not in shown["libraries_errors"]() and shown["libraries_far"]() == ""
    assert "may attend" in shown["libraries_masks"]()


def test_an_example_that_was_changed_is_another_one(tmp_path: Path) -> None:
    shown = page(tmp_path, LESSON, of_example(LESSON))
    assert "<div" in shown["libraries_errors"]()
    with (tmp_path / "examples" / LESSON.name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert "<div" not in shown["libraries_errors"]()


def test_errors_far_beyond_the_last_digits_are_said_in_words(tmp_path: Path) -> None:
    row = {"library": "JAX", "precision": "float64", "numbers": 6, "nearest": 0,
           "largest": 666210996.05, "mean": 324150240.16}
    near, lost = row | {"largest": 1.5, "mean": 1.0}, row | {"largest": None, "mean": None}
    shown = page(tmp_path, LESSON, of_example(LESSON) | {"errors": [row, near, lost]})
    assert shown["libraries_far"]().count("is off by") == 1
    assert shown["libraries_far"]().count("**JAX in float64** is off by up to 6.7·10<sup>8") == 1
    assert "3.2·10<sup>8</sup>" in shown["libraries_errors"]()
    assert "not finite" in str(shown["libraries_errors"]()).replace("&#32;", " ")


def test_rows_in_which_all_is_hidden_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    path = EXAMPLES / "hidden-row.toml"
    derivation = derive(load(path))
    assert derivation.closed_rows
    assert set(libraries.exact_output(derivation)).isdisjoint(derivation.closed_rows)
    assert "are left out" in page(tmp_path, path, of_example(path))["libraries_errors"]()


def test_a_sum_depends_on_its_order(tmp_path: Path) -> None:
    shown = str(page(tmp_path, LESSON, DATA)["libraries_orders"]())
    assert "1.00 + 0.004 ≈ 1.00 | 1.00 + 0.004 ≈ 1.00" in shown
    assert "0.004 + 0.004 = 0.008 | 0.008 + 1.00 ≈ 1.01" in shown


def test_the_ulps_of_the_page(tmp_path: Path) -> None:
    shown = str(page(tmp_path, LESSON, DATA)["libraries_ulp"]())
    value = nearest(derive(load(LESSON))["output"].values)[1][0]
    for precision, ulp in (("float32", float(np.spacing(np.float32(value)))),
                           ("float64", math.ulp(value))):
        line = next(line for line in shown.splitlines() if precision in line)
        assert f"2<sup>\N{MINUS SIGN}{-round(math.log2(ulp))}</sup>" in line


@pytest.mark.parametrize("written", ["", "{", "nothing"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, written: str) -> None:
    with pytest.raises(LookupError, match=r"reference/libraries\.json.*make libraries"):
        page(tmp_path, LESSON, written)["libraries_masks"]()
