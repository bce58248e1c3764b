"""The value of an expression against a table of true values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import mpmath
from mpmath import mpf

from .algebra import (
    Matrix,
    Value,
    add,
    beside,
    divide,
    multiply,
    negate,
    scalar,
    softmax,
    transpose,
)
from .errors import ReadError
from .interval import Interval, ends, exponential, power, square_root
from .letters import range_of
from .relations import holds
from .series import all_heads, expanded
from .table import Number, Truth
from .tree import DOTS, Entry, Expr, Literal, Mark, Name, Node, rebuild


@dataclass(frozen=True)
class Scope:
    """What an expression is evaluated in; where `rounded`, a decimal is an interval."""

    truth: Truth
    letters: Mapping[str, int] = field(default_factory=dict)
    rounded: bool = False


def evaluate(expr: Expr, scope: Scope) -> Value:
    """The value; ReadError where there is none."""
    if isinstance(expr, Node):
        return RULES[expr.kind](expr, scope)
    if isinstance(expr, Literal):
        return rounded(expr) if scope.rounded and expr.is_decimal else literal(expr)
    if isinstance(expr, Entry):
        row, col = (whole(index, scope) for index in expr.at)
        return scope.truth.entry(expr.key, row, col)
    if isinstance(expr, Name):
        return _name(expr, scope)
    return _mark(expr)


def literal(number: Literal) -> Number:
    """Exactly what is written."""
    return mpf(f"{number.text}e{number.exponent}")


def half_unit(number: Literal) -> Number:
    """Half a unit of its last place."""
    places = len(number.text.partition(".")[2])
    return mpf(f"5e{number.exponent - places - 1}")


def rounded(number: Literal) -> Interval:
    """All that is rounded to what is written."""
    middle, half = literal(number), half_unit(number)
    return Interval(middle - half, middle + half)


def whole(expr: Expr, scope: Scope) -> int:
    """An index."""
    value = scalar(evaluate(expr, replace(scope, rounded=False)), "an index")
    if not mpmath.isint(value):
        raise ReadError(f"the index {expr} is not whole")
    return int(mpmath.nint(value))


def _name(name: Name, scope: Scope) -> Value:
    if name.kind == "matrix":
        return Matrix(scope.truth.matrix(name.name))
    if name.kind == "size":
        return mpf(scope.truth.size(name.name))
    if name.name in scope.letters:
        return mpf(scope.letters[name.name])
    if name.name in scope.truth.parameters:
        return scope.truth.parameters[name.name]
    raise ReadError(f"the symbol {name.name} is not known")


def _mark(mark: Mark) -> Number:
    if mark == DOTS:
        raise ReadError("dots outside a sum")
    return mpmath.inf


def _sum(expr: Node, scope: Scope) -> Value:
    if DOTS in expr.parts:
        expr = expanded(rebuild(expr, lambda entry: _grounded(entry, scope)), scope.truth)
    values = (
        negate(evaluate(part, scope)) if sign == "-" else evaluate(part, scope)
        for sign, part in zip(expr.detail, expr.parts, strict=True)
    )
    return reduce(add, values)


def _grounded(entry: Entry, scope: Scope) -> Entry:
    """The entry with numbers as indices."""
    row, col = (Literal(str(whole(index, scope))) for index in entry.at)
    return Entry(entry.key, (row, col))


def _product(expr: Node, scope: Scope) -> Value:
    return reduce(multiply, (evaluate(part, scope) for part in expr.parts))


def _exp(expr: Node, scope: Scope) -> Value:
    value = evaluate(expr.parts[0], scope)
    if isinstance(value, Matrix) and expr.detail == ("exp",):
        return value.map(exponential)
    return exponential(scalar(value, "e to the power"))


def _power(expr: Node, scope: Scope) -> Value:
    base, exponent = (scalar(evaluate(part, scope), "a power") for part in expr.parts)
    return power(base, exponent)


def _matrix(expr: Node, scope: Scope) -> Value:
    return Matrix([
        [scalar(evaluate(entry, scope), "an entry") for entry in row.parts]
        for row in expr.parts if isinstance(row, Node)
    ])


def _over(expr: Node, scope: Scope) -> Value:
    """A sum or a maximum over a letter; an empty sum is 0."""
    kind, letter = expr.detail
    body, *bounds = expr.parts
    values = [evaluate(body, inner) for inner in _scopes(letter, body, bounds, scope)]
    if kind == "sum":
        return reduce(add, values) if values else mpf(0)
    if not values or scope.rounded:
        raise ReadError("a maximum of nothing, or of rounded numbers")
    return max(ends(scalar(value, "a maximum"))[0] for value in values)


def _scopes(letter: str, body: Expr, bounds: list[Expr], scope: Scope) -> list[Scope]:
    if len(bounds) == 2:
        steps = range(whole(bounds[0], scope), whole(bounds[1], scope) + 1)
    else:
        steps = range_of(letter, (body, *bounds), scope.truth)
    inner = [replace(scope, letters={**scope.letters, letter: step}) for step in steps]
    return [one for one in inner if len(bounds) != 1 or is_true(bounds[0], one)]


def is_true(condition: Expr, scope: Scope) -> bool:
    """Does a condition hold?"""
    assert isinstance(condition, Node)
    left, right = (evaluate(part, replace(scope, rounded=False)) for part in condition.parts)
    if right == 0 and condition.detail[0] in ("=", "≠"):  # however small: only 0 itself is 0
        return (left == 0) == (condition.detail[0] == "=")
    return holds(condition.detail[0], left, right, scope.truth) is None


def _cases(expr: Node, scope: Scope) -> Value:
    for case in expr.parts:
        assert isinstance(case, Node)
        if len(case.parts) == 1 or is_true(case.parts[1], scope):
            return evaluate(case.parts[0], scope)
    raise ReadError("none of the cases holds")


def _concat(expr: Node, scope: Scope) -> Value:
    return reduce(beside, (evaluate(part, scope) for part in all_heads(expr.parts)))


def _space(expr: Node, scope: Scope) -> Any:
    return tuple(whole(part, scope) for part in expr.parts)


def _quotient(expr: Node, scope: Scope) -> Value:
    top, bottom = (evaluate(part, scope) for part in expr.parts)
    return divide(top, scalar(bottom, "a division by") if isinstance(bottom, Matrix) else bottom)


def _unary(operation: Callable[[Value], Value]) -> Callable[[Node, Scope], Value]:
    return lambda expr, scope: operation(evaluate(expr.parts[0], scope))


RULES: dict[str, Callable[[Node, Scope], Value]] = {
    "neg": _unary(negate), "sum": _sum, "product": _product, "quotient": _quotient,
    "root": _unary(lambda value: square_root(scalar(value, "a root"))),
    "power": _power, "exp": _exp, "transpose": _unary(transpose), "softmax": _unary(softmax),
    "matrix": _matrix, "over": _over, "cases": _cases, "space": _space,
    "concat": _concat,
}
