"""Example files, as commands are given them: by name, or all of a folder."""

from pathlib import Path

import click

from derivations.slug import EXTENSIONS

FILES = click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...",
                       type=click.Path(exists=True, path_type=Path))


def example_files(paths: tuple[Path, ...]) -> list[Path]:
    """The files named, and those in the folders named, in order.

    Raises click.UsageError where a folder holds none.
    """
    found = []
    for path in paths:
        inside = sorted(one for one in path.iterdir() if one.suffix in EXTENSIONS) \
            if path.is_dir() else [path]
        if not inside:
            raise click.UsageError(f"{path} holds no example file (.toml or .json)")
        found += inside
    return found
