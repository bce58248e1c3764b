"""A letter with its scripts -> what it stands for."""

from collections.abc import Callable

from .errors import ReadError
from .names import ENTRIES, MATRICES, ROWS, SIZES, is_vector, step_of
from .tokens import Row, Token, is_op
from .tree import ONE, Entry, Expr, Name, Node

Read = Callable[[Row], Expr]


def symbol(name: str, sub: Row, sup: Row, indices: Callable[[], list[Expr]]) -> tuple[Expr, Row]:
    """The symbol, and what is left of the superscript where that is not part of its name."""
    if len(sub) == 1 and (name, sub[0].text) in SIZES:
        return Name("size", SIZES[name, sub[0].text]), sup
    known = ENTRIES if sub else MATRICES
    mark = _mark(sup)
    marked = step_of(known, name, mark) if mark else None
    key, rest = (marked, ()) if marked else (step_of(known, name, ""), sup)
    if not sub:
        return _bare(name, key), rest
    if key is None:
        raise ReadError(f"the symbol {name} has no entries")
    return _entry(key, indices()), rest


def _mark(sup: Row) -> str:
    """What is written above as part of a name: a letter, or the number of a head."""
    is_mark = [token.kind for token in sup] in (["name"], ["op", "number", "op"])
    return "".join(token.text for token in sup) if is_mark else ""


def _bare(name: str, key: str | None) -> Expr:
    if key is not None:
        return Name("matrix", key)
    if len(name) == 1 and name.isalpha() and name.isascii() and name.islower():
        return Name("letter", name)
    raise ReadError(f"the symbol {name} is not known")


def _entry(key: str, indices: list[Expr]) -> Expr:
    expected = 1 if is_vector(key) or key in ROWS else 2
    if len(indices) != expected:
        raise ReadError(f"an entry of {key} needs {expected} indices, found {len(indices)}")
    return Entry(key, (ONE, *indices) if key in ROWS else (*indices, ONE)[:2])


def indices_of(sub: Row, read: Read) -> list[Expr]:
    """The indices of a subscript, between its commas."""
    rows: list[list[Token]] = [[]]
    for token in sub:
        if is_op(token, ","):
            rows.append([])
        else:
            rows[-1].append(token)
    return [read(tuple(row)) for row in rows]


def exponent_of(token: Token) -> int | None:
    """The whole number of a superscript, else None."""
    if token.kind != "script" or token.parts[0]:
        return None
    sup = token.parts[1]
    sign = -1 if sup and is_op(sup[0], "-") else 1
    digits = sup[1:] if sign < 0 else sup
    if len(digits) == 1 and digits[0].kind == "number" and digits[0].text.isdigit():
        return sign * int(digits[0].text)
    return None


def space_of(sup: Row, read: Read) -> Expr:
    """The matrices of a given shape."""
    places = [place for place, token in enumerate(sup) if is_op(token, "×")]
    if len(places) != 1:
        raise ReadError("ℝ needs rows and columns")
    return Node("space", (read(sup[: places[0]]), read(sup[places[0] + 1 :])))
