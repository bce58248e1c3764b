"""new: a new example file, with small whole numbers that make a good lesson."""

import json
import sys
from pathlib import Path

import click

from derivations.commands.files import TERMINAL, write
from derivations.invent import NotFound, Sizes, invent
from derivations.slug import RULE, SLUG

WIDTH = click.IntRange(1, 16)
WEIGHTS = ("w_q", "w_k", "w_v")
FILE = '''# Change any number: every page follows. Each row is a token.
title  = {title}
tokens = {tokens}
x   = {x}  # {n} x d_model
w_q = {w_q}  # d_model x d_k
w_k = {w_k}  # d_model x d_k
w_v = {w_v}  # d_model x d_v
'''


@click.command()
@click.argument("name")
@click.option("--sentence", required=True, help="Its words become the tokens.")
@click.option("--d-model", default=4, show_default=True, type=WIDTH, help="Width of a word.")
@click.option("--d-k", default=2, show_default=True, type=WIDTH, help="Width of a query and key.")
@click.option("--d-v", type=WIDTH, help="Width of a value; that of a key if not given.")
@click.option("--seed", default=0, show_default=True, help="Another seed gives other numbers.")
@click.option("--folder", default="docs/examples", show_default=True, help="Where it is written.",
              type=click.Path(exists=True, file_okay=False, path_type=Path))
def new(
    name: str, sentence: str, d_model: int, d_k: int, d_v: int | None, seed: int, folder: Path
) -> None:
    """Write the example file NAME.toml, where there is none of this name."""
    tokens, path = sentence.split(), folder / f"{name}.toml"
    if not SLUG.fullmatch(name):
        raise click.ClickException(f"{name!r} {RULE}")
    if not tokens:
        raise click.ClickException("the sentence has no words; write some between quotes")
    try:
        text = written(sentence, tokens, Sizes(d_model, d_k, d_v or d_k), seed)
    except NotFound as error:
        raise click.ClickException(str(error)) from None
    check(path, {"tokens": tokens, "x": [[1]] * len(tokens), **{key: [[1]] for key in WEIGHTS}})
    write(path, text, over=False)
    write(TERMINAL, f"{path} written; see it with: {_python()} -m derivations show {path}\n")


def _python() -> str:
    """The Python that runs this, as one would type it here."""
    here = Path(sys.executable)
    return str(here.relative_to(Path.cwd())) if here.is_relative_to(Path.cwd()) else str(here)


def check(path: Path, data: dict[str, object]) -> None:
    """Would the file be refused, for a token that cannot be shown?

    Raises click.ClickException.
    """
    from derivations.example import build  # noqa: PLC0415 (slow to import)
    from derivations.faults import ExampleError  # noqa: PLC0415

    try:
        build(path, data)
    except ExampleError as error:
        raise click.ClickException(str(error)) from None


def written(sentence: str, tokens: list[str], sizes: Sizes, seed: int) -> str:
    """The text of the file.

    Raises NotFound.
    """
    shown = {key: json.dumps(rows) for key, rows in invent(tokens, sizes, seed).items()}
    return FILE.format(title=_quoted(" ".join(sentence.split())), n=len(tokens),
                       tokens="[" + ", ".join(map(_quoted, tokens)) + "]", **shown)


def _quoted(text: str) -> str:
    """As TOML wants it, which reads the strings of JSON."""
    return json.dumps(text, ensure_ascii=False)
