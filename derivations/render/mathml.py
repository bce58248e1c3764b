"""LaTeX -> MathML Core, by math-core; and the places for formulas in a finished page."""

import html
import re
from functools import lru_cache

from math_core import LatexError, LatexToMathML

_PLACE = re.compile(r'<span class="math( display)?" data-tex="([^"]*)"></span>')
_TO_MATHML = LatexToMathML(annotation=True, fancy_error=False)
_FUNCTION_APPLICATION = "\N{FUNCTION APPLICATION}"


class FormulaError(ValueError):
    """A formula cannot be converted: the message holds the formula and what is wrong with it."""


@lru_cache(maxsize=20_000)
def mathml(latex: str, display: bool = False) -> str:
    """The MathML of a formula, with its LaTeX as an annotation.

    Raises FormulaError.
    """
    try:
        converted = _TO_MATHML.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise FormulaError(f"the formula {latex!r} cannot be typeset: {error}") from None
    return converted.replace("&ApplyFunction;", _FUNCTION_APPLICATION)


def fill(page: str) -> str:
    """A finished page, with the MathML of each formula in its place."""
    return _PLACE.sub(lambda place: mathml(html.unescape(place[2]), bool(place[1])), page)
