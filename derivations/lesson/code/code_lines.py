"""Which line of a program does which step: found in its syntax, so that it cannot go stale.

The line of a step assigns to a variable of the step's name. A comment above it, `# in one:`,
names the steps that it does besides. The line must use what the step's formula is made of, and
say the step's shape.
"""

import ast
import re
from collections import Counter
from dataclasses import dataclass

from derivations.attention import FORMULAS, formula_of
from derivations.checks import CheckError
from derivations.formula import Formula, Given, Scaled, made_of
from derivations.notation import BY_KEY

DERIVED = tuple(key for key, formula in FORMULAS.items() if not isinstance(formula, Given))
IN_ONE = re.compile(r"^in one: (.+)")
SHAPE = re.compile(r"# \[(\w+)(?:, (\w+))?\]")
NAMES = {"embeddings": {"x"}, "divisor": {"divisor", "scale"}}  # where they are not the step's own


@dataclass(frozen=True)
class CodeLine:
    """A statement: its lines in the file, counted from 1, and its source without comments."""

    first: int
    last: int
    source: str
    steps: tuple[str, ...]


def code_lines(file: str, source: str) -> dict[str, CodeLine]:
    """The line of each derived step.

    Raises CheckError where a step has none or several, or a line does not do what it says.
    """
    lines = source.splitlines()
    found = [_code_line(file, node, source, lines) for node in ast.parse(source).body
             if isinstance(node, ast.Assign) and _target(node) in DERIVED]
    times = Counter(key for line in found for key in line.steps)
    for key in DERIVED:
        if times[key] != 1:
            raise CheckError(f"{file}: {times[key] or 'no'} lines do the step {key}, expected one")
    return {key: next(line for line in found if key in line.steps) for key in DERIVED}


def _target(node: ast.Assign) -> str:
    target = node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _code_line(file: str, node: ast.Assign, source: str, lines: list[str]) -> CodeLine:
    first, last = node.lineno, node.end_lineno or node.lineno
    target, above = _target(node), IN_ONE.search(_comment_above(lines, first - 1))
    steps = tuple(above[1].split(", ")) if above else (target,)
    _check_uses(file, node, steps, lines[first - 1])
    _check_shape(file, target, "\n".join(lines[first - 1:last]))
    return CodeLine(first, last, _without_comments(lines[first - 1:last]), steps)


def _comment_above(lines: list[str], index: int) -> str:
    """The comment that stands right above a line, in one line."""
    first = index
    while first and lines[first - 1].startswith("# "):
        first -= 1
    return " ".join(line.removeprefix("# ") for line in lines[first:index])


def _without_comments(lines: list[str]) -> str:
    """No string of our programs' equations holds a #."""
    return "\n".join(line.partition("  #")[0] for line in lines)


def _check_uses(file: str, node: ast.Assign, steps: tuple[str, ...], line: str) -> None:
    """The line uses what its formulas are made of, but for what it makes itself."""
    used = {inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)}
    if unknown := [key for key in steps if key not in DERIVED]:
        raise CheckError(f"{file}: there is no step {unknown[0]} to be done in `{line}`")
    formulas = (formula_of(key, masked=True) for key in steps)  # the programs always ask for a mask
    needed = {name for formula in formulas for name in _sources(formula)}
    for name in sorted(needed - set(steps)):
        if not used & NAMES.get(name, {name}):
            raise CheckError(f"{file}: {', '.join(steps)}: `{line}` does not use {name}")


def _sources(formula: Formula) -> tuple[str, ...]:
    """The steps that a formula is made of, and the divisor."""
    return (*made_of(formula), "divisor") if isinstance(formula, Scaled) else made_of(formula)


def _check_shape(file: str, key: str, written: str) -> None:
    quantity, found = BY_KEY[key], SHAPE.search(written)
    expected = (quantity.rows, "1" if quantity.cols == "one" else quantity.cols)
    if found is None or (found[1], found[2] or "1") != expected:
        raise CheckError(f"{file}: expected the shape [{', '.join(expected)}] after `{written}`")
