"""Attention in PyTorch (2.5 or later): the line a practitioner writes.

softmax(Q K^T / sqrt(d_k)) V, one token a row, the numbers from example.py.
"""

from math import sqrt

import torch
import torch.nn.functional as F
from example import divisor, mask, places, rows, tokens, w_k, w_q, w_v, x


def floats(matrix):  # [n, m] -> [n, m], in float64
    return torch.tensor(matrix, dtype=torch.float64)


def show(name, matrix):  # [n, m] -> printed, one token a line
    print(name)
    for i in rows:
        numbers = (f"{entry:z.{places}f}" for entry in matrix[i].tolist())
        print(f"{tokens[i]!a:>8}", *numbers)


queries = floats(x) @ floats(w_q)  # [n_q, d_k]
keys = floats(x) @ floats(w_k)  # [n_k, d_k]
values = floats(x) @ floats(w_v)  # [n_k, d_v]

# None stands for no mask, and for a scale of 1 / sqrt(d_k)
mask = None if mask is None else torch.tensor(mask)  # [n_q, n_k], booleans
scale = None if divisor == sqrt(queries.shape[1]) else 1 / divisor

# in one: scores, scaled_scores, masked_scores, exponentials, normalisers,
# weights, output
output = F.scaled_dot_product_attention(  # [n_q, d_v]
    queries, keys, values, attn_mask=mask, scale=scale)

show("output", output)
