"""A hook for MkDocs: search reads the words of a page, not its drawings.

A formula is read as text ("the matrix W_Q"). What is drawn is left out: matrices, equations,
cards, pictures. Material's plugin indexes `page.content` in `on_page_context`, so that holds the
words while it runs, and the whole page again afterwards. (Its `data-search-exclude` ends at the
first nested element of the same name.)
"""

import re
from html import escape
from html.parser import HTMLParser
from typing import Any

from mkdocs.plugins import CombinedEvent, event_priority

DRAWN = {"card", "equation", "eyebrow", "md-button", "numbered", "place", "source"}
OF_WORDS = {"examples", "notation", "sizes", "stacks", "symbols"}  # tables; all others are numbers
DRAWN_TAGS = {"figure", "math", "nav", "svg"}
VOID = {"br", "col", "hr", "img", "input", "wbr"}
# A word in a title counts a thousandfold, and many titles have it: which page is about it?
# A token: the overview of its example. "Weights": those after softmax, not those that are typed.
BOOSTS = {"index.md": 2, "softmax.md": 1.5, "words.md": 0.25}
_SPACE = re.compile(r"\s+")
_EMPTY = re.compile(r"<p>\s*</p>")


@event_priority(100)
def _before(context: Any, *, page: Any, config: Any, **_: Any) -> Any:
    """Before the search plugin: only the words."""
    page.whole_content, page.content = page.content, words(page.content)
    page.meta.setdefault("search", {}).setdefault(
        "boost", boost(page.file.src_uri, config.extra["example"]))
    return context


@event_priority(-100)
def _after(context: Any, *, page: Any, **_: Any) -> Any:
    page.content = page.whole_content
    return context


on_page_context = CombinedEvent(_before, _after)


def boost(name: str, lesson: str) -> float:
    """How far a page stands above others: the lesson's example above others, all above home.

    A tag stands before the same step of an example: who types its signs means that.
    """
    match name.split("/"):
        case ["examples", _, "tag", _]:
            return 0.25
        case ["examples", example, page]:
            return (2 if example == lesson else 1) * BOOSTS.get(page, 1)
        case ["index.md"]:
            return 0.5
    return 1


def words(content: str) -> str:
    """The HTML of a page's content, without what is drawn and with formulas as text."""
    parser = _Words()
    parser.feed(content)
    parser.close()
    return _EMPTY.sub("", "".join(parser.kept)).strip()


class _Words(HTMLParser):
    """Copies the HTML that it reads, outside of what is drawn."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.kept: list[str] = []
        self._drawn: list[str] = []  # the open elements, from the outermost drawn one on

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._drawn or _is_drawn(tag, dict(attrs)):
            self._drawn += [tag] * (tag not in VOID)
            return
        self._keep(self.get_starttag_text() or "")
        self._keep(" " if tag == "br" else _formula(dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._drawn:
            self._keep(f"</{tag}>")
        elif self._drawn[-1] == tag:
            self._drawn.pop()

    def handle_data(self, data: str) -> None:
        self._keep(_SPACE.sub(" ", data))

    def handle_charref(self, name: str) -> None:
        self._keep(f"&#{name};")

    def handle_entityref(self, name: str) -> None:
        self._keep(f"&{name};")

    def _keep(self, written: str) -> None:
        if not self._drawn:
            self.kept.append(written)


def _is_drawn(tag: str, attrs: dict[str, str | None]) -> bool:
    classes = (attrs.get("class") or "").split()
    if classes[:1] == ["table"]:
        return OF_WORDS.isdisjoint(classes[1:2])
    return tag in DRAWN_TAGS or "data-search-exclude" in attrs or not DRAWN.isdisjoint(classes)


def _formula(attrs: dict[str, str | None]) -> str:
    """The text of a place for a formula."""
    from derivations.render.plain import plain  # noqa: PLC0415 (scripts/hooks.py forgets it)

    latex = attrs.get("data-tex")
    return escape(plain(latex), quote=False) if latex else ""
