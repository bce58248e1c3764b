"""Files, as commands are given them and write them: whole, or not at all."""

import os
import shutil
from pathlib import Path

import click

from derivations.slug import example_files_in

FILES = click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...",
                       type=click.Path(exists=True, path_type=Path))
TERMINAL = Path("-")
STDOUT = Path("/dev/stdout")  # the terminal too


def example_files(paths: tuple[Path, ...]) -> list[Path]:
    """The files named, and those in the folders named, in order.

    Raises click.UsageError where a folder holds none.
    """
    found = []
    for path in paths:
        inside = example_files_in(path) if path.is_dir() else [path]
        if not inside:
            raise click.UsageError(f"{path} holds no example file (.toml or .json)")
        found += inside
    return found


def write(path: Path, contents: bytes | str, *, over: bool = True) -> None:
    """Write to a file, or to the terminal where the path is TERMINAL.

    A file that is there is replaced at once, and only where `over`; if it cannot be written whole,
    it stays as it was. Text is written as UTF-8. Raises click.ClickException, which says why.
    """
    path = TERMINAL if path == STDOUT else path
    try:
        if path == TERMINAL or (path.exists() and not path.is_file()):
            _pour(path, contents)
        else:
            _replace(path.resolve(), contents, over)
    except BrokenPipeError:  # the reader has seen enough: click ends the command
        raise
    except OSError as error:
        name = "the output" if path == TERMINAL else path
        raise click.ClickException(f"{name} cannot be written: {error.strerror}") from None


def _pour(path: Path, contents: bytes | str) -> None:
    """To the terminal, or to a pipe or device, which cannot be replaced."""
    if path == TERMINAL:
        click.echo(contents, nl=False)
    else:
        path.write_bytes(_bytes(contents))


def _replace(path: Path, contents: bytes | str, over: bool) -> None:
    """By a file beside it, which takes its place once it is whole."""
    beside = path.parent / f".written-{os.getpid()}"
    beside.open("xb").close()
    try:
        beside.write_bytes(_bytes(contents))
        if path.exists():
            if not over:
                raise click.ClickException(f"{path} is there already; choose another name")
            path.open("r+b").close()  # a file that may not be written to is not replaced either
            shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        beside.unlink()
        raise


def _bytes(contents: bytes | str) -> bytes:
    return contents if isinstance(contents, bytes) else contents.encode()
