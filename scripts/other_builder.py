"""The same pages, written to files, build with ProperDocs. Run: python -m scripts.other_builder

Its pages must say what ours say, letter by letter, with as many formulas. It is installed beside
our own libraries, into build/, so that it is neither needed nor met anywhere else.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
from lxml import html

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "properdocs"
BUILDER = "properdocs==1.6.7"


@click.command()
@click.option("--site", type=click.Path(exists=True, file_okay=False, path_type=Path),
              default=ROOT / "site", help="The site to compare with, as `make build` leaves it.")
def main(site: Path) -> None:
    """Build the pages with ProperDocs, and compare them with a site."""
    python = installed(FOLDER / "venv")
    shutil.rmtree(FOLDER / "pages", ignore_errors=True)
    run(sys.executable, "-m", "derivations", "pages", str(FOLDER / "pages"))
    run(python, "-m", "properdocs", "build", "--quiet", "--strict", "-f", "properdocs.yml")
    pages = [path.relative_to(site) for path in sorted(site.rglob("*.html"))]
    others = [str(page) for page in pages if said(site / page) != said(FOLDER / "site" / page)]
    if others:
        raise click.ClickException(f"ProperDocs says something else on {', '.join(others)}")
    click.echo(f"ProperDocs builds the same {len(pages)} pages.")


def installed(folder: Path) -> str:
    """The Python of an environment with our libraries and ProperDocs, made anew as these change."""
    python, done = str(folder / "bin" / "python"), folder / "done"
    wanted = (ROOT / "requirements.txt").read_text() + BUILDER
    if not done.exists() or done.read_text() != wanted:
        run(sys.executable, "-m", "venv", "--clear", str(folder))
        run(python, "-m", "pip", "install", "-qq", "--disable-pip-version-check",
            "-r", "requirements.txt", BUILDER)
        done.write_text(wanted)
    return python


def run(*command: str) -> None:
    """Run a command at the root, or stop."""
    if subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
                      check=False).returncode:
        raise click.ClickException(f"{' '.join(command[1:4])} failed.")


def said(path: Path) -> tuple[list[str], int] | None:
    """The words of a page's content, and how many formulas it has; of a file that is there."""
    if not path.exists():
        return None
    content = html.parse(path).find(".//article")
    return content.text_content().split(), len(content.findall(".//math"))


if __name__ == "__main__":
    main()
