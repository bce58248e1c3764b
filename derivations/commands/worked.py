"""An example file worked out, for commands; its faults end them, one line each."""

from pathlib import Path

import click

from derivations.example import Example, load
from derivations.faults import ExampleError
from derivations.pages.worked import Worked, work_out


def worked(path: Path) -> tuple[Example, list[Worked]]:
    """An example, and each of its heads worked out: one, where it has no heads of its own.

    Raises click.ClickException with every fault of the file.
    """
    try:
        example = load(path, any_name=True)
        return example, [work_out(head) for head in example.heads or (example,)]
    except ExampleError as error:
        raise click.ClickException(str(error)) from None
