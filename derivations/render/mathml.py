"""Formulas as MathML, with roles and names; and the places for formulas in a finished page."""

import html
import re
from functools import lru_cache

from derivations.render.converter import FormulaError, converted
from derivations.render.mathml_pass import named, with_roles

__all__ = ["FormulaError", "fill", "mathml"]

_PLACE = re.compile(
    r'<span class="math( display)?" data-tex="([^"]*)"(?: data-of="([^"]*)")?>[^<]*</span>')


@lru_cache(maxsize=20_000)
def mathml(latex: str, display: bool = False, of: str = "") -> str:
    """The MathML of a formula: symbols have their role; `of` says what its matrices show.

    It names one matrix after the other, as `named` reads it. Raises FormulaError.
    """
    xml = with_roles(converted(latex, display))
    return named(xml, of.split()) if of else xml


def fill(page: str) -> str:
    """A finished page, with the MathML of each formula in its place.

    Text that stood there (for a search) gives way. Raises FormulaError.
    """
    return _PLACE.sub(_filled, page)


def _filled(place: re.Match[str]) -> str:
    display, latex, of = place.groups(default="")
    return mathml(html.unescape(latex), bool(display), html.unescape(of))
