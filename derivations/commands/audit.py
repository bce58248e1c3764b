"""audit: grade the numbers that example files say their sources print."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from derivations.commands.files import FILES, TERMINAL, example_files, write

HEADER = ("file", "step", "numbers", "right", "float32", "last digit", "wrong", "likely cause")


@click.command()
@FILES
@click.option("--json", "as_json", is_flag=True, help="As JSON: of one file an object, of several "
              "a list. A file that cannot be read has `faults` in place of a verdict.")
def audit(paths: tuple[Path, ...], as_json: bool) -> None:
    """Grade published numbers against the exact values; exit with 1 if a file cannot be read."""
    files = example_files(paths)
    found = [audited_or_not(path) for path in files]
    good = [one for one in found if "verdict" in one]
    if as_json:
        shown = found[0] if len(files) == 1 else found
        text = json.dumps(shown, indent=1, ensure_ascii=False) + "\n"
        write(TERMINAL, text.encode())  # as JSON wants it, whatever the terminal has
    elif good:
        write(TERMINAL, table(good) + "\n")
    sys.exit(len(good) < len(found))


def audited_or_not(path: Path) -> dict[str, Any]:
    """The audit of one file, or its faults, which are told as well."""
    from derivations.decimals import Undecided  # noqa: PLC0415 (slow to import)
    from derivations.faults import ExampleError, Fault  # noqa: PLC0415

    try:
        return audited(path)
    except ExampleError as error:
        wrong = error
    except Undecided as error:
        wrong = ExampleError(path.name, [Fault("published", str(error))])
    click.echo(str(wrong), err=True)
    return {"file": path.name, "faults": [fault.as_data() for fault in wrong.faults]}


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
