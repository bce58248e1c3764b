"""The numbers that a source prints for an example: read exactly, each with its last printed place.

Sources name the steps of attention in many ways; the names here are those of the example format.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.faults import Fault, count
from derivations.numbers import NotANumber, read_number, shown

HIDDEN = ("-inf", "-Infinity", "-∞")
MOST_PLACES = 40
_ROW = re.compile(r"(\w+?)_row(\d+)")
_SIGNIFICANT = re.compile(r"([1-9]\d?)sig")
Number = Fraction | None
Shape = tuple[int, int]


@dataclass(frozen=True)
class Precision:
    """How far a source prints: `exact`, to so many `significant` digits, or decimal `places`."""

    places: int = 0
    significant: int = 0
    exact: bool = False


@dataclass(frozen=True)
class Published:
    """Some rows of a step as a source prints them; None stands for minus infinity.

    `head` counts from 1; 0 where the step is not of one head. `key` is its key in the file, such as
    weights_row1, and `first` the place of its first row, from 0.
    """

    step: str
    head: int
    key: str
    first: int
    rows: tuple[tuple[Number, ...], ...]
    precision: Precision

    @property
    def name(self) -> str:
        """Its name in a verdict: output, head1.output, or weights_row1."""
        return f"head{self.head}.{self.key}" if self.head else self.key

    @property
    def matrix(self) -> str:
        """The name of the matrix whose rows these are: output, or head1.output."""
        return f"head{self.head}.{self.step}" if self.head else self.step


def read_published(
    data: dict[str, Any], shapes: dict[str, Shape], faults: list[Fault]
) -> tuple[Published, ...]:
    """What an example file says of its source's numbers; each fault is noted.

    `shapes` are those of the steps that the example has, by their names in a verdict.
    """
    found, places = data.get("published", {}), data.get("published_places", {})
    for key, value in (("published", found), ("published_places", places)):
        if not isinstance(value, dict):
            faults.append(Fault(key, f"found {shown(value)}, expected a table of steps"))
            return ()
    heads = found.get("heads", [])
    if not isinstance(heads, list) or not all(isinstance(head, dict) for head in heads):
        faults.append(Fault("published.heads", f"found {shown(heads)}, expected a table for each "
                            "head"))
        heads = []
    steps = [(f"published.{key}", 0, key, rows) for key, rows in found.items() if key != "heads"]
    steps += [(f"published.heads {number} {key}", number, key, rows)
              for number, head in enumerate(heads, 1) for key, rows in head.items()]
    read = [_step(where, head, key, rows, places, shapes, faults)
            for where, head, key, rows in steps]
    return tuple(step for step in read if step)


def _step(
    where: str, head: int, key: str, rows: object, places: dict[str, Any],
    shapes: dict[str, Shape], faults: list[Fault],
) -> Published | None:
    before = len(faults)
    row = _ROW.fullmatch(key)
    step, first = (row[1], int(row[2])) if row else (key, 0)
    name = f"head{head}.{step}" if head else step
    if name not in shapes:
        faults.append(Fault(where, _no_such_step(head, step, shapes)))
        return None
    precision = _precision(where, key if key in places else step, places, faults)
    if row and isinstance(rows, list) and rows and not isinstance(rows[0], list):
        rows = [rows]
    numbers = _numbers(where, rows, faults)
    _check_shape(where, numbers, first, bool(row), shapes[name], faults)
    return Published(step, head, key, first, numbers, precision) \
        if len(faults) == before else None


def _no_such_step(head: int, step: str, shapes: dict[str, Shape]) -> str:
    """Says which steps there are instead, here or with the heads."""
    start = f"head{head}." if head else ""
    known = [one.removeprefix(start) for one in shapes
             if (one.startswith(start) if head else not one.startswith("head"))]
    if not known:
        return f"this example has no head {head}"
    if not head and f"head1.{step}" in shapes:
        return "belongs to each head: write it below [[published.heads]]; here stand " \
            + ", ".join(known)
    return "this example has no such step; it has " + ", ".join(known)


def _precision(where: str, step: str, places: dict[str, Any], faults: list[Fault]) -> Precision:
    found = places.get(step)
    if found == "exact":
        return Precision(exact=True)
    if isinstance(found, str) and (digits := _SIGNIFICANT.fullmatch(found)):
        return Precision(significant=int(digits[1]))
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST_PLACES:
        return Precision(places=found)
    told = "is missing" if found is None else f"found {shown(found)}"
    faults.append(Fault(f"published_places.{step}", f"{told}, expected how far {where} is printed: "
                        'a number of decimals, "5sig" for significant digits, or "exact"'))
    return Precision()


def _numbers(where: str, rows: object, faults: list[Fault]) -> tuple[tuple[Number, ...], ...]:
    if not isinstance(rows, list) or not rows:
        faults.append(Fault(where, f"found {shown(rows)}, expected a matrix: a list of rows"))
        return ()
    return tuple(_row(where, number, row, faults) for number, row in enumerate(rows, 1))


def _row(where: str, number: int, row: object, faults: list[Fault]) -> tuple[Number, ...]:
    if not isinstance(row, list) or not row:
        faults.append(Fault(where, f"found {shown(row)}, expected a row of numbers", row=number))
        return ()
    found: list[Number] = []
    for col, written in enumerate(row, 1):
        try:
            found.append(None if written in HIDDEN else read_number(written))
        except NotANumber as problem:
            faults.append(Fault(where, str(problem), row=number, col=col))
            found.append(None)
    return tuple(found)


def _check_shape(
    where: str, numbers: tuple[tuple[Number, ...], ...], first: int, is_row: bool,
    shape: Shape, faults: list[Fault],
) -> None:
    rows, cols = shape
    wanted = 1 if is_row else rows
    if is_row and first >= rows:
        faults.append(Fault(where, f"names row {first}, expected one from 0 to {rows - 1}"))
    if numbers and len(numbers) != wanted:
        faults.append(Fault(where, f"has {count(len(numbers), 'row')}, expected {wanted}"))
    for number, row in enumerate(numbers, 1):
        if row and len(row) != cols:
            faults.append(Fault(where, f"has {count(len(row), 'number')}, expected {cols}",
                                row=number))
