"""Several heads: side by side and projected, exactly, in decimals, and against plain NumPy."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations import decimals
from derivations.agreement import agree
from derivations.bounds import GRID
from derivations.checks import check
from derivations.enclosures import standard
from derivations.example import build
from derivations.formula import Given
from derivations.heads import concatenated, derive_all, derive_heads, projected
from derivations.joined import Joined
from derivations.numbers import common_denominator
from derivations.pages.worked import work_out
from derivations.render.dialect import PLAIN
from derivations.render.exact import exact
from derivations.render.forms import forms
from derivations.running_bounds import running_bounds
from derivations.second_route import disagreements
from derivations.step import Head
from derivations.trace import sources, trail, uses
from derivations.values import ExpSums, Rationals, Rooted

ONE = {"w_q": [[1], [0]], "w_k": [[0], [1]], "w_v": [[1, 0], [0, 1]]}
TWO = {"w_q": [[1, 1], [0, 2]], "w_k": [[1, 0], [1, -1]], "w_v": [[3], [-1]]}
DATA = {"tokens": ["a", "b", "c"], "x": [[1, 2], [0, 1], [-1, 1]], "heads": [ONE, TWO],
        "w_o": [[1, 0], [0, 1], [2, -1]], "b_o": ["1/2", 0]}


def of_numpy(data):
    """The outputs of all heads side by side, and these projected, in float64."""
    def floats(rows):
        return np.array([[float(Fraction(entry)) for entry in row] for row in rows])

    x, outputs = floats(data["x"]), []
    for head in data["heads"]:
        q, k, v = (x @ floats(head[key]) for key in ("w_q", "w_k", "w_v"))
        logits = q @ k.T / np.sqrt(q.shape[1])
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        outputs.append(powers / powers.sum(axis=1, keepdims=True) @ v)
    together = np.concatenate(outputs, axis=1)
    return together, together @ floats(data["w_o"]) + floats([data.get("b_o", [0])])


def assert_near(table, floats):
    assert np.allclose([[float(entry.value) for entry in row] for row in table], floats,
                       rtol=0, atol=2e-8)


def test_two_heads_against_numpy() -> None:
    example = build(Path("t.toml"), DATA)
    heads = derive_heads(example)
    together, whole = of_numpy(DATA)
    assert_near(decimals.table(concatenated(heads), 8), together)
    assert_near(decimals.table(projected(example, heads), 8), whole)


@given(st.data())
@settings(max_examples=40)
def test_any_heads_against_numpy(data) -> None:
    def matrix(rows, cols):
        return data.draw(st.lists(st.lists(st.integers(-2, 2), min_size=cols, max_size=cols),
                                  min_size=rows, max_size=rows))

    n, d, h, d_out = (data.draw(st.integers(1, 3)) for _ in range(4))
    widths = [(data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))) for _ in range(h)]
    drawn = {"x": matrix(n, d), "w_o": matrix(sum(d_v for _, d_v in widths), d_out),
             "heads": [{"w_q": matrix(d, d_k), "w_k": matrix(d, d_k), "w_v": matrix(d, d_v)}
                       for d_k, d_v in widths]}
    example = build(Path("t.toml"), drawn)
    heads = derive_heads(example)
    together, whole = of_numpy(drawn)
    for joined, floats in ((concatenated(heads), together), (projected(example, heads), whole)):
        table = decimals.table(joined, 8)
        assert_near(table, floats)
        assert table == decimals.table(joined, 8, standard.enclosures)


def softmax(row: tuple[int, ...], tops: tuple[int, ...], root: int = 2) -> ExpSums:
    """One row of weights and values, as a part."""
    return ExpSums(Rooted(Rationals((row,)), root), Rationals(tuple((top,) for top in tops)),
                   normalised=True)


NOTHING = Rationals(((0,),))


@pytest.mark.parametrize(("parts", "value"), [
    ([((0, 1), (1, 3)), ((0, 1), (3, 1))], 4),  # each is irrational, together they are not
    ([((0, 1), (1, 3)), ((5, 6), (-1, -3))], 0),  # shifted exponents are the same weights
    ([((0, 1), (1, 3)), ((0, 1), (1, 3))], None),
    ([((0, 1), (1, 3))], None),
    ([((0, 1), (2, 2)), ((0, 0), (1, 3))], 4),  # each is rational
    ([((0, 1), (2, 2)), ((0, 1), (1, 3))], None),  # one is not
])
def test_a_sum_of_heads_may_be_rational_though_none_of_them_is(
    parts: list[tuple[tuple[int, ...], tuple[int, ...]]], value: int | None
) -> None:
    joined = Joined(tuple(softmax(*part) for part in parts), NOTHING)
    assert joined.rational(0, 0) == value
    rounded = decimals.table(joined, 4)[0][0]
    assert rounded is not None
    assert rounded.exact is (value is not None)


def test_what_is_rational_is_added_to_parts_that_are_so_only_together() -> None:
    halves = tuple(ExpSums(Rooted(Rationals(((0, 1),)), 2), Rationals(tops, 2), normalised=True)
                   for tops in (((1,), (3,)), ((3,), (1,))))
    flat = softmax((0, 0), (1, 2))
    joined = Joined((*halves, flat), Rationals(((1,),), 3))
    assert joined.rational(0, 0) == 2 + Fraction(3, 2) + Fraction(1, 3)


def test_parts_may_have_exponents_of_different_units() -> None:
    """0 and 2 halves are 0 and 1."""
    halves = ExpSums(Rooted(Rationals(((0, 2),), 2), 2), Rationals(((3,), (1,))), normalised=True)
    assert Joined((softmax((0, 1), (1, 3)), halves), NOTHING).rational(0, 0) == 4


UP, DOWN = ((0, 1), (1, 3)), ((0, 1), (3, 1))  # softmaxes that make 4 together


@pytest.mark.parametrize(("parts", "value"), [
    ([softmax(*UP, root=2), softmax((0, 2), (3, 1), root=8)], 4),  # 2 / sqrt(8) is 1 / sqrt(2)
    ([softmax(*UP, root=1), softmax((0, 2), (3, 1), root=4)], 4),
    ([softmax(*UP, root=4), softmax(*DOWN, root=1)], None),
    ([softmax(*UP, root=2), softmax(*DOWN, root=3)], None),
    ([softmax(*part, root=root) for root in (2, 3) for part in (UP, DOWN)], 8),
    ([softmax(*UP, root=2), softmax(*DOWN, root=2), softmax(*UP, root=3)], None),
])
def test_each_root_is_decided_for_itself(parts: list[ExpSums], value: int | None) -> None:
    assert Joined(tuple(parts), NOTHING).rational(0, 0) == value


def test_equal_weights_are_joined_however_many_keys_and_heads_there_are() -> None:
    many, shifted = tuple(range(80)), tuple(range(5, 85))
    parts = [softmax(row, tuple(sign * n for n in many)) for row, sign in
             ((many, 1), (shifted, -1), (shifted, 2), (many, -2))]
    assert Joined(tuple(parts), NOTHING).rational(0, 0) == 0


def test_what_is_rational_by_itself_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pairs, each of one row sum: the product of both sums would be too long."""
    monkeypatch.setattr("derivations.joined.MOST_TERMS", 3)
    second = [softmax((0, 2), tops) for tops in ((1, 3), (3, 1))]
    assert Joined((softmax(*UP), softmax(*DOWN), *second), NOTHING).rational(0, 0) == 8


def test_of_what_is_not_decided_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 / (1 + e) - (1 + e) / (1 + e)^2 is 0."""
    long = Joined((softmax((0, 1), (1, 0)), softmax((0, 1, 1, 2), (-1, -1, 0, 0))), NOTHING)
    assert long.rational(0, 0) == 0
    monkeypatch.setattr("derivations.joined.MOST_TERMS", 5)
    assert long.rational(0, 0) is None
    assert decimals.table(long, 4)[0][0].text == "0.0000"


def test_the_bias_is_added() -> None:
    joined = Joined((softmax((0, 0), (1, 2)),), Rationals(((1,),), 3))
    assert joined.rational(0, 0) == Fraction(3, 2) + Fraction(1, 3)


@pytest.mark.parametrize("bias", [Fraction(1, 3), Fraction(-1, 3), Fraction(2, 7)])
def test_an_enclosure_holds_the_sum_with_its_bias(bias: Fraction) -> None:
    row = Rationals(((bias.numerator,),), bias.denominator)
    flat = softmax((0, 0), (1, 2))  # exact, so that only the bias is rounded
    low, high = decimals.enclosures(Joined((flat,), row), 10)[0][0]
    assert low < (Fraction(3, 2) + bias) * 10**10 < high


def heads_of(n: int, widths: list[int]) -> list[dict[str, list[list[int]]]]:
    """Heads of d_k as given and d_v 1, for vectors of n numbers; no two alike."""
    return [{"w_q": [[i + j + h + 1 for j in range(d_k)] for i in range(n)],
             "w_k": [[5 + i * j - h for j in range(d_k)] for i in range(n)],
             "w_v": [[h + i - 1] for i in range(n)]} for h, d_k in enumerate(widths)]


THREE = {"x": [[1, 0], [1, 1], [2, 1]], "heads": heads_of(2, [1, 2, 3]),
         "w_o": [["0.1"], ["0.5"], ["-0.2"]]}
FIVE = {"x": [[1, 0], [0, 1], [1, 1], [2, 1], [1, 3]], "heads": heads_of(2, [2, 1]),
        "w_o": [["1/10", "0.2"], ["0.5", "-1/3"]], "b_o": ["-0.7", 0]}
TEN = {"x": [[n] for n in range(2, 12)], "heads": heads_of(1, [1]), "w_o": [["0.1"]]}

JOINT = pytest.mark.parametrize("data", [
    DATA, DATA | {"w_o": [[1], [2], [3]], "b_o": ["-1/3"]},
    {key: value for key, value in DATA.items() if key not in ("w_o", "b_o")},
    DATA | {"mask": [[0, 0, 0], [1, 1, 0], [1, 1, 1]], "scale": "1.5"},
    THREE, FIVE, TEN,
], ids=["plain", "one column", "no projection", "a hidden row", "three heads, tenths",
        "five words, fractions", "one head, ten words"])


@JOINT
def test_what_heads_make_together_is_held_by_every_route(data) -> None:
    derivation = derive_all(build(Path("t.toml"), data))
    found = {step.key: decimals.table(step.values, 4) for step in derivation.steps}
    shown = {step.key: step.places for step in derivation.own_steps}
    rows = check(derivation, found, 4, shown)
    assert [row.step.key for row in rows] == [
        step.key for step in derivation.own_steps if not isinstance(step.formula, Given)]
    for row in rows:
        assert row.by_second_route == row.by_twin == row.rounded_twice == len(row.step.places)
        assert 0 < row.bound < Fraction(1, 10**10)


@JOINT
def test_a_wrong_number_of_heads_together_is_found(data) -> None:
    derivation = derive_all(build(Path("t.toml"), data))
    *others, last = derivation.steps
    entry = last.values.row.entry(0, 0) + Fraction(1, 10**11)
    rest = [last.values.row.entry(0, j) for j in range(1, len(last.cols))]
    moved = replace(last, values=replace(last.values, row=common_denominator([[entry, *rest]])))
    wrong = replace(derivation, steps=(*others, moved))
    first = [last.quantity.entry(i + 1, 1) for i in range(len(last.rows))]
    assert disagreements(wrong, moved, moved.places) == first
    found = agree(wrong)[moved.key]
    assert found.numbers - found.held == len(first)


def test_the_bound_counts_the_rounding_of_a_bias() -> None:
    """Floats at a million thirds are 2^-34 apart, so half of that may be lost."""
    derivation = derive_all(build(Path("t.toml"), DATA | {"b_o": ["1000000/3", 0]}))
    (large, small), *_ = running_bounds(derivation)["projected"]
    assert small < Fraction(1, 2**40) * 2**GRID < Fraction(1, 2**35) * 2**GRID <= large


def test_a_number_of_all_heads_is_followed_to_the_head_and_back() -> None:
    derivation = derive_all(build(Path("t.toml"), DATA))
    assert [(line.key, line.places) for line in sources(derivation["concatenated"], 1, 2)] == [
        ("head_2", ((1, 0),))]
    assert [(line.key, line.places) for line in uses(derivation, "head_2", 1, 0)] == [
        ("concatenated", ((1, 2),))]
    assert [line.key for line in sources(derivation["projected"], 1, 0)] == [
        "concatenated", "w_o", "b_o"]
    (way,) = trail(derivation, derivation["projected"], 1, 0)[1:]
    assert [line.key for line in way] == ["head_1", "head_2"]
    assert [head.head for head in derivation.heads] == [Head(1, 0, 2), Head(2, 2, 2)]


def test_the_exact_form_names_the_sum_of_a_long_row_by_its_head() -> None:
    long = {"tokens": list("abcdefghi"), "x": [[n, n * n % 5 + 1] for n in range(9)]}
    derivation = derive_all(build(Path("t.toml"), DATA | long))
    written = exact(derivation["projected"], derivation, 1, 0)
    assert "Z^{(1)}_{2}" in written
    assert "Z^{(2)}_{2}" in written
    assert "Z(1)[2]" in exact(derivation["concatenated"], derivation, 1, 0, PLAIN)


def test_of_a_long_sum_with_a_bias_the_last_product_is_shown() -> None:
    heads = [{"w_q": [[1], [0]], "w_k": [[0], [1]], "w_v": [[n, 1] for n in (1, 2)]}] * 5
    data = DATA | {"heads": heads, "w_o": [[n % 3] for n in range(10)], "b_o": ["-1/4"]}
    worked = work_out(build(Path("t.toml"), data))
    shown = forms(worked.derivation, worked.decimals, worked.derivation["projected"], 0, 0)
    assert shown.symbols.endswith(r"\cdots + h_{1,10} w^{O}_{10,1} + b^{O}_{1}")


def test_of_many_heads_the_exact_form_has_a_quotient_of_each() -> None:
    head = {"w_q": [[1], [0]], "w_k": [[0], [1]], "w_v": [[1], [2]]}
    data = DATA | {"heads": [head] * 10, "w_o": [[n + 1] for n in range(10)], "b_o": [0]}
    derivation = derive_all(build(Path("t.toml"), data))
    assert exact(derivation["projected"], derivation, 0, 0).count(r"\frac{") == 10
