"""A derivation as plain text, for a terminal: each step with its formula and its matrix."""

from collections.abc import Sequence

from derivations.decimals import Table
from derivations.render.forms import Decimals
from derivations.render.layout import columns
from derivations.render.matrices import general
from derivations.render.plain import plain
from derivations.render.records import decimal
from derivations.rounded import Rounded
from derivations.step import Derivation, Step

LONGEST_LABEL = 24


def derivation_text(derivation: Derivation, decimals: Decimals) -> str:
    """Every step, one after the other."""
    return "\n".join(step_text(step, derivation, decimals) for step in derivation.own_steps)


def step_text(step: Step, derivation: Derivation, decimals: Decimals) -> str:
    """A step: its name and size, its formula, and a row of decimals for each row."""
    formula = general(step, derivation)
    return table_text(step.quantity.name, decimals[step.key], step.rows.labels, step.cols.labels,
                      plain(formula) if formula else "")


def table_text(
    name: str, table: Table, rows: Sequence[str], cols: Sequence[str] = (), formula: str = ""
) -> str:
    """A matrix of decimals with its name and size; columns without labels are numbered."""
    cols = cols or [str(j + 1) for j in range(len(table[0]))]
    lines = [["", *map(_label, cols)]]
    lines += [[_label(label), *map(_number, row)]
              for label, row in zip(rows, table, strict=True)]
    head = [f"{name} ({len(rows)} x {len(cols)})", *([formula] if formula else [])]
    return "\n".join([*head, *aligned(lines), ""])


def aligned(lines: list[list[str]]) -> list[str]:
    """Cells in columns, numbers to the right; a character of CJK is as wide as two."""
    widths = [max(columns(line[n]) for line in lines) for n in range(len(lines[0]))]
    return ["  " + _left(line[0], widths[0]) + "".join(
                "  " + _right(cell, width)
                for cell, width in zip(line[1:], widths[1:], strict=True))
            for line in lines]


def _left(cell: str, width: int) -> str:
    return cell + " " * (width - columns(cell))


def _right(cell: str, width: int) -> str:
    return " " * (width - columns(cell)) + cell


def _label(text: str) -> str:
    """A label on one line, cut short where long."""
    shown = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return shown if len(shown) <= LONGEST_LABEL else shown[: LONGEST_LABEL - 1] + "…"


def _number(rounded: Rounded | None) -> str:
    return "-inf" if rounded is None else decimal(rounded)
