"""Templates: those of this package, and the pages of a site, with markers to be filled in."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from derivations.render.markup import text

TEMPLATES = Path(__file__).parent / "templates"


@cache
def own_templates() -> Environment:
    """Those of this package, read once."""
    return environment(TEMPLATES)


def environment(folder: Path) -> Environment:
    """Templates of a folder. A marker that matches nothing is an error."""
    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        finalize=_safe,
        comment_start_string="{##",
        comment_end_string="##}",
        keep_trailing_newline=True,
        autoescape=True,
    )


def _safe(value: Any) -> Markup:
    """What a marker gives, if it is not Markup, is text: it is shown as it is."""
    return value if isinstance(value, Markup) else text(value)
