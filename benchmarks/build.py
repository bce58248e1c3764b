"""The page build: what the page set adds to MkDocs alone, from a fresh clone to no change."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from mkdocs.config import load_config
from mkdocs.utils.yaml import yaml_load

from benchmarks.measure import Row, medians
from derivations.pages.examples import example_files
from scripts import hooks
from tests import sites

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
ROUNDS = 5
AT_MOST = 1.25
# As the Makefile sets them; MkDocs alone finds nothing of ours.
QUIET = {
    "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1", "SOURCE_DATE_EPOCH": "1767225600",
}
LIBRARIES = "import sympy, flint, numpy, jinja2, markdown, fontTools.subset"
PAGE_SET = ("from pathlib import Path; from derivations.pages.examples import Source; "
            "from derivations.pages.site import pages; ")


def rows() -> Iterator[Row]:
    """A fresh process that makes the page set; builds of the site, beside bare MkDocs."""
    yield _cold_start()
    with TemporaryDirectory() as folder:
        project = sites.project(Path(folder) / "project", sites.texts(*example_files(EXAMPLES)))
        bare = Path(folder) / "bare"
        generated = write_bare(project, bare)
        for what, prepare in STATES.items():
            ours, baseline = medians(_build(project, prepare), _build(bare), ROUNDS)
            _same_files(project / "site", bare / "site")
            at_most = AT_MOST if prepare is _nothing else None
            yield Row(f"mkdocs build, {generated} pages, {what}", "bare MkDocs, pages on disk",
                      ours, baseline, at_most)


def _cold_start() -> Row:
    lesson = _project()["extra"]["example"]
    make = f"{PAGE_SET} pages(Source(Path('docs'), {lesson!r}))"
    ours, baseline = medians(_python(ROOT, "-c", make), _python(ROOT, "-c", LIBRARIES), ROUNDS)
    return Row("cold start: import and the page set", "import of the libraries", ours, baseline)


def _forget(project: Path) -> None:
    shutil.rmtree(project / "build", ignore_errors=True)


def _edit(project: Path) -> None:
    """Another byte in an example, which changes no number."""
    with example_files(project / "docs" / "examples")[0].open("a", encoding="utf-8") as example:
        example.write("#\n")


def _nothing(project: Path) -> None:
    """Leave all as it is."""


STATES: dict[str, Callable[[Path], None]] = {
    "nothing kept": _forget, "an example edited": _edit, "unchanged": _nothing,
}


def write_bare(project: Path, bare: Path) -> int:
    """The project with its page set on the disk; how many pages there are."""
    config = load_config(str(project / "mkdocs.yml"))
    page_set = hooks.on_config(config).extra["page_set"]
    shutil.copytree(project / "docs", bare / "docs")
    for name, contents in page_set.items():
        path = bare / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
    settings = yaml.safe_dump(_bare_config(_project(), config.nav))
    (bare / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return len(list((bare / "docs").rglob("*.md")))


def _project() -> dict[str, Any]:
    with (ROOT / "mkdocs.yml").open(encoding="utf-8") as file:
        return dict(yaml_load(file))


def _bare_config(config: dict[str, Any], nav: list[Any]) -> dict[str, Any]:
    """The project's configuration without what is ours: same theme, pages and navigation."""
    bare = {key: value for key, value in config.items() if key not in ("hooks", "watch")}
    theme = config["theme"] | {"custom_dir": str(ROOT / config["theme"]["custom_dir"])}
    return bare | {
        "theme": theme,
        "nav": nav,
        "plugins": [entry for entry in config["plugins"] if _name(entry) != "gen-files"],
        "markdown_extensions": [entry for entry in config["markdown_extensions"]
                                if not _name(entry).startswith("derivations.")],
    }


def _name(entry: str | dict[str, Any]) -> str:
    return entry if isinstance(entry, str) else next(iter(entry))


def _same_files(ours: Path, bare: Path) -> None:
    found = [{path.relative_to(site) for path in site.rglob("*")} for site in (ours, bare)]
    if found[0] != found[1]:
        different = ", ".join(sorted(map(str, found[0] ^ found[1])))
        raise AssertionError(f"the two builds are not of the same files: {different}")


def _build(folder: Path, prepare: Callable[[Path], None] = _nothing) -> Callable[[], None]:
    build = _python(folder, "-m", "mkdocs", "build", "-q")

    def run() -> None:
        prepare(folder)
        build()

    return run


def _python(folder: Path, *arguments: str) -> Callable[[], None]:
    """A fresh process, from its start to its end."""
    environment = os.environ | QUIET

    def run() -> None:
        subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, check=True,
            stdout=subprocess.DEVNULL,
        )

    return run
