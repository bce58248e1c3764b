"""The audit: published numbers, graded against the exact values; what may have gone wrong."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from click.testing import CliRunner

from derivations import decimals
from derivations.__main__ import main
from derivations.attention import derive
from derivations.audit.causes import NO_MEAN, NO_SHARES, cause
from derivations.audit.grades import audit
from derivations.audit.values import audited_values
from derivations.example import Example, build, load
from derivations.example.published import Precision
from derivations.faults import ExampleError
from derivations.lesson.mistakes import MISTAKES
from derivations.pages import published
from derivations.pages.parts import links_of, widest
from derivations.pages.templating import own_templates
from derivations.pages.worked import work_out
from tests.sites import ROOT

CASES = sorted((ROOT / "tests" / "cases").glob("*.json"))
ONE = {"q": [[1, 2], [0, 1]], "k": [[1, 0], [1, 2]], "v": [[1], [3]]}
HALVES = {"tokens": ["a", "b"], "x": [[1, 0], [0, 1]], "w_q": [[0], [0]], "w_k": [[1], [2]],
          "w_v": [[0], ["0.0001"]]}  # every output is 0.00005: a tie at four places
WORDS = {"tokens": ["a", "b", "c"], "x": [[1, 0, 2], [0, 1, 0], [1, 1, 0]],
         "w_q": [[1, 2], [0, 1], [1, 0]], "w_k": [[0, 3], [1, 1], [1, 0]],
         "w_v": [[1, 0], [3, 1], [0, 2]]}


def example(data: dict[str, object], places: object = 4, **published: object) -> Example:
    more = {"published": published, "published_places": dict.fromkeys(published, places)}
    return build(Path("t.toml"), data | more)


def grades(data: dict[str, object], places: object = 4, **published: object) -> list[list[str]]:
    (step,) = audit(example(data, places, **published)).steps
    return [list(row) for row in step.grades]


def cause_of(one: Example, step: str) -> str:
    found = audit(one)
    (graded,) = [graded for graded in found.steps if graded.published.name == step]
    return cause(one, graded, found.steps)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_has_the_grades_that_an_independent_computation_gave_it(path: Path) -> None:
    found, known = audit(load(path)), json.loads(path.read_text(encoding="utf-8"))
    assert found.verdict == known["verdict"]
    assert found.overall == known["overall"]


def test_the_cases_cover_what_an_example_may_have() -> None:
    every = [load(path) for path in CASES]
    assert len(every) == 20
    assert any(one.heads for one in every)
    assert any(one.mask for one in every)
    assert any(one.b_q.is_given for one in every)
    assert any(one.divisor.kind == "number" for one in every)
    assert any(one.q.is_given for one in every)
    assert any(one.crosses for one in every)


@pytest.mark.parametrize(("printed", "grade"), [
    ("0.0001", "right"), ("0.0000", "right"), ("0.0002", "wrong"), ("-0.0001", "wrong")])
def test_a_tie_may_be_rounded_either_way(printed: str, grade: str) -> None:
    assert grades(HALVES, output=[[printed], [printed]]) == [[grade], [grade]]


@pytest.mark.parametrize(("places", "printed", "grade"), [
    (4, "0.7311", "right"), (4, "0.7310", "last digit"), (4, "0.7312", "wrong"),
    (4, "-0.7311", "wrong"), (2, "0.73", "right"), (2, "0.74", "last digit"), (0, "1", "right"),
    ("3sig", "0.731", "right"), ("3sig", "0.732", "last digit"), ("3sig", "0.730", "wrong"),
    ("15sig", "0.731058578630005", "right"), ("15sig", "0.731058578630004", "last digit"),
    ("exact", "0.731058578630004879", "right"), ("exact", "0.73105857", "wrong")])
def test_a_number_is_graded_at_its_last_place(places: object, printed: str, grade: str) -> None:
    data = {"q": [[1]], "k": [[1], [0]], "v": [[1], [0]], "scale": "none"}
    assert grades(data, places, output=[[printed]]) == [[grade]]


def test_float32_is_as_near_as_it_comes() -> None:
    data = {"q": [[1]], "k": [[1], [0]], "v": [[100], [0]], "scale": "none", "float32": True}
    for printed, grade in (("73.105858", "right"), ("73.105870", "float32"),
                           ("73.105900", "wrong")):
        assert grades(data, 6, output=[[printed]]) == [[grade]]


def test_minus_infinity_must_be_where_the_mask_hides() -> None:
    data = ONE | {"mask": [[1, 0], [1, 1]]}
    found = grades(data, 4, masked_scores=[[1, "-inf"], ["-inf", 2]])
    assert found == [["right", "right"], ["wrong", "right"]]
    assert grades(data, 4, masked_scores=[[1, 5], [0, 2]])[0] == ["right", "wrong"]


def test_one_row_may_be_published() -> None:
    assert grades(ONE, 4, scores_row1=[0, 2]) == [["right", "right"]]
    assert grades(ONE, 4, scores_row0=[[0, 2]]) == [["wrong", "wrong"]]


def test_the_worst_grade_is_that_of_the_example() -> None:
    def overall(**published: object) -> str:
        return audit(example(ONE, 4, **published)).overall

    assert overall() == "inputs_only"
    assert overall(scores=[[1, 5], [0, 2]]) == "right"
    assert overall(scores=[[1, 5], [0, "2.0001"]]) == "last_digit"
    assert overall(scores=[[1, 5], [0, 3]]) == "wrong"


@pytest.mark.parametrize(("changes", "expected"), [
    ({"published": {"wieghts": [[1]]}}, "published.wieghts: this example has no such step; it has"),
    ({"published": {"scores": [[1, 5], [0, 2]]}}, "published_places.scores: is missing, expected"),
    ({"published": {"scores": [[1, 5]]}, "published_places": {"scores": 1}},
     "published.scores: has 1 row, expected 2"),
    ({"published": {"scores": [[1, 5], [0]]}, "published_places": {"scores": 1}},
     "published.scores row 2: has 1 number, expected 2"),
    ({"published": {"scores": [[1, "x"], [0, 2]]}, "published_places": {"scores": 1}},
     "published.scores row 1 column 2: 'x' is not a number"),
    ({"published": {"scores_row2": [1, 5]}, "published_places": {"scores": 1}},
     "published.scores_row2: names row 2, expected one from 0 to 1"),
    ({"published": {"scores": [[1, 5], [0, 2]]}, "published_places": {"scores": "many"}},
     "published_places.scores: found 'many', expected"),
    ({"published": 3}, "published: found 3, expected a table"),
    ({"published": {"heads": [{"scores": [[1]]}]}}, "published.heads 1 scores: this"),
    ({"float32": "yes"}, "float32: found 'yes', expected true or false"),
    ({"input_decimals": -1}, "input_decimals: found -1, expected a whole number"),
])
def test_what_is_published_wrongly_is_told(changes: dict[str, object], expected: str) -> None:
    with pytest.raises(ExampleError) as caught:
        build(Path("t.toml"), ONE | changes)
    assert [str(fault)[:len(expected)] for fault in caught.value.faults] == [expected]


NAMES = {
    "unscaled": "no scaling", "by-d-k": "divided by d_k",
    "by-root-of-d-model": "divided by sqrt(d_model)",
    "down-the-columns": "softmax down the columns",
    "queries-and-keys-swapped": "queries and keys swapped", "no-transpose": "keys not transposed",
    "keys-and-values-swapped": "values and keys swapped",
    "masked-after-softmax": "mask after softmax", "masked-with-zero": "mask as 0",
}


@pytest.mark.parametrize("key", NAMES)
def test_a_known_mistake_is_named(key: str) -> None:
    (mistake,) = [mistake for mistake in MISTAKES if mistake.key == key]
    data = WORDS | ({"mask": "causal"} if mistake.on == "masked" else {})
    if key == "no-transpose":  # the shapes must fit
        data |= {name: WORDS[name][:2] for name in ("tokens", "x")}
    found = mistake.find(derive(build(Path("t.toml"), data)))
    assert isinstance(found, dict)
    for step in ("weights", "output"):
        table = decimals.table(found[step], 4)
        rows = [[str(float(entry.value)) for entry in row] for row in table]
        assert cause_of(example(data, 4, **{step: rows}), step) == NAMES[key]


def test_numbers_rounded_on_the_way_are_named() -> None:
    data = {"q": [[1, 2]], "k": [[1, 0], [1, 2], [0, 1]], "v": [[100], [-300], [47]]}
    weights = [[0.05, 0.84, 0.10]]  # of 0.0513, 0.8455, 0.1033
    output = [[str(sum(w * v for w, v in zip(weights[0], (100, -300, 47), strict=True)))]]
    one = example(data, 2, weights=[["0.05", "0.84", "0.10"]], output=output)
    assert cause_of(one, "output") == "computed from the printed weights"
    rounded = [[str(0.1 * 100 - 0.8 * 300 + 0.1 * 47)]]
    assert cause_of(example(data, 2, output=rounded), "output") == \
        "computed from weights rounded to 1 place"


def test_a_step_before_the_weights_has_its_cause_too() -> None:
    scores = [[1, 5], [0, 2]]
    one = example(ONE, 4, scaled=scores, weights=[["0.0180", "0.9820"], ["0.1192", "0.8808"]])
    assert cause_of(one, "scaled") == cause_of(one, "weights") == "no scaling"


def test_two_mistakes_that_make_the_same_are_both_named() -> None:
    four = WORDS | {"x": [[1, 0, 2, 1], [0, 1, 0, 0], [1, 1, 0, 2]],
                    **{key: [*WORDS[key], [1, 1]] for key in ("w_q", "w_k", "w_v")}}
    made = derive(build(Path("t.toml"), four | {"scale": 2}))
    rows = [[str(float(entry.value)) for entry in row]
            for row in decimals.table(made["weights"].values, 4)]
    assert cause_of(example(four, 4, weights=rows), "weights") == \
        "divided by d_k or divided by sqrt(d_model)"


@pytest.mark.parametrize("places", ["12sig", "15sig", "exact"])
def test_a_number_that_is_hardly_wrong_has_no_cause(places: str) -> None:
    """Rounding what is whole explains nothing."""
    data = {"q": [[1]], "k": [[1], [0]], "v": [[1], [0]], "scale": "none"}
    one = example(data, places, weights=[["0.7310585806", "0.2689414194"]])
    assert cause_of(one, "weights") == ""


def test_float32_has_causes_within_its_own_reach() -> None:
    data = {"q": [[1, 1]], "k": [[1, 0], [0, 0]], "v": [[1], [0]], "float32": True}
    one = example(data, 8, weights=[["0.73105860", "0.26894143"]])
    assert cause_of(one, "weights") == "no scaling"


@pytest.mark.parametrize("step", ["w_q", "w_k", "w_v", "q", "k", "v", "scores", "scaled",
                                  "masked_scores", "masked_scaled", "weights", "output"])
def test_of_any_step_a_cause_can_be_asked(step: str) -> None:
    """The matrices are square, and the mask has a closed row."""
    data = {"x": [[1, 2], [0, 1]], "w_q": [[1, 2], [0, 1]], "w_k": [[0, 1], [1, 1]],
            "w_v": [[1, 0], [2, 1]], "mask": [[1, 0], [0, 0]]}
    cause_of(example(data, 0, **{step: [[9, 9], [9, 9]]}), step)


def test_many_tokens_take_no_longer_than_their_numbers() -> None:
    """Ten rows of ten unlike weights: sums of ten quotients would have ten to the tenth terms."""
    n = 10
    data = {"q": [[f"{i * i % 17}.{i}"] for i in range(n)], "v": [[i] for i in range(n)],
            "k": [[f"0.{j * 7 % 11}{j}"] for j in range(n)]}
    one = example(data, 4, weights=[["0.5"] * n] * n)
    assert cause_of(one, "weights") == NO_SHARES


def test_rows_of_one_step_have_verdicts_of_their_own() -> None:
    found = audit(example(ONE, 4, scores_row0=[9, 9], scores_row1=[0, 2]))
    assert found.verdict["scores_row0"] == {"n": 2, "ok": 0, "f32": 0, "last": 0, "wrong": 2}
    assert found.verdict["scores_row1"] == {"n": 2, "ok": 2, "f32": 0, "last": 0, "wrong": 0}


@pytest.mark.parametrize(("decimals", "printed", "overall"), [
    (1, "0.611", "input_rounded"), (1, "0.9", "wrong"), (3, "0.611", "wrong"),
    (None, "0.611", "wrong"), (1, "0.570", "right")])
def test_rounded_inputs_may_explain_what_is_wrong(
    decimals: int | None, printed: str, overall: str
) -> None:
    """0.3 is 0.25 to 0.35 and 1.9 is 1.85 to 1.95: their product 0.4625 to 0.6825."""
    data = {"q": [["0.3"]], "k": [["1.9"]], "v": [[1]]} | (
        {} if decimals is None else {"input_decimals": decimals})
    assert audit(example(data, 3, scores=[[printed]])).overall == overall


def test_what_cannot_be_is_told() -> None:
    assert cause_of(example(ONE, 1, output=[["9.5"], ["2"]]), "output") == NO_MEAN
    assert cause_of(example(ONE, 2, weights=[["0.2", "0.3"], ["0.5", "0.5"]]), "weights") == \
        NO_SHARES
    assert cause_of(example(ONE, 2, weights=[["0.6", "0.4"], ["0.5", "0.5"]]), "weights") == ""
    assert cause_of(example(ONE, 2, scores=[["1", "5"], ["0", "2"]]), "scores") == ""


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_page_of_a_case_shows_its_grades(path: Path) -> None:
    worked, known = work_out(load(path)), json.loads(path.read_text(encoding="utf-8"))
    links = links_of([widest(part, 48) for part in worked.parts], directory_urls=True)
    page = next(published.pages(worked, own_templates(), "examples/x/published.md", links)).text
    steps = page.split("\n## ")[1:]
    assert [step.partition("{: #")[2].partition(" }")[0] for step in steps] == [
        key.replace(".", "-") for key in known["verdict"]]
    for step, counts in zip(steps, known["verdict"].values(), strict=True):
        assert step.count('class="printed"') == counts["n"]
        for sign, key in (("near", "f32"), ("off", "last"), ("wrong", "wrong")):
            assert step.count(f'class="grade {sign}"') == counts[key]
    expected = [str(counts[key]) for counts in known["verdict"].values()
                for key in ("n", "ok", "f32", "last", "wrong")]
    rows = [line.split(" | ")[1:6] for line in page.splitlines() if "](#" in line]
    assert [cell for row in rows for cell in row] == expected


@pytest.mark.parametrize(("value", "precision", "shown"), [
    (Fraction(1, 2), Precision(places=2), "0.50"), (Fraction(-3), Precision(places=0), "−3"),
    (Fraction(7, 5), Precision(significant=15), "1.4"), (Fraction(1, 3), Precision(exact=True),
                                                        "1/3"), (None, Precision(), "−∞")])
def test_a_number_is_shown_as_it_is_printed(value, precision: Precision, shown: str) -> None:
    assert published.printed(value, precision) == shown


def test_how_near_a_number_is_is_refined_until_it_is_known() -> None:
    """Forty digits down: an enclosure of thirty cannot tell."""
    values = audited_values(example({"q": [[1]], "k": [[1], [0]], "v": [[1], [0]],
                                     "scale": "none"}))["output"]
    with mpmath.workdps(80):
        true = 1 / (1 + mpmath.exp(-1))
        digits = Fraction(int(mpmath.floor(true * mpmath.mpf(10) ** 70)), 10**70)
    for number in (Fraction(1), Fraction(0)):
        apart = abs(number - digits)
        assert values.is_within(number, 0, 0, apart + Fraction(1, 10**40))
        assert not values.is_within(number, 0, 0, apart - Fraction(1, 10**40))


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["audit", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_gives_a_table_or_json() -> None:
    case = str(ROOT / "tests" / "cases" / "raimi_illustrated_rounded.json")
    code, table, _ = run(case)
    assert code == 0
    assert [line.split()[1] for line in table.splitlines()] == ["step", "weights", "output"]
    assert "computed from the printed weights" in table
    code, out, _ = run("--json", case)
    one = json.loads(out)
    assert one["verdict"] == json.loads(Path(case).read_text())["verdict"]
    assert one["causes"] == {"output": "computed from the printed weights"}
    code, out, _ = run("--json", str(ROOT / "tests" / "cases"))
    assert len(json.loads(out)) == 20


def test_a_file_with_faults_is_told_and_the_others_are_graded(tmp_path: Path) -> None:
    good = (ROOT / "tests" / "cases" / "leyaa_quiz.json").read_text()
    (tmp_path / "good.json").write_text(good)
    (tmp_path / "bad.toml").write_text("q = [[1]]\nk = [[1]]\nv = [[1, 2], [3, 4]]\n")
    code, out, err = run(str(tmp_path))
    assert code == 1
    assert "good.json" in out
    assert err == "bad.toml: v: has 2 rows, expected 1 because k has as many\n"
    (tmp_path / "empty").mkdir()
    assert run(str(tmp_path / "empty"))[0] == 2


def test_a_file_may_have_any_name_where_no_page_is_made_of_it(tmp_path: Path) -> None:
    path = tmp_path / "A case (1).json"
    path.write_text((ROOT / "tests" / "cases" / "leyaa_quiz.json").read_text())
    assert run(str(path))[0] == 0
    assert CliRunner().invoke(main, ["show", str(path)]).exit_code == 0
    done = CliRunner().invoke(main, ["check", str(path)])
    assert (done.exit_code, "becomes the address" in done.stderr) == (1, True)


def test_the_audit_of_nothing_is_empty() -> None:
    assert audit(build(Path("t.toml"), ONE)).verdict == {}
