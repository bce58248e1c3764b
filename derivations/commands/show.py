"""show: the derivation of an example, in the terminal."""

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def show(file: Path) -> None:
    """Work out the example FILE, step by step."""
    from derivations.commands.worked import worked  # noqa: PLC0415 (slow to import)
    from derivations.decimals import table  # noqa: PLC0415
    from derivations.heads import together  # noqa: PLC0415
    from derivations.render.terminal import derivation_text, table_text  # noqa: PLC0415

    example, parts = worked(file)
    for number, part in enumerate(parts, 1):
        if len(parts) > 1:
            click.echo(f"head {number}\n")
        click.echo(derivation_text(part.derivation, part.decimals))
    for name, values in together(example, [part.derivation for part in parts]).items():
        click.echo(table_text(name, table(values, example.places), example.tokens))
