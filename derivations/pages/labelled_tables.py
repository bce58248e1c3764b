"""A Python-Markdown extension: in our tables, the first cell of each row is its header.

Markdown has headers for columns only. A table in a `<div class="table ...">` gets the rest of
that class as its own, and `<th scope="row">` for the first cell of each row.
"""

from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

ROLES = {"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell",
         "th": "rowheader"}


class LabelledTablesExtension(Extension):
    """Row headers for tables that stand in a box of class `table`."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what runs over the finished tree."""
        md.treeprocessors.register(_RowHeaders(md), "labelled_tables", 1)


class _RowHeaders(Treeprocessor):
    def run(self, root: Element) -> None:
        """Give each table of ours its class and its headers."""
        for box in root.iter("div"):
            kinds = box.get("class", "").split()
            if kinds[:1] == ["table"]:
                for table in box.iter("table"):
                    table.set("class", " ".join(kinds[1:]))
                    _label(table)
                    if "stacks" in kinds:
                        _stack(table)


def _label(table: Element) -> None:
    for cell in table.iterfind("thead/tr/th"):
        cell.set("scope", "col")
    for row in table.iterfind("tbody/tr"):
        row[0].tag = "th"
        row[0].set("scope", "row")


def _stack(table: Element) -> None:
    """For narrow windows, in which the cells of a row stand one below the other.

    Each then has its column's label before it. Laid out so, a table needs its roles said.
    """
    heads = ["".join(cell.itertext()) for cell in table.iterfind("thead/tr/th")]
    for row in table.iterfind("tbody/tr"):
        for head, cell in zip(heads[1:], row[1:], strict=True):
            cell.set("data-label", head)
    for element in table.iter():
        if element.tag in ROLES:
            element.set("role", ROLES[element.tag])
    for cell in table.iterfind("thead/tr/th"):
        cell.set("role", "columnheader")


def makeExtension(**kwargs: Any) -> LabelledTablesExtension:  # noqa: N802 (Markdown's name)
    """What Python-Markdown calls."""
    return LabelledTablesExtension(**kwargs)
