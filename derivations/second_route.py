"""The second exact route: the entry equations, evaluated by SymPy, against the matrix engine.

Each entry's formula is evaluated with the exact values of the symbols in it. Exponentials of
distinct exponents are kept as symbols of their own, so that an equality shown is an identity of
rational functions, which `cancel` decides; a false alarm would be possible, a false pass is not.
"""

from fractions import Fraction

import sympy
from sympy import Expr, Integer, Rational, Symbol

from derivations.formula import DIVISOR, address
from derivations.joined import Joined
from derivations.step import Derivation, Step
from derivations.values import ExpSums, Mask, Rationals, Rooted

MOST_CANCELLED = 8


def disagreements(derivation: Derivation, step: Step, places: list[tuple[int, int]]) -> list[str]:
    """The entries (of those given) at which the two routes differ; [] where all agree."""
    return [
        step.quantity.entry(i + 1, j + 1)
        for i, j in places
        if not _agree(derivation, step, i, j)
    ]


def exact_value(derivation: Derivation, step: Step, i: int, j: int) -> Expr:
    """The engine's entry (i, j) as a SymPy expression, exponentials as symbols."""
    match step.values:
        case Rationals() | Mask():
            return _rational(step.values.entry(i, j))
        case Rooted() as values:
            return _scaled(values, i, j)
        case ExpSums() as values:
            return _quotient(values, i, j)
        case Joined() as values:
            parts = (_quotient(part, i, j) for part in values.parts)
            return sum(parts, _rational(values.row.entry(0, j)))


def _agree(derivation: Derivation, step: Step, i: int, j: int) -> bool:
    expression = step.expression(i, j)
    engine = exact_value(derivation, step, i, j)
    if expression is None:
        return True
    values = {symbol: _operand(derivation, symbol) for symbol in expression.free_symbols}
    return _same(_evaluated(expression, values), engine)


def _operand(derivation: Derivation, symbol: Symbol) -> Expr:
    if symbol == DIVISOR:
        divisor = derivation.divisor
        return sympy.sqrt(divisor.root) * Rational(divisor.numerator, divisor.denominator)
    key, i, j = address(symbol)
    return exact_value(derivation, derivation[key], i, j)


def _evaluated(expression: Expr, values: dict[Symbol, Expr]) -> Expr:
    if isinstance(expression, sympy.exp):
        return exponential(values[expression.args[0]])
    return expression.xreplace(values).doit()


def _same(a: Expr, b: Expr) -> bool:
    """Expanding decides all that agrees; `cancel`, which is slow, is asked of short sums only."""
    if a == b:
        return True
    difference = sympy.expand(a - b).replace(_is_below, _primitive)
    if sympy.expand_mul(difference) == 0:
        return True
    return len(difference.free_symbols) <= MOST_CANCELLED and bool(sympy.cancel(difference) == 0)


def _is_below(expression: Expr) -> bool:
    return isinstance(expression, sympy.Pow) and expression.base.is_Add


def _primitive(below: Expr) -> Expr:
    """The power of a sum, its content taken out: 1 / (10 a + 10 b) is 1/10 of 1 / (a + b)."""
    content, rest = below.base.primitive()
    return content**below.exp * rest**below.exp


def exponential(exponent: Expr) -> Expr:
    """e^exponent as a symbol of its own: 1 for 0, 0 for minus infinity."""
    if exponent in (Integer(0), -sympy.oo):
        return Integer(1) if exponent == 0 else Integer(0)
    return Symbol(f"exp({exponent})", positive=True)


def _rational(value: Fraction) -> Expr:
    return Rational(value.numerator, value.denominator)


def _scaled(values: Rooted, i: int, j: int) -> Expr:
    if not values.is_open(i, j):
        return -sympy.oo
    return _rational(values.rationals.entry(i, j)) / sympy.sqrt(values.root)


def _quotient(values: ExpSums, i: int, c: int) -> Expr:
    def e(j: int) -> Expr:
        return exponential(_scaled(values.exponents, i, j))

    top = sum((_rational(factor) * e(j) for j, factor in values.terms(i, c)), Integer(0))
    keys = values.exponents.open_keys(i)
    return top / sum(map(e, keys), Integer(0)) if values.normalised and keys else top
