"""build: the whole site, by MkDocs."""

import subprocess
import sys

import click


@click.command()
def build() -> None:
    """Build the site into site/; what is wrong in an example file is told, and nothing lost."""
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict"], check=False)
    sys.exit(done.returncode)
