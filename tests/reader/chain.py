"""One chain `lhs = a = b ≈ c`: every member against the true value of its left side."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from .errors import ReadError, UndefinedError
from .evaluate import Scope, evaluate, rounded
from .grammar import Chain
from .interval import Interval
from .letters import ranges
from .relations import contains, holds
from .shape import fits, is_substituted, substitution_problem
from .table import Truth
from .tree import (
    Entry,
    Expr,
    Literal,
    Name,
    Node,
    is_number,
    is_number_matrix,
    is_partial,
    is_symbolic,
    negative_zero,
    walk,
)

ORDERS = ("<", ">", "≤", "≥", "≠")


@dataclass
class Left:
    """The left side that a row of a table shares, and the exact forms seen so far in it."""

    expr: Expr
    forms: list[Expr] = field(default_factory=list)


def left_of(chain: Chain) -> Left | None:
    """The left side of a chain that has one and a relation after it."""
    if chain[0][0] or len(chain) < 2:
        return None
    return Left(chain[0][1])


def is_mention(chain: Chain) -> bool:
    """Is it an expression without a relation?"""
    return len(chain) == 1 and not chain[0][0]


def check_mention(expr: Expr, truth: Truth) -> Iterator[str]:
    """Only that its entries exist, and that no zero is negative."""
    if negative_zero(expr):
        yield "a negative zero"
    for part in walk(expr):
        if isinstance(part, Entry) and part.key in truth.matrices and _is_placed(part):
            evaluate(part, Scope(truth))


def _is_placed(entry: Entry) -> bool:
    return all(isinstance(index, Literal) for index in entry.at)


def check_chain(
    chain: Chain, truth: Truth, shared: Left | None, counts: Counter[str]
) -> Iterator[str]:
    """What is wrong with a chain; `shared` is the left side of its row."""
    left, members = _left_and_members(chain, shared)
    counts["relations"] += len(members)
    counts["decimals"] += sum(_decimals(expr) for relation, expr in members if relation == "≈")
    letters = ranges([left.expr, *(expr for _, expr in members)], truth)
    for values in product(*letters.values()):
        scope = Scope(truth, dict(zip(letters, values, strict=True)))
        problems = _instance(left, members, scope, counts)
        if problems:
            where = ", ".join(f"{letter} = {value}" for letter, value in scope.letters.items())
            yield from (f"with {where}: {problem}" if where else problem for problem in problems)
            break
    left.forms.extend(expr for relation, expr in members if relation == "=")


def _left_and_members(chain: Chain, shared: Left | None) -> tuple[Left, Chain]:
    if not chain[0][0]:
        own = shared if shared and shared.expr == chain[0][1] else Left(chain[0][1])
        return own, chain[1:]
    if shared is None:
        raise ReadError("it begins with a relation, and its row has no left side")
    return shared, chain


def _decimals(expr: Expr) -> int:
    return sum(isinstance(part, Literal) and part.is_decimal for part in walk(expr))


def _instance(left: Left, members: Chain, scope: Scope, counts: Counter[str]) -> list[str]:
    """The problems of a chain with its letters fixed."""
    try:
        return list(_problems(left, members, scope))
    except UndefinedError:
        if scope.letters and _closed_row(scope):
            counts["undefined"] += 1
            return []
        raise


def _closed_row(scope: Scope) -> bool:
    """Is one of the letters a query that may attend to nothing?"""
    truth = scope.truth
    rows = [value for value in scope.letters.values() if value <= truth.size("n_q")]
    return not all(map(truth.open_keys, rows))


def _problems(left: Left, members: Chain, scope: Scope) -> Iterator[str]:
    anchor = evaluate(left.expr, scope)
    forms = [left.expr, *left.forms]
    if negative_zero(left.expr):
        yield "a negative zero"
    for relation, expr in members:
        if negative_zero(expr):
            yield "a negative zero"
        if relation == "≈":
            problem = _rounded_problem(expr, anchor, forms, scope)
        else:
            problem = _exact_problem(relation, expr, anchor, forms, scope)
        if problem:
            yield f"{relation} {expr}: {problem}"
        if relation == "=":
            forms.append(expr)
        if relation in ORDERS:
            anchor = evaluate(expr, scope)


def _exact_problem(
    relation: str, expr: Expr, anchor: object, forms: Sequence[Expr], scope: Scope
) -> str | None:
    if is_partial(expr) and not is_symbolic(expr):
        return substitution_problem(expr, forms, scope)
    problem = holds(relation, anchor, evaluate(expr, scope), scope.truth)
    if problem is None and is_substituted(expr) and not is_symbolic(expr):
        last = forms[-1]
        if not isinstance(last, (Entry, Name)) and is_symbolic(last) and fits(last, expr):
            return substitution_problem(expr, [last], scope)
    return problem


def _rounded_problem(
    expr: Expr, anchor: object, forms: Sequence[Expr], scope: Scope
) -> str | None:
    scope = replace(scope, rounded=True)
    if is_number(expr):
        return contains(_rounded_number(expr), anchor, scope.truth)
    if not is_partial(expr):
        if problem := contains(evaluate(expr, scope), anchor, scope.truth):
            return problem
        if is_number_matrix(expr):
            return None
        forms = [form for form in forms if not isinstance(form, (Entry, Name))]
    return substitution_problem(expr, forms, scope)


def _rounded_number(expr: Expr) -> Interval:
    """What one number after ≈ stands for, whole numbers included."""
    if isinstance(expr, Node):
        return -_rounded_number(expr.parts[0])
    assert isinstance(expr, Literal)
    return rounded(expr)

