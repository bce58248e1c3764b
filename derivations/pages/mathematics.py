"""A Python-Markdown extension: `$...$` and `$$...$$` become MathML, at build time.

pymdownx.arithmatex finds the formulas. With `late = True` only their places are written, which
search and contents pass by; `derivations.render.mathml.fill` fills them in the finished page.
"""

import html
import re
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from pymdownx.arithmatex import ArithmatexExtension

from derivations.render.markup import UNNAMED, equation, math
from derivations.render.mathml import fill

_FOUND = re.compile(
    r'<(span|div) class="arithmatex">(?:\\\((.*?)\\\)|\\\[(.*?)\\\])</\1>([.,;:!?)]*)', re.DOTALL
)


class MathematicsExtension(Extension):
    """Formulas as MathML, on the page (`late = False`) or as places to fill (`late = True`)."""

    def __init__(self, **kwargs: Any) -> None:
        self.config = {"late": [False, "write places only; the builder fills them later"]}
        super().__init__(**kwargs)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register the search for formulas, and what is written for each."""
        ArithmatexExtension(generic=True, preview=False).extendMarkdown(md)
        md.postprocessors.register(_Formulas(md, self.getConfig("late")), "mathematics", -10)


class _Formulas(Postprocessor):
    def __init__(self, md: Markdown, late: bool):
        super().__init__(md)
        self.late = late

    def run(self, text: str) -> str:
        """Formulas found become places; places are filled unless that is to be done later."""
        page = _FOUND.sub(_place, text)
        return page if self.late else fill(page)


def _place(found: re.Match[str]) -> str:
    _, inline, display, mark = found.groups()
    latex = html.unescape(inline if display is None else display).strip()
    if display is None:  # a mark after a formula stays on its line
        shown = math(latex)
        return f'<span class="together">{shown}{mark}</span>' if mark else str(shown)
    return f"{equation(latex, UNNAMED)}{mark}"


def makeExtension(**kwargs: Any) -> MathematicsExtension:  # noqa: N802 (Markdown's name)
    """What Python-Markdown calls."""
    return MathematicsExtension(**kwargs)
