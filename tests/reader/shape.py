"""Is an expression of numbers built like one of symbols, with the right number in each place?"""

from collections.abc import Iterable
from dataclasses import replace

from .errors import ReadError, ShapeError
from .evaluate import Scope, evaluate, whole
from .relations import contains
from .series import shown_terms
from .tree import (
    Entry,
    Expr,
    Literal,
    Mark,
    Name,
    Node,
    is_number,
    is_number_matrix,
    is_partial,
    walk,
)


def substitution_problem(found: Expr, forms: Iterable[Expr], scope: Scope) -> str | None:
    """None where one of the forms fits; else what is wrong with the nearest."""
    problems = []
    for form in forms:
        try:
            problem = _mismatch(form, found, scope)
        except ShapeError:
            continue
        if problem is None:
            return None
        problems.append(problem)
    return problems[0] if problems else "no expression before it is built like this one"


def is_substituted(found: Expr) -> bool:
    """Does it hold a product of plain numbers, as written when symbols are replaced?"""
    return any(
        isinstance(part, Node) and part.kind == "product" and all(map(is_number, part.parts))
        for part in walk(found))


def fits(form: Expr, found: Expr) -> bool:
    """Are both built alike, whatever the numbers?"""
    if isinstance(form, (Entry, Name)) or is_number(found):
        return True
    return _alike(form, found) and all(map(fits, _parts(form), _parts(found)))


def _mismatch(form: Expr, found: Expr, scope: Scope) -> str | None:
    """The first place where the number is not the value of the symbol; ShapeError."""
    if isinstance(form, Entry) and is_partial(found):
        return _partial_problem(form, found, scope)
    if isinstance(form, (Entry, Name)) or is_number(found) or is_number_matrix(found):
        return _value_problem(form, found, scope)
    if not _alike(form, found):
        raise ShapeError
    for part, number in zip(_parts(form), _parts(found), strict=True):
        if problem := _mismatch(part, number, scope):
            return problem
    return None


def _alike(form: Expr, found: Expr) -> bool:
    if isinstance(form, Node) and isinstance(found, Node):
        alike = (form.kind, form.detail) == (found.kind, found.detail)
        return alike and len(form.parts) == len(found.parts)
    return isinstance(form, (Literal, Mark)) and form == found


def _parts(expr: Expr) -> tuple[Expr, ...]:
    return expr.parts if isinstance(expr, Node) else ()


def _value_problem(form: Expr, found: Expr, scope: Scope) -> str | None:
    if is_partial(form) or is_partial(found):
        raise ShapeError
    true = evaluate(form, replace(scope, rounded=False))
    try:
        problem = contains(evaluate(found, scope), true, scope.truth)
    except ReadError:
        raise ShapeError from None
    return f"in the place of {form}: {problem}" if problem else None


def _partial_problem(form: Entry, found: Expr, scope: Scope) -> str | None:
    """A long sum of numbers in the place of a normaliser: its terms are the open exponentials."""
    if form.key != "normalisers" or not isinstance(found, Node) or found.kind != "sum":
        raise ShapeError
    before, last = shown_terms(found)
    row = whole(form.at[0], scope)
    keys = scope.truth.open_keys(row)
    if len(keys) <= len(before) + 1:
        raise ReadError(f"a long sum of {len(keys)} terms shows {len(before) + 1}")
    for key, term in zip([*keys[: len(before)], keys[-1]], (*before, last), strict=True):
        place = Entry("exponentials", (Literal(str(row)), Literal(str(key))))
        if problem := _mismatch(place, term, scope):
            return problem
    return None
