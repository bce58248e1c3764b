"""What MkDocs calls: examples go into the navigation, formulas into the finished pages."""

from pathlib import Path
from typing import Any

# Imports stand within the functions: gen_pages.py makes Python import changed modules again.


def on_config(config: Any) -> Any:
    """Each example file has a page of its own, in the navigation under Examples."""
    from derivations.pages.site import example_files  # noqa: PLC0415

    folder = Path(config.docs_dir) / "examples"
    worked = [f"examples/{path.stem}/index.md" for path in example_files(folder)]
    config.nav = [
        {title: [page, *worked]} if page == "examples/index.md" else {title: page}
        for item in config.nav
        for title, page in item.items()
    ]
    return config


def on_post_page(output: str, **_: Any) -> str:
    """Formulas come in last: search and contents never see them."""
    from derivations.render.mathml import fill  # noqa: PLC0415

    return fill(output)
