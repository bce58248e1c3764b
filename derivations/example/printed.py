"""What a file has under `published`: the numbers that its source prints, read exactly."""

import re
from typing import Any

from derivations.example.fields import (
    HIDDEN,
    check_widths,
    is_flat,
    read_list_of_rows,
    row_of,
    usual_width,
)
from derivations.example.meant import alike
from derivations.example.places import read_precisions
from derivations.example.published import (
    Entry,
    Number,
    Precision,
    Published,
    Shape,
    step_of,
)
from derivations.faults import Fault, count
from derivations.numbers import NotANumber, bare, read_number, shown

OF_HEAD = re.compile(r"head(\d{1,9})\.", re.ASCII)
Rows = tuple[tuple[Number, ...], ...]


def read_published(
    data: dict[str, Any], shapes: dict[str, Shape], faults: list[Fault]
) -> tuple[Published, ...]:
    """What an example file says of its source's numbers; each fault is noted.

    `shapes` are those of the steps that the example has, by their names in a verdict; a size that
    is not known is 0.
    """
    entries = _entries(_table(data, "published", faults) or {}, faults)
    places = _table(data, "published_places", faults)
    precisions = {} if places is None else read_precisions(places, entries, shapes, faults)
    read = [(entry, _rows(entry, shapes, faults),
             precisions.get(entry.key) or precisions.get(entry.step)) for entry in entries]
    found = [(entry, _published(entry, rows, precision))
             for entry, rows, precision in read if precision]  # else a fault says so
    faults += _given_twice(found)
    return tuple(published for _, published in found)


def _given_twice(found: list[tuple[Entry, Published]]) -> list[Fault]:
    """The numbers of a head that stand both by its name and in its table."""
    first: dict[str, Entry] = {}
    return [Fault(entry.where, f"is given already, as {first[published.name].where}; take one away")
            for entry, published in found
            if first.setdefault(published.name, entry) is not entry]


def _published(entry: Entry, rows: Rows, precision: Precision) -> Published:
    """What was read; head1.weights is the same as weights of head 1."""
    of_head = OF_HEAD.match(entry.key)
    head, key = (int(of_head[1]), entry.key[of_head.end():]) if of_head \
        else (entry.head, entry.key)
    return Published(step_of(key), head, key, entry.first or 0, rows, precision)


def _table(data: dict[str, Any], key: str, faults: list[Fault]) -> dict[str, Any] | None:
    """The table under a key; None where something else stands there."""
    found = data.get(key, {})
    if isinstance(found, dict):
        return found
    faults.append(Fault(key, f"found {shown(found)}, expected a table of steps: write [{key}], and "
                        "below it a line for each step"))
    return None


def _entries(found: dict[str, Any], faults: list[Fault]) -> list[Entry]:
    heads = found.get("heads", [])
    if not isinstance(heads, list) or not all(isinstance(head, dict) for head in heads):
        faults.append(Fault("published.heads", f"found {shown(heads)}, expected a table for each "
                            "head, each below [[published.heads]]"))
        heads = []
    entries = [Entry(f"published.{bare(key)}", 0, key, rows) for key, rows in found.items()
               if key != "heads"]
    return entries + [Entry(f"published.heads {number} {bare(key)}", number, key, rows)
                      for number, head in enumerate(heads, 1) for key, rows in head.items()]


def _rows(entry: Entry, shapes: dict[str, Shape], faults: list[Fault]) -> Rows:
    """The numbers of an entry, of the shape that its step has; all their faults are noted."""
    if entry.name not in shapes:
        faults.append(Fault(entry.where, _no_such_step(entry, shapes)))
    rows: Any = entry.rows
    if entry.first is not None and isinstance(rows, list) and rows and is_flat(rows):
        rows = [rows]
    numbers = tuple(_row(entry.where, number, row, faults) for number, row
                    in enumerate(read_list_of_rows(rows, entry.where, faults), 1))
    _check_shape(entry, numbers, shapes.get(entry.name, (0, 0)), faults)
    return numbers


def _no_such_step(entry: Entry, shapes: dict[str, Shape]) -> str:
    """Says which steps there are instead, here or with the heads."""
    start = entry.name.removesuffix(entry.step)
    known = [one.removeprefix(start) for one in shapes
             if (one.startswith(start) if start else not one.startswith("head"))]
    if not known:
        return f"this example has no head {entry.head}"
    if not start and f"head1.{entry.step}" in shapes:
        return "belongs to each head: write it below [[published.heads]]; here stand " \
            + ", ".join(known)
    other = alike(entry.step, known)
    return "this example has no such step; it has " + ", ".join(known) \
        + (f"; did you mean {other}?" if other else "")


def _row(where: str, number: int, row: object, faults: list[Fault]) -> tuple[Number, ...]:
    found: list[Number] = []
    for col, written in enumerate(row_of(row, where, number, faults), 1):
        try:
            found.append(None if written in HIDDEN else read_number(written))
        except NotANumber as problem:
            faults.append(Fault(where, str(problem), row=number, col=col))
            found.append(None)
    return tuple(found)


def _check_shape(entry: Entry, numbers: Rows, shape: Shape, faults: list[Fault]) -> None:
    """Are there as many rows and columns as the step has, where they are known?"""
    rows, cols = shape
    size = f"is {rows} by {cols}" if rows else f"has {count(cols, 'column')}"
    why = f": {entry.name} {size} here" if cols else ""
    wanted = rows if entry.first is None else 1
    if rows and (entry.first or 0) >= rows:
        faults.append(Fault(entry.where, f"names row {entry.first}, expected one from 0 to "
                            f"{rows - 1}"))
    if numbers and wanted and len(numbers) != wanted:
        faults.append(Fault(entry.where, f"has {count(len(numbers), 'row')}, expected {wanted}"
                            + (why if rows and entry.first is None else "")))
    if width := cols or usual_width(numbers):
        check_widths(numbers, entry.where, width, faults, why)
