"""Attention with symbols for all entries, and identities that hold whatever they are.

Proofs are by SymPy: exponentials are split into products of exponentials of single terms, each
is replaced by a symbol of its own, and the difference of the two sides cancels to 0. An identity
of rational functions in those symbols holds for the exponentials too.
"""

from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy import Expr, Matrix, Symbol, exp, sqrt


@dataclass(frozen=True)
class Generic:
    """Queries and keys [n, d], values [n, 1], all entries symbols."""

    queries: Matrix
    keys: Matrix
    values: Matrix

    @property
    def scaled_scores(self) -> Matrix:
        """Q K^T / sqrt(d): [n, n]."""
        return self.queries * self.keys.T / sqrt(self.queries.cols)

    @property
    def weights(self) -> Matrix:
        """Softmax of the scaled scores, row by row: [n, n]."""
        return softmax(self.scaled_scores)

    @property
    def output(self) -> Matrix:
        """Weights times values: [n, 1]."""
        return self.weights * self.values


def generic(n: int, d: int) -> Generic:
    """n tokens, queries and keys of width d, one column of values."""
    def symbols(name: str, cols: int) -> Matrix:
        return Matrix(n, cols, lambda i, j: Symbol(f"{name}_{i + 1}_{j + 1}", real=True))

    return Generic(symbols("q", d), symbols("k", d), symbols("v", 1))


def softmax(scores: Matrix) -> Matrix:
    """e^score over the sum of its row: same shape."""
    exponentials = scores.applyfunc(exp)
    sums = [sum(exponentials.row(i)) for i in range(scores.rows)]
    return Matrix(scores.rows, scores.cols, lambda i, j: exponentials[i, j] / sums[i])


def is_zero(expression: Expr) -> bool:
    """Is this, an expression in exponentials, proved to be 0?"""
    split = sympy.expand_power_exp(sympy.expand(expression, deep=True))
    names = {e: _name(e.args[0]) for e in split.atoms(exp)}
    return bool(sympy.cancel(sympy.together(split.xreplace(names))) == 0)


def _name(exponent: Expr) -> Expr:
    """A symbol for e^exponent; for e^(-x), one over that of e^x."""
    if exponent.could_extract_minus_sign():
        return 1 / _name(-exponent)
    return Symbol(f"exp({exponent})", positive=True)


def rows_sum_to_one(g: Generic) -> bool:
    """Each row of the weights adds up to 1."""
    a = g.weights
    return all(is_zero(sum(a.row(i)) - 1) for i in range(a.rows))


def shift_changes_nothing(g: Generic) -> bool:
    """Adding one constant to a row of scores, another to the next, changes no weight."""
    t = g.scaled_scores
    shifted = Matrix(*t.shape, lambda i, j: t[i, j] + Symbol(f"c_{i + 1}", real=True))
    return _all_zero(softmax(shifted) - g.weights)


def permuting_keys_changes_nothing(g: Generic) -> bool:
    """Permuting keys together with values leaves the output as it is."""
    return all(
        _all_zero(Generic(g.queries, move(g.keys), move(g.values)).output - g.output)
        for move in MOVES
    )


def permuting_queries_permutes_outputs(g: Generic) -> bool:
    """Permuting queries permutes the outputs in the same way."""
    return all(
        _all_zero(Generic(move(g.queries), g.keys, g.values).output - move(g.output))
        for move in MOVES
    )


def weight_is_logistic(g: Generic) -> bool:
    """With two keys, a weight is the logistic function of the difference of the two scores."""
    t, a = g.scaled_scores[:, :2], softmax(g.scaled_scores[:, :2])
    return all(is_zero(a[i, 1] - 1 / (1 + exp(-(t[i, 1] - t[i, 0])))) for i in range(t.rows))


IDENTITIES: dict[str, Callable[[Generic], bool]] = {
    "Each row of the weights adds up to 1.": rows_sum_to_one,
    "Adding one number to a whole row of scores changes no weight.": shift_changes_nothing,
    "Permuting the keys together with the values changes no output.":
        permuting_keys_changes_nothing,
    "Permuting the queries permutes the outputs in the same way.":
        permuting_queries_permutes_outputs,
    "With two keys, a weight is the logistic function of the difference of the two scaled scores.":
        weight_is_logistic,
}


def _all_zero(difference: Matrix) -> bool:
    return all(is_zero(entry) for entry in difference)


def _turned(m: Matrix) -> Matrix:
    """The rows moved on by one, the last to the front; with a swap, this makes every order."""
    return Matrix.vstack(m[-1, :], m[:-1, :])


def _swapped(m: Matrix) -> Matrix:
    """The first two rows exchanged."""
    return Matrix.vstack(m[1, :], m[0, :], m[2:, :])


MOVES = (_turned, _swapped)
