"""show: the derivation of an example, in the terminal."""

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def show(file: Path) -> None:
    """Work out the example FILE, step by step."""
    from derivations.commands.worked import worked  # noqa: PLC0415 (slow to import)
    from derivations.render.terminal import derivation_text  # noqa: PLC0415

    for part in worked(file).parts:
        if head := part.derivation.head:
            click.echo(f"head {head.number}\n")
        click.echo(derivation_text(part.derivation, part.decimals))
