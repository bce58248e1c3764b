"""Attention in NumPy float64, written from the paper: a twin that knows nothing of ours.

Vaswani et al. 2017, equation (1): Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V, with
Q = X W^Q, K = X W^K, V = X W^V (section 3.2.2) and one token a row.
"""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Marks = NDArray[np.bool_]


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def attention(
    x: Matrix, w_q: Matrix, w_k: Matrix, w_v: Matrix, *,
    divisor: float | None = None, mask: Marks | None = None,
) -> dict[str, Matrix]:
    """Every step of one head, by key, in order.

    x [n, d_model], w_q and w_k [d_model, d_k], w_v [d_model, d_v]; mask [n, n], true where a
    query may attend to a key. Without a divisor, it is the paper's: the square root of d_k.
    Infinities and NaN come out as values, without a warning.
    """
    steps = {
        "queries": projected(x, w_q),
        "keys": projected(x, w_k),
        "values": projected(x, w_v),
    }
    steps["scores"] = scores(steps["queries"], steps["keys"])
    if divisor is None:
        divisor = root_of_width(steps["keys"])
    logits = steps["scaled_scores"] = scaled(steps["scores"], divisor)
    if mask is not None:
        logits = steps["masked_scores"] = masked(logits, mask)
    steps["exponentials"] = exponentials(logits)
    steps["normalisers"] = normalisers(steps["exponentials"])
    steps["weights"] = softmax(logits)
    steps["output"] = output(steps["weights"], steps["values"])
    return steps


def projected(x: Matrix, w: Matrix) -> Matrix:
    """X W: [n, d_model] [d_model, d] -> [n, d]."""
    return x @ w


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
