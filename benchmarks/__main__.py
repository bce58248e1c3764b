"""One table of every comparison, printed and written to build/bench.md."""

import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import build, decimals, engine
from benchmarks.report import markdown_table

REPORT = Path(__file__).parents[1] / "build" / "bench.md"
PACKAGES = ("sympy", "python-flint", "numpy", "mkdocs")
HEADER = ("what", "ours", "baseline", "its time", "ours is", "required", "")


def main() -> None:
    """Measure, print, write."""
    rows = [row for part in (engine, decimals, build) for row in part.rows()]
    table = markdown_table([HEADER, *(row.cells for row in rows)])
    print(f"{_versions()}\n\n{table}")
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(f"# Speed\n\n{_versions()}\n\n{table}\n", encoding="utf-8")


def _versions() -> str:
    packages = (f"{name} {version(name)}" for name in PACKAGES)
    return ", ".join([f"Python {platform.python_version()}", *packages]) + "; processor time"


if __name__ == "__main__":
    main()
