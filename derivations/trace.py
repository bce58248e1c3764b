"""Where a number comes from and where it goes: the entries that an entry is made of, and back.

Both directions follow from the formulas (formula.py); rows and columns are counted from 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from derivations.formula import Dot, Exponential, Given, Masked, Ratio, RowSum, Scaled
from derivations.step import Derivation, Step

Place = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """Entries of one step that go into a number together.

    A row where `col` is None, a column where `row` is None, else one entry. `places` are those
    of its entries that count: the keys that a mask hides are not among them.
    """

    key: str
    row: int | None
    col: int | None
    places: tuple[Place, ...]


def entry_line(key: str, i: int, j: int) -> Line:
    """One entry as a line."""
    return Line(key, i, j, ((i, j),))


def row_line(key: str, i: int, cols: tuple[int, ...]) -> Line:
    """A row, of which these columns count."""
    return Line(key, i, None, tuple((i, l) for l in cols))


def col_line(key: str, j: int, rows: tuple[int, ...]) -> Line:
    """A column, of which these rows count."""
    return Line(key, None, j, tuple((l, j) for l in rows))


def sources(step: Step, i: int, j: int) -> tuple[Line, ...]:
    """What entry (i, j) is made of, in the order of its formula; () where it is given."""
    match step.formula:
        case Given():
            return ()
        case Dot(left, right, transposed, masked):
            inner = step.keys(i) if masked else tuple(range(step.width))
            factor = row_line(right, j, inner) if transposed else col_line(right, j, inner)
            return row_line(left, i, inner), factor
        case Scaled(of) | Exponential(of):
            return (entry_line(of, i, j),)
        case Masked(of, mask):
            return entry_line(of, i, j), entry_line(mask, i, j)
        case RowSum(of):
            return (row_line(of, i, step.keys(i)),)
        case Ratio(top, bottom):
            return entry_line(top, i, j), entry_line(bottom, i, 0)


def uses(derivation: Derivation, key: str, i: int, j: int) -> tuple[Line, ...]:
    """The entries of later steps that entry (i, j) of a step goes into."""
    found = (_used_in(step, key, i, j) for step in derivation.steps)
    return tuple(line for lines in found for line in lines if line.places)


def trail(derivation: Derivation, step: Step, i: int, j: int) -> tuple[tuple[Line, ...], ...]:
    """The way back from entry (i, j), level by level, to the first product or given number.

    Where several entries go into one, the way follows the first of them.
    """
    levels: list[tuple[Line, ...]] = []
    lines = sources(step, i, j)
    while lines:
        levels.append(lines)
        first = lines[0]
        if len(first.places) != 1 or isinstance(step.formula, Dot):
            break
        (place,), step = first.places, derivation[first.key]
        lines = sources(step, *place)
    return tuple(levels)


def _used_in(step: Step, key: str, i: int, j: int) -> Iterator[Line]:
    """The entries of one later step that the entry goes into."""
    rows, cols = (tuple(range(size)) for size in step.shape)
    match step.formula:
        case Dot(left, right, transposed, masked):
            if key == left and (not masked or j in step.keys(i)):
                yield row_line(step.key, i, cols)
            if key == right:
                listening = tuple(row for row in rows if not masked or i in step.keys(row))
                yield col_line(step.key, i if transposed else j, listening)
        case Scaled(of) | Exponential(of) if key == of:
            yield entry_line(step.key, i, j)
        case Masked(of, mask) if key in (of, mask):
            yield entry_line(step.key, i, j)
        case RowSum(of) if key == of and j in step.keys(i):
            yield entry_line(step.key, i, 0)
        case Ratio(top, bottom):
            if key == top:
                yield entry_line(step.key, i, j)
            if key == bottom:
                yield row_line(step.key, i, cols)
