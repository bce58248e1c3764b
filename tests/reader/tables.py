"""Tables: the row a formula stands in, the entry a row is about, the place of a cell."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .mathml import local
from .refs import Address, address_of
from .table import Truth

Element = Any


def nearest(element: Element, name: str) -> Element | None:
    """The nearest ancestor of this name."""
    element = element.getparent()
    while element is not None and local(element) != name:
        element = element.getparent()
    return element


def in_math(element: Element) -> bool:
    """Does it stand inside a formula?"""
    return nearest(element, "math") is not None


def entry_ids(element: Element, truth: Truth) -> list[Address]:
    """The entries that an element and those below it have as id, formulas' insides left out."""
    found = [
        address_of(inner.get("id"), truth)
        for inner in element.iter()
        if local(inner) and inner.get("id") and not in_math(inner)
    ]
    return [address for address in found if address]


def is_matrix(table: Element) -> bool:
    """Has the table, or what is around it, the class matrix?"""
    around = table.getparent()
    return any("matrix" in (e.get("class") or "").split() for e in (table, around) if e is not None)


def position_faults(table: Element, truth: Truth, counts: Counter[str]) -> Iterator[str]:
    """Cells of a matrix table that do not stand where their data-ref says."""
    number = 0
    for row in table.iter():
        if local(row) != "tr" or nearest(row, "table") is not table:
            continue
        cells = [refs for cell in row if local(cell) == "td" and (refs := _refs(cell, truth))]
        if cells:
            number += 1
            counts["cells"] += len(cells)
            yield from _row_faults(number, cells)


def _refs(cell: Element, truth: Truth) -> list[Address]:
    """The entries named in a cell."""
    found = [address_of(inner.get("data-ref"), truth)
             for inner in cell.iter() if local(inner) and inner.get("data-ref")]
    return [address for address in found if address]


def _row_faults(number: int, cells: list[list[Address]]) -> Iterator[str]:
    """Columns are counted for each step on its own: a normaliser may stand beside its row."""
    columns: Counter[str] = Counter()
    for refs in cells:
        columns[refs[0][0]] += 1
        for key, row, col in refs:
            place = (number, columns[key])
            if (row, col) != place:
                yield (f"{key}-r{row}c{col} stands in row {place[0]}, column {place[1]} "
                       f"of its table")
