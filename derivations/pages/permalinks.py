"""An address, and a link to it, for each equation and table of a page that has none yet.

They are numbered in the order of the page. What has an address of its own keeps it: a numbered
equation of a stage (`weights-matrices`), a card, the row of an entry.
"""

import re
from collections.abc import Callable
from itertools import count

_CODE = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)$)", re.MULTILINE | re.DOTALL)
_EQUATION = re.compile(r'^( *)(<div class="equation".*</div>|\$\$[^$]+\$\$)$', re.MULTILINE)
_TABLE = re.compile(r'^( *)<div class="table ([^"]*)" role="group" tabindex="0" '
                    r'aria-label="([^"]*)"', re.MULTILINE)
_NUMBERED = """\
{0}<div class="numbered" id="equation-{1}" markdown="1">

{0}{2}

{0}<p><a class="equation-number" href="#equation-{1}" aria-label="Equation {1}">({1})</a></p>

{0}</div>"""
_LINKED = """\
{0}<p class="permalink"><a href="#table-{1}" aria-label="Link to the table: {3}">#</a></p>

{0}<div class="table {2}" id="table-{1}" role="group" tabindex="0" aria-label="{3}\""""


def addressed(page: str) -> str:
    """The Markdown of a page with a visible link beside each displayed equation and each table.

    Code that shows how one writes such a thing is left alone.
    """
    equations, tables = _in_order(_NUMBERED), _in_order(_LINKED)
    return "".join(part if part.startswith(("```", "~~~")) else
                   _TABLE.sub(tables, _EQUATION.sub(equations, part))
                   for part in _CODE.split(page))


def _in_order(form: str) -> Callable[[re.Match[str]], str]:
    """Fills in what was found, and the number of it."""
    numbers = count(1)
    return lambda found: form.format(found[1], next(numbers), *found.groups()[1:])
