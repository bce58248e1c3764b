"""An example file -> Example: exact numbers, checked shapes, every fault of the file at once."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from derivations import example_fields as fields
from derivations.example_syntax import parse, unknown_keys
from derivations.faults import ExampleError, Fault
from derivations.numbers import common_denominator, shown
from derivations.step import Divisor
from derivations.values import Open, Rationals

MATRICES = ("x", "w_q", "w_k", "w_v")
TEXTS = ("title", "source", "note", "author", "language")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Example:
    """An example, checked: n tokens, x [n, d_model].

    w_q and w_k are [d_model, d_k], w_v is [d_model, d_v], mask is [n, n]. `typed` is the text of
    its file.
    """

    slug: str
    file: str
    title: str
    tokens: tuple[str, ...]
    x: Rationals
    w_q: Rationals
    w_k: Rationals
    w_v: Rationals
    mask: Open | None
    divisor: Divisor
    places: int
    source: str
    note: str
    author: str
    language: str
    typed: str = ""


def load(path: Path) -> Example:
    """Read and check an example file (.toml, or .json with the same keys).

    Raises ExampleError with every fault of the file.
    """
    example = build(path, parse(path))
    return replace(example, typed=path.read_text(encoding="utf-8-sig"))


def build(path: Path, data: dict[str, Any]) -> Example:
    """Check parsed data as an Example; `path` gives the slug and names the file in messages."""
    faults: list[Fault] = []
    if not _SLUG.fullmatch(path.stem):
        faults.append(Fault("file name", f"{shown(path.stem)} may hold only a-z, 0-9 and single "
                            "hyphens between them: it becomes the address of the page"))
    faults += unknown_keys(data)
    tokens = fields.read_tokens(data, faults)
    matrices = {key: fields.read_matrix(data, key, faults) for key in MATRICES}
    fields.check_shapes(tokens, matrices, faults)
    mask = fields.read_mask(data, len(tokens) if tokens else None, faults)
    texts = {key: fields.read_text(data, key, faults) for key in TEXTS}
    places = fields.read_places(data, faults)
    divisor = fields.read_divisor(data, matrices["w_q"], faults)
    if faults:
        raise ExampleError(path.name, faults)
    x, w_q, w_k, w_v = (common_denominator(rows) for rows in matrices.values())
    if not fields.is_visible(texts["title"]):
        texts["title"] = " ".join(tokens)
    return Example(path.stem, path.name, tokens=tuple(tokens), x=x, w_q=w_q, w_k=w_k, w_v=w_v,
                   mask=mask, divisor=divisor, places=places, **texts)
