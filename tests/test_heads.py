"""Several heads: side by side and projected, exactly, in decimals, and against plain NumPy."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations import decimals
from derivations.enclosures import standard
from derivations.example import build
from derivations.heads import concatenated, derive_heads, projected
from derivations.joined import Joined
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


def test_parts_may_have_exponents_of_different_units() -> None:
    """0 and 2 halves are 0 and 1."""
    halves = ExpSums(Rooted(Rationals(((0, 2),), 2), 2), Rationals(((3,), (1,))), normalised=True)
    assert Joined((softmax((0, 1), (1, 3)), halves), NOTHING).rational(0, 0) == 4


def test_of_what_is_not_decided_nothing_is_said() -> None:
    unlike = Joined((softmax((0, 1), (1, 3)), softmax((0, 1), (3, 1), root=3)), NOTHING)
    assert unlike.rational(0, 0) is None
    many = tuple(range(80))
    long = Joined((softmax(many, many), softmax(many, tuple(-n for n in many))), NOTHING)
    assert long.rational(0, 0) is None
    assert decimals.table(long, 4)[0][0].text == "0.0000"


def test_the_bias_is_added() -> None:
    joined = Joined((softmax((0, 0), (1, 2)),), Rationals(((1,),), 3))
    assert joined.rational(0, 0) == Fraction(3, 2) + Fraction(1, 3)
    low, high = decimals.enclosures(Joined((softmax((0, 1), (1, 2)),), Rationals(((1,),), 3)),
                                    10)[0][0]
    true = (1 * 1 + 2 * np.exp(2**-0.5)) / (1 + np.exp(2**-0.5)) + 1 / 3
    assert low <= true * 10**10 + 2 and true * 10**10 - 2 <= high
