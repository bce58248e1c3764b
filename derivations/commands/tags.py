"""tags: what has no tag yet gets the next ones; a tag is retired, never taken away."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from derivations.commands.files import write

if TYPE_CHECKING:
    from derivations.citing.ledger import Ledger, Tag


@click.command()
@click.option("--file", default="docs/tags.csv", show_default=True, help="The file of all tags.",
              type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--retire", metavar="TAG", help="A tag whose derivation is no more.")
@click.option("--why", help="Why it is retired: a sentence for those who follow it.")
@click.option("--instead", metavar="TAG", default="", help="Where to go instead.")
@click.option("--write", "is_meant", is_flag=True, help="Add the lines; else they are only listed.")
def tags(file: Path, retire: str | None, why: str | None, instead: str, is_meant: bool) -> None:
    """List the tags that would be added, or the line that would retire one; --write adds them."""
    from derivations.citing.ledger import LedgerError, read, written  # noqa: PLC0415 (slow)

    if (retire is None) != (why is None) or (instead and not retire):
        raise click.UsageError("--retire takes --why, and perhaps --instead")
    try:
        ledger = read(file)
        lines = written(_missing(ledger) if retire is None
                        else _retired(ledger, retire, why or "", instead))
    except LedgerError as error:
        raise click.ClickException(str(error)) from None
    click.echo(lines or "Every derivation has its tag.", nl=not lines)
    if lines and is_meant:
        before = file.read_text(encoding="utf-8")
        write(file, before + "\n" * (not before.endswith("\n")) + lines)
    elif lines:
        click.echo("Nothing is written yet: add --write.", err=True)


def _missing(ledger: "Ledger") -> "tuple[Tag, ...]":
    from derivations.citing.kinds import citable  # noqa: PLC0415 (slow to import)

    return ledger.missing(citable())


def _retired(ledger: "Ledger", tag: str, why: str, instead: str) -> "tuple[Tag, ...]":
    from derivations.citing.ledger import retired  # noqa: PLC0415

    return (retired(ledger, tag, why, instead),)
