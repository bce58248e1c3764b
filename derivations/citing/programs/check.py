"""Recomputes the numbers of an example with NumPy alone, and says whether they agree.

It stands in the zip of an example, beside `numeric.py` and the files of the steps. Run it there:
`python check.py`. It holds the JSON, CSV and NumPy files against what it works out, and ends with
1 where a number does not agree. (The LaTeX and the MathML are to be read, not to be computed with.)
"""

import csv
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
    """How many numbers of these steps, in any file, are not those that were recomputed."""
    wrong = 0
    for key, matrix in steps.items():
        if (folder / f"{key}.json").is_file():
            off = [f"  {said}, found {matrix[row, col]:.12g}" for said, row, col, is_right in
                   (*printed(folder, key, matrix), *stored(folder, key, matrix)) if not is_right]
            print("\n".join([f"{folder.name} {key}: {matrix.size} numbers, {len(off)} do not agree",
                             *off]))
            wrong += len(off)
    return wrong


def printed(folder: Path, key: str, matrix: np.ndarray) -> list[tuple[str, int, int, bool]]:
    """Each decimal of the JSON and the CSV: what it says, row, column (from 0), is it right?"""
    data = json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
    with (folder / f"{key}.csv").open(encoding="utf-8", newline="") as file:
        entries = {"json": data["entries"], "csv": list(csv.DictReader(file))}
    found = [(f"{key}.{kind}", int(entry["row"]) - 1, int(entry["column"]) - 1, entry["decimal"])
             for kind in entries for entry in entries[kind]]
    return [(f"{name} row {row + 1} column {col + 1}: {decimal}", row, col,
             agrees(decimal, matrix[row, col])) for name, row, col, decimal in found]


def stored(folder: Path, key: str, matrix: np.ndarray) -> list[tuple[str, int, int, bool]]:
    """The same of the array for NumPy."""
    array = np.load(folder / f"{key}.npz")[key]
    near = np.isclose(array, matrix, rtol=RELATIVE, atol=RELATIVE) | (array == matrix)
    return [(f"{key}.npz row {row + 1} column {col + 1}: {array[row, col]:.12g}", row, col,
             bool(near[row, col])) for row, col in np.ndindex(matrix.shape)]


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
