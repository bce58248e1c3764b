"""The programs of the lesson, run as a reader would, and held against the exact values.

Each is run beside example.py in a folder of its own. What it prints must be, line by line, what
is expected of it, and each number the exact one, but for rounding and a float's own error.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from derivations.checks import CheckError
from derivations.lesson.code.expected import Line, Number

PLAIN, NUMPY, TORCH, OVERFLOW = FILES = (
    "attention_plain.py", "attention_numpy.py", "attention_torch.py", "softmax_overflow.py")
LONGEST = 120  # seconds
OF_PYTHON = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}


@dataclass(frozen=True)
class Printed:
    """One line that a program printed: what was expected, and the text of its numbers."""

    line: Line
    numbers: tuple[str, ...]

    @property
    def differing(self) -> list[tuple[Number, str]]:
        """The numbers that end in other digits than the certified decimal."""
        pairs = zip(self.line.entries, self.numbers, strict=True)
        return [(entry, written) for entry, written in pairs
                if isinstance(entry, Number) and not entry.is_certified(written)]


def sources(folder: Path) -> dict[str, str]:
    """The programs, by file name. Raises CheckError where one is missing."""
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise CheckError(f"{folder.name} has no file {missing[0]}")
    return {name: (folder / name).read_text(encoding="utf-8") for name in FILES}


def can_run(name: str) -> bool:
    """Is what a program needs installed? PyTorch is no part of this project."""
    return name != TORCH or find_spec("torch") is not None


def run(programs: dict[str, str], modules: dict[str, str]) -> dict[str, str]:
    """What each program prints, run in one folder with these modules, all at the same time.

    Raises CheckError where one fails, or complains.
    """
    with TemporaryDirectory() as folder:
        for name, text in (modules | programs).items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        started = {name: _start(folder, name) for name in programs}
        try:
            return {name: _finished(name, process) for name, process in started.items()}
        finally:
            for process in started.values():
                process.kill()
                process.communicate()


def _start(folder: str, name: str) -> subprocess.Popen[str]:
    ours = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.Popen([sys.executable, name], cwd=folder, env=ours | OF_PYTHON,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def _finished(name: str, process: subprocess.Popen[str]) -> str:
    try:
        printed, complaint = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise CheckError(f"{name}: not done after {LONGEST} seconds") from None
    if process.returncode or (complaint.strip() and name != TORCH):
        last = ascii((complaint.strip().splitlines() or ["no message"])[-1])
        raise CheckError(f"{name}: ended with code {process.returncode}: {last}")
    return printed


def compared(name: str, printed: str, expected: list[Line]) -> list[Printed]:
    """What was printed, line by line, each number held against its exact value.

    Raises CheckError at the first line that is not what was expected.
    """
    lines = printed.splitlines()
    if not lines:
        raise CheckError(f"{name}: it prints nothing")
    if len(lines) != len(expected):
        raise CheckError(f"{name}: it prints {len(lines)} lines, expected {len(expected)}")
    return [_compared(f"{name}: line {number}", *pair)
            for number, pair in enumerate(zip(lines, expected, strict=True), 1)]


def _compared(where: str, written: str, line: Line) -> Printed:
    if not written.startswith(line.label):
        raise CheckError(f"{where}: found {written!a}, expected it to begin with {line.label!a}")
    numbers = tuple(written.removeprefix(line.label).split())
    if written != line.text(numbers) or len(numbers) != len(line.entries):
        raise CheckError(f"{where}: found {written!a}, expected {line.label!a} and "
                         f"{len(line.entries)} numbers")
    for entry, number in zip(line.entries, numbers, strict=True):
        if problem := entry.problem(number):
            raise CheckError(f"{where}: {problem}")
    return Printed(line, numbers)

