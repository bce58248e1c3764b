"""Which example it was: a digest of all that its numbers and labels depend on.

The same matrices give the same digest, however they are typed: 0.5 is 1/2, and TOML is JSON. Its
title, note and source may change, and what a source prints.
"""

import json
from hashlib import sha256
from typing import Any

from derivations.example import Example
from derivations.values import Rationals

LENGTH = 12  # hex digits that are shown
MATRICES = ("x", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "q", "k", "v", "context_x", "w_o", "b_o")


def digest(example: Example) -> str:
    """The first 12 hex digits of the SHA-256 of an example's canonical form."""
    return sha256(canonical(example)).hexdigest()[:LENGTH]


def canonical(example: Example) -> bytes:
    """JSON in UTF-8, its keys in order, without spaces; every number as an exact string."""
    return json.dumps(_data(example), ensure_ascii=False, sort_keys=True,
                      separators=(",", ":")).encode("utf-8", "surrogatepass")


def _data(example: Example) -> dict[str, Any]:
    divisor = example.divisor
    found: dict[str, Any] = {
        "tokens": example.tokens,
        "places": example.places,
        "divisor": [divisor.numerator, divisor.denominator, divisor.root],
    }
    if example.context_tokens:
        found["context_tokens"] = example.context_tokens
    if example.mask is not None:
        found["mask"] = [[int(bit) for bit in row] for row in example.mask]
    if example.heads:
        found["heads"] = [_data(head) for head in example.heads]
    return found | {key: _rows(matrix) for key in MATRICES
                    if (matrix := example.matrix(key)).is_given}


def _rows(matrix: Rationals) -> list[list[str]]:
    rows, cols = matrix.shape
    return [[str(matrix.entry(i, j)) for j in range(cols)] for i in range(rows)]
