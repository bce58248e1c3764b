"""Attention in NumPy float64, written from the paper: a twin that knows nothing of ours.

Vaswani et al. 2017, equation (1): Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V, with
Q = X W^Q, K = X W^K, V = X W^V (section 3.2.2) and one token a row.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Marks = NDArray[np.bool_]


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def attention(  # noqa: PLR0913 (attention has so many inputs)
    x: Matrix, w_q: Matrix, w_k: Matrix, w_v: Matrix, *,
    context_x: Matrix | None = None, b_q: Matrix | None = None, b_k: Matrix | None = None,
    b_v: Matrix | None = None, divisor: float | None = None, mask: Marks | None = None,
) -> dict[str, Matrix]:
    """Every step of one head, by key, in order.

    x [n_q, d_model], w_q [d_model, d_k]; w_k [d, d_k] and w_v [d, d_v] with d the width of the
    context [n_k, d], which is x where none is given; biases are rows; mask [n_q, n_k], true where
    a query may attend to a key. Without a divisor, it is the paper's: the square root of d_k.
    Infinities and NaN come out as values, without a warning.
    """
    memory = x if context_x is None else context_x
    return attend(projected(x, w_q, b_q), projected(memory, w_k, b_k),
                  projected(memory, w_v, b_v), divisor=divisor, mask=mask)


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def attend(
    queries: Matrix, keys: Matrix, values: Matrix, *,
    divisor: float | None = None, mask: Marks | None = None,
) -> dict[str, Matrix]:
    """The steps from queries [n_q, d_k], keys [n_k, d_k] and values [n_k, d_v] on, and these."""
    steps = {"queries": queries, "keys": keys, "values": values}
    steps["scores"] = scores(queries, keys)
    if divisor is None:
        divisor = root_of_width(keys)
    logits = steps["scaled_scores"] = scaled(steps["scores"], divisor)
    if mask is not None:
        logits = steps["masked_scores"] = masked(logits, mask)
    steps["exponentials"] = exponentials(logits)
    steps["normalisers"] = normalisers(steps["exponentials"])
    steps["weights"] = softmax(logits)
    steps["output"] = output(steps["weights"], steps["values"])
    return steps


def projected(x: Matrix, w: Matrix, b: Matrix | None = None) -> Matrix:
    """X W + b: [n, d_model] [d_model, d] + [1, d] -> [n, d]."""
    return x @ w if b is None else x @ w + b


def scores(queries: Matrix, keys: Matrix) -> Matrix:
    """Q K^T: [n_q, d_k] [n_k, d_k] -> [n_q, n_k]."""
    return queries @ keys.T


def root_of_width(keys: Matrix) -> float:
    """sqrt(d_k), from keys [n_k, d_k]."""
    return float(np.sqrt(keys.shape[1]))


def scaled(products: Matrix, divisor: float) -> Matrix:
    """S / divisor: [n_q, n_k] -> [n_q, n_k]."""
    return products / divisor


def masked(logits: Matrix, mask: Marks) -> Matrix:
    """T, minus infinity where the mask is false: [n_q, n_k] -> [n_q, n_k]."""
    return np.where(mask, logits, -np.inf)


def exponentials(logits: Matrix) -> Matrix:
    """e to the power of each entry, infinite beyond about 709.78: [n_q, n_k] -> [n_q, n_k]."""
    return np.exp(logits)


def normalisers(powers: Matrix) -> Matrix:
    """The sum of each row: [n_q, n_k] -> [n_q, 1]."""
    sums: Matrix = powers.sum(axis=1, keepdims=True)
    return sums


def softmax(logits: Matrix) -> Matrix:
    """The softmax of each row, shifted by its maximum: [n_q, n_k] -> [n_q, n_k].

    The shift cancels in the quotient and keeps every exponential at most 1. A row that is all
    minus infinity has weights 0.
    """
    powers = np.exp(logits - shifts(logits))
    sums = normalisers(powers)
    return np.divide(powers, sums, out=np.zeros_like(powers), where=sums != 0)


def shifts(logits: Matrix) -> Matrix:
    """The maximum of each row, 0 where that is minus infinity: [n_q, n_k] -> [n_q, 1]."""
    top: Matrix = logits.max(axis=1, keepdims=True)
    return np.where(np.isneginf(top), 0.0, top)


def output(weights: Matrix, values: Matrix) -> Matrix:
    """A V: [n_q, n_k] [n_k, d_v] -> [n_q, d_v]."""
    return weights @ values


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def together(
    outputs: Sequence[Matrix], w_o: Matrix | None = None, b_o: Matrix | None = None
) -> dict[str, Matrix]:
    """The outputs of heads side by side, and these times W^O [d_concat, d_out], plus a row b^O."""
    steps = {"concatenated": np.concatenate(outputs, axis=1)}
    if w_o is not None:
        steps["projected"] = projected(steps["concatenated"], w_o, b_o)
    return steps
