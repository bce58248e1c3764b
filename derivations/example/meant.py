"""An example file as it was meant: a misspelt key by its right name, a misplaced one in its place.

Each such key is told. What stands under it is read all the same, so that one run tells every fault.
"""

from collections.abc import Collection
from difflib import SequenceMatcher
from typing import Any

from derivations.example.heads import OWN
from derivations.example.matrices import DIRECT
from derivations.example.syntax import KEYS
from derivations.faults import Fault
from derivations.numbers import bare

ALIKE, SURE = 0.6, 0.75  # from here on two keys look alike; one is surely the other
LONGEST_KEY = 60
PRINTED = ("w_q", "w_k", "w_v", *DIRECT, "heads")  # keys that stand under `published` too
SIZES = ("n", "n_q", "n_k", "d", "d_model", "d_k", "d_v", "d_context", "n_heads", "num_heads")
Data = dict[str, Any]


def as_meant(data: Data, faults: list[Fault]) -> Data:
    """The keys of a file where and as they were meant; a fault for each that was not."""
    whole = _renamed(data, "", KEYS, faults)
    if "heads" in whole:
        whole["heads"] = _heads(whole, faults)
    for table in ("published", "published_places"):
        if isinstance(whole.get(table), dict):
            heading = f"{table}.", f"[{table}]"
            whole[table] = _raised(whole[table], PRINTED, heading, whole, faults)
    return whole


def _heads(whole: Data, faults: list[Fault]) -> object:
    """A list, where one heading [heads] was written, or [heads.1]; each head with its own keys."""
    found = whole["heads"]
    if isinstance(found, dict):
        faults.append(Fault("heads", "found a table, expected a list of tables: write [[heads]], "
                            "in double brackets, above each head"))
        parts = list(found.values())
        found = parts if parts and all(isinstance(part, dict) for part in parts) else [found]
    return [_head(whole, number, head, faults) for number, head in enumerate(found, 1)] \
        if isinstance(found, list) else found


def _head(whole: Data, number: int, head: object, faults: list[Fault]) -> object:
    if not isinstance(head, dict):
        return head
    name = f"heads {number} "
    own = _raised(head, OWN, (name, "the first [[heads]]"), whole, faults)
    return _renamed(own, name, OWN, faults)


def _raised(
    table: Data, own: Collection[str], heading: tuple[str, str], whole: Data, faults: list[Fault]
) -> Data:
    """A table with its own keys alone; those of the whole example are given to this."""
    name, above = heading
    for key in (key for key in table if key in KEYS and key not in own):
        faults.append(Fault(f"{name}{key}", "belongs to the whole example: write it at the top, "
                            f"before {above}"))
        whole.setdefault(key, table[key])
    return {key: value for key, value in table.items() if key not in KEYS or key in own}


def _renamed(table: Data, name: str, keys: Collection[str], faults: list[Fault]) -> Data:
    """A table without its unknown keys, but by the right name those that surely mean another."""
    missing = [key for key in keys if key not in table]
    meant = {key: value for key, value in table.items() if key in keys}
    for key in (key for key in table if key not in keys):
        told = "follows from the matrices; take it away" if key in SIZES \
            else nearest(key, keys, missing)
        faults.append(Fault(f"{name}{bare(key)}", f"unknown key; {told}"))
        if key not in SIZES and (other := alike(key, keys, missing, SURE)) in missing:
            meant.setdefault(other, table[key])
    return meant


def nearest(key: str, keys: Collection[str], missing: Collection[str] = ()) -> str:
    """What to say of an unknown key: the one that was meant perhaps, or all that there are."""
    other = alike(key, keys, missing)
    return f"did you mean {other}?" if other else f"known keys are {', '.join(keys)}"


def alike(
    key: str, keys: Collection[str], missing: Collection[str] = (), least: float = ALIKE
) -> str:
    """The key that looks most like another; of two, one that is missing. '' where none does."""
    def likeness(known: str) -> tuple[float, bool]:
        written = key[:LONGEST_KEY].casefold()
        return SequenceMatcher(None, written, known).ratio(), known in missing

    best = max(keys, key=likeness, default="")
    return best if best and likeness(best)[0] >= least else ""
