"""The programs of the lesson: they run as a reader runs them, and print the numbers of the page."""

import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.attention import derive
from derivations.checks import CheckError
from derivations.example import Example, build, load
from derivations.lesson.code import example_module, expected, programs
from derivations.lesson.code.code_lines import DERIVED, code_lines
from derivations.lesson.code.programs import FILES, NUMPY, OVERFLOW, PLAIN, TORCH
from derivations.pages.lesson import programs as pages
from derivations.pages.sentences import asker
from derivations.pages.worked import Worked, work_out
from tests.reader import read_page, truth_from_exact
from tests.sites import EXAMPLES, LESSON, ROOT
from tests.truths import attention as truths

SEVEN = {"tokens": list("abcdefg"), "x": [[i, 1] for i in range(7)], "scale": "2.5", "places": 30,
         "w_q": [[1, 0], ["1/3", 2]], "w_k": [["-0.25", 1], [1, 1]], "w_v": [[1], [2]]}
NOBODY = {"tokens": ["a", "b"], "x": [[1], [2]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]],
          "mask": [[0, 0], [0, 0]], "scale": "none"}
CANCELS = {"tokens": ["a", "b"], "x": [[1, 1], [1, "1.00000000000000000001"]], "w_k": [[1], [1]],
           "w_q": [["1e22"], ["-1e22"]], "w_v": [["12345678901.123456"], [0]]}
TYPED = {"seven": SEVEN, "nobody": NOBODY, "cancels": CANCELS}
FROM_FILES = ("cats", "one", "ties", "fractions", "causal", "hidden-row", "hostile", "saturated",
              "wide")
RUN = [name for name in FILES if programs.can_run(name)]


def example(slug: str) -> Example:
    if slug in TYPED:
        return build(Path(f"{slug}.toml"), TYPED[slug])
    (path,) = EXAMPLES.glob(f"{slug}.*")
    return load(path)


@pytest.fixture(scope="module", params=[*FROM_FILES, *TYPED])
def lesson(request: pytest.FixtureRequest) -> Worked:
    return work_out(example(request.param))


@pytest.fixture(scope="module")
def markers(lesson: Worked) -> dict[str, Any]:
    """The markers of each example: its programs are run once for all tests."""
    return pages.markers(lesson)


@pytest.fixture(scope="module")
def cats() -> Worked:
    return work_out(load(LESSON))


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A copy of the programs, in which a test may plant a fault."""
    return Path(shutil.copytree(pages.CODE, tmp_path / "code"))


def plant(code: Path, name: str, right: str, wrong: str) -> None:
    source = (code / name).read_text()
    assert source.count(right) >= 1
    (code / name).write_text(source.replace(right, wrong))


def shown(block: str) -> str:
    """What a reader sees of a block of code."""
    return unescape(re.sub(r"<[^>]+>", "", block))


def run(folder: Path, name: str) -> str:
    """As a reader would: `python name` in the folder."""
    done = subprocess.run([sys.executable, name], cwd=folder, text=True, capture_output=True,
                          check=True, encoding="utf-8")
    assert not done.stderr or name == TORCH
    return done.stdout


def test_the_files_of_the_page_run_in_one_folder_and_print_what_it_shows(
    lesson: Worked, markers: dict[str, Any], code: Path
) -> None:
    for name, contents in pages.files(lesson).items():
        assert Path(name).parent == Path("lesson/code")
        (code / Path(name).name).write_bytes(contents)
    for name in RUN:
        assert run(code, name).rstrip("\n") == shown(markers["printed"](name))


def truth(of: Example) -> dict[str, list[list[mpmath.mpf]]]:
    """The steps by mpmath, from the example's integers alone."""
    with mpmath.workdps(70):
        q, k, v = truths.projections(of)
        steps = truths.head(q, k, v, truths.divisor(of), truths.marks_of(of))
        marks = of.mask or [[True] * len(k)] * len(q)
        masked = [[t if may else -mpmath.inf for t, may in zip(*pair, strict=True)]
                  for pair in zip(steps["scaled_scores"], marks, strict=True)]
        return steps | {"masked_scores": masked}


@pytest.mark.parametrize("name", [PLAIN, NUMPY, TORCH])
def test_every_number_that_is_printed_is_right_by_mpmath(
    lesson: Worked, markers: dict[str, Any], name: str
) -> None:
    of, right = lesson.example, truth(lesson.example)
    extent = example_module.extent(of, asker(lesson))
    lines = shown(markers["printed"](name)).splitlines()
    steps = {step: [lines.pop(0) for _ in extent.rows] for step in extent.steps
             if lines[0] == step and lines.pop(0)}
    assert not lines
    assert list(steps) == (["output"] if name == TORCH else list(extent.steps))
    for step, written in steps.items():
        for i, line in zip(extent.rows, written, strict=True):
            numbers = line.removeprefix(f"{of.tokens[i]!a:>8} ").split(" ")
            for number, entry in zip(numbers, right[step][i], strict=True):
                assert is_close(number, entry, of), (step, i)


def is_close(number: str, entry: mpmath.mpf, of: Example) -> bool:
    """Is this the rounded entry, as far as a float can tell?"""
    if entry == -mpmath.inf or of.slug == "cancels":
        return number == "-inf" or of.slug == "cancels"
    error = abs(entry) * mpmath.mpf(2) ** -44
    return abs(mpmath.mpf(number) - entry) <= mpmath.mpf(10) ** -of.places * 0.5000001 + error


def test_numbers_on_the_page_are_read_back(lesson: Worked, markers: dict[str, Any]) -> None:
    blocks = "".join(markers["printed"](name) for name in (PLAIN, NUMPY, TORCH))
    report = read_page(f"<html><body>{blocks}</body></html>",
                       truth_from_exact(derive(lesson.example)))
    assert report.faults == []
    assert report.counts["refs"] > 5


def test_a_wrong_number_on_the_page_is_found(cats: Worked) -> None:
    page = f"<html><body>{pages.markers(cats)['printed'](PLAIN)}</body></html>"
    right = truth_from_exact(derive(cats.example))
    report = read_page(page, right)
    assert report.faults == []
    assert report.counts["refs"] == 51
    assert len(read_page(page.replace("0&#46;5760", "0&#46;5761"), right).faults) == 1


def moved(number: str) -> str:
    """A number that is off by one in its last place."""
    places = len(number.partition(".")[2])
    digits = int(number.replace(".", "")) + 1
    return expected.fixed(digits, places)


def test_a_number_that_is_off_by_one_in_the_last_place_stops_the_build(cats: Worked) -> None:
    module = {example_module.NAME: example_module.module(cats.example, 1)}
    sources = programs.sources(pages.CODE)
    printed = programs.run({name: sources[name] for name in (NUMPY, OVERFLOW)}, module)
    extent = example_module.extent(cats.example, 1)
    lines = {NUMPY: expected.of_attention(cats.derivation, 4, extent, only=extent.steps),
             OVERFLOW: expected.of_overflow(cats.example)}
    tried = 0
    for name, text in printed.items():
        programs.compared(name, text, lines[name])
        for found in re.finditer(r"-?\d+\.\d{4}", text):
            wrong = text[:found.start()] + moved(found[0]) + text[found.end():]
            with pytest.raises(CheckError, match=rf"^{name}: line \d+: found {moved(found[0])}, "):
                programs.compared(name, wrong, lines[name])
            tried += 1
    assert tried == 51 + 8


FAULTS = {
    "a wrong divisor": (PLAIN, "s / divisor", "s / 2", "line 18: found 0.5000, expected 0.7071"),
    "keys from the queries' matrix": (PLAIN, "multiply(x, w_k)", "multiply(x, w_q)", "line 6"),
    "rows divided by the sums of others": (NUMPY, ".sum(axis=1, keepdims=True)", ".sum(axis=1)",
                                           "line 22"),
    "a number off by a thousandth": (NUMPY, "output = weights @ values",
                                     "output = weights @ values + 0.001", "line 26"),
    "prints nothing": (PLAIN, "print(", "max(", "it prints nothing"),
    "prints too little": (PLAIN, 'show("output", output)', "", "24 lines, expected 28"),
    "prints another label": (NUMPY, "!a:>8", "!a:>9", "line 2: found .* to begin with"),
    "prints fewer decimals": (NUMPY, "z.{places}f", "z.3f", "line 2: found '1.000', expected"),
    "prints two numbers as one": (PLAIN, "*numbers)", '"".join(numbers))', "and 2 numbers"),
    "prints one number more": (PLAIN, "*numbers)", "*numbers, 1)", "and 2 numbers"),
    "fails": (NUMPY, "queries @ keys.T", "queries @ keys", "ended with code 1: .*matmul"),
    "warns": (OVERFLOW, 'over="ignore", ', "", "ended with code 0: .*"),
    "large scores not right": (OVERFLOW, "scores - scores.max()", "scores - 798", "line 6"),
    "another overflow": (OVERFLOW, "800.0", "700.0", "line 2: found 700.0000"),
}


@pytest.mark.parametrize(("name", "right", "wrong", "told"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_stops_the_build_with_one_message(
    cats: Worked, code: Path, name: str, right: str, wrong: str, told: str
) -> None:
    plant(code, name, right, wrong)
    with pytest.raises(CheckError, match=rf"^{name}: .*{told}") as stopped:
        pages.markers(cats, code)["programs_compared"]()
    assert "\n" not in str(stopped.value)


def test_a_missing_file_stops_the_build(cats: Worked, code: Path) -> None:
    (code / TORCH).unlink()
    with pytest.raises(CheckError, match=f"code has no file {TORCH}"):
        pages.markers(cats, code)["printed"](PLAIN)


MAPPINGS = {
    "the wrong line": (PLAIN, "transpose(keys)", "transpose(queries)", "does not use keys"),
    "no line": (PLAIN, "normalisers = ", "sums = ", "no lines do the step normalisers"),
    "two lines": (NUMPY, "output = weights @ values", "output = values\noutput = weights @ values",
                  "does not use weights|2 lines do the step output"),
    "a wrong shape": (NUMPY, "keys.T  # [n_q, n_k]", "keys.T  # [n_q, d_k]", "expected the shape"),
    "no shape": (PLAIN, "w_v)  # [n_k, d_v]", "w_v)", "expected the shape"),
    "no such step": (TORCH, "# in one: scores,", "# in one: marks, scores,", "no step marks"),
    "a step left out": (TORCH, "# weights, output\n", "# weights\n", "no lines do the step output"),
    "not the mask": (TORCH, "attn_mask=mask, ", "", "does not use mask"),
    "not the scale": (TORCH, ", scale=scale)", ")", "does not use divisor"),
}


@pytest.mark.parametrize(("name", "right", "wrong", "told"), MAPPINGS.values(), ids=MAPPINGS)
def test_a_wrong_mapping_stops_the_build(
    cats: Worked, code: Path, name: str, right: str, wrong: str, told: str
) -> None:
    plant(code, name, right, wrong)
    with pytest.raises(CheckError, match=f"^{name}: .*({told})"):
        pages.markers(cats, code)["program_lines"]()


def test_each_formula_stands_beside_its_lines(lesson: Worked, markers: dict[str, Any]) -> None:
    table = str(markers["program_lines"]())
    derived = [key for key in DERIVED if key in lesson.derivation]
    rows = [row for row in table.splitlines() if "data-tex" in row]
    assert len(rows) == len(derived)
    for key, row in zip(derived, rows, strict=True):
        for name in (PLAIN, NUMPY, TORCH):
            source = (pages.CODE / name).read_text()
            line = code_lines(name, source)[key]
            assert "\n".join(source.splitlines()[line.first - 1:line.last]).startswith(
                line.source.splitlines()[0])
            if key == line.steps[0]:
                assert line.source.startswith(f"{key} =") or name == TORCH
                assert line.source.split("\n")[0] in shown(row)
            else:
                assert "does this too" in row


def test_the_module_holds_the_numbers_of_the_example(lesson: Worked) -> None:
    of, text = lesson.example, pages.files(lesson)["lesson/code/example.py"].decode("ascii")
    found: dict[str, object] = {}
    exec(text, found)
    assert tuple(found["tokens"]) == of.tokens
    for key in ("x", "w_q", "w_k", "w_v"):
        matrix = getattr(of, key)
        rows, cols = matrix.shape
        assert [[float(entry) for entry in row] for row in found[key]] \
            == [[float(matrix.entry(i, j)) for j in range(cols)] for i in range(rows)]
    mask = found["mask"]
    assert (mask if mask is None else tuple(map(tuple, mask))) == of.mask
    assert found["divisor"] == pytest.approx(float(truths.divisor(of)), rel=1e-15)
    assert found["places"] == of.places
    extent = example_module.extent(of, asker(lesson))
    assert (found["steps"], found["rows"]) == (list(extent.steps), list(extent.rows))


@given(st.fractions(max_denominator=10**6) | st.decimals(allow_nan=False, allow_infinity=False)
       .filter(lambda d: abs(d.adjusted()) < 60).map(Fraction))
def test_an_expression_is_the_nearest_float(value: Fraction) -> None:
    assert float(eval(example_module.expression(value))) == float(value)


def test_expressions_look_as_they_are_written() -> None:
    written = [Fraction(2), Fraction(1, 10), Fraction(-1, 3), Fraction(-1, 20), Fraction(10**20)]
    assert list(map(example_module.expression, written)) \
        == ["2", "0.1", "-1/3", "-0.05", f"{10**20}.0"]


@pytest.mark.parametrize("name", FILES)
def test_the_programs_are_fit_to_be_read(name: str) -> None:
    source = (pages.CODE / name).read_text(encoding="ascii")
    lines = source.splitlines()
    assert len(lines) <= 70
    assert max(map(len, lines)) <= 80
    for line in lines:
        assert not line.startswith("def ") or re.search(r":  # \[[\w, ]+\].* -> ", line), line


def test_what_is_said_of_each_example(lesson: Worked, markers: dict[str, Any]) -> None:
    slug = lesson.example.slug
    told = {name: shown(str(markers[name])) for name in
            ("programs_print", "torch_call", "torch_arguments")}
    whole = slug not in {"hostile", "wide"}
    assert ("large" in told["programs_print"]) is not whole
    assert ("escapes" in told["programs_print"]) is (slug == "hostile")
    assert ("attn_mask=mask" in told["torch_call"]) is (lesson.example.mask is not None)
    default = slug not in {"seven", "fractions"}
    assert ("scale=1 / divisor" in told["torch_call"]) is not default
    assert ("nobody" in told["torch_arguments"]) is (slug in {"hidden-row", "nobody"})


def test_two_programs_that_print_the_same_are_shown_once(
    lesson: Worked, markers: dict[str, Any]
) -> None:
    plain, numpy = (markers["printed"](name) for name in (PLAIN, NUMPY))
    again = markers["printed_again"](NUMPY, PLAIN)
    if shown(plain) == shown(numpy):
        assert shown(again) == f"It prints the same as {PLAIN}, digit for digit."
    else:
        assert again == f"It prints:\n\n{numpy}"


def test_two_programs_that_differ_in_a_digit_are_both_shown(cats: Worked) -> None:
    here = pages.Programs(cats, pages.CODE)
    assert "the same" in here.printed_again(NUMPY, PLAIN)
    ran = dict(here._ran())
    ran[NUMPY] = [replace(line, numbers=tuple(map(moved, line.numbers))) for line in ran[NUMPY]]
    here._ran = lambda: ran
    assert here.printed_again(NUMPY, PLAIN) == f"It prints:\n\n{here.printed(NUMPY)}"


def test_one_change_of_pytorch_is_cited_by_one_number() -> None:
    code, conventions = (pages.CODE.with_name(name).read_text(encoding="utf-8")
                         for name in ("code.md", "conventions.md"))
    cited = re.compile(r"pytorch/pull/(\d+)")
    assert cited.findall(code) == cited.findall(conventions) == ["133882"]
    assert "on a CPU" in code
    assert "on a CPU" in conventions


def test_pytorch_scale_is_said_to_multiply(lesson: Worked, markers: dict[str, Any]) -> None:
    told = shown(str(markers["torch_arguments"]))
    assert "PyTorch's scale multiplies the scores" in told
    assert ("asks for nothing else" in told) is (lesson.example.slug not in {"seven", "fractions"})


@pytest.mark.parametrize(("d_k", "root"), [(1, 1.0), (2, 2**0.5), (4, 2.0)])
def test_the_root_follows_the_width_of_the_keys(d_k: int, root: float) -> None:
    data = {"tokens": ["a"], "x": [[1]], "w_q": [[1] * d_k], "w_k": [[1] * d_k], "w_v": [[1]]}
    written = example_module.module(build(Path("w.toml"), data), 0)
    narrower = written.replace(f"w_q = {[[1] * d_k]}", "w_q = [[1, 1, 1]]")
    for source, expected_root in ((written, root), (narrower, 3**0.5)):
        found: dict[str, object] = {}
        exec(source, found)
        assert found["divisor"] == expected_root


def test_the_python_that_is_asked_for_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = project["requires-python"].removeprefix(">=")
    assert f"Any Python from {needed} on will do." in pages.CODE.with_suffix(".md").read_text()


@pytest.mark.parametrize(("slug", "told"), [
    ("cats", "love gives cats the weight 0.5760. Without the line it would be 0.6652."),
    ("one", "This example divides by 1. So nothing would change: Hi gives itself the weight 1."),
    ("hidden-row", "love may attend to nobody, so its weights are 0 with the line and without it."),
    ("ties", "This example divides by 1. So nothing would change: b gives c the weight 0.5761."),
])
def test_the_answer_about_the_scale(slug: str, told: str) -> None:
    assert shown(str(pages.markers(work_out(example(slug)))["without_scale"]())) == told


def test_the_answer_where_all_scores_are_equal_or_too_large() -> None:
    equal = SEVEN | {"x": [[1, 1]] * 7, "places": 4}
    far = NOBODY | {"mask": "none", "scale": "1000000", "w_q": [[4000]], "w_k": [[1]]}
    answers = [shown(str(pages.markers(work_out(build(Path("e.toml"), data)))["without_scale"]()))
               for data in (equal, far)]
    assert "All scores that b can choose from are equal" in answers[0]
    assert "too large to be shown" in answers[1]


def test_a_float_that_ends_in_other_digits_is_told(
    lesson: Worked, markers: dict[str, Any]
) -> None:
    told = shown(str(markers["programs_differ"]()))
    differs = lesson.example.slug in {"ties", "fractions", "seven", "cancels"}
    assert told.startswith("Where" if differs else "Each of them is the certified decimal")
    if lesson.example.slug == "ties":
        assert f"value of c, number 1 is 0.0000; 0.0001 is printed by {PLAIN}" in told


def test_what_no_bound_limits_is_said_not_to_be_compared(
    lesson: Worked, markers: dict[str, Any]
) -> None:
    told = shown(str(markers["programs_compared"]()))
    assert ("no bound says" in told) is (lesson.example.slug == "cancels")


def test_pytorch_that_is_not_there_is_said_to_be_not_run(
    cats: Worked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "can_run", lambda name: name != TORCH)
    markers = pages.markers(cats)
    assert "did not run it" in markers["torch_was_run"]
    assert "  'love' 1.4359 0.7160" in shown(markers["printed"](TORCH))
