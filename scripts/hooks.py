"""What MkDocs calls: the page set is made first, formulas go into the finished pages last.

The page set is made before MkDocs clears the old site, so that a fault leaves the last good one.
"""

import logging
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from posixpath import basename, dirname
from typing import Any

from mkdocs.exceptions import Abort, PluginError

from scripts import cache
from scripts.progress import Progress

log = logging.getLogger("mkdocs.hooks")
BEFORE, CHAPTER = "lesson/look-up.md", "10. Worked example"
SHORT = {"index.md": "Overview", "whole.md": "All steps",  # names in the navigation
         "hand-out.md": "Hand-out", "key.md": "Key"}


class NotBuilt(PluginError):
    """There is no page set. MkDocs has not cleared the site yet."""


def on_config(config: Any) -> Any:
    """Make the page set, and give each example a place in the navigation."""
    _forget_modules()
    folder = Path(config.config_file_path).parent / "build" / "cache"
    docs = Path(config.docs_dir)
    source = (docs, config.extra["example"], config.use_directory_urls, config.site_url or "")
    inputs = (*source[1:], beside(docs))
    files = cache.page_set(folder, docs, inputs, partial(_page_set, source))
    config.extra["page_set"] = files
    config.nav = _with_examples(config.nav, files, config.extra["example"])
    return config


def beside(docs: Path) -> bytes:
    """What pages say of files beside the docs; that one is missing is told with all else."""
    paths = (docs.parent / name for name in ("CITATION.cff", "CHANGELOG.md"))
    return b"".join(path.read_bytes() for path in paths if path.is_file())


def _page_set(source: tuple[Any, ...], keep: cache.Keep) -> cache.Files:
    """The page set, made anew. Only here is the mathematics imported."""
    from derivations.pages.examples import SiteError, Source  # noqa: PLC0415 (after forgetting)
    from derivations.pages.site import pages  # noqa: PLC0415

    try:
        return pages(Source(*source), keep, Progress())
    except SiteError as error:
        raise NotBuilt(f"The site was not built.\n{error}") from None


def on_post_page(output: str, **_: Any) -> str:
    """Formulas come in last: search and contents never see them."""
    from derivations.render.mathml import fill  # noqa: PLC0415 (after forgetting)

    return fill(output)


def on_serve(server: Any, builder: Callable[[], None], **_: Any) -> Any:
    """After a fault, the last good site is served: MkDocs would answer nothing until it is mended.

    A click would wait, and so would the page that says how to write an example.
    """
    server.builder = partial(_build_or_keep, builder)
    return server


def _build_or_keep(build: Callable[[], None]) -> None:
    try:
        build()
    except Abort as abort:
        if not isinstance(abort.__context__, NotBuilt):  # a later fault leaves half a site
            raise
        log.error("The pages stay as they were until this is mended.")


def _forget_modules() -> None:
    """A rebuild of `mkdocs serve` must import changed Python again."""
    for name in [name for name in sys.modules if name.split(".")[0] == "derivations"]:
        del sys.modules[name]


def _with_examples(
    nav: list[dict[str, Any]], files: dict[str, bytes], lesson: str
) -> list[dict[str, Any]]:
    """The navigation with a section for each example, after the list of all of them.

    All steps of the lesson's example, on one page, are a chapter of the lesson.
    """
    chapter = f"examples/{lesson}/whole.md"
    worked = [name for name in files if name.startswith("examples/") and name.endswith(".md")
              and name.count("/") >= 2 and name != chapter and "/tag/" not in name]
    sections = [_section(folder, worked, files) for folder in dict.fromkeys(map(dirname, worked))
                if folder.count("/") == 1]
    added = {"Examples": lambda pages: [*pages, *sections],
             "Lesson": lambda pages: _with_chapter(pages, chapter)}
    return [{title: added[title](pages) if title in added else pages}
            for section in nav for title, pages in section.items()]


def _section(folder: str, worked: list[str], files: dict[str, bytes]) -> dict[str, Any]:
    """The pages of an example; after its overview come its heads, each a section of its own."""
    first, *others = ({SHORT.get(basename(name)) or _title(files[name]): name}
                      for name in worked if dirname(name) == folder)
    heads = [_section(below, worked, files) for below in dict.fromkeys(map(dirname, worked))
             if dirname(below) == folder]
    title = _title(files[f"{folder}/index.md"]) if folder.count("/") == 1 else \
        basename(folder).replace("-", " ").capitalize()
    return {title: [first, *heads, *others]}


def _with_chapter(pages: list[dict[str, str]], chapter: str) -> list[dict[str, str]]:
    """The pages of the lesson, with the worked example after the common mistakes."""
    place = 1 + next(n for n, page in enumerate(pages) if BEFORE in page.values())
    return [*pages[:place], {CHAPTER: chapter}, *pages[place:]]


def _title(page: bytes) -> str:
    """The title of a generated page: the first heading, safe as HTML, without what follows it."""
    heading = next(line for line in page.decode().splitlines() if line.startswith("# "))
    return heading.removeprefix("# ").partition(" <span")[0].partition(" {:")[0]
