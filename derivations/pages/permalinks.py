"""An address, and a link to it, for each equation and table of a page that has none yet.

They are numbered in the order of the page. What has an address of its own keeps it: a numbered
equation of a stage (`weights-matrices`), a card, the row of an entry.
"""

import re
from itertools import count

from markupsafe import Markup

from derivations.render.markup import UNNAMED, equation, numbered

_CODE = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)$)", re.MULTILINE | re.DOTALL)
_EQUATION = re.compile(r'^( *)(?:(<div class="equation".*</div>)|\$\$([^$]+)\$\$)$', re.MULTILINE)
_TABLE = re.compile(r'^( *)<div class="table ([^"]*)" role="group" tabindex="0" '
                    r'aria-label="([^"]*)"', re.MULTILINE)
_LINKED = """\
{0}<p class="permalink"><a href="#table-{1}" aria-label="Link to the table: {3}">#</a></p>

{0}<div class="table {2}" id="table-{1}" role="group" tabindex="0" aria-label="{3}\""""


def addressed(page: str) -> str:
    """The Markdown of a page with a visible link beside each displayed equation and each table.

    Code that shows how one writes such a thing is left alone.
    """
    equations, tables = count(1), count(1)
    return "".join(part if part.startswith(("```", "~~~")) else _TABLE.sub(
        lambda found: _linked(found, next(tables)),
        _EQUATION.sub(lambda found: _numbered(found, next(equations)), part))
        for part in _CODE.split(page))


def _numbered(found: re.Match[str], number: int) -> str:
    """An equation, or the LaTeX of one, as a stage has it: with its number beside it."""
    indent, box, latex = found.groups()
    shown = Markup(box) if box else equation(latex.strip(), UNNAMED)
    return indent + numbered(shown, f"equation-{number}", str(number))


def _linked(found: re.Match[str], number: int) -> str:
    indent, kind, label = found.groups()
    return _LINKED.format(indent, number, kind, label)
