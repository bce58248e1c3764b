"""The command line: `python -m derivations --help`."""

import shutil
from pathlib import Path

import click

from derivations.commands.audit import audit
from derivations.commands.build import build
from derivations.commands.check import check
from derivations.commands.export import export
from derivations.commands.new import new
from derivations.commands.show import show
from derivations.commands.tags import tags


@click.group()
def main() -> None:
    """Attention, derived: exact derivations as pages and data."""


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--docs", default="docs", show_default=True, help="Where prose and examples are.",
              type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--example", default="i-love-cats", show_default=True,
              help="The lesson's example: the name of its file, without the extension.")
def pages(folder: Path, docs: Path, example: str) -> None:
    """Write every file of the site's sources to FOLDER, for any builder of Markdown."""
    from derivations.pages.examples import SiteError, Source  # noqa: PLC0415 (slow to import)
    from derivations.pages.site import pages  # noqa: PLC0415

    try:
        files = pages(Source(docs, example))
    except SiteError as error:
        raise click.ClickException(str(error)) from None
    try:
        write(files, docs, folder)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from None
    click.echo(f"{len(files)} files written to {folder}")


def write(files: dict[str, bytes], docs: Path, folder: Path) -> None:
    """The files of docs as they are, and over them the generated ones."""
    shutil.copytree(docs, folder, dirs_exist_ok=True)
    for name, contents in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)


for command in (new, check, show, export, audit, build, tags):
    main.add_command(command)

if __name__ == "__main__":
    main()
