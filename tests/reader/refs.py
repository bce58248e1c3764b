"""Numbers with a data-ref: what is written against the entry it names."""

import re
from typing import Any

from mpmath import mpf

from .errors import ReadError
from .evaluate import Scope, evaluate, rounded
from .grammar import read_formula
from .mathml import local, tokens_of
from .relations import compare, contains, inside, shown
from .table import Number, Truth
from .tree import INFINITY, Expr, Literal, Node, is_number, negative_zero

Element = Any
Address = tuple[str, int, int]
ADDRESS = re.compile(r"([a-z][a-z_]*(?:_\d+)?)-r(\d+)(?:c(\d+))?")
NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?:\s*[·⋅×]\s*10\^\{?(-?\d+)\}?)?")
FRACTION = re.compile(r"(\d+)/(\d+)")


def split_ref(element: Element) -> None:
    """raw.scores-r1c2 is the entry scores-r1c2 of the variant raw."""
    variant, dot, ref = (element.get("data-ref") or "").rpartition(".")
    if dot:
        element.set("data-ref", ref)
        element.set("data-variant", variant)


def variant_of(element: Element) -> str | None:
    """The variant that an element is part of: that of itself or of the nearest around it."""
    while element is not None:
        name: str | None = element.get("data-variant")
        if name is not None:
            return name
        element = element.getparent()
    return None


def address_of(text: str, truth: Truth) -> Address | None:
    """(step, row, column) of an id such as scores-r2c3, None where it names no entry."""
    found = ADDRESS.fullmatch(text)
    if not found or found[1] not in truth.matrices:
        return None
    if found[3] is None and truth.shape(found[1])[1] != 1:
        return None
    return found[1], int(found[2]), int(found[3] or 1)


def true_value(ref: str, truth: Truth) -> Number:
    """The value that a data-ref names: an entry, or a size."""
    if ref in truth.sizes:
        return mpf(truth.size(ref))
    address = address_of(ref, truth)
    if address is None:
        raise ReadError("it names no entry of this example")
    return truth.entry(*address)


def text_of(element: Element) -> str:
    """The visible text, a <sup> written as ^, minus signs made plain; no titles (of SVG)."""
    parts = [element.text or ""]
    for child in element:
        if local(child) and local(child) != "title":
            parts.append(("^" if local(child) == "sup" else "") + text_of(child))
        parts.append(child.tail or "")
    return "".join(parts).replace("−", "-").strip()


def title_problem(element: Element) -> str | None:
    """The title of a number in a picture ends with that number, and maybe a few words."""
    said = re.compile(rf".*: {re.escape(text_of(element))}(, [a-z ]+)?", re.DOTALL)
    titles = (text_of(inner) for inner in element.iter() if local(inner) == "title")
    wrong = [title for title in titles if not said.fullmatch(title)]
    return f"its title says {wrong[0]!r}" if wrong else None


def ref_problem(element: Element, truth: Truth) -> str | None:
    """What is wrong with the number of an element with a data-ref, None where it is right."""
    true = true_value(element.get("data-ref"), truth)
    sign, written = _written(element)
    if negative_zero(written):
        return "a negative zero"
    problem = compare(true, evaluate(written, Scope(truth)), lambda t, f: inside(t, f, truth))
    if problem is None:
        return None
    if not is_number(written) or sign == "=" or element.get("data-exact") is not None:
        return f"{problem} exactly"
    number = written.parts[0] if isinstance(written, Node) else written
    assert isinstance(number, Literal)
    near = rounded(number) if number is written else -rounded(number)
    if contains(near, true, truth):
        return f"found {text_of(element)}, expected {shown(true)} correctly rounded"
    return _places_problem(number, element)


def _places_problem(number: Literal, element: Element) -> str | None:
    """A rounded number has as many decimals as its page."""
    places, expected = len(number.text.partition(".")[2]), _page_places(element)
    if expected is not None and places != expected:
        return f"found {number} with {places} decimals, expected {expected}"
    return None


def _page_places(element: Element) -> int | None:
    """The decimals that the nearest data-places asks for."""
    while element is not None:
        places = element.get("data-places")
        if places is not None:
            return int(places)
        element = element.getparent()
    return None


def _written(element: Element) -> tuple[str, Expr]:
    """The relation before the number, if any, and the number."""
    maths = [inner for inner in element.iter() if local(inner) == "math"]
    if maths or "MathML" in element.tag:
        return read_formula(tokens_of(maths[0] if maths else element))[-1][-1]
    text = text_of(element)
    sign = text[0] if text[:1] in ("=", "≈") else ""
    bare = text[len(sign) :].strip()
    number = _unsigned(bare.removeprefix("-"), text)
    return sign, Node("neg", (number,)) if bare.startswith("-") else number


def _unsigned(bare: str, text: str) -> Expr:
    if bare == "∞":
        return INFINITY
    if fraction := FRACTION.fullmatch(bare):
        return Node("quotient", (Literal(fraction[1]), Literal(fraction[2])))
    number = NUMBER.fullmatch(bare)
    if not number:
        raise ReadError(f"{text!r} is not a number")
    return Literal(number[1], int(number[2] or 0))
