"""The machine's own float errors, step by step, against their proved bounds: outside the site.

Pages say only that the bounds hold, which is true everywhere. How far the floats were off differs
from processor to processor, and is written to a file. Run from the root: python -m scripts.report
"""

import math
import platform
import sys
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from pathlib import Path

import click
import numpy as np

from derivations.agreement import Agreement, StepAgreement, agree, twin
from derivations.attention import derive
from derivations.example import load
from derivations.step import Derivation

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "docs" / "examples"
COLUMNS = ("step", "numbers", "held", "overflow", "error", "bound", "error/bound", "ulps")
UPWARD = Context(prec=3, rounding=ROUND_CEILING)


@click.command()
@click.option("--examples", type=click.Path(exists=True, file_okay=False, path_type=Path),
              default=EXAMPLES, help="The folder of example files.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path),
              default=ROOT / "build" / "report.txt", help="The file to write.")
def main(examples: Path, output: Path) -> None:
    """Write how far float64 was off at every step of every example, and print where."""
    derivations = [(path.name, derive(load(path))) for path in sorted(examples.glob("*.toml"))]
    parts = [f"{name}\n{report(derivation)}" for name, derivation in derivations]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n\n".join([machine(), *parts]) + "\n", encoding="utf-8")
    click.echo(output)


def machine() -> str:
    """What computed the floats."""
    return (
        f"NumPy {np.__version__} on {platform.machine()}, Python {platform.python_version()}, "
        f"{sys.byteorder}-endian. Every number is the largest of its step, rounded up."
    )


def report(derivation: Derivation) -> str:
    """A table of one derivation: a line for each step, and the total."""
    agreement, floats = agree(derivation), twin(derivation)
    lines = [_line(step, floats[step.key].tolist()) for step in agreement.steps]
    return "\n".join(map(_aligned, [COLUMNS, *lines])) + f"\n{_total(agreement)}"


def _line(step: StepAgreement, floats: list[list[float]]) -> tuple[str, ...]:
    """The cells of a step: ulps are units in the last place of the float."""
    compared = [
        (error, bound, number)
        for row in zip(step.errors, step.bounds, floats, strict=True)
        for error, bound, number in zip(*row, strict=True)
        if error is not None and bound is not None
    ]
    errors = [error for error, _, _ in compared]
    ratios = [error / bound for error, bound, _ in compared if bound]
    ulps = [error / Fraction(math.ulp(number)) for error, _, number in compared]
    numbers = (step.numbers, step.held, step.overflowed)
    largest = (_largest(errors), _shown(step.largest_bound), _largest(ratios), _largest(ulps))
    return step.key, *map(str, numbers), *largest


def _largest(values: list[Fraction]) -> str:
    return _shown(max(values)) if values else "-"


def _shown(value: Fraction) -> str:
    """Three digits, rounded up."""
    if not value:
        return "0"
    quotient = UPWARD.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{quotient:.2e}"


def _aligned(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:15}" + "".join(f"{cell:>13}" for cell in cells[1:])


def _total(agreement: Agreement) -> str:
    return f"{agreement.held} of {agreement.numbers} numbers are within their bounds."


if __name__ == "__main__":
    main()
