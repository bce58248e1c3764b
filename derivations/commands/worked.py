"""An example file worked out, for commands; its faults end them, one line each."""

from pathlib import Path

import click

from derivations.decimals import Undecided
from derivations.example import load
from derivations.faults import ExampleError
from derivations.pages.worked import Worked, work_out


def worked(path: Path) -> Worked:
    """An example, worked out, with its heads where it has several.

    Raises click.ClickException with every fault of the file, or with a number that no rounding
    was decided for.
    """
    try:
        return work_out(load(path, any_name=True))
    except ExampleError as error:
        raise click.ClickException(str(error)) from None
    except Undecided as error:
        raise click.ClickException(f"{path}: {error}") from None
