"""Long sums, and long rows of matrices: the first terms, dots, the last one."""

from dataclasses import replace
from itertools import pairwise

from .errors import ReadError
from .names import ROWS
from .table import Truth
from .tree import DOTS, Entry, Expr, Literal, Name, Node, rebuild, walk

MOST_DIGITS = 4  # of the number of a head
OVER_KEYS = ("exponentials", "weights", "masked_scores")


def shown_terms(expr: Node) -> tuple[tuple[Expr, ...], Expr]:
    """The terms before the dots, and the one after them."""
    before, after = expr.parts[: (place := expr.parts.index(DOTS))], expr.parts[place + 1 :]
    after = after[: len(after) - len(added(expr))]
    if len(before) < 2 or len(after) != 1 or set(expr.detail) != {"+"}:
        raise ReadError("a long sum needs two or more terms, dots, and the last term")
    return before, after[0]


def added(expr: Node) -> tuple[Expr, ...]:
    """The entry of a row that is added to the sum itself."""
    last = expr.parts[-1]
    is_row = isinstance(last, Entry) and last.key in ROWS
    return (last,) if is_row and expr.parts[-2] != DOTS else ()


def expanded(expr: Expr, truth: Truth) -> Node:
    """The whole of a sum in symbols: its terms differ in an index that runs on."""
    assert isinstance(expr, Node)
    before, last = shown_terms(expr)
    terms = (*before, last)
    indices = [_indices(term) for term in terms]
    if len(set(map(len, indices))) != 1:
        raise ReadError("the terms of a long sum are not built alike")
    pairs = zip(indices[0], indices[1], strict=True)
    running = {place for place, (a, b) in enumerate(pairs) if a != b}
    steps = [_step(found, running) for found in indices]
    if any(_with(terms[0], running, step) != term for step, term in zip(steps, terms, strict=True)):
        raise ReadError("the terms of a long sum do not follow one from the other")
    whole = [_with(terms[0], running, k) for k in _sequence(steps, before, truth)]
    return Node("sum", (*whole, *added(expr)), ("+",) * (len(whole) + len(added(expr))))


def all_heads(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Matrices side by side, with those that dots leave out: the numbers of heads run on."""
    if DOTS not in parts:
        return parts
    *before, dots, last = parts
    names = [f"head_{n}" for n in range(1, len(before) + 1)]
    found = [part.name if isinstance(part, Name) else "" for part in (*before, last)]
    end = int(found[-1].removeprefix("head_")[:MOST_DIGITS]) if found[-1].startswith("head_") else 0
    if dots != DOTS or found[:-1] != names or not end > len(names) > 1:
        raise ReadError("the matrices of a long row do not follow one from the other")
    return tuple(replace(before[0], name=f"head_{n}") for n in range(1, end + 1))


def _indices(term: Expr) -> list[int]:
    """Every index of a term in order, as numbers."""
    found = []
    for part in walk(term):
        if isinstance(part, Entry):
            for index in part.at:
                assert isinstance(index, Literal)
                found.append(int(index.text))
    return found


def _step(found: list[int], running: set[int]) -> int:
    """The one number at all running places."""
    values = {found[place] for place in running}
    if len(values) != 1:
        raise ReadError("a long sum of numbers without the symbols they stand for")
    return values.pop()


def _with(term: Expr, running: set[int], step: int) -> Expr:
    """The term with its running indices at a step."""
    place = iter(range(10**6))

    def change(entry: Entry) -> Expr:
        row, col = (Literal(str(step)) if next(place) in running else index for index in entry.at)
        return Entry(entry.key, (row, col))

    return rebuild(term, change)


def _sequence(steps: list[int], before: tuple[Expr, ...], truth: Truth) -> list[int]:
    """All steps: one by one, or the open keys of the row where some are skipped."""
    if all(b - a == 1 for a, b in pairwise(steps[:-1])) and steps[-2] + 1 < steps[-1]:
        return list(range(steps[0], steps[-1] + 1))
    for part in walk(before[0]):
        if isinstance(part, Entry) and part.key in OVER_KEYS and isinstance(part.at[0], Literal):
            keys = truth.open_keys(int(part.at[0].text))
            if keys[: len(steps) - 1] == steps[:-1] and keys[-1] == steps[-1]:
                return keys
    raise ReadError("the indices of a long sum do not run on")
