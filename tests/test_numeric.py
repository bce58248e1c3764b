"""The float64 twin: right by plain loops, independent of ours, and free of NaN under masks."""

import ast
import math
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations import numeric

X = np.array([[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 0, 0]], dtype=np.float64)
W_Q = np.array([[1, 0], [0, 0], [1, 1], [0, 0], [0, 1]], dtype=np.float64)
W_K = np.array([[0, 1], [1, 1], [0, 0], [1, 0], [0, 0]], dtype=np.float64)
W_V = np.array([[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]], dtype=np.float64)
ROOT = math.sqrt(2)
STEPS = ["queries", "keys", "values", "scores", "scaled_scores", "exponentials", "normalisers",
         "weights", "output"]


def attend(mask=None, divisor=ROOT, x=X):
    return numeric.attention(x, W_Q, W_K, W_V, divisor=divisor, mask=mask)


def test_it_imports_nothing_of_ours():
    tree = ast.parse(Path(numeric.__file__).read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module.split(".")[0])
        assert not (isinstance(node, ast.Name) and node.id in ("__import__", "importlib"))
    assert "numpy" in names
    assert names - {"numpy"} <= sys.stdlib_module_names


def test_the_steps_come_in_order():
    assert list(attend()) == STEPS


def test_masked_scores_come_only_with_a_mask():
    keys = list(attend(mask=np.ones((3, 3), dtype=bool)))
    assert keys == [*STEPS[:5], "masked_scores", *STEPS[5:]]


def test_the_default_example():
    steps = attend()
    assert steps["queries"].tolist() == [[1, 2], [0, 1], [2, 1]]
    assert steps["keys"].tolist() == [[1, 0], [2, 1], [1, 2]]
    assert steps["values"].tolist() == [[0, 1], [1, 0], [2, 1]]
    assert steps["scores"].tolist() == [[1, 4, 5], [0, 1, 2], [2, 5, 4]]
    assert steps["normalisers"].shape == (3, 1)
    assert steps["weights"][1] == pytest.approx([0.1400, 0.2840, 0.5760], abs=5e-5)


def test_everything_is_float64():
    assert {matrix.dtype for matrix in attend().values()} == {np.dtype(np.float64)}


def test_a_fully_masked_row_has_weights_and_output_zero():
    steps = attend(mask=np.array([[1, 1, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    assert steps["weights"][1].tolist() == [0, 0, 0]
    assert steps["output"][1].tolist() == [0, 0]
    assert steps["weights"][2].tolist() == [1, 0, 0]
    assert not any(np.isnan(matrix).any() for matrix in steps.values())


def test_a_hidden_key_does_not_leak():
    mask = np.tril(np.ones((3, 3), dtype=bool))
    other = X.copy()
    other[2] = [1e6, -1e6, 3, 5, 7]
    kept, changed = attend(mask), attend(mask, x=other)
    assert kept["output"][:2].tolist() == changed["output"][:2].tolist()


def test_large_scores_overflow_the_exponentials_and_not_the_weights():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steps = attend(divisor=1 / 400)
    assert np.isinf(steps["exponentials"]).any()
    assert np.isfinite(steps["weights"]).all()
    assert steps["weights"].sum(axis=1) == pytest.approx([1, 1, 1])


floats = st.floats(-4, 4, allow_nan=False)


@st.composite
def heads(draw):
    """x, w_q, w_k, w_v and a mask, of sizes 1 to 5."""
    n, d_model, d_k, d_v = (draw(st.integers(1, 5)) for _ in range(4))

    def matrix(rows, cols, of=floats):
        row = st.lists(of, min_size=cols, max_size=cols)
        return draw(st.lists(row, min_size=rows, max_size=rows))

    shapes = ((n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))
    return *(matrix(*shape) for shape in shapes), matrix(n, n, st.booleans())


def dot(a, b):
    return math.fsum(p * q for p, q in zip(a, b, strict=True))


def by_loops(x, w_q, w_k, w_v, mask):
    """The output by the paper's formula, entry by entry."""
    q, k, v = (
        [[dot(row, col) for col in zip(*w, strict=True)] for row in x] for w in (w_q, w_k, w_v)
    )
    output = []
    for query, row in zip(q, mask, strict=True):
        open_keys = [j for j, is_open in enumerate(row) if is_open]
        logits = [dot(query, k[j]) / math.sqrt(len(query)) for j in open_keys]
        powers = [math.exp(t - max(logits)) for t in logits]
        weights = [power / math.fsum(powers) for power in powers]
        output.append([dot(weights, [v[j][c] for j in open_keys]) for c in range(len(v[0]))])
    return output


@given(heads())
@settings(max_examples=80, deadline=None)
def test_it_is_the_formula_of_the_paper(head):
    *given_matrices, mask = head
    arrays = [np.array(matrix, dtype=np.float64) for matrix in given_matrices]
    divisor = math.sqrt(arrays[1].shape[1])
    steps = numeric.attention(*arrays, divisor=divisor, mask=np.array(mask))
    assert np.allclose(steps["output"], by_loops(*head), rtol=1e-9, atol=1e-9)
