"""Formulas as data, and what one entry of each is as a SymPy expression in entry symbols.

The name of an entry's symbol is the address of that entry everywhere: `scores-r2c3`
(rows and columns from 1) names it in a formula, in the page and in the data.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from sympy import Add, Expr, Integer, Mul, Pow, Symbol, exp, oo

Keys = Callable[[int], Iterable[int]]


@dataclass(frozen=True)
class Given:
    """A number of the example file."""

    source: str


@dataclass(frozen=True)
class OfHead(Given):
    """What one of several heads has worked out: `source` is its step."""

    number: int


@dataclass(frozen=True)
class Beside:
    """Matrices side by side: each part with its width."""

    parts: tuple[tuple[str, int], ...]

    def place(self, j: int) -> tuple[str, int]:
        """In which part column j stands, and in which of its columns."""
        for key, width in self.parts:
            if j < width:
                return key, j
            j -= width
        raise IndexError(j)

    def column(self, part: str, col: int) -> int | None:
        """In which column that of a part stands; None of what is no part."""
        before = list(takewhile(lambda one: one[0] != part, self.parts))
        return None if len(before) == len(self.parts) else sum(width for _, width in before) + col


@dataclass(frozen=True)
class Dot:
    """sum over l of left[i, l] right[l, j], or right[j, l] where `transposed`.

    Where `masked`, l runs over the keys that row i may attend to. A `bias` is a row: its entry j
    is added.
    """

    left: str
    right: str
    transposed: bool = False
    masked: bool = False
    bias: str | None = None


@dataclass(frozen=True)
class Scaled:
    """of[i, j] over the divisor."""

    of: str


@dataclass(frozen=True)
class Masked:
    """of[i, j] where mask[i, j] is 1, minus infinity elsewhere."""

    of: str
    mask: str


@dataclass(frozen=True)
class Exponential:
    """e to the power of[i, j]; 0 where of[i, j] is minus infinity."""

    of: str


@dataclass(frozen=True)
class RowSum:
    """sum over the open j of of[i, j]."""

    of: str


@dataclass(frozen=True)
class Ratio:
    """top[i, j] over bottom[i]; 0 where row i may not attend to key j."""

    top: str
    bottom: str


Formula = Given | Beside | Dot | Scaled | Masked | Exponential | RowSum | Ratio
DIVISOR = Symbol("divisor", positive=True)


@cache
def entry(key: str, i: int, j: int) -> Symbol:
    """The symbol of entry (i, j) of a step, counted from 0 here and from 1 in its name."""
    return Symbol(f"{key}-r{i + 1}c{j + 1}", real=True)


def address(symbol: Symbol) -> tuple[str, int, int]:
    """(key, i, j) of an entry's symbol: the inverse of `entry`."""
    key, _, place = symbol.name.rpartition("-r")
    row, _, col = place.partition("c")
    return key, int(row) - 1, int(col) - 1


def plus(terms: Iterable[Expr]) -> Expr:
    """The sum of the terms, in their order, not evaluated; 0 where there are none."""
    listed = tuple(terms)
    if len(listed) < 2:
        return listed[0] if listed else Integer(0)
    return Add(*listed, evaluate=False)


def times(*factors: Expr) -> Expr:
    """The product of the factors, in their order, not evaluated."""
    return Mul(*factors, evaluate=False)


def over(top: Expr, bottom: Expr) -> Expr:
    """top / bottom, not evaluated."""
    return Mul(top, Pow(bottom, -1, evaluate=False), evaluate=False)


def expression(formula: Formula, i: int, j: int, width: int, keys: Keys) -> Expr | None:
    """Entry (i, j) of a step in symbols; None where it is given.

    `width` is how many terms an unmasked sum has; `keys(i)` are the keys open to row i.
    """
    match formula:
        case Given():
            return None
        case Beside():
            key, col = formula.place(j)
            return entry(key, i, col)
        case Dot(left, right, transposed, masked, bias):
            inner = keys(i) if masked else range(width)
            places = ((l, (j, l) if transposed else (l, j)) for l in inner)
            products = (times(entry(left, i, l), entry(right, *place)) for l, place in places)
            return plus([*products, entry(bias, 0, j)] if bias else products)
        case Scaled(of):
            return over(entry(of, i, j), DIVISOR)
        case Masked(of):
            return entry(of, i, j) if j in keys(i) else -oo
        case Exponential(of):
            return exp(entry(of, i, j), evaluate=False)
        case RowSum(of):
            return plus(entry(of, i, l) for l in keys(i))
        case Ratio(top, bottom):
            return over(entry(top, i, j), entry(bottom, i, 0)) if j in keys(i) else Integer(0)


def made_of(formula: Formula) -> tuple[str, ...]:
    """The steps that a step is made of, in their order."""
    match formula:
        case Given():
            return ()
        case Beside(parts):
            return tuple(key for key, _ in parts)
        case Dot(left, right, bias=bias):
            return (left, right, bias) if bias else (left, right)
        case Scaled(of) | Exponential(of) | RowSum(of):
            return (of,)
        case Masked(of, mask):
            return of, mask
        case Ratio(top, bottom):
            return top, bottom
