"""The site as a zip that works from a disk. Run from the root: python -m scripts.offline

It is built by mkdocs-offline.yml. The same pages give the same bytes.
"""

import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import click

from derivations.pages.citing import read_citing

ROOT = Path(__file__).resolve().parent.parent
NAME = read_citing(ROOT / "docs", "").site.slug
FOR_SERVERS = {"404.html", "sitemap.xml", "sitemap.xml.gz", "search/search_index.json"}


@click.command()
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path),
              default=ROOT / "build" / f"{NAME}-offline.zip", help="The file to write.")
def main(output: Path) -> None:
    """Build the site for a disk, and write it as a zip."""
    site = output.parent / "offline"
    if not build(site):
        raise click.ClickException("The zip was not written.")
    pack(site, output)
    click.echo(f"{output}: {output.stat().st_size // 1000} kB")


def build(site: Path) -> bool:
    """Builds the site for a disk into a folder, and tells whether that went well."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict",
               "--config-file", "mkdocs-offline.yml", "--site-dir", str(site.resolve())]
    return subprocess.run(command, check=False).returncode == 0


def pack(site: Path, output: Path) -> None:
    """Every file that a disk needs into a zip, in a folder of its own; the order is by name."""
    names = {path.relative_to(site).as_posix() for path in site.rglob("*")
             if path.is_file() and path.suffix != ".map"}
    with ZipFile(output, "w") as zipped:
        for name in sorted(names - FOR_SERVERS):
            zipped.writestr(_entry(name), (site / name).read_bytes())


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(f"{NAME}/{name}")  # of 1980: no clock is asked
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
    return entry


if __name__ == "__main__":
    main()
