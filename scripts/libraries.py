"""How near libraries come to the exact output, and what they mean by a mask: outside the site.

Floats differ from library to library, from version to version and from processor to processor. So
no library runs while the site is built: what was found stands in docs/reference/libraries.json,
and a page shows that. Run from the root, where PyTorch and JAX may be installed:
python -m scripts.libraries
"""

import json
import platform
from fractions import Fraction
from hashlib import sha256
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import Any

import click
import numpy as np
from mkdocs.utils.yaml import yaml_load

from derivations import decimals
from derivations.attention import derive
from derivations.example import load
from derivations.pages.examples import example_files
from derivations.pages.libraries import BITS, LEAST, PLACE
from derivations.step import Derivation
from derivations.values import Values, rational_entry
from scripts.attentions import LIBRARIES, Attention, Matrix, installed
from scripts.meanings import of_causal, of_masks, of_scale, polarity

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "docs" / PLACE
DIGITS = 400  # of an irrational number: far finer than any float
Error = tuple[Fraction | None, bool]


@click.command()
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), default=OUTPUT,
              help="The file to write.")
def main(output: Path) -> None:
    """Run the lesson's example through every library that is here, and write what comes out."""
    here = installed()
    output.write_text(as_json(found(lesson(), here)), encoding="utf-8")
    missing = [name for module, name in LIBRARIES.items() if module not in modules(here)]
    click.echo(f"{output}\n" + f"Not installed, so left out: {', '.join(missing)}" * bool(missing))


def lesson() -> Path:
    """The file of the lesson's example."""
    slug = yaml_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["extra"]["example"]
    return next(path for path in example_files(ROOT / "docs" / "examples") if path.stem == slug)


def as_json(data: dict[str, Any]) -> str:
    """As text: the same data, the same bytes."""
    return json.dumps(data, indent=1, sort_keys=True) + "\n"


def modules(attentions: list[Attention]) -> list[str]:
    """The modules of libraries, each once, in order."""
    return list(dict.fromkeys(one.module for one in attentions))


def found(example: Path, here: list[Attention]) -> dict[str, Any]:
    """All that is found of these ways into the libraries."""
    derivation = derive(load(example))
    return {
        "example": {"slug": example.stem, "sha256": sha256(example.read_bytes()).hexdigest()},
        "processor": platform.machine(),
        "versions": {LIBRARIES[module]: version(module) for module in modules(here)},
        "errors": [measured(one, derivation, precision)
                   for one in here if one.scale for precision in BITS],
        "masks": [of_masks(one) for one in here if one.mask],
        "causal": [of_causal(one) for one in here if one.causal],
        "scales": [of_scale(one) for one in here if one.scale],
    }


def measured(one: Attention, derivation: Derivation, precision: str) -> dict[str, Any]:
    """How far the output is off, in ulps, where the mask hides not every key.

    `nearest` counts the numbers that are the float nearest to the exact value.
    """
    errors = ulps(output(one, derivation, precision), exact_output(derivation), precision)
    known = [error for error, _ in errors if error is not None]
    largest, total = max(known, default=Fraction()), sum(known, Fraction())
    finite = len(known) == len(errors)
    return {
        "library": one.library, "precision": precision, "numbers": len(errors),
        "nearest": sum(is_nearest for _, is_nearest in errors),
        "largest": float(round(largest, 2)) if finite else None,
        "mean": float(round(total / max(len(known), 1), 2)) if finite else None,
    }


def output(one: Attention, derivation: Derivation, precision: str) -> Matrix:
    """The output of an example: every number that goes in is the float nearest to it."""
    options: dict[str, Any] = {}
    if derivation.open is not None:
        options[one.mask] = np.array(derivation.open) ^ (polarity(one) == "hidden")
    if derivation.divisor.kind != "sqrt_dk":
        divisor = Fraction(derivation.divisor.numerator, derivation.divisor.denominator)
        options[one.scale] = float(divisor if one.scale == "divisor" else 1 / divisor)
    given = (floats(derivation, key, precision) for key in ("queries", "keys", "values"))
    return one.run(*given, **options)


def floats(derivation: Derivation, key: str, precision: str) -> Matrix:
    """A step of exact numbers in floats, each correctly rounded."""
    rows, cols = derivation[key].shape
    numbers = derivation.rationals(key)
    return np.array([[float(nearest(numbers.entry(i, j), precision)) for j in range(cols)]
                     for i in range(rows)], dtype=precision)


def ulps(numbers: Matrix, exact: dict[int, list[Fraction]], precision: str) -> list[Error]:
    """Each number's error, row by row, where there are exact numbers."""
    return [error(*pair, precision) for i, row in exact.items()
            for pair in zip(numbers[i].tolist(), row, strict=True)]


def error(number: float, exact: Fraction, precision: str) -> Error:
    """How far a float is off, in units in the last place of the right one; and is it that one?

    None where it is not finite.
    """
    if not isfinite(number):
        return None, False
    right = nearest(exact, precision)
    return abs(Fraction(number) - exact) / ulp(right, precision), Fraction(number) == right


def exact_output(derivation: Derivation) -> dict[int, list[Fraction]]:
    """The rows of the output in which not every key is hidden; the irrational to 400 digits."""
    values = derivation["output"].of_one
    ends = decimals.enclosures(values, DIGITS)
    return {i: [_exact(values, i, j, pair) for j, pair in enumerate(row)]
            for i, row in enumerate(ends) if i not in derivation.closed_rows}


def _exact(values: Values, i: int, j: int, ends: tuple[int, int] | None) -> Fraction:
    """An entry, or an end of what encloses it, where both ends round to the same floats."""
    rational = rational_entry(values, i, j)
    if rational is not None:
        return rational
    low, high = (Fraction(end, 10**DIGITS) for end in ends or ())
    assert all(nearest(low, name) == nearest(high, name) for name in BITS)
    return low


def nearest(value: Fraction, precision: str) -> Fraction:
    """The float nearest to a value, half to even, as long as it is no larger than floats are."""
    unit = ulp(value, precision)
    return round(value / unit) * unit


def ulp(value: Fraction, precision: str) -> Fraction:
    """The unit in the last place: how far apart floats are where a value stands."""
    size, least = abs(value), LEAST[precision]
    if not size:
        return Fraction(2) ** least
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    return Fraction(2) ** max(exponent - BITS[precision] + 1, least)


if __name__ == "__main__":
    main()
