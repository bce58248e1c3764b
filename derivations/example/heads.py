"""The heads of an example file: each has matrices of its own, all share tokens and inputs."""

from dataclasses import dataclass, replace
from typing import Any

from derivations.example import fields
from derivations.example.fields import Matrix
from derivations.example.matrices import BIASES, DIRECT, EITHER, Given, read_given
from derivations.faults import Fault, count
from derivations.numbers import shown

OWN = ("w_q", "w_k", "w_v", *BIASES, *DIRECT)
SHARED = ("tokens", "sentence", "x", "context_tokens", "context_x")
TABLES = "expected a table for each head, with w_q, w_k and w_v of its own, each below [[heads]]"


@dataclass(frozen=True)
class Heads:
    """What each head is given, and the projection of all of them; [] for what there is not."""

    heads: list[Given]
    w_o: Matrix
    b_o: Matrix


def read_heads(data: dict[str, Any], faults: list[Fault]) -> Heads:
    """The heads of an example file, with keys as they were meant; none where it has none.

    Each fault is noted.
    """
    found = data.get("heads", [])
    if "heads" in data and not (isinstance(found, list) and any(map(_is_table, found))):
        faults.append(Fault("heads", f"found {shown(found)}, {TABLES}"))
        found = []
    if found:
        faults += [Fault(key, "give it in each head, or at the top without heads, not both")
                   for key in OWN if key in data]
    of_heads: list[Fault] = []
    given = [_head(data, number, head, of_heads) for number, head in enumerate(found, 1)]
    faults += dict.fromkeys(of_heads)  # what all share is told once
    heads = Heads([head for head in given if head], *_projection(data, faults))
    _check_tokens(heads, faults)
    if found and all(given):
        _check_projection(heads, faults)
    return heads


def _is_table(found: object) -> bool:
    return isinstance(found, dict)


def _check_tokens(heads: Heads, faults: list[Fault]) -> None:
    """Have all heads as many queries, and as many keys, as the first?"""
    for number, head in enumerate(heads.heads[1:], 2):
        for key, names in (("q", "tokens"), ("k", "key_tokens")):
            found, wanted = (len(getattr(one, names)) for one in (head, heads.heads[0]))
            if found and wanted and found != wanted:
                faults.append(Fault(f"heads {number} {key}", f"has {count(found, 'row')}, expected "
                                    f"{wanted} because heads 1 {key} has as many"))


def _head(data: dict[str, Any], number: int, head: object, faults: list[Fault]) -> Given | None:
    name = f"heads {number}"
    if not isinstance(head, dict):
        faults.append(Fault(name, f"found {shown(head)}, {TABLES}"))
        return None
    own: list[Fault] = []
    shared = {key: data[key] for key in SHARED if key in data}
    given = read_given(shared | head, own)
    faults += [replace(fault, key=name if EITHER in fault.message else f"{name} {fault.key}")
               if fault.key in OWN or EITHER in fault.message else fault for fault in own]
    return given


def _projection(data: dict[str, Any], faults: list[Fault]) -> tuple[Matrix, Matrix]:
    if "heads" not in data:
        faults += [Fault(key, "projects the outputs of heads; give heads, or take it away")
                   for key in ("w_o", "b_o") if key in data]
        return [], []
    w_o = fields.read_matrix(data, "w_o", faults) if "w_o" in data else []
    b_o = fields.read_row(data, "b_o", faults) if "b_o" in data else []
    if "b_o" in data and "w_o" not in data:
        faults.append(Fault("w_o", "is missing: b_o is added to what w_o makes"))
    return w_o, b_o


def _check_projection(heads: Heads, faults: list[Fault]) -> None:
    """Has W^O a row for each number of all outputs, and b^O a number for each of its columns?"""
    widths = [head.shape("v")[1] or head.shape("w_v")[1] for head in heads.heads]
    made, added = fields.shape_of(heads.w_o)[1], fields.shape_of(heads.b_o)[1]
    if heads.w_o and all(widths) and len(heads.w_o) != sum(widths):
        faults.append(Fault("w_o", f"has {count(len(heads.w_o), 'row')}, expected {sum(widths)}: "
                            f"the outputs of {count(len(widths), 'head')} have as many columns "
                            "together"))
    if made and added and made != added:
        faults.append(Fault("b_o", f"has {count(added, 'number')}, expected {made} because w_o "
                            "has as many columns"))
