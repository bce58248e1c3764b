"""audit: grade the numbers that example files say their sources print."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from derivations.commands.files import FILES, example_files

HEADER = ("file", "step", "numbers", "right", "float32", "last digit", "wrong", "likely cause")


@click.command()
@FILES
@click.option("--json", "as_json", is_flag=True, help="As JSON: of one file an object, of several "
              "a list.")
def audit(paths: tuple[Path, ...], as_json: bool) -> None:
    """Grade published numbers against the exact values; exit with 1 if a file cannot be read."""
    from derivations.decimals import Undecided  # noqa: PLC0415 (slow to import)
    from derivations.faults import ExampleError  # noqa: PLC0415

    found, faults = [], []
    files = example_files(paths)
    for path in files:
        try:
            found.append(audited(path))
        except ExampleError as error:
            faults.append(str(error))
        except Undecided as error:
            faults.append(f"{path.name}: published: {error}")
    for fault in faults:
        click.echo(fault, err=True)
    if as_json:
        shown = found[0] if len(files) == 1 and found else found
        click.echo(json.dumps(shown, indent=1, ensure_ascii=False))
    else:
        click.echo(table(found))
    sys.exit(bool(faults))


def audited(path: Path) -> dict[str, Any]:
    """The audit of one file, as plain data.

    Raises ExampleError.
    """
    from derivations.audit.causes import cause  # noqa: PLC0415
    from derivations.audit.grades import audit  # noqa: PLC0415
    from derivations.example import load  # noqa: PLC0415

    example = load(path, any_name=True)
    graded = audit(example)
    causes = {step.published.name: cause(example, step, graded.steps) for step in graded.steps}
    return {"file": path.name, "title": example.title, "source": example.source,
            "verdict": graded.verdict, "overall": graded.overall,
            "causes": {name: told for name, told in causes.items() if told}}


def table(audits: list[dict[str, Any]]) -> str:
    """A line for each step of each file, in columns."""
    lines = [HEADER]
    for one in audits:
        steps = one["verdict"] or {"(nothing published)": None}
        for step, counts in steps.items():
            numbers = [str(counts[key]) for key in ("n", "ok", "f32", "last", "wrong")] \
                if counts else [""] * 5
            lines.append((one["file"], step, *numbers, one["causes"].get(step, "")))
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
                     .rstrip() for line in lines)
