"""The true numbers of the quiz, each by the mistake that makes it, by mpmath."""

import mpmath
from mpmath import mpf

from derivations.example import Example
from tests.truths.practice import DIGITS, Rows, Space, Typed, down, ground, round_for_order


def truths(example: Example) -> dict[str, Space]:
    """Namespace -> (matrices by key, sizes)."""
    with mpmath.workdps(DIGITS):
        return _quiz(elsewhere(ground(example)))


def elsewhere(typed: Typed) -> Typed:
    """With the last token that gives different weights, if it is another one."""
    scores = typed.scores()
    rows = [i for i in range(typed.n) if i != typed.row
            and len({mpmath.nstr(scores[i][j], 40) for j in typed.open(i)}) > 1]
    typed.row = rows[-1] if rows else typed.row
    return typed


def _quiz(typed: Typed) -> dict[str, Space]:
    """The numbers that the questions offer, each by the mistake that makes it."""
    row, heard, scores, n = typed.row, typed.heard(), typed.scores(), typed.n
    d_k, d_model, divisor = len(typed.keys[0]), len(typed.x[0]), typed.divisor
    steps, bare = typed.space()[0], typed.space(divisor=mpf(1))[0]
    open_ = typed.open(row)
    weighed = [scores[row][j] for j in open_]
    both = [(round_for_order(scores[row][j]), round_for_order(scores[j][row])) for j in range(n)]
    col = max(range(n), key=lambda j: (
        both[j][0] != both[j][1], abs(both[j][0]) > mpf("1e-60"), -j))
    far = max(open_, key=lambda j: round_for_order(abs(scores[row][j])))
    c = typed.column()
    values = [typed.values[j][c] for j in open_]
    if divisor == 1:
        divisor = mpf(2)
    score = scores[row][far]
    total = mpmath.fsum(weighed)
    found = {
        "score": {
            "right": scores[row][col], "transposed": scores[col][row],
            "added": mpmath.fsum(typed.queries[row] + typed.keys[col]),
            "raw": mpmath.fdot(zip(typed.x[row], typed.x[col], strict=True)),
            "one_more": scores[row][col] + 1, "one_less": scores[row][col] - 1},
        "scaled": {
            "right": score / divisor, "unscaled": score, "by_width": score / d_k,
            "multiplied": score * divisor, "by_model": score / mpmath.sqrt(d_model),
            "sign": -score / divisor},
        "weight": {
            "right": steps["weights"][row][heard], "unscaled": bare["weights"][row][heard],
            "share": scores[row][heard] / total if abs(total) > mpf("1e-60") else mpf(0),
            "down": down(typed)[row][heard],
            "by_width": typed.weights(divisor=mpf(d_k))[row][heard], "equal": mpf(1) / len(open_)},
        "output": {
            "right": steps["output"][row][c], "mean": mpmath.fsum(values) / len(open_),
            "backwards": _mixed(steps["weights"][row], [v[c] for v in typed.values[::-1]]),
            "divided": steps["output"][row][c] / len(open_), "total": mpmath.fsum(values),
            "loudest": typed.values[heard][c], "own": typed.values[row][c]},
        "size": {"right": mpf(n * n), "queries": mpf(n * d_k), "matrix": mpf(d_model * d_k),
                 "tokens": mpf(n), "twice": mpf(2 * n)},
    }
    places = {"weight": (row, heard), "output": (row, c)}
    whole = {("weight", "right"), ("weight", "unscaled"), ("weight", "by_width"),
             ("output", "right"), ("output", "backwards"), ("output", "divided")}
    return {f"quiz-{key}": ({name: _at(value, places[key] if (key, name) in whole else (0, 0))
                             for name, value in offered.items()}, {})
            for key, offered in found.items()}


def _mixed(weights: list[mpf], values: list[mpf]) -> mpf:
    return mpmath.fdot(zip(weights, values, strict=True))


def _at(value: mpf, place: tuple[int, int]) -> Rows:
    """A matrix that has the value at its place, and NaN elsewhere."""
    i, j = place
    return [[value if (r, s) == place else mpmath.nan for s in range(j + 1)] for r in range(i + 1)]
