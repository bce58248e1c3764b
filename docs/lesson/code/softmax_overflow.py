"""Softmax of the scores 800 and 799: as the formula stands, and shifted."""

import numpy as np

scores = np.array([800.0, 799.0])  # [n_k], in float64


def softmax(scores):  # [n_k] -> [n_k], [n_k]: exponentials and weights
    exponentials = np.exp(scores)
    return exponentials, exponentials / exponentials.sum()


def show(title, scores):  # [n_k] -> printed
    print(title)
    with np.errstate(over="ignore", invalid="ignore"):  # NumPy would warn
        exponentials, weights = softmax(scores)
    steps = {"scores": scores, "exponentials": exponentials, "weights": weights}
    for name, row in steps.items():
        print(f"{name:>12}", *(f"{entry:.4f}" for entry in row))


show("as they are", scores)
show("minus the largest", scores - scores.max())
