"""The query with entries -1, 0 and 1 by which one token listens to another the most it can.

The weight of key t is 1 / sum over j of e^((q . (k_j - k_t)) / scale): the smallest such sum wins.
Two sums of exponentials with rational coefficients are equal only if they have the same terms
(Lindemann-Weierstrass), so ties are decided exactly; other sums are compared in 60 digits.
"""

from collections import Counter
from decimal import Context, Decimal
from itertools import product

from derivations.attention import LARGEST_EXPONENT
from derivations.exact import multiply_transposed
from derivations.lesson.practice.scenes import Ground
from derivations.values import Rationals

MOST_ENUMERATED = 6
MOST_KEYS = 12  # all of them are shown
ENTRIES = (-1, 0, 1)
CONTEXT = Context(prec=60, Emax=10**6, Emin=-10**6)
APART = Decimal("1e-40")
Query = tuple[int, ...]
Terms = Counter[int]


class Close(ArithmeticError):
    """Two weights are too near to each other to be told apart in 60 digits."""


def is_enumerable(ground: Ground) -> bool:
    """Are there few enough queries to try, few enough keys to show, and no exponent too large?"""
    keys = ground.scene.derivation.rationals("keys")
    far = max(sum(abs(a - b) for a, b in zip(keys.integers[j], keys.integers[ground.target],
                                             strict=True))
              for j in ground.exponents.open_keys(ground.asker))
    return ground.scene.derivation.size("d_k") <= MOST_ENUMERATED \
        and keys.shape[0] <= MOST_KEYS \
        and CONTEXT.multiply(_unit(ground), far) <= LARGEST_EXPONENT


def best_queries(ground: Ground) -> tuple[Query, ...]:
    """Every query that gives the target the largest weight, in the order of their numbers.

    Raises Close.
    """
    queries = list(product(ENTRIES, repeat=ground.scene.derivation.size("d_k")))
    terms = _terms(ground, queries)
    sums = _sums(ground, terms)
    best = min(range(len(queries)), key=lambda n: sums[n])
    tied = [n for n in range(len(queries)) if terms[n] == terms[best]]
    for n in set(range(len(queries))) - set(tied):
        if CONTEXT.multiply(sums[best], 1 + APART) >= sums[n]:
            raise Close(f"the queries {queries[best]} and {queries[n]} give almost equal weights")
    return tuple(queries[n] for n in tied)


def sign_query(ground: Ground) -> Query:
    """The query that scores highest with the target: each number has the sign of the key's."""
    keys = ground.scene.derivation.rationals("keys").integers[ground.target]
    return tuple((number > 0) - (number < 0) for number in keys)


def _terms(ground: Ground, queries: list[Query]) -> list[Terms]:
    """For each query the numerators of q . (k_j - k_t), and how many keys have each."""
    keys = Rationals(ground.scene.derivation.rationals("keys").integers)
    heard = ground.exponents.open_keys(ground.asker)
    products = multiply_transposed(Rationals(tuple(queries)), keys).integers
    return [Counter(row[j] - row[ground.target] for j in heard) for row in products]


def _sums(ground: Ground, terms: list[Terms]) -> list[Decimal]:
    """The sums of exponentials, in 60 digits."""
    unit = _unit(ground)
    powers = {n: CONTEXT.exp(CONTEXT.multiply(unit, n)) for n in set().union(*terms)}
    return [_add([CONTEXT.multiply(powers[n], count) for n, count in found.items()])
            for found in terms]


def _unit(ground: Ground) -> Decimal:
    """What a numerator of 1 is as an exponent."""
    divisor = ground.scene.derivation.divisor
    whole = ground.scene.derivation.rationals("keys").denominator * divisor.numerator
    rational = CONTEXT.divide(Decimal(divisor.denominator), Decimal(whole))
    return CONTEXT.divide(rational, CONTEXT.sqrt(Decimal(divisor.root)))


def _add(parts: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for part in parts:
        total = CONTEXT.add(total, part)
    return total
