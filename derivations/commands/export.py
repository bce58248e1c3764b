"""export: a step of an example, or all of them, as data."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from derivations.commands.files import write

if TYPE_CHECKING:
    from derivations.pages.worked import Worked

FORMATS = ("tex", "csv", "json", "npz")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "kind", type=click.Choice(FORMATS), required=True)
@click.option("--step", help="Such as weights; all steps if not given.")
@click.option("--head", type=int, help="One of several heads; if not given, what all make.")
@click.option("--output", default="-", help="A file to write to, in place of the terminal.",
              type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
def export(
    file: Path, kind: str, step: str | None, head: int | None, output: Path
) -> None:
    """Write steps of the example FILE as LaTeX, CSV, JSON, or arrays of NumPy."""
    from derivations.commands.worked import worked  # noqa: PLC0415 (slow to import)

    part = _part(worked(file), head)
    steps = {one.key for one in part.derivation.own_steps}
    if step is not None and step not in steps:
        more = "; of a head with --head" if part.heads else ""
        raise click.UsageError(f"there is no step {step}: the example has "
                               + ", ".join(sorted(steps)) + more)
    write(output, exported(part, kind, step))


def _part(worked: "Worked", head: int | None) -> "Worked":
    """The head that was asked for, or the whole."""
    if head is None:
        return worked
    count = len(worked.heads)
    if not 1 <= head <= count:
        raise click.UsageError(f"there is no head {head}: the example has " + (
            f"heads 1 to {count}" if count else "no heads of its own; leave --head out"))
    return worked.heads[head - 1]


def exported(worked: "Worked", kind: str, step: str | None) -> bytes:
    """Some steps in a format: one after the other, JSON as a list."""
    from derivations.citing.bundle import as_npz  # noqa: PLC0415
    from derivations.render import records  # noqa: PLC0415

    derivation, decimals = worked.derivation, worked.decimals
    steps = [derivation[step]] if step else list(derivation.own_steps)
    if kind == "npz":
        return as_npz(steps)
    if kind == "json":
        found = [records.as_json(one, derivation, decimals, worked.example.places)
                 for one in steps]
        return (found[0] if step else "[" + ",\n".join(found) + "]\n").encode()
    told = records.as_tex if kind == "tex" else records.as_csv
    parts = [told(one, derivation, decimals) for one in steps]
    if kind == "csv" and not step:
        parts = [f"# {one.key}\n{part}" for one, part in zip(steps, parts, strict=True)]
    return "\n".join(parts).encode()


