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
    return "\n".join(step_text(step, derivation, decimals) for step in derivation.steps)


def step_text(step: Step, derivation: Derivation, decimals: Decimals) -> str:
    """A step: its name and size, its formula, and a row of decimals for each row."""
    rows, cols = step.shape
    formula = general(step, derivation)
    head = [f"{step.quantity.name} ({rows} x {cols})", *([plain(formula)] if formula else [])]
    lines = [["", *map(_label, step.cols.labels)]]
    lines += [[_label(step.rows.labels[i]), *map(_number, row)]
              for i, row in enumerate(decimals[step.key])]
    return "\n".join([*head, *aligned(lines), ""])


def table_text(name: str, table: Table, labels: Sequence[str]) -> str:
    """A matrix of decimals with its name, and a label for each row."""
    lines = [["", *(str(j + 1) for j in range(len(table[0])))]]
    lines += [[_label(label), *map(_number, row)]
              for label, row in zip(labels, table, strict=True)]
    return "\n".join([f"{name} ({len(table)} x {len(table[0])})", *aligned(lines), ""])


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
