"""The matrices of a formula: each entry that has a name against the place it stands in."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .mathml import local
from .names import MATRICES, step_of
from .refs import Address, address_of
from .table import Truth
from .tables import nearest

Element = Any
TRANSPOSED = "⊤"


def matrix_faults(grid: Element, truth: Truth, counts: Counter[str]) -> Iterator[str]:
    """Entries of a matrix that stand elsewhere than their data-ref says."""
    cells = {(i, j): address_of(cell.get("data-ref") or "", truth)
             for i, row in enumerate(grid, 1) for j, cell in enumerate(row, 1)}
    keys = {address[0] for address in cells.values() if address}
    counts["named"] += sum(map(bool, cells.values()))
    if len(keys) == 1:
        (key,) = keys
        yield from _step_faults(key, cells, _ways(grid, key))
    elif keys:
        yield f"one matrix shows the steps {sorted(keys)}"


def _step_faults(
    key: str, cells: dict[tuple[int, int], Address | None], ways: set[bool]
) -> Iterator[str]:
    """Compared as the formula shows the step: transposed (True), or not."""
    if not ways:
        yield f"a matrix shows {key}, which its formula does not name"
    found = [[f"in a formula {address} stands in row {i}, column {j}"
              for (i, j), address in cells.items()
              if address != (key, *((j, i) if way else (i, j)))] for way in sorted(ways)]
    yield from min(found, key=len, default=[])


def _ways(grid: Element, key: str) -> set[bool]:
    """Is the step transposed in this matrix? As its formula names it: K, or K^T."""
    outer = grid.getparent().getparent()
    flipped = local(outer) == "msup" and _script(outer) == TRANSPOSED
    names = (mi for mi in nearest(grid, "math").iter() if local(mi) == "mi")
    return {transposed != flipped for named, transposed in map(_named, names) if named == key}


def _named(mi: Element) -> tuple[str | None, bool]:
    """The step that a letter with its mark stands for, and whether it is transposed."""
    parent = mi.getparent()
    mark = _script(parent) if local(parent) == "msup" else ""
    transposed = mark == TRANSPOSED
    letter = "".join(mi.itertext())
    return step_of(MATRICES, letter, "" if transposed else mark), transposed


def _script(msup: Element) -> str:
    return "".join(msup[1].itertext()).strip()
