"""A hook for MkDocs: with PDF=1 in the environment a site has PDFs of itself (`make pdf`)."""

from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

BEFORE_THE_PAGES = 100
_serving = False


def on_startup(command: str, **_: Any) -> None:
    """`mkdocs serve` rebuilds at each change: it prints nothing, and links to no PDF."""
    global _serving  # noqa: PLW0603 (MkDocs says it here and nowhere else)
    _serving = command == "serve"


@event_priority(BEFORE_THE_PAGES)
def on_config(config: Any) -> Any:
    """That there is no Chromium is told before the long work, not after it."""
    if _serving:
        config.extra["pdf"] = ""
    if config.extra.get("pdf"):
        from scripts.printing.browser import NoChromium, chromium  # noqa: PLC0415 (only here)

        try:
            chromium()
        except NoChromium as error:
            raise PluginError(str(error)) from None
    return config


def on_post_build(config: Any) -> None:
    """The PDFs, beside the pages that they are printed from."""
    if config.extra.get("pdf"):
        from scripts.printing.documents import write_all  # noqa: PLC0415 (only here)

        write_all(Path(config.site_dir), config.site_url or "")
