"""Attention in plain Python: softmax(Q K^T / sqrt(d_k)) V, one token a row.

Equation (1) of Vaswani et al. (2017). The numbers come from example.py.
"""

from math import exp, inf

from example import divisor, mask, places, rows, steps, tokens, w_k, w_q, w_v, x


def dot(a, b):  # [m], [m] -> a number: multiply in pairs and add
    return sum(s * t for s, t in zip(a, b, strict=True))


def multiply(a, b):  # [n, m], [m, p] -> [n, p]: rows of a with columns of b
    return [[dot(row, column) for column in zip(*b, strict=True)] for row in a]


def transpose(a):  # [n, m] -> [m, n]
    return [list(column) for column in zip(*a, strict=True)]


def hide(scores, mask):  # [n_q, n_k] -> [n_q, n_k]: -inf where mask is False
    if mask is None:
        return scores
    return [[t if may else -inf for t, may in zip(row, allowed, strict=True)]
            for row, allowed in zip(scores, mask, strict=True)]


def shift(row):  # [n_k] -> [n_k]: minus the largest, which keeps exp(t) small
    largest = max(row)
    return [t - largest for t in row] if largest > -inf else row


def show(name, matrix):  # [n, m] -> printed, one token a line
    if name in steps:
        print(name)
        for i in rows:
            numbers = (f"{entry:z.{places}f}" for entry in matrix[i])
            print(f"{tokens[i]!a:>8}", *numbers)


queries = multiply(x, w_q)  # [n_q, d_k]
keys = multiply(x, w_k)  # [n_k, d_k]
values = multiply(x, w_v)  # [n_k, d_v]
scores = multiply(queries, transpose(keys))  # [n_q, n_k]
scaled_scores = [[s / divisor for s in row] for row in scores]  # [n_q, n_k]
masked_scores = hide(scaled_scores, mask)  # [n_q, n_k]
exponentials = [  # [n_q, n_k]
    [exp(t) for t in shift(row)] for row in masked_scores]
normalisers = [sum(row) for row in exponentials]  # [n_q]
weights = [  # [n_q, n_k], all 0 where everything is hidden
    [u / (z or 1) for u in row]
    for row, z in zip(exponentials, normalisers, strict=True)]
output = multiply(weights, values)  # [n_q, d_v]

show("queries", queries)
show("keys", keys)
show("values", values)
show("scores", scores)
show("scaled_scores", scaled_scores)
show("masked_scores", masked_scores)
show("weights", weights)
show("output", output)
