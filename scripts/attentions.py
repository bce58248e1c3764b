"""Attention as libraries have it: each called with matrices, and with its own names of arguments.

A library is imported only when it is called. Queries are [n_q, d_k], keys [n_k, d_k], values
[n_k, d_v], NumPy's arrays of float32 or float64, and so is what comes back: [n_q, d_v].
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from derivations import numeric

LIBRARIES = {"numpy": "NumPy", "onnx": "ONNX", "torch": "PyTorch", "jax": "JAX"}
PADDING = "key_padding_mask"
Matrix = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Attention:
    """A library's module, what of it is called, how to run it, and how its arguments are named.

    After a comma the call says with what else. `mask` takes booleans, `added` what is added to the
    scores, `scale` a number; '' where there is no such argument.
    """

    module: str
    call: str
    run: Callable[..., Matrix]
    mask: str = ""
    added: str = ""
    causal: str = ""
    scale: str = ""

    @property
    def library(self) -> str:
        """The library's name."""
        return LIBRARIES[self.module]


def installed() -> list[Attention]:
    """Those that can be called here."""
    return [one for one in ATTENTIONS if find_spec(one.module)]


def by_numpy(q: Matrix, k: Matrix, v: Matrix, **options: Any) -> Matrix:
    """Our own lines: NumPy has no attention."""
    return numeric.attend(q, k, v, **options)["output"]


def by_onnx(q: Matrix, k: Matrix, v: Matrix, **options: Any) -> Matrix:
    """The Attention node, by ONNX's reference implementation. Matrices are inputs of it."""
    from onnx.helper import make_node  # noqa: PLC0415 (only where it is installed)
    from onnx.reference import ReferenceEvaluator  # noqa: PLC0415

    inputs, attributes = _apart({"Q": q, "K": k, "V": v} | options)
    order = ("Q", "K", "V", "attn_mask", "past_key", "past_value")
    node = make_node("Attention", [name if name in inputs else "" for name in order], ["Y"],
                     **attributes)
    return ReferenceEvaluator(node).run(None, _with_axes(inputs))[0][0, 0]


def by_onnx_with_a_past(q: Matrix, k: Matrix, v: Matrix, **_: Any) -> Matrix:
    """The same, causal, where only the last keys are new: as many as there are queries."""
    past = len(k) - len(q)
    return by_onnx(q, k[past:], v[past:], past_key=k[:past], past_value=v[:past], is_causal=1)


def by_torch(q: Matrix, k: Matrix, v: Matrix, **options: Any) -> Matrix:
    """PyTorch's function."""
    from torch.nn.functional import scaled_dot_product_attention  # noqa: PLC0415

    found = scaled_dot_product_attention(*_tensors(q, k, v), **_with_tensors(options))
    return found.numpy()


def by_torch_lower_right(q: Matrix, k: Matrix, v: Matrix, **_: Any) -> Matrix:
    """The same, with the causal mask that PyTorch has for the other alignment."""
    from torch.nn.attention.bias import causal_lower_right  # noqa: PLC0415
    from torch.nn.functional import scaled_dot_product_attention  # noqa: PLC0415

    heads = (one[None, None] for one in _tensors(q, k, v))
    return scaled_dot_product_attention(*heads, causal_lower_right(len(q), len(k)))[0, 0].numpy()


def by_layer(
    q: Matrix, k: Matrix, v: Matrix, *, need_weights: bool = True, **options: Any
) -> Matrix:
    """PyTorch's layer, its own matrices all the identity: q, k and v must be equally wide.

    A mask of keys alone is the first row of the one given.
    """
    import torch  # noqa: PLC0415

    heads = _tensors(q, k, v)
    masks = {name: mask[0] if name == PADDING else mask for name, mask in options.items()}
    layer = torch.nn.MultiheadAttention(q.shape[1], 1, bias=False, dtype=heads[0].dtype)
    identity = torch.eye(q.shape[1], dtype=heads[0].dtype)
    with torch.no_grad():
        layer.in_proj_weight.copy_(identity.repeat(3, 1))
        layer.out_proj.weight.copy_(identity)
        return layer(*heads, need_weights=need_weights, **_with_tensors(masks))[0].numpy()


def by_jax(q: Matrix, k: Matrix, v: Matrix, **options: Any) -> Matrix:
    """JAX's function. It takes equal widths only: columns of 0 are added, and cut off again."""
    import jax  # noqa: PLC0415

    jax.config.update("jax_enable_x64", True)
    width = max(q.shape[1], v.shape[1])
    heads = [np.pad(one, ((0, 0), (0, width - one.shape[1])))[None, :, None] for one in (q, k, v)]
    masks, others = _apart({"scale": q.shape[1] ** -0.5} | options)
    found = jax.nn.dot_product_attention(*heads, **_with_axes(masks), **others)
    return np.asarray(found)[0, :, 0, : v.shape[1]]


def _apart(options: dict[str, Any]) -> tuple[dict[str, Matrix], dict[str, Any]]:
    """The matrices among options, and the others."""
    matrices = {name: one for name, one in options.items() if isinstance(one, np.ndarray)}
    return matrices, {name: one for name, one in options.items() if name not in matrices}


def _with_axes(matrices: dict[str, Matrix]) -> dict[str, Matrix]:
    """As those of one head of one example in a batch."""
    return {name: one[None, None] for name, one in matrices.items()}


def _tensors(*matrices: Matrix) -> list[Any]:
    import torch  # noqa: PLC0415

    return [torch.from_numpy(one) for one in matrices]


def _with_tensors(options: dict[str, Any]) -> dict[str, Any]:
    matrices, others = _apart(options)
    return dict(zip(matrices, _tensors(*matrices.values()), strict=True)) | others


FUNCTION, LAYER = "scaled_dot_product_attention", "MultiheadAttention"


def _layers() -> Iterable[Attention]:
    """PyTorch's layer, which gives its weights or not, with each of its masks."""
    for call, more in ((LAYER, {}), (f"{LAYER}, need_weights=False", {"need_weights": False})):
        for mask in ("attn_mask", PADDING):
            yield Attention("torch", call, partial(by_layer, **more), mask=mask, added=mask)


ATTENTIONS = (
    Attention("numpy", "attend", by_numpy, mask="mask", scale="divisor"),
    Attention("onnx", "Attention", by_onnx, mask="attn_mask", added="attn_mask",
              causal="is_causal", scale="scale"),
    Attention("onnx", "Attention, past_key", by_onnx_with_a_past, causal="is_causal"),
    Attention("torch", FUNCTION, by_torch, mask="attn_mask", added="attn_mask",
              causal="is_causal", scale="scale"),
    Attention("torch", f"{FUNCTION}, causal_lower_right", by_torch_lower_right,
              causal="attn_mask"),
    *_layers(),
    Attention("jax", "dot_product_attention", by_jax, mask="mask", added="bias",
              causal="is_causal", scale="scale"),
)
