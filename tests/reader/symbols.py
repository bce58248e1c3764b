"""A letter with its scripts -> what it stands for."""

from collections.abc import Callable

from .errors import ReadError
from .names import ENTRIES, MATRICES, ROWS, SIZES, VECTORS
from .tokens import Row, Token, is_op
from .tree import ONE, Entry, Expr, Name, Node

Read = Callable[[Row], Expr]


def symbol(name: str, sub: Row, sup: Row, indices: Callable[[], list[Expr]]) -> tuple[Expr, Row]:
    """The symbol, and what is left of the superscript where that is not part of its name."""
    if len(sub) == 1 and (name, sub[0].text) in SIZES:
        return Name("size", SIZES[name, sub[0].text]), sup
    mark = sup[0].text if len(sup) == 1 and sup[0].kind == "name" else ""
    known = ENTRIES if sub else MATRICES
    mark = mark if (name, mark) in known else ""
    rest = () if mark else sup
    if not sub:
        return _bare(name, mark), rest
    if (name, mark) not in ENTRIES:
        raise ReadError(f"the symbol {name} has no entries")
    return _entry(ENTRIES[name, mark], indices()), rest


def _bare(name: str, mark: str) -> Expr:
    if (name, mark) in MATRICES:
        return Name("matrix", MATRICES[name, mark])
    if len(name) == 1 and name.isalpha() and name.isascii() and name.islower():
        return Name("letter", name)
    raise ReadError(f"the symbol {name} is not known")


def _entry(key: str, indices: list[Expr]) -> Expr:
    expected = 1 if key in VECTORS or key in ROWS else 2
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
