"""From a save to the page that shows it, beside MkDocs alone: `python -m benchmarks.preview`.

These are times by the clock, since most of one may be waiting: others on the machine stretch them,
the baseline's as well.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.request import urlopen

import click

from benchmarks import build
from benchmarks.measure import duration, times
from benchmarks.report import markdown_table
from derivations.pages.examples import example_files
from tests import sites
from tests.preview import LONGEST, Preview, editable, previewed

REPORT = Path(__file__).parents[1] / "build" / "preview.md"
ROUNDS = 5
STEP = 100  # from a round's number to the next one's: no sum of the example is that large
BARE = "bare MkDocs"


@dataclass(frozen=True)
class Change:
    """What becomes what in a file, with the number {n} in it; which page shows what then."""

    file: str
    old: str
    new: str
    page: str
    shown: str


CHAPTER = Change("docs/lesson/scores.md", "Rows ask, columns are asked.", "Rows ask {n} columns.",
                 "lesson/scores/", "Rows ask {n} columns.")
OURS = {
    "an example": Change("docs/examples/i-love-cats.toml", "w_v = [[1,", "w_v = [[{n},",
                         "examples/i-love-cats/queries-keys-values/", "<mn>{n}</mn>"),
    "a chapter": CHAPTER,
    "a module": Change("derivations/pages/prose.py", '"Queries: what each token looks for"',
                       '"Queries, {n}"', "examples/i-love-cats/queries-keys-values/",
                       "Queries, {n}"),
}


@contextmanager
def served() -> Iterator[tuple[int, Preview, Preview]]:
    """How many pages there are, the project, and bare MkDocs with the same pages on the disk."""
    with TemporaryDirectory() as folder:
        examples = sites.texts(*example_files(build.EXAMPLES))
        project = editable(sites.project(Path(folder) / "project", examples))
        pages = build.write_bare(project, Path(folder) / "bare")
        with previewed(project) as ours, previewed(Path(folder) / "bare") as bare:
            yield pages, ours, bare


def medians(ours: Preview, bare: Preview, rounds: int) -> dict[str, float]:
    """The median seconds for each kind of file, and for a page of bare MkDocs, taken in turn."""
    changes = [(BARE, bare, CHAPTER)] + [(what, ours, change) for what, change in OURS.items()]
    texts = {what: preview.read(change.file) for what, preview, change in changes}
    taken = [{what: _seconds(preview, change, texts[what], n) for what, preview, change in changes}
             for n in range(STEP, STEP * rounds + 1, STEP)]
    return {what: median(one[what] for one in taken) for what in texts}


def _seconds(preview: Preview, change: Change, text: str, n: int) -> float:
    """From the save until the page is served that shows it."""
    shown = change.shown.format(n=n)
    if text.count(change.old) != 1 or shown in _page(preview, change):
        raise AssertionError(f"{change.file}: look again what to change")
    start = perf_counter()
    preview.save(change.file, text.replace(change.old, change.new.format(n=n)))
    preview.wait(lambda: shown in _page(preview, change))
    return perf_counter() - start


def _page(preview: Preview, change: Change) -> str:
    """The page as it is served. While it is built anew, MkDocs lets this wait."""
    with urlopen(preview.address + change.page, timeout=LONGEST) as answer:
        return str(answer.read().decode())


def table(found: dict[str, float]) -> str:
    """A row for each kind of file."""
    rows = [(what, duration(found[what]), duration(found[BARE]), times(found[what] / found[BARE]))
            for what in OURS]
    header = ("saved", "until its page shows it", f"a page, {BARE}", "ours is")
    return markdown_table([header, *rows])


@click.command()
@click.option("--rounds", default=ROUNDS, help="How many rounds the medians are of.")
def main(rounds: int) -> None:
    """Save files while the site is served, and wait for their pages."""
    with served() as (pages, ours, bare):
        found = medians(ours, bare, rounds)
    written = f"# Live preview, {pages} pages: from the save to the page\n\n{table(found)}"
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(f"{written}\n", encoding="utf-8")
    click.echo(written)


if __name__ == "__main__":
    main()
