"""Do two values stand in a relation? The answer is None, or what was found and expected."""

from collections.abc import Callable
from typing import Any

import mpmath

from .algebra import Matrix, Value, scalar, shape_of
from .errors import ReadError
from .interval import Scalar, ends
from .table import Number, Truth

Test = Callable[[Scalar, Scalar], bool]


def shown(x: Any) -> str:
    """A value for a message."""
    if isinstance(x, Matrix):
        return "[" + "; ".join(", ".join(map(shown, row)) for row in x.rows) + "]"
    if isinstance(x, tuple):
        return " by ".join(map(str, x))
    lo, hi = ends(x)
    text = mpmath.nstr(lo, 12)
    return text if lo == hi else f"{text} to {mpmath.nstr(hi, 12)}"


def holds(relation: str, left: Any, right: Any, truth: Truth) -> str | None:
    """None where `left relation right` is true of exact values."""
    if relation == "∈":
        return _in_space(left, right)
    if relation in ("=", "≠"):
        problem = compare(left, right, lambda a, b: equal(a, b, truth))
        if relation == "=":
            return problem
        return None if problem else f"{shown(left)} equals {shown(right)}"
    low, high = (ends(scalar(value, "an order"))[0] for value in (left, right))
    return _ordered(relation, low, high, truth)


def _ordered(relation: str, a: Number, b: Number, truth: Truth) -> str | None:
    """Values within the tolerance of each other count as equal."""
    same = equal(a, b, truth)
    fine = same if relation in ("≤", "≥") else False
    if not same:
        fine = a < b if relation in ("<", "≤") else a > b
    return None if fine else f"{shown(a)} {relation} {shown(b)} is false"


def _in_space(left: Any, right: Any) -> str | None:
    if not isinstance(left, Matrix) or not isinstance(right, tuple):
        raise ReadError("∈ needs a matrix and ℝ with rows and columns")
    return None if left.shape == right else f"found {shown(right)}, expected {shape_of(left)}"


def contains(found: Value, true: Value, truth: Truth) -> str | None:
    """None where every entry of the truth lies in the interval found in its place."""
    return compare(true, found, lambda t, f: inside(t, f, truth))


def compare(true: Any, found: Any, test: Test) -> str | None:
    """None where the test passes, entry by entry."""
    if isinstance(true, tuple) or isinstance(found, tuple):
        raise ReadError("a shape is not a value")
    if isinstance(true, Matrix) and isinstance(found, Matrix) and true.shape == found.shape:
        return _compare_entries(true, found, test)
    if _is_large(true) or _is_large(found):
        return f"found {shape_of(found)}, expected {shape_of(true)}"
    a, b = scalar(true, ""), scalar(found, "")
    return None if test(a, b) else f"found {shown(b)}, expected {shown(a)}"


def _is_large(value: Value) -> bool:
    return isinstance(value, Matrix) and value.shape != (1, 1)


def _compare_entries(true: Matrix, found: Matrix, test: Test) -> str | None:
    for i, (p, q) in enumerate(zip(true.rows, found.rows, strict=True), 1):
        for j, (a, b) in enumerate(zip(p, q, strict=True), 1):
            if not test(a, b):
                return f"row {i} column {j}: found {shown(b)}, expected {shown(a)}"
    return None


def equal(a: Scalar, b: Scalar, truth: Truth) -> bool:
    """Within the tolerance; nothing equals a value that is not a number."""
    (a, other), (b, last) = ends(a), ends(b)
    if a != other or b != last or mpmath.isnan(a) or mpmath.isnan(b):
        return False
    if a == b or mpmath.isinf(a) or mpmath.isinf(b):
        return bool(a == b)
    off = abs(a - b)
    beside_zero = a == 0 or b == 0
    return bool(off <= (truth.absolute if beside_zero else truth.relative * max(abs(a), abs(b))))


def inside(true: Number, found: Scalar, truth: Truth) -> bool:
    """Does the truth lie in an interval (or equal a number)?"""
    lo, hi = ends(found)
    if lo == hi:
        return equal(true, found, truth)
    slack = truth.slack(true)
    return bool(lo - slack <= true <= hi + slack)
