"""Attention in NumPy: softmax(Q K^T / sqrt(d_k)) V, one token a row.

Equation (1) of Vaswani et al. (2017). The numbers come from example.py.
"""

import numpy as np
from example import divisor, mask, places, rows, steps, tokens, w_k, w_q, w_v, x


def floats(matrix):  # [n, m] -> [n, m], in float64
    return np.array(matrix, dtype=np.float64)


def hide(scores, mask):  # [n_q, n_k] -> [n_q, n_k]: -inf where mask is False
    return scores if mask is None else np.where(mask, scores, -np.inf)


def shift(scores):  # [n_q, n_k] -> [n_q, n_k]: minus the largest of each row
    largest = scores.max(axis=1, keepdims=True)  # [n_q, 1]
    return scores - np.where(largest > -np.inf, largest, 0)


def show(name, matrix):  # [n, m] -> printed, one token a line
    if name in steps:
        print(name)
        for i in rows:
            numbers = (f"{entry:z.{places}f}" for entry in matrix[i])
            print(f"{tokens[i]!a:>8}", *numbers)


queries = floats(x) @ floats(w_q)  # [n_q, d_k]
keys = floats(x) @ floats(w_k)  # [n_k, d_k]
values = floats(x) @ floats(w_v)  # [n_k, d_v]
scores = queries @ keys.T  # [n_q, n_k]
scaled_scores = scores / divisor  # [n_q, n_k]
masked_scores = hide(scaled_scores, mask)  # [n_q, n_k]
exponentials = np.exp(shift(masked_scores))  # [n_q, n_k]
normalisers = exponentials.sum(axis=1, keepdims=True)  # [n_q, 1]
weights = exponentials / np.where(normalisers, normalisers, 1)  # [n_q, n_k]
output = weights @ values  # [n_q, d_v]

show("queries", queries)
show("keys", keys)
show("values", values)
show("scores", scores)
show("scaled_scores", scaled_scores)
show("masked_scores", masked_scores)
show("weights", weights)
show("output", output)
