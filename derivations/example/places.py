"""How far a source prints each step: what a file has under `published_places`."""

import re
from collections.abc import Sequence
from typing import Any

from derivations.example.meant import alike, nearest
from derivations.example.published import Entry, Precision, Shape, step_of
from derivations.faults import Fault, listed
from derivations.numbers import bare, shown

MOST_PLACES = 40
WANTED = 'a number of decimals, "5sig" for significant digits, or "exact"'
_SIGNIFICANT = re.compile(r"([1-9]\d?)sig")


def read_precisions(
    places: dict[str, Any], entries: Sequence[Entry], shapes: dict[str, Shape], faults: list[Fault]
) -> dict[str, Precision]:
    """How far each step is printed, by its key or its step. Each fault is noted.

    `entries` are what is printed, `shapes` those of all that the example has.
    """
    printed = {entry.key: entry.where for entry in entries if entry.name in shapes}
    steps = {name.rpartition(".")[2] for name in shapes}
    unknown = [key for key in places if step_of(key) not in steps | shapes.keys()
               and key not in {entry.key for entry in entries}]  # there a fault is told already
    missing = [key for key in printed if not _has(places, key)]
    meant = _meant(places, unknown, missing, sorted(steps), faults)
    meant |= {key: found for key, found in places.items() if key not in unknown}
    _tell_missing([key for key in printed if not _has(meant, key)], printed, faults)
    return {key: precision for key, found in meant.items()
            if (precision := _precision(key, found, printed.get(key, "it"), faults))}


def _has(places: dict[str, Any], key: str) -> bool:
    return key in places or step_of(key) in places


def _meant(
    places: dict[str, Any], unknown: list[str], missing: list[str], steps: list[str],
    faults: list[Fault],
) -> dict[str, Any]:
    """The places of the missing keys that the unknown ones mean."""
    meant: dict[str, Any] = {}
    for key in unknown:
        other = alike(key, missing)
        told = f"did you mean {other}?" if other else nearest(key, steps)
        faults.append(Fault(_place(key), f"no such step; {told}"))
        if other:
            meant.setdefault(other, places[key])
    return meant


def _place(key: str) -> str:
    return f"published_places.{bare(key)}"


def _tell_missing(missing: list[str], printed: dict[str, str], faults: list[Fault]) -> None:
    """One line, however many are missing."""
    if missing[1:]:
        faults.append(Fault("published_places", f"{listed(missing)} are missing, expected how far "
                            f"each is printed: {WANTED}"))
    elif missing:
        faults.append(Fault(_place(missing[0]), "is missing, expected how far "
                            f"{printed[missing[0]]} is printed: {WANTED}"))


def _precision(key: str, found: object, where: str, faults: list[Fault]) -> Precision | None:
    if found == "exact":
        return Precision(exact=True)
    if isinstance(found, str) and (digits := _SIGNIFICANT.fullmatch(found)):
        return Precision(significant=int(digits[1]))
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST_PLACES:
        return Precision(places=found)
    faults.append(Fault(_place(key), f"found {shown(found)}, expected how far {where} is printed: "
                        + WANTED))
    return None
