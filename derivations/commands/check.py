"""check: are example files right? Every fault is told, with its place and how to mend it."""

import sys
from pathlib import Path

import click

from derivations.commands.files import FILES, example_files


@click.command()
@FILES
def check(paths: tuple[Path, ...]) -> None:
    """Check example files; exit with 1 if any has a fault."""
    from derivations.example import load  # noqa: PLC0415 (slow to import)
    from derivations.faults import ExampleError  # noqa: PLC0415

    wrong = 0
    for path in example_files(paths):
        try:
            example = load(path)
        except ExampleError as error:
            click.echo(str(error), err=True)
            wrong += 1
        else:
            click.echo(f"{path.name}: right, {len(example.tokens)} by {len(example.key_tokens)}")
    sys.exit(bool(wrong))
