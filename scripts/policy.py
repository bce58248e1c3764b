"""A hook for MkDocs: each page says what a browser may load for it. Only what is of this site.

The scripts that the theme writes into a page are allowed one by one, by their hashes. What stands
in the content is not: a script that got there, by a token or a title, does not run.
"""

import re
from html.parser import HTMLParser
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

from derivations.pages.hashes import digest

BEFORE_THE_FORMULAS = 100
DATA = {"application/json", "application/ld+json"}
RULES = (  # 'self' for all: Firefox fetches the next page ahead by the first
    "default-src 'self'", "script-src 'self'{inline}", "img-src 'self' data:",
    "object-src 'none'", "base-uri 'none'", "form-action 'none'",
)
SCRIPT = re.compile(r"<script\b.*?</script\s*>", re.DOTALL | re.IGNORECASE)
_serving = False


def on_startup(command: str, **_: Any) -> None:
    """`mkdocs serve` adds an inline script of its own to each page, after us: it may."""
    global _serving  # noqa: PLW0603 (MkDocs says it here and nowhere else)
    _serving = command == "serve"


@event_priority(BEFORE_THE_FORMULAS)
def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """A page, with its policy."""
    if page.content not in output:
        raise PluginError(f"{page.file.src_uri}: the template changed the content of the page, "
                          "so its policy cannot tell the theme's scripts from others")
    return with_policy(output, output.replace(page.content, "", 1))


def on_post_template(output_content: str, *, template_name: str, **_: Any) -> str:
    """404.html, with its policy: it is the theme's from start to end."""
    if not template_name.endswith(".html"):
        return output_content
    return with_policy(output_content, output_content)


def with_policy(page: str, theme: str) -> str:
    """A page whose first element in its head allows the inline scripts of `theme`, no others."""
    rule = f'<meta http-equiv="Content-Security-Policy" content="{policy(theme)}">'
    return page.replace("<head>", f"<head>\n    {rule}", 1)


def policy(theme: str) -> str:
    """The rules, with the hash of each inline script."""
    inline = ["unsafe-inline"] if _serving else map(digest, dict.fromkeys(inline_scripts(theme)))
    return "; ".join(RULES).format(inline="".join(f" '{source}'" for source in inline))


def inline_scripts(theme: str) -> list[str]:
    """The text of each script that a browser would run and that has no address of its own."""
    parser = _Scripts()
    parser.feed("".join(SCRIPT.findall(theme)))  # the rest of a page is long
    parser.close()
    return parser.found


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._inside = tag == "script" and "src" not in given and given.get("type") not in DATA
        if self._inside:
            self.found.append("")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = False
