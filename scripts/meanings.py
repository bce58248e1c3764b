"""What libraries mean by a mask, by causal and by a scale: found by running a small case.

Two queries, whose scores for three keys are 0, 1 and 2, and values that make the weights come out.
All sizes differ, so that none can be taken for another.
"""

from typing import Any

import numpy as np

from scripts.attentions import Attention, Matrix

QUERIES, KEYS, VALUES = (np.zeros((n, 5), np.float32) for n in (2, 3, 3))
QUERIES[:, 0], KEYS[:, 0], VALUES[:, :3] = 1, range(3), np.eye(3)
SHAPE = len(QUERIES), len(KEYS)
FACTORS = {"1/sqrt(d_k)": 5**-0.5, "1/d_k": 1 / 5, "1": 1.0}
UNCLEAR = "unclear"


def weights(one: Attention, **options: Any) -> Matrix:
    """The weights that come out: [2, 3]."""
    return one.run(QUERIES, KEYS, VALUES, **options)[:, : SHAPE[1]]


def named(one: Attention, argument: str) -> dict[str, str]:
    """Which argument of what this is about."""
    return {"library": one.library, "call": one.call, "argument": argument}


def of_masks(one: Attention) -> dict[str, str]:
    """What True means, and what comes out where every key is hidden: by booleans, by adding."""
    true = polarity(one)
    hidden = np.full(SHAPE, true == "hidden")
    infinite = np.full(SHAPE, -np.inf, dtype=np.float32)
    return named(one, one.mask) | {
        "true": true, "all_hidden": of_nothing(one, **{one.mask: hidden}), "added": one.added,
        "all_infinite": of_nothing(one, **{one.added: infinite}) if one.added else "",
    }


def polarity(one: Attention) -> str:
    """Is a key that is marked with True heard alone, or not at all?"""
    only_first = np.zeros(SHAPE, dtype=bool)
    only_first[:, 0] = True
    heard = float(weights(one, **{one.mask: only_first})[0, 0])
    return {1.0: "may attend", 0.0: "hidden"}.get(heard, UNCLEAR)


def of_nothing(one: Attention, **options: Any) -> str:
    """What comes out where every key is hidden."""
    out = weights(one, **options)
    if np.isnan(out).all():
        return "NaN"
    return closest(out, {"0": 0.0, "mean": 1 / len(KEYS), "not hidden": weights(one)})


def of_causal(one: Attention) -> dict[str, str]:
    """Where a causal mask begins, with fewer queries than keys."""
    heard = weights(one, **{one.causal: True}) > 0
    corners = {"top left": 0, "bottom right": len(KEYS) - len(QUERIES)}
    masks = {name: np.tri(*SHAPE, shift) for name, shift in corners.items()}
    return named(one, one.causal) | {"alignment": closest(heard, masks)}


def of_scale(one: Attention) -> dict[str, str]:
    """What scores are multiplied by if nothing is said, and what a given number does."""
    default, given = factor(weights(one)), factor(weights(one, **{one.scale: 2.0}))
    return named(one, one.scale) | {
        "default": closest(default, FACTORS),
        "given": closest(given, {"multiplies": 2.0, "divides": 1 / 2}),
    }


def factor(out: Matrix) -> float:
    """What a score of 1 has become: the logarithm of its weight over that of the score 0."""
    return float(np.log(out[0, 1] / out[0, 0]))


def closest(out: Any, kinds: dict[str, Any]) -> str:
    """The name of what came out."""
    return next((name for name, one in kinds.items() if np.allclose(out, one, rtol=1e-4)), UNCLEAR)
