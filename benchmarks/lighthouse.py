"""Lighthouse on a page of each kind, phones and desk: `python -m benchmarks.lighthouse`."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click

from benchmarks.hosting import hosted
from benchmarks.npm import installed
from benchmarks.report import markdown_table
from tests.browser import ARGUMENTS, CHROMIUM

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "build" / "lighthouse.md"
PHONE, CALIBRATED, DESK = "phone", "phone, calibrated", "desk"
MULTIPLIER = 4.0  # by which Lighthouse slows the processor for a phone
TARGET_INDEX = 1750 / MULTIPLIER  # what that makes of a "high-end desktop" (docs/throttling.md)
# Lighthouse's launcher turns off RenderDocument, which browsers have on; in a Chromium newer than
# it knows, the first paint then waits a second or two. The last such flag counts.
AS_BROWSERS = "--disable-features=Translate,OptimizationHints,MediaRouter"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TARGETS = {PHONE: 95, CALIBRATED: 95, DESK: 99}  # performance; the other categories are to be full
GATE = 90
FULL = 100


@dataclass(frozen=True)
class Audited:
    """The runs of one page in one form: what Lighthouse wrote of each."""

    page: str
    form: str
    runs: tuple[dict[str, Any], ...]

    @cached_property
    def scores(self) -> dict[str, float]:
        """The median of each category."""
        return {category: median(FULL * run["categories"][category]["score"] for run in self.runs)
                for category in CATEGORIES}

    @property
    def index(self) -> float:
        """How fast Lighthouse found this machine, before it slowed it four times."""
        return median(run["environment"]["benchmarkIndex"] for run in self.runs)

    @property
    def passes(self) -> bool:
        """Is no category below the gate?"""
        return min(self.scores.values()) >= GATE

    @property
    def meets_targets(self) -> bool:
        """Is the performance what we want, and all else full?"""
        performance, *others = self.scores.values()
        return performance >= TARGETS[self.form] and min(others) == FULL

    def short_of_full(self) -> list[str]:
        """The audits that some run did not give in full: their weight, and what was found."""
        weights = {ref["id"]: ref["weight"] for category in self.runs[0]["categories"].values()
                   for ref in category["auditRefs"]}
        found = {name: _found(audit) for run in self.runs for name, audit in run["audits"].items()
                 if audit["score"] not in (1, None)}
        return [f"`{name}` (weight {weights.get(name, 0)}): {said}" for name, said in
                sorted(found.items(), key=lambda item: (-weights.get(item[0], 0), item[0]))]


def kinds(site: Path) -> dict[str, str]:
    """The heaviest page of each kind: kind -> its address within the site."""
    by_weight = sorted(site.rglob("*.html"), key=lambda path: path.stat().st_size)
    pages = [path.relative_to(site).as_posix().removesuffix("index.html") for path in by_weight]
    heaviest = {_kind(page): page for page in pages}
    return {kind: heaviest[kind] for kind in sorted(heaviest)}


def _kind(page: str) -> str:
    """The part of the site, how deep in it; the page of a whole example is its own kind."""
    part, _, rest = page.partition("/")
    return f"{part}/{rest.count('/')}/{'whole' if rest.endswith('/whole/') else ''}"


def audits(address: str, page: str, runs: int) -> list[Audited]:
    """A page on a phone and at a desk.

    A phone that falls short is tried again, as fast as Lighthouse means it to be.
    """
    def audit(form: str, *options: str) -> Audited:
        return Audited(page, form, tuple(_run(address + page, options) for _ in range(runs)))

    found = [audit(PHONE), audit(DESK, "--preset=desktop")]
    if not found[0].meets_targets:
        slower = f"--throttling.cpuSlowdownMultiplier={slowdown(found[0].index):.2f}"
        found.insert(1, audit(CALIBRATED, slower))
    return found


def slowdown(index: float) -> float:
    """How much slower a phone is than a host of this benchmarkIndex.

    Lighthouse's own factor is meant for a fast desktop; on a slower host it means a slower phone.
    Source: Lighthouse, docs/throttling.md, "Calibrating the CPU slowdown".
    """
    return max(1.0, min(MULTIPLIER, index / TARGET_INDEX))


def _run(address: str, options: tuple[str, ...]) -> dict[str, Any]:
    flags = " ".join(["--headless=new", AS_BROWSERS, *ARGUMENTS])
    with TemporaryDirectory() as folder:
        written = Path(folder) / "report.json"
        command = [
            "node", str(installed("lighthouse") / "cli" / "index.js"), address, *options,
            f"--chrome-flags={flags}", f"--only-categories={','.join(CATEGORIES)}",
            "--output=json", f"--output-path={written}", "--quiet", "--no-enable-error-reporting",
        ]
        subprocess.run(command, check=True, env=os.environ | {"CHROME_PATH": str(CHROMIUM)})
        return dict(json.loads(written.read_text(encoding="utf-8")))


def _found(audit: dict[str, Any]) -> str:
    """What an audit found, in a few words, and the first things that it names."""
    said = audit.get("displayValue", audit["title"])
    items = audit.get("details", {}).get("items", [])
    named = [item["node"].get("snippet", "") for item in items if "node" in item]
    return " | ".join([said, *named[:3]])


def table(found: list[Audited]) -> str:
    """A row for each page and form."""
    header = ("page", "form", "benchmarkIndex", *CATEGORIES, "targets")
    rows = [(one.page or "(home)", one.form, f"{one.index:.0f}",
             *(f"{one.scores[category]:.0f}" for category in CATEGORIES),
             "met" if one.meets_targets else "NOT MET") for one in found]
    return markdown_table([header, *rows])


def details(found: list[Audited]) -> str:
    """Every audit that is not full, by page and form."""
    return "\n".join(
        f"\n## {one.page or '(home)'}, {one.form}\n\n"
        + "\n".join(f"- {line}" for line in one.short_of_full())
        for one in found)


@click.command()
@click.argument("pages", nargs=-1)
@click.option("--site", type=click.Path(exists=True, file_okay=False, path_type=Path),
              default=ROOT / "site", help="The built site.")
@click.option("--runs", default=5, help="How many runs the medians are of.")
def main(pages: tuple[str, ...], site: Path, runs: int) -> None:
    """Audit PAGES (by default one of each kind); 1 if any is below the gate."""
    found = []
    with hosted(site) as address:
        for page in pages or kinds(site).values():
            found += audits(address, page, runs)
            click.echo(table(found[-3:]).splitlines()[-1], err=True)  # it takes long
    written = f"# Lighthouse\n\n{table(found)}\n{details(found)}\n"
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(written, encoding="utf-8")
    click.echo(table(found))
    sys.exit(not all(one.passes for one in found))


if __name__ == "__main__":
    main()
