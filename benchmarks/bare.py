"""The bare script: the same numbers with FLINT alone, and nothing between it and the strings."""

from typing import NamedTuple

from flint import arb, arb_mat, ctx, fmpz_mat

Integers = list[list[int]]
MILLION = 10**6
BITS = 64


class Inputs(NamedTuple):
    """Integers and their denominators, with d_k."""

    x: Integers
    w_q: Integers
    w_k: Integers
    w_v: Integers
    denominators: tuple[int, int, int, int]
    d_k: int


def strings(given: Inputs, bits: int = BITS) -> tuple[list[str], list[str]]:
    """Every weight and every output, correctly rounded to 6 places, row by row."""
    x = fmpz_mat(given.x)
    queries, keys, values = (x * fmpz_mat(w) for w in (given.w_q, given.w_k, given.w_v))
    scores = (queries * keys.transpose()).tolist()
    of_x, of_q, of_k, of_v = given.denominators
    with ctx.workprec(bits):
        unit = 1 / (arb(given.d_k).sqrt() * (of_x * of_q * of_x * of_k))
        weights = []
        for row in scores:
            exponentials = [(unit * score).exp() for score in row]
            scale = MILLION / sum(exponentials)
            weights.append([e * scale for e in exponentials])
        outputs = (arb_mat(weights) * arb_mat(values) * (1 / arb(of_x * of_v))).tolist()
        digits = _rounded(weights), _rounded(outputs)
    if None in digits[0] or None in digits[1]:
        return strings(given, 2 * bits)
    return [_text(n) for n in digits[0]], [_text(n) for n in digits[1]]


def _rounded(rows: list[list[arb]]) -> list:
    half = arb(1) / 2
    return [(entry + half).floor().unique_fmpz() for row in rows for entry in row]


def _text(digits) -> str:
    whole, rest = divmod(abs(int(digits)), MILLION)
    return f"{'-' if digits < 0 else ''}{whole}.{rest:06d}"
