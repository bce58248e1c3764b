"""The Attention node of ONNX: its own test cases, through the twin and through the exact engine.

Left out are the expanded forms (the same cases, written in other nodes) and what the format of
examples cannot say; `NEEDS` names that, and how many cases need it.
"""

import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from derivations import numeric
from derivations.attention import derive
from derivations.example import build
from derivations.floats import nearest

onnx = pytest.importorskip("onnx", reason="the cases of ONNX come with the package onnx")

EXPRESSED = 26
NEEDS = {"additive mask": 42, "past keys": 21, "grouped heads": 17, "padding length": 13,
         "softcap": 11, "window": 10}  # some cases need several of these
OUTPUTS = {0: "scaled_scores", 3: "weights"}  # of qk_matmul_output_mode, where no mask is added
TOLERANCE = {"float32": 2e-6, "float16": 2e-3, "bfloat16": 2e-2}  # they were computed in these

Single = tuple[list[np.ndarray], np.ndarray | None, dict[str, np.ndarray]]


@dataclass(frozen=True)
class Case:
    """A case: what goes into the node, what comes out, and its attributes."""

    name: str
    attributes: dict[str, float]
    given: dict[str, np.ndarray]
    expected: dict[str, np.ndarray]

    @cached_property
    def needs(self) -> set[str]:
        """What the format cannot say."""
        mask = self.given.get("attn_mask")
        found = {
            "additive mask": mask is not None and mask.dtype != bool,
            "past keys": "past_key" in self.given,
            "padding length": "nonpad_kv_seqlen" in self.given,
            "softcap": self.attributes.get("softcap", 0) != 0,
            "window": any(self.attributes.get(f"{side}_window_size", -1) >= 0
                          for side in ("left", "right")),
            "grouped heads": self.heads("Q") != self.heads("K"),
        }
        return {name for name, holds in found.items() if holds}

    def heads(self, name: str) -> int:
        """How many heads a tensor has."""
        tensor = self.given[name]
        if tensor.ndim == 4:
            return tensor.shape[1]
        return int(self.attributes["q_num_heads" if name == "Q" else "kv_num_heads"])

    def split(self, tensor: np.ndarray) -> np.ndarray:
        """A tensor by batch and head: [batch, heads, n, d]."""
        if tensor.ndim == 4:
            return tensor
        batch, n, width = tensor.shape
        heads = self.heads("Q")
        return tensor.reshape(batch, n, heads, width // heads).transpose(0, 2, 1, 3)

    @property
    def mask(self) -> np.ndarray | None:
        """Who may attend to whom: [batch, heads, n_q, n_k]; None where all may."""
        shape = (*self.split(self.given["Q"]).shape[:3], self.split(self.given["K"]).shape[2])
        marks = self.given.get("attn_mask")
        if marks is None and not self.attributes.get("is_causal"):
            return None
        allowed = np.broadcast_to(True if marks is None else marks, shape)
        return allowed & np.tri(*shape[2:], dtype=bool) if self.attributes.get("is_causal") \
            else allowed

    @property
    def scale(self) -> Fraction | None:
        """What scores are divided by; None for the root of d_k."""
        factor = self.attributes.get("scale")
        return None if factor is None else 1 / Fraction(factor)

    def singles(self) -> Iterator[Single]:
        """Each batch and head: queries, keys and values, a mask, and what is expected."""
        q, k, v = (self.split(self.given[name]) for name in "QKV")
        mode = int(self.attributes.get("qk_matmul_output_mode", 0))
        wanted = {"output": self.split(self.expected["Y"])}
        if "qk_matmul_output" in self.expected:
            wanted[OUTPUTS[mode]] = self.expected["qk_matmul_output"]
        for place in np.ndindex(*q.shape[:2]):
            yield ([one[place] for one in (q, k, v)],
                   None if self.mask is None else self.mask[place],
                   {key: tensor[place] for key, tensor in wanted.items()})


def _attribute(attribute: Any) -> float:
    return attribute.i if attribute.type == 2 else attribute.f


def _case(found: Any) -> Case:
    (node,), ((given, expected),) = found.model.graph.node, found.data_sets
    named = [name for name in node.input if name]
    wanted = [name for name in node.output if name]
    return Case(found.name, {one.name: _attribute(one) for one in node.attribute},
                dict(zip(named, given, strict=True)), dict(zip(wanted, expected, strict=True)))


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Every case but the expanded ones."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():  # of other nodes' cases, on their way
        warnings.simplefilter("ignore")
        found = collect_testcases("Attention")
    return [_case(one) for one in found if not one.name.endswith("_expanded")]


def near(found: np.ndarray, case: Case, key: str, expected: np.ndarray) -> bool:
    tolerance = TOLERANCE[str(case.given["Q"].dtype)]
    return bool(np.allclose(found, expected.astype(np.float64), rtol=tolerance, atol=tolerance))


def by_twin(matrices: list[np.ndarray], mask: np.ndarray | None, case: Case) -> dict[str, Any]:
    divisor = None if case.scale is None else float(case.scale)
    floats = (one.astype(np.float64) for one in matrices)
    return numeric.attend(*floats, divisor=divisor, mask=mask)


def by_engine(matrices: list[np.ndarray], mask: np.ndarray | None, case: Case) -> dict[str, Any]:
    """As an example file would say it: floats are fractions, written as such."""
    def rows(one: np.ndarray) -> list[list[str]]:
        return [["{}/{}".format(*float(x).as_integer_ratio()) for x in row] for row in one]

    data = dict(zip("qkv", map(rows, matrices), strict=True))
    data |= {} if mask is None else {"mask": mask.astype(int).tolist()}
    data |= {} if case.scale is None else {"scale": f"{case.scale.numerator}/"
                                                    f"{case.scale.denominator}"}
    derivation = derive(build(Path("onnx.toml"), data))
    return {key: np.array(nearest(derivation[key].values)) for key in ("scaled_scores", "weights",
                                                                       "output")}


def test_every_case_that_the_format_can_express_passes(cases: list[Case]) -> None:
    expressed = [case for case in cases if not case.needs]
    assert len(expressed) == EXPRESSED
    for case in expressed:
        for matrices, mask, expected in case.singles():
            for route in (by_twin, by_engine):
                found = route(matrices, mask, case)
                for key, wanted in expected.items():
                    assert near(found[key], case, key, wanted), (case.name, key, route.__name__)


def test_what_is_left_out_is_listed(cases: list[Case]) -> None:
    left = [case for case in cases if case.needs]
    assert Counter(need for case in left for need in case.needs) == NEEDS
    assert len(cases) == EXPRESSED + len(left) == 93


def test_a_wrong_twin_fails_some_case(
    cases: list[Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("derivations.numeric.root_of_width", lambda keys: float(keys.shape[1]))
    with pytest.raises(AssertionError, match="by_twin"):
        test_every_case_that_the_format_can_express_passes(cases)
