"""Enclosures on arb's balls (python-flint): the same as `standard`, many times faster."""

from flint import arb, arb_mat, ctx

from derivations.enclosures import Enclosed, integer_digits, numerators
from derivations.values import ExpSums


def enclosures(values: ExpSums, digits: int) -> Enclosed:
    """(low, high) of every entry at 10^digits."""
    precision = max(10, digits + integer_digits(values) + 6)
    with ctx.workprec(precision * 10 // 3 + 16):
        return tuple(
            tuple(_integers(entry) for entry in row) for row in _scaled(values, digits)
        )


def _scaled(values: ExpSums, digits: int) -> list[list[arb]]:
    """The entries times 10^digits, as balls."""
    exponentials = _exponentials(values)
    factors = [_factor(values, row, digits) for row in exponentials]
    rows = exponentials
    if values.tops is not None:
        rows = (arb_mat(exponentials) * arb_mat(list(map(list, values.tops.integers)))).tolist()
    return [
        [entry * factor for entry in row] for row, factor in zip(rows, factors, strict=True)
    ]


def _exponentials(values: ExpSums) -> list[list[arb]]:
    """e to the power of each open exponent, 0 elsewhere: [n_q, n_k]."""
    unit = 1 / (arb(values.exponents.root).sqrt() * values.exponents.rationals.denominator)
    n_q, n_k = values.exponents.shape
    rows = []
    for i in range(n_q):
        row = [arb(0)] * n_k
        for j, numerator in numerators(values, i).items():
            row[j] = (unit * numerator).exp() if numerator else arb(1)
        rows.append(row)
    return rows


def _factor(values: ExpSums, exponentials: list[arb], digits: int) -> arb:
    """What turns a row's upper sums into entries times 10^digits."""
    factor = arb(10) ** digits / values.denominator
    total = sum(exponentials, arb(0))
    return factor / total if values.normalised and total > 0 else factor


def _integers(ball: arb) -> tuple[int, int]:
    low, high = ball.lower().floor().unique_fmpz(), ball.upper().ceil().unique_fmpz()
    assert low is not None and high is not None
    return int(low), int(high)
