"""A formula as a line of plain text, for search results: s(2,3) = q(2,1) k(3,1) + q(2,2) k(3,2)."""

import re
from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from derivations.render.converter import converted

_SIGNS = {"⋅": "·", "⊤": "T", "⋯": "…", "\N{INVISIBLE SEPARATOR}": ""}
_TIDY = tuple((re.compile(pattern), new) for pattern, new in (
    (r"\s+", " "),
    (r" ?\N{FUNCTION APPLICATION}(?: (?=\())?", ""),
    (r"(?<=[(\[{]) | (?=[)\],;])| ?/ ?", lambda found: found[0].strip()),
    (r"(^|[=≈≠<>≤≥+·(\[{,;] ?)− ", r"\1−"),  # a sign, not a difference
    (r"(?<=\d) (?=√)", ""),
    (r"\. ?\. ?\.", "…"),
))


@lru_cache(maxsize=20_000)
def plain(latex: str) -> str:
    """The visible text of a formula without markup, in reading order.

    Raises FormulaError.
    """
    semantics = ElementTree.fromstring(converted(latex))[0]
    line = _text(semantics[0])
    for pattern, new in _TIDY:
        line = pattern.sub(new, line)
    return line.strip()


def _text(element: Element) -> str:
    parts = list(element)
    match element.tag:
        case "mfrac":
            return "/".join(map(_grouped, parts))
        case "msqrt":
            return "√" + (_grouped(parts[0]) if len(parts) == 1 else f"({_row(parts)})")
        case "msub":
            return _text(parts[0]) + _index(parts[1])
        case "msup":
            return f"{_text(parts[0])}^{_power(parts[1])}"
        case "msubsup":
            return f"{_text(parts[0])}^{_grouped(parts[2])}{_index(parts[1])}"
        case "munder" | "munderover":
            return f"{_text(parts[0])}({' to '.join(map(_text, parts[1:]))})"
        case "mtable":
            return _table(element)
        case _:
            return _row(parts) if parts else _leaf(element)


def _leaf(element: Element) -> str:
    written = (element.text or "").strip()
    return _SIGNS.get(written, written)


def _row(parts: list[Element]) -> str:
    return " ".join(map(_text, parts))


def _grouped(element: Element) -> str:
    """In parentheses where it has parts of its own."""
    return f"({_text(element)})" if element.tag in ("mrow", "mfrac") else _text(element)


def _power(element: Element) -> str:
    """As a group; a symbol with indices too: e^(t(2,3))."""
    written = _grouped(element)
    return f"({written})" if written.endswith(")") and written[0] != "(" else written


def _index(element: Element) -> str:
    written = _text(element)
    return f"({written.replace(' ', '')})" if "," in written else f"_{_grouped(element)}"


def _table(element: Element) -> str:
    """The rows of a matrix or of cases; an aligned chain in one line."""
    chain = element.get("displaystyle") == "true"
    cell, row = (" ", " ") if chain else (", ", "; ")
    return row.join(cell.join(_row(list(one)) for one in line) for line in element)
