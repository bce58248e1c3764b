"""What math-core's MathML is given besides: the role of each symbol, the names of entries.

It reads only what math-core writes, which is regular enough for regular expressions.
"""

import re

from derivations.notation import BY_KEY, QUANTITIES
from derivations.render.converter import FormulaError
from derivations.render.markup import address

_LEAF = r"<m[ino][^>]*>[^<]*</m[ino]>"
_SIZE = rf"<msub><mi>[nd]</mi>(?:{_LEAF}|<mtext>[^<]*</mtext>)</msub>"
_INDEX = rf"(?:{_LEAF}|{_SIZE}|<mrow>(?:{_LEAF}|{_SIZE})+</mrow>)"
_ALONE = r"<mi>(?P<alone>\w)</mi>(?!</m(?:su[bp]|under|over))"  # an index has no role of its own
_SYMBOL = re.compile(
    rf"<(msub|msup|msubsup)><mi>(?P<base>\w)</mi>{_INDEX}??"
    rf"(?:<mi>(?P<mark>\w)</mi>|{_INDEX})</\1>|{_ALONE}")
_MATRIX = re.compile(r"(?<=\[</mo>)<mtable([^>]*)>(.*?)</mtable>(?=<mo[^>]*>\])")
_CELL = re.compile(r"<mtd>(.*?)</mtd>")

_ROLES = {
    (letter, quantity.mark): quantity.role
    for quantity in QUANTITIES
    for letter in (quantity.base, quantity.matrix.partition("^")[0])
}


def with_roles(xml: str) -> str:
    """Each symbol that has a role, with its class; sizes such as d_k have none."""
    return _SYMBOL.sub(_with_role, xml)


def _with_role(symbol: re.Match[str]) -> str:
    letter = symbol["base"] or symbol["alone"]
    role = _ROLES.get((letter, symbol["mark"] or "")) or _ROLES.get((letter, ""))
    return symbol[0].replace(">", f' class="role-{role}">', 1) if role else symbol[0]


def named(xml: str, of: list[str]) -> str:
    """The matrices of a formula, each with the role of its step, and its entries with their names.

    `of` has one item for each matrix: a step's key, followed by ' where it is shown transposed;
    or - for none. Entries are no links: what reads a page aloud takes a formula as one thing.
    The links stand in a table beside; a script lets the entries lead where those do.
    Raises FormulaError.
    """
    if len(of) != len(_MATRIX.findall(xml)):
        raise FormulaError(f"{of} does not name the matrices, one by one, of {xml}")
    items = iter(of)
    return _MATRIX.sub(lambda matrix: _matrix(matrix, next(items)), xml)


def _matrix(matrix: re.Match[str], item: str) -> str:
    if item == "-":
        return matrix[0]
    key = item.removesuffix("'")
    if key not in BY_KEY:
        raise FormulaError(f"there is no step {key!r} for a matrix to show")
    role = BY_KEY[key].role
    kind = f' class="role-{role}"' if role else ""
    return f"<mtable{matrix[1]}{kind}>{_with_names(matrix[2], key, item != key)}</mtable>"


def _with_names(inner: str, key: str, transposed: bool) -> str:
    rows = [_CELL.findall(row) for row in inner.split("</mtr>")[:-1]]
    return "".join(
        "<mtr>" + "".join(
            f'<mtd data-ref="{address(key, *((j, i) if transposed else (i, j)))}">{shown}</mtd>'
            for j, shown in enumerate(row)) + "</mtr>"
        for i, row in enumerate(rows))
