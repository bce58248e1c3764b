"""Expressions: leaves, and nodes with parts. Parentheses leave no trace.

Kinds of node: neg; sum (detail: a sign for each part); product; quotient; root; power; exp
(detail: 'e' for a power of e, 'exp' for the function, entry by entry); transpose; softmax;
matrix of `row`; over (detail: 'sum' or 'max' and the letter; parts: body, then two limits, one
condition, or nothing); cases of `case` (value, and a condition unless it is the last);
holds (detail: a relation); space (rows, columns).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Literal:
    """A number as written: text times ten to the power of `exponent`."""

    text: str
    exponent: int = 0

    @property
    def is_decimal(self) -> bool:
        """Has it a decimal point?"""
        return "." in self.text

    def __str__(self) -> str:
        return self.text + (f"·10^{self.exponent}" if self.exponent else "")


@dataclass(frozen=True)
class Entry:
    """One entry of a step; `at` holds row and column (1 for the column of a vector)."""

    key: str
    at: tuple["Expr", "Expr"]

    def __str__(self) -> str:
        return f"{self.key}[{', '.join(map(str, self.at))}]"


@dataclass(frozen=True)
class Name:
    """A symbol without an index; kind: matrix, size, or letter (an index, or a parameter)."""

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Mark:
    """Infinity, or the dots of a long sum."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Node:
    """An operation on its parts."""

    kind: str
    parts: tuple["Expr", ...]
    detail: tuple[str, ...] = ()

    def __str__(self) -> str:
        inner = [f"({part})" if _is_compound(part) else str(part) for part in self.parts]
        if self.kind == "sum":
            return " ".join(f"{s} {p}" for s, p in zip(self.detail, inner, strict=True))[2:]
        if self.kind in SIGNS:
            return SIGNS[self.kind].join(inner)
        return "-" + inner[0] if self.kind == "neg" else f"{self.kind}({', '.join(inner)})"


def _is_compound(expr: "Expr") -> bool:
    return isinstance(expr, Node) and (expr.kind in ("sum", "neg") or expr.kind in SIGNS)


SIGNS = {"product": "·", "quotient": "/", "power": "^"}
Expr = Literal | Entry | Name | Mark | Node
DOTS = Mark("…")
INFINITY = Mark("∞")
ONE = Literal("1")


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all below it, the indices of entries left out."""
    yield expr
    if isinstance(expr, Node):
        for part in expr.parts:
            yield from walk(part)


def rebuild(expr: Expr, change: Callable[[Entry], Expr]) -> Expr:
    """The expression with every entry replaced."""
    if isinstance(expr, Entry):
        return change(expr)
    if isinstance(expr, Node):
        return replace(expr, parts=tuple(rebuild(part, change) for part in expr.parts))
    return expr


def is_partial(expr: Expr) -> bool:
    """Does it hold dots?"""
    return DOTS in walk(expr)


def is_symbolic(expr: Expr) -> bool:
    """Does it hold a symbol?"""
    return any(isinstance(part, (Entry, Name)) for part in walk(expr))


def is_number(expr: Expr) -> bool:
    """Is it one number, with or without a minus sign?"""
    if isinstance(expr, Node) and expr.kind == "neg":
        return isinstance(expr.parts[0], Literal)
    return isinstance(expr, Literal)


def is_number_matrix(expr: Expr) -> bool:
    """Is it one matrix of numbers, minus infinity included?"""
    if not isinstance(expr, Node) or expr.kind != "matrix":
        return False
    entries = (entry for row in expr.parts if isinstance(row, Node) for entry in row.parts)
    return all(is_number(entry) or entry == Node("neg", (INFINITY,)) for entry in entries)


def negative_zero(expr: Expr) -> bool:
    """Is a zero written with a minus sign in it?"""
    for part in walk(expr):
        if isinstance(part, Node) and part.kind == "neg":
            first = part.parts[0]
            while isinstance(first, Node) and first.kind in ("product", "quotient"):
                first = first.parts[0]
            if isinstance(first, Literal) and not first.text.strip("0."):
                return True
    return False
