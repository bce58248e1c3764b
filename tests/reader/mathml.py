"""MathML -> tokens: what a reader sees, element by element. An unknown element is an error."""

import re
from collections.abc import Iterator
from typing import Any

from .errors import ReadError
from .tokens import INVISIBLE, Row, Token, operator

Element = Any
NUMBER = re.compile(r"([-−]?)(\d+(?:\.\d+)?)")
LEAVES = ("mi", "mo", "mn", "mtext", "annotation")
WRAPPERS = ("math", "mrow", "mstyle", "mpadded", "a", "mtd")
SCRIPTS = {"msub": "b", "msup": "p", "msubsup": "bp", "munder": "b", "mover": "p",
           "munderover": "bp"}
COUNTS = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
DOTS = ((".",) * 3, ("·",) * 3)


def local(element: Element) -> str:
    """An element's name without its namespace; '' for comments."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def annotation(math: Element) -> str | None:
    """The LaTeX of a <math> element, None where it has none."""
    for element in math.iter():
        if local(element) == "annotation" and element.get("encoding") == "application/x-tex":
            return element.text or ""
    return None


def tokens_of(math: Element) -> Row:
    """The visible tokens of a <math> element, or of one inside it."""
    _refuse_loose_text(math)
    return _row(math) if local(math) in WRAPPERS else _alone(math)


def _refuse_loose_text(element: Element) -> None:
    """Text may stand in leaves only."""
    name = local(element)
    texts = [child.tail for child in element]
    if name in LEAVES:
        return
    if any((text or "").strip() for text in (element.text if name else "", *texts)):
        raise ReadError(f"text stands loose in <{name}>")
    for child in element:
        _refuse_loose_text(child)


def _row(parent: Element) -> Row:
    """The tokens of all children, in order."""
    found = [token for child in parent if local(child) for token in _tokens(child)]
    return _joined(found)


def _joined(found: list[Token]) -> Row:
    """Three dots written one by one become one token."""
    out: list[Token] = []
    for token in found:
        out.append(token)
        if tuple(last.text for last in out[-3:]) in DOTS:
            out[-3:] = [Token("op", "…")]
    return tuple(out)


def _tokens(element: Element) -> Iterator[Token]:
    name = local(element)
    if name in COUNTS and len(element) != COUNTS[name]:
        raise ReadError(f"<{name}> with {len(element)} parts")
    if name == "semantics" or name in WRAPPERS:
        yield from _row(element)
    elif name in ("mi", "mo", "mn"):
        yield from _leaf(name, _text(element))
    elif name == "mtext":
        yield from _mtext(element)
    elif name == "mspace":
        yield from _space(element)
    elif name == "mfrac":
        yield _fraction(element)
    elif name == "msqrt":
        yield Token("root", parts=(_row(element),))
    elif name in SCRIPTS:
        yield from _script(element, SCRIPTS[name])
    elif name == "mtable":
        yield Token("grid", parts=tuple((_table_row(row),) for row in element))
    elif name != "annotation":
        raise ReadError(f"<{name}> is not understood")


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


def _leaf(name: str, text: str) -> Iterator[Token]:
    if text in INVISIBLE:
        return
    sign = operator(text)
    number = NUMBER.fullmatch(text)
    if sign is not None:
        yield sign
    elif number and name == "mn":
        if number[1]:
            yield Token("op", "-")
        yield Token("number", number[2])
    elif name == "mi" or text == "·":
        yield Token("name", text)
    else:
        raise ReadError(f"<{name}>{text}</{name}> is not understood")


def _mtext(element: Element) -> Iterator[Token]:
    """Text; a link in it may hold mathematics of its own, or a number."""
    inner = [child for child in element.iter() if local(child) == "math"]
    text = _text(element)
    if inner:
        for math in inner:
            yield from _row(math)
    elif len(element) and NUMBER.fullmatch(text):
        yield from _leaf("mn", text)
    elif text:
        yield Token("text", text)


def _space(element: Element) -> Iterator[Token]:
    width = re.fullmatch(r"([\d.]+)em", element.get("width", ""))
    if width and float(width[1]) >= 1:
        yield Token("quad")


def _fraction(element: Element) -> Token:
    if element.get("linethickness") in ("0", "0px", "0em"):
        raise ReadError("a fraction without a bar")
    top, bottom = element
    return Token("frac", parts=(_alone(top), _alone(bottom)))


def _alone(element: Element) -> Row:
    return _joined(list(_tokens(element)))


def _script(element: Element, places: str) -> Iterator[Token]:
    """The base, then its script."""
    base, *scripts = element
    by_place = dict(zip(places, map(_alone, scripts), strict=True))
    yield from _tokens(base)
    yield Token("script", parts=(by_place.get("b", ()), by_place.get("p", ())))


def _table_row(row: Element) -> Token:
    if local(row) != "mtr":
        raise ReadError(f"<{local(row)}> is not understood in a table")
    return Token("row", parts=tuple(_row(cell) for cell in row))
