"""How much a weight moves when its own scaled score moves: a (1 - a), the slope of softmax.

The derivative of a_j by its own exponent (Vaswani et al. 2017, section 3.2.1, says in words that
it becomes extremely small where one score is far above the others).
"""

from collections import Counter

from derivations.quotients import Quotient, Quotients, added, quotients, softmax_entry
from derivations.step import Derivation


def slopes(derivation: Derivation) -> Quotients:
    """a (1 - a) for every weight a: [n_q, n_k]; 0 where a key is hidden."""
    exponents = derivation.exponents
    rows, cols = exponents.shape
    numerators = [exponents.shifted(i) for i in range(rows)]
    return quotients(exponents, [[_slope(row, j) for j in range(cols)] for row in numerators])


def _slope(numerators: dict[int, int], j: int) -> Quotient:
    """With a = u / Z that is u (Z - u) / Z^2."""
    weight = softmax_entry(numerators, j)
    rest = added(weight.bottom, Counter({n: -count for n, count in weight.top.items()}))
    return weight * Quotient(rest, weight.bottom)
