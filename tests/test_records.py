"""Steps as data: every exact string is read back and compared, and the LaTeX is plain amsmath."""

import csv
import io
import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from hypothesis import given, settings

from derivations.attention import derive
from derivations.decimals import table
from derivations.example import load
from derivations.render.records import ALONE, ALONE_END, as_csv, as_json, as_tex
from derivations.second_route import exact_value
from tests.strategies import built, examples

CATS = Path(__file__).parent / "examples" / "cats.toml"
COLUMNS = ["row", "column", "exact", "decimal", "decimal_is_exact"]
TYPES = {"step": str, "symbol": str, "formula": str, "rows": int, "columns": int,
         "row_labels": list, "column_labels": list, "places": int, "source": str, "entries": list}
ENTRY_TYPES = {"row": int, "column": int, "exact": str, "decimal": str, "decimal_is_exact": bool}


def worked(example):
    derivation = derive(example)
    return derivation, {step.key: table(step.values, example.places) for step in derivation.steps}


def strict_json(text):
    """As json.loads, but as strict as the standard: no NaN, no key twice."""
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    def once(pairs):
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, parse_float=refuse, object_pairs_hook=once)


def csv_rows(text):
    assert text.endswith("\n") and "\r" not in text
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def cats():
    return worked(load(CATS))


@pytest.fixture(scope="module")
def wide():
    """Eleven tokens, one of them an adversary's: sums are long, and a row sees nothing."""
    n = 11
    identity = [[int(i == j) for j in range(n)] for i in range(n)]
    scores = [[Fraction((i * j) % 7 - 3, 2 + j % 3) for j in range(n)] for i in range(n)]
    mask = [[int(i != 4 and (i + j) % (3 if i < 6 else 5) != 0) for j in range(n)]
            for i in range(n)]
    return worked(built({
        "tokens": ['a,"b"\n', "<s>", "é", "猫", "%\\", "𝔸", "=1+1", "-", "|", "NaN", "a\u202eb"],
        "x": identity, "w_q": identity,
        "w_k": [[str(scores[i][j]) for i in range(n)] for j in range(n)],
        "w_v": [[f"{j}/3", "0.0000001"] for j in range(n)], "mask": mask}))


# What the exact strings say.


def read(text):
    """An exact string as SymPy reads it: decimals as rationals, functions by their names."""
    assert re.fullmatch(r"[-+*/()\d. ]*((exp|sqrt|oo)[-+*/()\d. ]*)*", text), text
    return sympy.sympify(text, rational=True)


def with_symbols(value):
    """One symbol for each exponential: then equality of rational functions is equality."""
    return value.replace(
        lambda part: isinstance(part, sympy.exp),
        lambda power: sympy.Symbol(f"exp({power.args[0]})", positive=True))


def assert_exact_strings(derivation, decimals):
    """Every exact string equals the engine's value; `Z[i]` is row i of the normalisers."""
    sums = {row["row"]: f"({row['exact']})" for row in csv_rows(
        as_csv(derivation["normalisers"], derivation, decimals))}
    for step in derivation.steps:
        rows = csv_rows(as_csv(step, derivation, decimals))
        places = step.places
        assert [(int(row["row"]), int(row["column"])) for row in rows] == [
            (i + 1, j + 1) for i, j in places]
        for row, (i, j) in zip(rows, places, strict=True):
            text = re.sub(r"Z\[(\d+)\]", lambda named: sums[named[1]], row["exact"])
            assert "Z[" not in row["exact"] or f"Z[{i + 1}]" in row["exact"]
            value, found = exact_value(derivation, step, i, j), with_symbols(read(text))
            assert found == value or sympy.cancel(found - value) == 0, (step.key, row)


def test_the_exact_strings_of_the_default_example(cats):
    assert_exact_strings(*cats)


def test_the_exact_strings_of_a_wide_example(wide):
    derivation, decimals = wide
    assert_exact_strings(derivation, decimals)
    weights = as_csv(derivation["weights"], derivation, decimals)
    assert "/(Z[10])" in weights and "Z[1]" not in weights.replace("Z[10]", "")


@given(examples(most=4))
@settings(max_examples=25, deadline=None)
def test_the_exact_strings_of_any_example(example):
    assert_exact_strings(*worked(example))


def test_an_exact_string_that_is_wrong_is_found(cats):
    """Of the reader in this file: a changed number, sign or exponent is another value."""
    derivation, _ = cats
    step = derivation["weights"]
    right = "(exp(1/sqrt(2)))/(exp(1/sqrt(2)) + exp(4/sqrt(2)) + exp(5/sqrt(2)))"
    value = exact_value(derivation, step, 0, 0)
    assert sympy.cancel(with_symbols(read(right)) - value) == 0
    for old, new in (("+", "-"), ("5", "6"), ("(exp(1/", "(2*exp(1/"), ("sqrt(2)", "2")):
        wrong = with_symbols(read(right.replace(old, new, 1)))
        assert sympy.cancel(wrong - value) != 0


# The decimals.


def assert_decimals(derivation, decimals):
    for step in derivation.steps:
        for row in csv_rows(as_csv(step, derivation, decimals)):
            rounded = decimals[step.key][int(row["row"]) - 1][int(row["column"]) - 1]
            if rounded is None:
                assert (row["decimal"], row["decimal_is_exact"]) == ("-oo", "true")
                continue
            assert re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", row["decimal"])
            assert Fraction(Decimal(row["decimal"])) == rounded.value
            assert float(row["decimal"]) == float(Decimal(row["decimal"]))
            assert row["decimal_is_exact"] == ("true" if rounded.exact else "false")
            assert not re.fullmatch(r"-0(\.0*)?", row["decimal"])


def test_the_decimals_of_the_default_example(cats):
    assert_decimals(*cats)


def test_the_decimals_of_a_wide_example(wide):
    assert_decimals(*wide)


@given(examples())
@settings(max_examples=25, deadline=None)
def test_the_decimals_of_any_example(example):
    assert_decimals(*worked(example))


def test_large_and_small_decimals_have_an_exponent():
    derivation, decimals = worked(built({
        "tokens": ["a", "b"], "x": [[1, 0], [0, 1]], "w_q": [[1, 0], [0, 1]],
        "w_k": [[800, -7], [799, -200]], "w_v": [[1], [2]], "scale": "none"}))
    rows = csv_rows(as_csv(derivation["exponentials"], derivation, decimals))
    assert [row["decimal"] for row in rows] == [
        "2.7264e347", "1.0030e347", "9.1188e-4", "1.3839e-87"]
    assert [row["exact"] for row in rows] == ["exp(800)", "exp(799)", "exp(-7)", "exp(-200)"]


# CSV and JSON.


def test_the_csv_of_a_step(cats):
    derivation, decimals = cats
    assert as_csv(derivation["output"], derivation, decimals).splitlines()[:2] == [
        "row,column,exact,decimal,decimal_is_exact",
        "1,1,(exp(4/sqrt(2)) + 2*exp(5/sqrt(2)))/(exp(1/sqrt(2)) + exp(4/sqrt(2))"
        " + exp(5/sqrt(2))),1.6062,false"]
    assert as_csv(derivation["keys"], derivation, decimals) == (
        "row,column,exact,decimal,decimal_is_exact\n"
        "1,1,1,1,true\n1,2,0,0,true\n2,1,2,2,true\n2,2,1,1,true\n3,1,1,1,true\n3,2,2,2,true\n")


def test_the_json_of_a_step(cats):
    derivation, decimals = cats
    record = strict_json(as_json(derivation["weights"], derivation, decimals, 4))
    assert record | {"entries": record["entries"][5:6]} == {
        "step": "weights",
        "symbol": "A",
        "formula": r"a_{i,j} = \frac{u_{i,j}}{Z_{i}}",
        "rows": 3,
        "columns": 3,
        "row_labels": ["I", "love", "cats"],
        "column_labels": ["I", "love", "cats"],
        "places": 4,
        "source": derivation["weights"].quantity.source,
        "entries": [{
            "row": 2, "column": 3,
            "exact": "(exp(2/sqrt(2)))/(1 + exp(1/sqrt(2)) + exp(2/sqrt(2)))",
            "decimal": "0.5760", "decimal_is_exact": False}],
    }


def assert_json(derivation, decimals, places):
    for step in derivation.steps:
        text = as_json(step, derivation, decimals, places)
        assert text.isascii() and text.endswith("}\n")
        record = strict_json(text)
        assert {key: type(value) for key, value in record.items()} == TYPES
        rows, cols = step.shape
        assert (record["rows"], record["columns"], record["places"]) == (rows, cols, places)
        assert (len(record["row_labels"]), len(record["column_labels"])) == (rows, cols)
        assert all(type(label) is str for label in record["row_labels"] + record["column_labels"])
        assert len(record["entries"]) == rows * cols
        for entry in record["entries"]:
            assert {key: type(value) for key, value in entry.items()} == ENTRY_TYPES
        lines = csv_rows(as_csv(step, derivation, decimals))
        assert [[str(entry[key]).lower() if key == "decimal_is_exact" else str(entry[key])
                 for key in COLUMNS] for entry in record["entries"]] == [
            [line[key] for key in COLUMNS] for line in lines]


def test_the_json_of_the_default_example(cats):
    assert_json(*cats, 4)


def test_the_json_of_hostile_tokens(wide):
    derivation, decimals = wide
    assert_json(derivation, decimals, 4)
    record = strict_json(as_json(derivation["weights"], derivation, decimals, 4))
    assert tuple(record["row_labels"]) == derivation.tokens
    assert tuple(record["column_labels"]) == derivation.tokens


@given(examples())
@settings(max_examples=25, deadline=None)
def test_the_json_of_any_example(example):
    assert_json(*worked(example), example.places)


def test_nothing_of_sympys_integers_is_left(cats):
    """FLINT's integers would be refused by json.dumps: they never get so far."""
    derivation, _ = cats
    for key in ("queries", "scores"):
        integers = derivation[key].values.integers
        assert {type(number) for row in integers for number in row} == {int}


# LaTeX.

COMMANDS = {
    "frac", "sqrt", "cdot", "cdots", "approx", "infty", "begin", "end", "left", "right", "sum",
    "exp", "top", "ne", "text", "operatorname",
}
ENVIRONMENTS = {"bmatrix", "aligned", "cases"}
AMSMATH_COLUMNS = 10  # its bmatrix takes no more without a change of MaxMatrixCols


def assert_tex(text):
    """Comments, then displays: balanced, and of commands that amsmath knows."""
    lines = text.splitlines()
    assert lines[0].startswith("% ") and text.count(ALONE) == 1
    assert text.startswith(f"{lines[0]}\n{ALONE}") and text.endswith(ALONE_END)
    displays = re.findall(r"^\\\[\n(.*)\n\\\]$", text, flags=re.MULTILINE)
    assert displays and len(lines) == 2 + ALONE.count("\n") + 3 * len(displays)
    for display in displays:
        assert_display(display)


def assert_display(display):
    assert display.isascii()
    assert not re.search(r"[%#$~]", display)
    plain = display.replace(r"\\", " ")
    assert set(re.findall(r"\\([A-Za-z]+)", plain)) <= COMMANDS
    assert not re.search(r"\\[^A-Za-z]", plain), "no other command"
    depth, environments = 0, []
    for brace, verb, name in re.findall(r"([{}])|\\(begin|end)\{(\w+)\}", plain):
        if brace:
            depth += 1 if brace == "{" else -1
            assert depth >= 0
        elif verb == "begin":
            assert name in ENVIRONMENTS
            environments.append((name, depth))
        else:
            assert environments.pop() == (name, depth)
    assert depth == 0 and not environments
    assert plain.count(r"\left") == plain.count(r"\right")
    for body in re.findall(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", display):
        widths = {row.count("&") + 1 for row in body.split(r"\\")}
        assert len(widths) == 1 and widths.pop() <= AMSMATH_COLUMNS
    assert_frac_arguments(plain)
    assert "&" not in re.sub(r"\\begin\{(\w+)\}.*\\end\{\1\}", "", display)
    assert not re.search(r"[_^]\{?\s*\}", plain), "no empty index"
    assert not re.search(r"([_^])\{[^{}]*\}\s*\1", plain), "no double index"


def assert_frac_arguments(plain):
    """Each \\frac has two arguments in braces, each \\sqrt one."""
    for found in re.finditer(r"\\(frac|sqrt)", plain):
        at = found.end()
        for _ in range(2 if found[1] == "frac" else 1):
            assert plain[at] == "{"
            depth, start = 0, at
            while depth or at == start:
                depth += {"{": 1, "}": -1}.get(plain[at], 0)
                at += 1
            assert at - start > 2, "no empty argument"


@pytest.mark.parametrize("which", ["cats", "wide"])
def test_the_tex_of_the_examples(request, which):
    derivation, decimals = request.getfixturevalue(which)
    for step in derivation.steps:
        assert_tex(as_tex(step, derivation, decimals))


@given(examples())
@settings(max_examples=25, deadline=None)
def test_the_tex_of_any_example(example):
    derivation, decimals = worked(example)
    for step in derivation.steps:
        assert_tex(as_tex(step, derivation, decimals))


def test_the_tex_of_a_step(cats):
    derivation, decimals = cats
    text = as_tex(derivation["weights"], derivation, decimals)
    source = derivation["weights"].quantity.source
    assert text.startswith(
        f"% attention weights: {source}\n{ALONE}"
        "\\[\na_{i,j} = \\frac{u_{i,j}}{Z_{i}}\n\\]\n"
        "\\[\nA = \\operatorname{softmax}(T) = \\begin{bmatrix}")
    assert text.count("\\[\n") == 2 + 9
    assert text.endswith(" \\end{aligned}\n\\]\n" + ALONE_END)


@pytest.mark.parametrize("broken", [
    r"\frac{1}{2", r"\begin{bmatrix} 1 \end{aligned}", r"\begin{bmatrix} {1 \end{bmatrix}}",
    r"\frac 12", r"\sqrt{}", r"\substack{a}", r"\begin{array} 1 \end{array}", r"a & b", "50%",
    r"\begin{bmatrix} 1 & 2 \\ 3 \end{bmatrix}", r"\left(1)", r"x_{1}_{2}", "x_{}", r"1 \, 2",
    r"\begin{bmatrix} 1 & 2 & 3 & 4 & 5 & 6 & 7 & 8 & 9 & 10 & 11 \end{bmatrix}", "é",
])
def test_broken_tex_is_found(broken):
    with pytest.raises(AssertionError):
        assert_display(broken)
