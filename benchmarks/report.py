"""Tables of what was measured."""

from collections.abc import Sequence

Cells = Sequence[str]


def markdown_table(lines: Sequence[Cells]) -> str:
    """A Markdown table, its header first, whose columns line up on a terminal too."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    header, *body = [_line(line, widths) for line in lines]
    rule = _line(["-" * width for width in widths], widths)
    return "\n".join([header, rule, *body])


def _line(cells: Cells, widths: list[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"
