"""An example file worked out, for commands; its faults end them, one line each."""

from pathlib import Path

import click

from derivations.example import load
from derivations.faults import ExampleError
from derivations.pages.worked import Worked, work_out


def worked(path: Path) -> list[Worked]:
    """Each head of an example, worked out.

    Raises click.ClickException with every fault of the file.
    """
    try:
        example = load(path)
        return [work_out(head) for head in example.heads or (example,)]
    except ExampleError as error:
        raise click.ClickException(str(error)) from None
