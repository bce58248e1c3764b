"""LaTeX -> MathML Core, by math-core: what it says, and nothing of ours."""

import re
from functools import lru_cache

from math_core import LatexError, LatexToMathML

_TO_MATHML = LatexToMathML(annotation=True, fancy_error=False)
_STYLE = re.compile(r' style="([^"]*)"')
_CLASSES = {  # the policy of the site forbids styles in attributes: mathematics.css has these
    "text-align: right;justify-items: end;padding-right: 0;": "right",
    "text-align: left;justify-items: start;padding-left: 0;": "left",
    "text-align: left;justify-items: start;padding-right: 0;": "case",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "condition",
}
_FUNCTION_APPLICATION = "\N{FUNCTION APPLICATION}"


class FormulaError(ValueError):
    """A formula cannot be converted: the message holds the formula and what is wrong with it."""


@lru_cache(maxsize=20_000)
def converted(latex: str, display: bool = False) -> str:
    """The MathML of a formula, with its LaTeX as an annotation.

    Raises FormulaError.
    """
    try:
        xml = _TO_MATHML.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise FormulaError(f"the formula {latex!r} cannot be typeset: {error}") from None
    return _STYLE.sub(_class, xml).replace("&ApplyFunction;", _FUNCTION_APPLICATION)


def _class(style: re.Match[str]) -> str:
    if style[1] not in _CLASSES:
        raise FormulaError(f"a formula needs the style {style[1]!r}, which has no class")
    return f' class="{_CLASSES[style[1]]}"'
