"""An example as one zip: its file, every step in every format, and a program that checks them."""

import io
import json
from fractions import Fraction
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from derivations.floats import nearest
from derivations.step import Derivation, Step

PACKAGE = Path(__file__).parents[1]
PROGRAMS = {"check.py": PACKAGE / "citing" / "programs" / "check.py",
            "numeric.py": PACKAGE / "numeric.py"}
READABLE = 0o644 << 16


def as_npz(steps: list[Step]) -> bytes:
    """The float64 values of steps by key; each exact value rounded to the nearest float."""
    out = io.BytesIO()
    np.savez(out, allow_pickle=False,
             **{step.key: np.array(nearest(step.values)) for step in steps})
    return out.getvalue()


def about(derivation: Derivation) -> bytes:
    """What the steps do not say: what scores are divided by; null for the root of d_k."""
    divisor = derivation.divisor
    said = None if divisor.kind == "sqrt_dk" else str(
        Fraction(divisor.numerator, divisor.denominator))
    return (json.dumps({"divisor": said}) + "\n").encode()


def bundle(folder: str, files: dict[str, bytes]) -> bytes:
    """A zip of these files in a folder of its own, with the programs; the same bytes each time."""
    programs = {name: path.read_bytes() for name, path in PROGRAMS.items()}
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as pack:
        for name, contents in sorted((files | programs).items()):
            entry = ZipInfo(f"{folder}/{name}")  # of 1980: no clock
            entry.external_attr, entry.compress_type = READABLE, ZIP_DEFLATED
            pack.writestr(entry, contents)
    return out.getvalue()
