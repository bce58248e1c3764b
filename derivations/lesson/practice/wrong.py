"""What each mistake makes of the weights, by plain sums: the second route to a mistake's name."""

from collections.abc import Callable
from decimal import Decimal

from derivations.example import Example
from derivations.lesson.practice.plain import CONTEXT, Plain, plain, softmax


def _all(found: Plain) -> list[list[Decimal]]:
    return [found.weights(i) for i in range(len(found.queries))]


def _rescaled(base: Example, divisor: Decimal) -> list[list[Decimal]]:
    found = plain(base)
    found.divisor = divisor
    return _all(found)


def _exchanged(base: Example) -> list[list[Decimal]]:
    found = plain(base)
    found.queries, found.keys = found.keys, found.queries
    return _all(found)


def _down(base: Example) -> list[list[Decimal]]:
    found = plain(base)
    n = len(found.keys)
    columns = [softmax([found.score(i, j) for i in range(n)],
                       [i for i in range(n) if j in found.heard(i)], found.divisor)
               for j in range(n)]
    return [list(row) for row in zip(*columns, strict=True)]


WRONG: dict[str, Callable[[Example], list[list[Decimal]]]] = {
    "unscaled": lambda base: _rescaled(base, Decimal(1)),
    "by-d-k": lambda base: _rescaled(base, Decimal(base.w_q.shape[1])),
    "by-root-of-d-model": lambda base: _rescaled(base, CONTEXT.sqrt(Decimal(base.x.shape[1]))),
    "down-the-columns": _down,
    "queries-and-keys-swapped": _exchanged,
}
