"""One table of every comparison, printed and written to build/bench.md."""

import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import build, decimals, engine
from benchmarks.measure import Row

REPORT = Path(__file__).parents[1] / "build" / "bench.md"
PACKAGES = ("sympy", "python-flint", "numpy", "mkdocs")
HEADER = ("what", "ours", "baseline", "its time", "ours is", "required", "")
Cells = tuple[str, ...]


def main() -> None:
    """Measure, print, write."""
    rows = [row for part in (engine, decimals, build) for row in part.rows()]
    table = _table(rows)
    print(f"{_versions()}\n\n{table}")
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(f"# Speed\n\n{_versions()}\n\n{table}\n", encoding="utf-8")


def _versions() -> str:
    packages = (f"{name} {version(name)}" for name in PACKAGES)
    return ", ".join([f"Python {platform.python_version()}", *packages]) + "; processor time"


def _table(rows: list[Row]) -> str:
    """A Markdown table whose columns line up on a terminal too."""
    cells = [HEADER, *(row.cells for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    header, *body = [_line(line, widths) for line in cells]
    rule = _line(tuple("-" * width for width in widths), widths)
    return "\n".join([header, rule, *body])


def _line(cells: Cells, widths: list[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


if __name__ == "__main__":
    main()
