"""The page build: how long a cold start takes, and what it adds to MkDocs alone."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from mkdocs.utils.yaml import yaml_load

from benchmarks.measure import Row, medians
from derivations.pages.site import Source, example_files, pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MATHEMATICS = "derivations.pages.mathematics"
ROUNDS = 5
# As the Makefile sets them; MkDocs alone finds nothing of ours.
QUIET = {
    "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1", "SOURCE_DATE_EPOCH": "1767225600",
}
COLD_START = (
    "from pathlib import Path; from derivations.pages.site import Source, pages; "
    "pages(Source(Path('docs'), {lesson!r}))"
)
LIBRARIES = "import sympy, flint, numpy, jinja2, markdown, fontTools.subset"


def rows() -> Iterator[Row]:
    """A fresh process that makes the page set, and one that builds the site."""
    config = _project()
    cold = COLD_START.format(lesson=config["extra"]["example"])
    ours, baseline = medians(_python("-c", cold), _python("-c", LIBRARIES), ROUNDS)
    yield Row("cold start: import and the page set", "import of the libraries", ours, baseline)
    with TemporaryDirectory() as folder:
        yield _against_bare_mkdocs(config, Path(folder))


def _against_bare_mkdocs(config: dict[str, Any], folder: Path) -> Row:
    bare = folder / "bare"
    generated = _write_pages(config, bare / "docs")
    (bare / "mkdocs.yml").write_text(yaml.safe_dump(_bare_config(config)), encoding="utf-8")
    project_site, bare_site = folder / "project-site", folder / "bare-site"
    ours, baseline = medians(
        _mkdocs(ROOT / "mkdocs.yml", project_site), _mkdocs(bare / "mkdocs.yml", bare_site), ROUNDS
    )
    _same_files(project_site, bare_site)
    what = f"mkdocs build of the project, {generated} pages"
    return Row(what, "bare MkDocs, pages on disk", ours, baseline)


def _write_pages(config: dict[str, Any], docs: Path) -> int:
    """docs/ with the page set over it; how many pages there are."""
    shutil.copytree(DOCS, docs)
    for name, contents in pages(Source(DOCS, config["extra"]["example"])).items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
    return len(list(docs.rglob("*.md")))


def _project() -> dict[str, Any]:
    with (ROOT / "mkdocs.yml").open(encoding="utf-8") as file:
        return dict(yaml_load(file))


def _bare_config(config: dict[str, Any]) -> dict[str, Any]:
    """The project's configuration without what is ours: same theme, pages and navigation."""
    bare = {key: value for key, value in config.items() if key not in ("hooks", "watch")}
    theme = config["theme"] | {"custom_dir": str(ROOT / config["theme"]["custom_dir"])}
    return bare | {
        "theme": theme,
        "nav": _with_examples(config["nav"]),
        "plugins": [entry for entry in config["plugins"] if _name(entry) != "gen-files"],
        "markdown_extensions": [
            entry for entry in config["markdown_extensions"] if _name(entry) != MATHEMATICS
        ],
    }


def _name(entry: str | dict[str, Any]) -> str:
    return entry if isinstance(entry, str) else next(iter(entry))


def _with_examples(nav: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The navigation that scripts/hooks.py makes."""
    worked = [f"examples/{path.stem}/index.md" for path in example_files(DOCS / "examples")]
    return [
        {title: [page, *worked]} if page == "examples/index.md" else {title: page}
        for item in nav
        for title, page in item.items()
    ]


def _same_files(ours: Path, bare: Path) -> None:
    found = [{path.relative_to(site) for path in site.rglob("*")} for site in (ours, bare)]
    if found[0] != found[1]:
        different = ", ".join(sorted(map(str, found[0] ^ found[1])))
        raise AssertionError(f"the two builds are not of the same files: {different}")


def _mkdocs(config: Path, site: Path) -> Callable[[], None]:
    return _python("-m", "mkdocs", "build", "-q", "-f", str(config), "-d", str(site))


def _python(*arguments: str) -> Callable[[], None]:
    """A fresh process, from its start to its end."""
    environment = os.environ | QUIET

    def run() -> None:
        subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=environment, check=True,
            stdout=subprocess.DEVNULL,
        )

    return run
