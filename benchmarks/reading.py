"""The heaviest page in a slow browser, beside KaTeX and MathJax: `python -m benchmarks.reading`."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from playwright.sync_api import Browser, sync_playwright

from benchmarks.hosting import compressed, hosted
from benchmarks.report import markdown_table
from benchmarks.trace import CATEGORIES, blocking
from benchmarks.variants import write_variants
from tests.browser import ARGUMENTS, CHROMIUM

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "build" / "reading.md"
SLOWED = 4
WINDOW = {"width": 1280, "height": 800}
RUNS = 5
THIRD = 1 / 3
PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Reading:
    """One load of a page: milliseconds from its start, DOM elements, and layout shift.

    `late` counts the formulas that some frame did not show though their places were on the page:
    not set yet, or without their font.
    """

    first_paint: float
    formulas: float
    late: float
    laid_out: float
    blocking: float
    elements: float
    shift: float


@dataclass(frozen=True)
class Demand:
    """A figure of ours, and the most that it may be, where something is asked of it."""

    what: str
    unit: str
    ours: float
    at_most: float = inf

    @property
    def met(self) -> bool:
        """Is it within what is asked?"""
        return self.ours <= self.at_most

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table shows."""
        figure = f"{self.ours:.3g} {self.unit}"
        if self.at_most == inf:
            return (self.what, figure, "", "")
        return (self.what, figure, f"{self.at_most:.3g} {self.unit}",
                "met" if self.met else "NOT MET")


def heaviest(site: Path) -> Path:
    """The page of most bytes."""
    return max(site.rglob("*.html"), key=lambda path: path.stat().st_size)


def readings(site: Path, page: Path, runs: int) -> dict[str, Reading]:
    """The median reading of each variant, taken in turn."""
    addresses = write_variants(site, page)
    with hosted(site) as host, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        rounds = [{name: _read(browser, host + address) for name, address in addresses.items()}
                  for _ in range(runs)]
        browser.close()
    return {name: _medians([one[name] for one in rounds]) for name in addresses}


def _read(browser: Browser, address: str) -> Reading:
    """A page in a browser that has never seen it, on a processor made slower."""
    context = browser.new_context(viewport=WINDOW)
    context.add_init_script(PROBE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.goto(address)
    found = page.evaluate("reading()")
    found["blocking"] = blocking(browser.stop_tracing())
    context.close()
    if faults or found.pop("wrong"):
        raise AssertionError(f"{address}: formulas are wrong or missing: {faults}")
    return Reading(**found)


def _medians(taken: list[Reading]) -> Reading:
    return Reading(*(median(getattr(one, field.name) for one in taken)
                     for field in fields(Reading)))


def demands(found: dict[str, Reading], page: Path) -> list[Demand]:
    """Everything that is asked of the page, and what it is."""
    ours = found["mathml"]
    return [
        Demand("formulas that a frame was painted without", "", ours.late, 0),
        *_beside(found, "katex", THIRD, 1),
        *_beside(found, "mathjax", inf, inf),
        Demand("layout shift", "", ours.shift, 0),
        Demand("HTML", "kB", page.stat().st_size / 1000, 1000),
        Demand("HTML, compressed", "kB", len(compressed(page)) / 1000, 150),
    ]


def _beside(
    found: dict[str, Reading], name: str, added: float, laid_out: float
) -> Iterator[Demand]:
    """Our page over that of another: what formulas add to it, and the time that it takes."""
    ours, without, other = found["mathml"], found["none"], found[name]
    yield Demand(f"elements that formulas add, to {name}'s", "times",
                 (ours.elements - without.elements) / (other.elements - without.elements), added)
    yield Demand(f"blocking time that formulas add, to {name}'s", "times",
                 (ours.blocking - without.blocking) / (other.blocking - without.blocking), added)
    yield Demand(f"time until all is laid out, to {name}'s", "times",
                 ours.laid_out / other.laid_out, laid_out)


def table(found: dict[str, Reading]) -> str:
    """A row for each variant."""
    header = ("formulas by", "first paint", "formulas there", "formulas late",
              "all laid out", "blocking", "elements", "layout shift")
    rows = [(name, f"{one.first_paint:.0f} ms", f"{one.formulas:.0f} ms", f"{one.late:.0f}",
             f"{one.laid_out:.0f} ms", f"{one.blocking:.0f} ms", f"{one.elements:.0f}",
             f"{one.shift:.4f}") for name, one in found.items()]
    return markdown_table([header, *rows])


@click.command()
@click.option("--site", type=click.Path(exists=True, file_okay=False, path_type=Path),
              default=ROOT / "site", help="The built site.")
@click.option("--runs", default=RUNS, help="How many runs the medians are of.")
def main(site: Path, runs: int) -> None:
    """Read the heaviest page of the site in a slow browser, in four ways."""
    page = heaviest(site)
    with TemporaryDirectory() as folder:
        copy = shutil.copytree(site, Path(folder) / "site")
        found = readings(copy, copy / page.relative_to(site), runs)
    asked = demands(found, page)
    name = page.relative_to(site).parent.as_posix()
    written = "\n\n".join([
        f"# The heaviest page, {name}/, with the processor slowed {SLOWED} times",
        table(found),
        markdown_table([("what", "ours", "at most", ""), *(one.cells for one in asked)]),
    ])
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(f"{written}\n", encoding="utf-8")
    click.echo(written)


if __name__ == "__main__":
    main()
