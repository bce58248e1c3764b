"""Examples of every kind: with biases, with another text, with Q, K and V given, with a cache."""

from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from derivations.agreement import agree
from derivations.attention import derive
from derivations.checks import check
from derivations.example import Example, build
from derivations.faults import ExampleError
from derivations.formula import Given
from derivations.numeric import attend, attention
from derivations.pages import sentences
from derivations.pages.worked import work_out
from derivations.render import figures
from derivations.render.matrices import general
from derivations.render.words import entry_label, entry_name, line_name
from derivations.second_route import disagreements
from derivations.trace import Line, sources, uses
from derivations.values import Rationals
from tests.strategies import built, decimals, fractions, integers, masks

NUMBERS = st.one_of(integers, integers, decimals, fractions)
SIZES = st.integers(1, 4)
WORDS = {"x": [[1, 2], [0, -1], ["1/2", 1]], "w_q": [[1, 0, 2], [0, 1, -1]],
         "w_k": [[0, 1, 1], [1, 2, 0]], "w_v": [[1], [3]]}
BIASES = {"b_q": [1, "-1/2", 0], "b_k": ["0.25", 0, -1], "b_v": [10]}
CONTEXT = {"context_tokens": ["c", "d"], "context_x": [[1, 0, 2], [1, 1, 0]],
           "w_k": [[0, 1, 1], [1, 2, 0], [1, 1, -1]], "w_v": [[1], [3], [-2]]}
DIRECT = {"q": [[1, 2], [0, -1]], "k": [[1, 0], [1, 1], ["1/2", 2]], "v": [[1, 2], [0, 1], [3, 3]]}
KINDS = {
    "plain": WORDS, "biases": WORDS | BIASES, "context": WORDS | CONTEXT,
    "context and biases": WORDS | CONTEXT | BIASES, "direct": DIRECT,
    "cache": DIRECT | {"mask": "causal", "cache_length": 1},
    "hidden": DIRECT | {"mask": [[0, 0, 0], [1, 0, 1]], "scale": "1.5"},
}


def matrix(draw, rows, cols):
    return draw(st.lists(st.lists(NUMBERS, min_size=cols, max_size=cols),
                         min_size=rows, max_size=rows))


@st.composite
def files(draw):
    """The keys of an example of any kind; all sizes may differ."""
    n_q, n_k, d, e, d_k, d_v = (draw(SIZES) for _ in range(6))
    more = {"scale": draw(st.sampled_from(["sqrt_dk", "none", 3, "0.7"])), "places": 5}
    if draw(st.booleans()):
        found = {"q": matrix(draw, n_q, d_k), "k": matrix(draw, n_k, d_k),
                 "v": matrix(draw, n_k, d_v)}
    else:
        crosses = draw(st.booleans())
        n_k, e = (n_k, e) if crosses else (n_q, d)
        found = {"x": matrix(draw, n_q, d), "w_q": matrix(draw, d, d_k),
                 "w_k": matrix(draw, e, d_k), "w_v": matrix(draw, e, d_v)}
        if crosses:
            found["context_x"] = matrix(draw, n_k, e)
        for key, width in (("b_q", d_k), ("b_k", d_k), ("b_v", d_v)):
            if draw(st.booleans()):
                found[key] = matrix(draw, 1, width)[0]
    mask = draw(masks(max(n_q, n_k)))
    if isinstance(mask, list):
        mask = [row[:n_k] for row in mask[:n_q]]
    elif mask == "causal" and draw(st.booleans()):
        more["cache_length"] = draw(st.integers(0, 3))
    return found | more | {"mask": mask}


def of_fractions(values: Rationals) -> list[list[Fraction]]:
    rows, cols = values.shape
    return [[values.entry(i, j) for j in range(cols)] for i in range(rows)]


def array(written: object) -> np.ndarray:
    return np.array([[Fraction(entry) for entry in row] for row in written], dtype=object)


def projected(data: dict[str, object], name: str) -> np.ndarray:
    """Queries, keys or values by plain arithmetic of Fractions."""
    if name in data:
        return array(data[name])
    given_ = data.get("context_x", data["x"]) if name != "q" else data["x"]
    product = array(given_) @ array(data[f"w_{name}"])
    return product + array([data[f"b_{name}"]]) if f"b_{name}" in data else product


def assert_right(data: dict[str, object]) -> None:
    derivation = derive(built(data))
    for name, key in (("q", "queries"), ("k", "keys"), ("v", "values")):
        assert of_fractions(derivation.rationals(key)) == projected(data, name).tolist()
    scores = projected(data, "q") @ projected(data, "k").T
    assert of_fractions(derivation.rationals("scores")) == scores.tolist()
    for step in derivation.steps:
        assert disagreements(derivation, step, step.places) == []
    agreement = agree(derivation)
    assert agreement.held == agreement.numbers > 0
    assert [step.key for step in agreement.steps] == [
        step.key for step in derivation.steps if not isinstance(step.formula, Given)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_worked_out_right(kind: str) -> None:
    assert_right(KINDS[kind])


@given(files())
@settings(max_examples=80)
def test_whatever_the_kind_all_routes_agree(data: dict[str, object]) -> None:
    try:
        assert_right(data)
    except ExampleError:  # an exponent too large to print
        reject()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_passes_the_checks_of_a_build(kind: str) -> None:
    worked = work_out(built(KINDS[kind]))
    shown = {step.key: step.places for step in worked.derivation.steps}
    checked = check(worked.derivation, worked.decimals, worked.example.places, shown)
    assert {one.step.key for one in checked} == {
        step.key for step in worked.derivation.steps if not isinstance(step.formula, Given)}


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_entry_is_made_of_and_what_it_goes_into_are_each_other_s_inverse(
    kind: str
) -> None:
    derivation = derive(built(KINDS[kind]))
    into, made_of = set(), set()
    for step in derivation.steps:
        for i, j in step.places:
            made_of |= {(step.key, i, j, line.key, *place)
                        for line in sources(step, i, j) for place in line.places}
            into |= {(line.key, *place, step.key, i, j)
                     for line in uses(derivation, step.key, i, j) for place in line.places}
    assert into == made_of
    assert any(key.startswith("b_") for *_, key, _, _ in made_of) is ("b_q" in KINDS[kind])


def test_a_wrong_twin_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_biases(x, w_q, w_k, w_v, *, b_q=None, b_k=None, b_v=None, **more):
        return attention(x, w_q, w_k, w_v, **more)

    monkeypatch.setattr("derivations.numeric.attention", without_biases)
    assert agree(derive(built(WORDS))).held == agree(derive(built(WORDS))).numbers
    biased = agree(derive(built(WORDS | BIASES)))
    assert biased.held < biased.numbers
    monkeypatch.setattr("derivations.numeric.attend",
                        lambda q, k, v, **more: attend(k[:len(q)], q, v[:len(q)], **more))
    square = {key: rows[:2] for key, rows in DIRECT.items()}
    direct = agree(derive(built(square)))
    assert direct.held < direct.numbers


def test_weights_of_another_text_against_mpmath() -> None:
    example: Example = build(Path("t.toml"), WORDS | CONTEXT)
    worked = work_out(example)
    scores = projected(WORDS | CONTEXT, "q") @ projected(WORDS | CONTEXT, "k").T
    for i, row in enumerate(scores):
        powers = [mpmath.exp(mpmath.mpf(s.numerator) / s.denominator / mpmath.sqrt(3)) for s in row]
        for j, power in enumerate(powers):
            rounded = worked.decimals["weights"][i][j]
            assert rounded is not None
            assert abs(power / mpmath.fsum(powers) - float(rounded.value)) < 5.1e-5


def test_the_bound_counts_what_is_lost_where_a_bias_is_added() -> None:
    """1 + 2^-60 has no float: what is lost is all of the bias."""
    data = {"x": [[1]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]], "b_q": [f"1/{2**60}"]}
    (queries, *_) = agree(derive(built(data))).steps
    assert queries.held == queries.numbers == 1
    assert Fraction(1, 2**60) <= queries.errors[0][0] < Fraction(2, 2**60)


def test_a_bias_is_named_by_its_column() -> None:
    derivation = derive(built(WORDS | BIASES))
    step = derivation["b_q"]
    assert entry_label(step, 0, 1) == "2"
    assert entry_name(step, 0, 1) == "query bias, number 2"
    assert line_name(derivation, Line("b_q", 0, 1, ((0, 1),))) == "query bias, number 2"
    assert line_name(derivation, Line("b_q", 0, None, ((0, 0), (0, 1)))) == "query bias"
    assert general(derivation["queries"], derivation).endswith("+ b^{Q}_{j}")


def test_nobody_of_one_text_is_itself_in_another() -> None:
    worked = work_out(built(WORDS | CONTEXT))
    told = sentences.row_of_weights(worked, 1) + sentences.most_heard(worked, 1)
    assert "itself" not in told
    assert ">c<" in told and ">d<" in told
    assert "itself" in sentences.row_of_weights(work_out(built(WORDS)), 1)
    assert figures.arcs(worked.derivation, worked.decimals, 1) == ""
    facts = figures.flow(worked.derivation)
    assert "keys K &#61; C times the key matrix" in facts
    assert "A bias is added" not in facts
    both = figures.flow(derive(built(WORDS | CONTEXT | {"b_k": [1, 0, 0], "b_v": [1]})))
    assert "A bias is added to the keys and the values." in both
    assert "plus the query bias" in figures.flow(derive(built(WORDS | BIASES)))
    direct = work_out(built(DIRECT))
    assert "embeddings" not in figures.flow(direct.derivation)
    assert ">key 3<" in figures.bars(direct.derivation, direct.decimals, 0)
