"""Which letters of a formula are free, and the ranges they run over."""

from collections.abc import Iterator, Sequence

from .errors import ReadError
from .table import Truth
from .tree import Entry, Expr, Name, Node

Use = tuple[str, str, int]


def uses(expr: Expr, bound: frozenset[str] = frozenset()) -> Iterator[Use]:
    """(letter, step, axis) wherever a free letter is the index of an entry."""
    if isinstance(expr, Entry):
        for axis, index in enumerate(expr.at):
            if isinstance(index, Name) and index.kind == "letter" and index.name not in bound:
                yield index.name, expr.key, axis
            elif isinstance(index, Node):
                yield from uses(index, bound)
    elif isinstance(expr, Node):
        inner = bound | {expr.detail[1]} if expr.kind == "over" else bound
        for part in expr.parts:
            yield from uses(part, inner)


def length(truth: Truth, key: str, axis: int) -> int:
    """Rows (axis 0) or columns (axis 1) of a step."""
    return truth.shape(key)[axis]


def ranges(members: Sequence[Expr], truth: Truth) -> dict[str, range]:
    """The range of every free index, from its first use: that on the left side counts."""
    found: dict[str, range] = {}
    for expr in members:
        for letter, key, axis in uses(expr):
            found.setdefault(letter, range(1, length(truth, key, axis) + 1))
    return {letter: found[letter] for letter in found if letter not in truth.parameters}


def range_of(letter: str, parts: Sequence[Expr], truth: Truth) -> range:
    """The range of a bound letter without limits, from its first use as an index."""
    for expr in parts:
        for name, key, axis in uses(expr):
            if name == letter:
                return range(1, length(truth, key, axis) + 1)
    raise ReadError(f"the letter {letter} of a sum has no range")
