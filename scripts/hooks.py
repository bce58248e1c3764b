"""What MkDocs calls: the page set is made first, formulas go into the finished pages last.

The page set is made before MkDocs clears the old site, so that a fault leaves the last good one.
"""

import sys
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError


def on_config(config: Any) -> Any:
    """Make the page set, and give each example a place in the navigation."""
    _forget_modules()
    from derivations.pages.site import SiteError, Source, pages  # noqa: PLC0415 (after forgetting)

    try:
        files = pages(Source(Path(config.docs_dir), config.extra["example"]))
    except SiteError as error:
        raise PluginError(f"The site was not built.\n{error}") from None
    config.extra["page_set"] = files
    config.nav = _with_examples(config.nav, files)
    return config


def on_post_page(output: str, **_: Any) -> str:
    """Formulas come in last: search and contents never see them."""
    from derivations.render.mathml import fill  # noqa: PLC0415 (after forgetting)

    return fill(output)


def _forget_modules() -> None:
    """A rebuild of `mkdocs serve` must import changed Python again."""
    for name in [name for name in sys.modules if name.split(".")[0] == "derivations"]:
        del sys.modules[name]


def _with_examples(nav: list[dict[str, Any]], files: dict[str, bytes]) -> list[dict[str, Any]]:
    worked = [name for name in files
              if name.startswith("examples/") and name.count("/") == 2 and name.endswith(".md")]
    return [
        {title: [*pages, *worked] if title == "Examples" else pages}
        for section in nav
        for title, pages in section.items()
    ]
