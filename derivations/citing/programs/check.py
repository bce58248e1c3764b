"""Recomputes the numbers of an example with NumPy alone, and says whether they agree.

It stands in the zip of an example, beside `numeric.py` and the files of the steps. Run it there:
`python check.py`. It holds the JSON, CSV and NumPy files against what it works out, and ends with
1 where a number does not agree. (The LaTeX and the MathML are to be read, not to be computed with.)
"""

import csv
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numeric
import numpy as np

RELATIVE = 1e-9  # what floats may lose on the way, beside the last place that is printed
LOST = 1e-14  # and of the largest number on the way
DECIMAL = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
EXACT = re.compile(r"(?:exp|sqrt|[\d\s().+*/-])+")
ROW_SUM = re.compile(r"Z\[\d+\]")
Reader = Callable[[Path], Iterator[tuple[int, int, list[str]]]]


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
    """How many numbers of the steps of a folder, in any file, are not what they should be.

    What was typed is held against its exact value, all else against what was recomputed.
    """
    wrong, about = 0, json.loads((folder / "about.json").read_text(encoding="utf-8"))
    largest = max(np.abs(one[np.isfinite(one)]).max(initial=0) for one in steps.values())
    for key in about["steps"]:
        matrix = steps[key] if key in steps else step(folder, key)
        off = [f"  {key}.{kind} {fault}" for kind, read in READERS.items()
               for fault in faults_of(folder / f"{key}.{kind}", read, matrix, float(largest))]
        print("\n".join([f"{folder.name} {key}: {matrix.size} numbers, {len(off)} do not agree",
                         *off]))
        wrong += len(off)
    return wrong


def faults_of(path: Path, read: Reader, matrix: np.ndarray, largest: float) -> Iterator[str]:
    """What is wrong in a file: which number, as it stands there and as it was found here."""
    try:
        found = {(row, col): told for row, col, told in read(path)}
        for (row, col), number in np.ndenumerate(matrix):
            told = found.pop((row + 1, col + 1), [])
            yield from (f"row {row + 1} column {col + 1}: {shown(said)}, found {number:.12g}"
                        for said in told or ["nothing"]
                        if not agrees(said, float(number), largest))
        yield from (f"row {row} column {col}: there is no such place" for row, col in found)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        yield f"cannot be read: {type(error).__name__}: {error}"


def shown(said: str) -> str:
    """What is said, as one would write it."""
    return repr(float.fromhex(said)) if "0x" in said else said


def read_json(path: Path) -> Iterator[tuple[int, int, list[str]]]:
    """Row and column (from 1), and what the file says of the number."""
    for entry in json.loads(path.read_text(encoding="utf-8"))["entries"]:
        yield entry["row"], entry["column"], [entry["decimal"], entry["exact"]]


def read_csv(path: Path) -> Iterator[tuple[int, int, list[str]]]:
    """The same of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        for entry in csv.DictReader(file):
            yield int(entry["row"]), int(entry["column"]), [entry["decimal"], entry["exact"]]


def read_npz(path: Path) -> Iterator[tuple[int, int, list[str]]]:
    """The same of an array."""
    for (row, col), number in np.ndenumerate(np.load(path)[path.stem]):
        yield row + 1, col + 1, [float(number).hex()]


READERS = {"json": read_json, "csv": read_csv, "npz": read_npz}


def agrees(said: str, number: float, largest: float) -> bool:
    """Is this float what is said: a decimal to its last place, an exact value, a stored float?

    `largest` is the largest number on the way: a difference of such loses as much as they do.
    """
    if said == "-oo" or np.isneginf(number):
        return bool(np.isneginf(number)) and said in ("-oo", "-inf")
    slack = Fraction(RELATIVE) + Fraction(LOST) * Fraction(largest)
    if DECIMAL.fullmatch(said):
        return is_near(Fraction(said), number, slack + unit(said) / 2)
    if said.lstrip("-").startswith(("0x", "inf", "nan")):
        stored = float.fromhex(said)
        is_finite = math.isfinite(stored)
        return stored == number or (is_finite and is_near(Fraction(stored), number, slack))
    return agrees_exactly(said, number, slack)


def agrees_exactly(said: str, number: float, slack: Fraction) -> bool:
    """The same of an exact value; one that names a row sum, or is beyond floats, is not known."""
    if not EXACT.fullmatch(ROW_SUM.sub("1", said)):
        return False
    try:
        value = eval(said, {"__builtins__": {}, "exp": math.exp, "sqrt": math.sqrt})
    except (NameError, ArithmeticError):
        return True
    return is_near(Fraction(value), number, slack)


def unit(decimal: str) -> Fraction:
    """One in the last place of a decimal; of a whole number, nothing."""
    digits, _, power = decimal.partition("e")
    places = len(digits.partition(".")[2])
    return Fraction(10) ** (int(power or 0) - places) if places or power else Fraction(0)


def is_near(told: Fraction, number: float, slack: Fraction) -> bool:
    """Do they agree, but for what floats lose?"""
    if not np.isfinite(number):  # beyond the largest float
        return told > Fraction(sys.float_info.max) / 2
    return abs(Fraction(number) - told) <= slack + Fraction(RELATIVE) * abs(told)


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent))
