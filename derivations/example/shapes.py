"""The shapes of what a source may print for an example, as far as its file tells them."""

from typing import Any

from derivations.example.fields import shape_of
from derivations.example.heads import Heads
from derivations.example.matrices import Given
from derivations.example.published import Shape


def printed_shapes(data: dict[str, Any], heads: Heads, given: Given) -> dict[str, Shape]:
    """The shape of every matrix that a source may print, by its name in a verdict.

    A size is 0 where it is not known, or in doubt: what the source prints is not measured by it.
    There are none where heads are given that cannot be read.
    """
    is_masked = data.get("mask", "none") != "none"
    if not heads.heads:
        return {} if "heads" in data else _of_head(given, is_masked)
    found = {f"head{number}.{name}": shape for number, head in enumerate(heads.heads, 1)
             for name, shape in _of_head(head, is_masked).items()}
    widths = [head.size("d_v", sure=True) for head in heads.heads]
    n_q, together = given.size("n_q", sure=True), sum(widths) if all(widths) else 0
    found["concat"] = n_q, together
    found["output"] = n_q, shape_of(heads.w_o)[1] if "w_o" in data else together
    return found


def _of_head(head: Given, is_masked: bool) -> dict[str, Shape]:
    n_q, n_k, d_k, d_v = (head.size(name, sure=True) for name in ("n_q", "n_k", "d_k", "d_v"))
    given = {} if head.is_direct else {
        "w_q": (head.size("d_model", sure=True), d_k),
        "w_k": (head.size("d_in", sure=True), d_k), "w_v": (head.size("d_in", sure=True), d_v)}
    pairs = ["scores", "scaled", "weights"]
    pairs += ["masked_scores", "masked_scaled"] if is_masked else []
    return given | {"q": (n_q, d_k), "k": (n_k, d_k), "v": (n_k, d_v), "output": (n_q, d_v)} \
        | dict.fromkeys(pairs, (n_q, n_k))
