"""Recomputes the numbers of an example with NumPy alone, and says whether they agree.

It stands in the zip of an example, beside `numeric.py` and the files of the steps. Run it there:
`python check.py`. It ends with 1 where a number does not agree.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

import numeric
import numpy as np

RELATIVE = 1e-9  # what floats may lose on the way, beside the last place that is printed


def main(folder: Path) -> int:
    """Check an example, or each of its heads and what these make together."""
    heads = sorted(folder.glob("head-*"), key=lambda head: int(head.name.removeprefix("head-")))
    outputs, wrong = [], 0
    for head in heads:
        steps = recomputed(head)
        outputs.append(steps["output"])
        wrong += compared(head, steps)
    steps = numeric.together(outputs, **named(folder, "w_o", "b_o")) if heads \
        else recomputed(folder)
    wrong += compared(folder, steps)
    print("All numbers agree." if not wrong else f"{wrong} numbers do not agree.")
    return int(wrong > 0)


def recomputed(folder: Path) -> dict[str, np.ndarray]:
    """Every step of one head, from what was typed."""
    mask = step(folder, "mask")
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    more = {"mask": None if mask is None else mask.astype(bool),
            "divisor": None if about["divisor"] is None else float(Fraction(about["divisor"]))}
    if (folder / "w_q.json").is_file():
        inputs = named(folder, "w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
        context = step(folder, "context")
        return numeric.attention(step(folder, "embeddings"), context_x=context, **inputs, **more)
    return numeric.attend(*(step(folder, key) for key in ("queries", "keys", "values")), **more)


def named(folder: Path, *keys: str) -> dict[str, np.ndarray]:
    """Those of these steps that there are."""
    found = {key: step(folder, key) for key in keys}
    return {key: matrix for key, matrix in found.items() if matrix is not None}


def step(folder: Path, key: str) -> np.ndarray | None:
    """A step as floats: exact where it was typed."""
    path = folder / f"{key}.json"
    if not path.is_file():
        return None
    data = json.loads(path.read_text(encoding="utf-8"))
    numbers = [float(Fraction(entry["exact"])) for entry in data["entries"]]
    return np.array(numbers).reshape(data["rows"], data["columns"])


def compared(folder: Path, steps: dict[str, np.ndarray]) -> int:
    """How many printed numbers of these steps are not those that were recomputed."""
    wrong = 0
    for key, matrix in steps.items():
        path = folder / f"{key}.json"
        if path.is_file():
            data = json.loads(path.read_text(encoding="utf-8"))
            off = sum(not agrees(entry["decimal"], matrix[entry["row"] - 1, entry["column"] - 1])
                      for entry in data["entries"])
            print(f"{folder.name} {key}: {matrix.size} numbers, {off} do not agree")
            wrong += off
    return wrong


def agrees(printed: str, number: float) -> bool:
    """Is this float the printed decimal, to its last place?"""
    if printed == "-oo":
        return bool(np.isneginf(number))
    digits, _, power = printed.partition("e")
    unit = Fraction(10) ** (int(power or 0) - len(digits.partition(".")[2]))
    exact = Fraction(digits) * Fraction(10) ** int(power or 0)
    if not np.isfinite(number):  # beyond the largest float
        return exact > Fraction(sys.float_info.max) / 2
    slack = Fraction(RELATIVE) * (abs(exact) + 1)
    return abs(Fraction(float(number)) - exact) <= unit / 2 + slack


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent))
