"""An example as one zip: its file, every step in every format, and a program that checks them.

A README says what it is, and whose.
"""

import io
import json
from fractions import Fraction
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from derivations.citing.formats import reference
from derivations.citing.work import LICENCE_ADDRESS, Work
from derivations.floats import nearest
from derivations.step import Derivation, Step

PACKAGE = Path(__file__).parents[1]
PROGRAMS = {"check.py": PACKAGE / "citing" / "programs" / "check.py",
            "numeric.py": PACKAGE / "numeric.py"}
READABLE = 0o644 << 16
README = """\
{title}

Every step of the attention of this example: {file} holds the numbers that were typed, all
others follow from them. A file is named for its step.

  .json   exact values, decimals, the tag of the step
  .csv    the same, a line for each number; rows and columns count from 1
  .npz    an array of float64 for NumPy
  .tex    LaTeX, with amsmath: it compiles alone, and by \\input in another document
  .mml    MathML

`python check.py` works the numbers out anew, with NumPy alone, and says which do not agree.

To cite it:
  {reference}
Text and data: CC BY 4.0, {licence}
Programs (check.py, numeric.py): MIT
"""


def as_npz(steps: list[Step]) -> bytes:
    """The float64 values of steps by key; each exact value rounded to the nearest float."""
    out = io.BytesIO()
    np.savez(out, allow_pickle=False,
             **{step.key: np.array(nearest(step.values)) for step in steps})
    return out.getvalue()


def about(derivation: Derivation) -> bytes:
    """What the steps do not say: which there are, and of one head what scores are divided by.

    That is null for the root of d_k.
    """
    divisor = derivation.divisor
    said = None if divisor.kind == "sqrt_dk" else str(
        Fraction(divisor.numerator, divisor.denominator))
    steps = [step.key for step in derivation.own_steps]
    return (json.dumps({"steps": steps} | ({} if derivation.heads else {"divisor": said}))
            + "\n").encode()


def readme(work: Work, file: str) -> bytes:
    """What is in the zip of an example, how to use it and how to cite it."""
    return README.format(title=work.title, file=file, reference=reference(work),
                         licence=LICENCE_ADDRESS).encode()


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
