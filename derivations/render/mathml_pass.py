"""What math-core's MathML is given besides: the role of each symbol, the links of matrices.

It reads only what math-core writes, which is regular enough for regular expressions.
"""

import html
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
_NUMBER = re.compile(r"(?:<mo[^>]*>(−)</mo>)?<mn>([^<]*)</mn>")

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


def linked(xml: str, of: list[str]) -> str:
    """The matrices of a formula, each with the role of its step, and its entries with links.

    `of` has one item for each matrix: a step's key, followed by ' where it is shown transposed,
    and by | and the address of the page of its entries where they are links; or - for none.
    Raises FormulaError.
    """
    if len(of) != len(_MATRIX.findall(xml)):
        raise FormulaError(f"{of} does not name the matrices, one by one, of {xml}")
    items = iter(of)
    return _MATRIX.sub(lambda matrix: _matrix(matrix, next(items)), xml)


def _matrix(matrix: re.Match[str], item: str) -> str:
    if item == "-":
        return matrix[0]
    name, is_linked, page = item.partition("|")
    key = name.removesuffix("'")
    if key not in BY_KEY:
        raise FormulaError(f"there is no step {key!r} for a matrix to show")
    role = BY_KEY[key].role
    kind = f' class="role-{role}"' if role else ""
    base = html.escape(page)
    inner = _with_links(matrix[2], key, name != key, base) if is_linked else matrix[2]
    return f"<mtable{matrix[1]}{kind}>{inner}</mtable>"


def _with_links(inner: str, key: str, transposed: bool, base: str) -> str:
    rows = [_CELL.findall(row) for row in inner.split("</mtr>")[:-1]]
    return "".join(
        "<mtr>" + "".join(
            _cell(shown, base, address(key, *((j, i) if transposed else (i, j))))
            for j, shown in enumerate(row)) + "</mtr>"
        for i, row in enumerate(rows))


def _cell(shown: str, base: str, entry: str) -> str:
    """One entry as a link: HTML, which in MathML stands in text; no stop of the tab key.

    The same links stand in the table beside.
    """
    number = _NUMBER.fullmatch(shown)
    inside = "".join(number.groups("")) if number else f"<math>{shown}</math>"
    opening = f'<a href="{base}#{entry}" data-ref="{entry}" tabindex="-1">'
    return f"<mtd><mtext>{opening}{inside}</a></mtext></mtd>"
