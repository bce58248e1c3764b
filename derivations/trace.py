"""Where a number comes from and where it goes: the entries that an entry is made of, and back.

Both directions follow from the formulas (formula.py); rows and columns are counted from 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from derivations.formula import Beside, Dot, Exponential, Given, Masked, Ratio, RowSum, Scaled
from derivations.step import Derivation, Step

Place = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """Entries of one step that go into a number together.

    A row where `col` is None, a column where `row` is None, the matrix where both are, else one
    entry. `places` are those of its entries that count: not the keys that a mask hides.
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
    """What entry (i, j) is made of, in the order of its formula.

    () where it is given, or is 0 because a mask hides every key.
    """
    match step.formula:
        case Given():
            return ()
        case Beside():
            key, col = step.formula.place(j)
            return (entry_line(key, i, col),)
        case Dot(left, right, transposed, masked, bias):
            inner = step.keys(i) if masked else tuple(range(step.width))
            factor = row_line(right, j, inner) if transposed else col_line(right, j, inner)
            added = (entry_line(bias, 0, j),) if bias else ()
            return row_line(left, i, inner), factor, *added
        case Scaled(of) | Exponential(of):
            return (entry_line(of, i, j),)
        case Masked(of, mask):
            return entry_line(of, i, j), entry_line(mask, i, j)
        case RowSum(of):
            return (row_line(of, i, step.keys(i)),)
        case Ratio(top, bottom):
            return (entry_line(top, i, j), entry_line(bottom, i, 0)) if step.keys(i) else ()


def uses(derivation: Derivation, key: str, i: int, j: int) -> tuple[Line, ...]:
    """The entries of later steps that entry (i, j) of a step goes into."""
    found = (_used_in(step, key, i, j) for step in derivation.steps)
    return tuple(line for lines in found for line in lines if line.places)


def trail(derivation: Derivation, step: Step, i: int, j: int) -> tuple[tuple[Line, ...], ...]:
    """The way back from entry (i, j) to the given numbers, level by level.

    A level holds what the lines of the level before are made of; what an earlier level has, or what
    is part of another line, is left out. Of a quotient only the numerator is followed: what is
    below goes back to the same numbers.
    """
    levels = [sources(step, i, j)]
    while made := _followed(derivation, levels[-1]):
        seen = {line for level in levels for line in level}
        found = dict.fromkeys(source for line in made
                              for source in line_sources(derivation[line.key], line))
        levels.append(tuple(line for line in found if line not in seen and not any(
            other != line and _holds(other, line) for other in found)))
    return tuple(level for level in levels if level)


def _followed(derivation: Derivation, level: tuple[Line, ...]) -> list[Line]:
    """The lines of a level that the way goes back from."""
    made = [line for line in level if not isinstance(derivation[line.key].formula, Given)]
    tops = [line for line in made if not isinstance(derivation[line.key].formula, RowSum)]
    return tops or made


def line_sources(step: Step, line: Line) -> tuple[Line, ...]:
    """What all entries of a line are made of: rows, columns and matrices, () where given."""
    if line.row is not None and line.col is not None:
        return sources(step, line.row, line.col)
    found = dict.fromkeys(source for place in line.places for source in sources(step, *place))
    keys = dict.fromkeys(source.key for source in found)
    return tuple(_joined(key, [source for source in found if source.key == key]) for key in keys)


def _joined(key: str, lines: list[Line]) -> Line:
    """Lines of one step as one: a row, a column, or all of the matrix that goes in."""
    if len(lines) == 1:
        return lines[0]
    places = tuple(dict.fromkeys(place for line in lines for place in line.places))
    rows, cols = ({place[axis] for place in places} for axis in (0, 1))
    row = next(iter(rows)) if len(rows) == 1 else None
    col = next(iter(cols)) if len(cols) == 1 else None
    return Line(key, row, col, places)


def _holds(line: Line, part: Line) -> bool:
    return line.key == part.key and set(part.places) <= set(line.places)


def _used_in(step: Step, key: str, i: int, j: int) -> Iterator[Line]:
    """The entries of one later step that the entry goes into."""
    match step.formula:
        case Beside() as row if (col := row.column(key, j)) is not None:
            yield entry_line(step.key, i, col)
        case Dot() as product:
            yield from _used_in_product(step, product, key, i, j)
        case Scaled(of) | Exponential(of) if key == of:
            yield entry_line(step.key, i, j)
        case Masked(of, mask) if key in (of, mask):
            yield entry_line(step.key, i, j)
        case RowSum(of) if key == of and j in step.keys(i):
            yield entry_line(step.key, i, 0)
        case Ratio(top, bottom):
            if key == top and step.keys(i):
                yield entry_line(step.key, i, j)
            if key == bottom and step.keys(i):
                yield row_line(step.key, i, tuple(range(step.shape[1])))


def _used_in_product(step: Step, product: Dot, key: str, i: int, j: int) -> Iterator[Line]:
    rows, cols = (tuple(range(size)) for size in step.shape)
    if key == product.left and (not product.masked or j in step.keys(i)):
        yield row_line(step.key, i, cols)
    if key == product.right:
        listening = tuple(row for row in rows if not product.masked or i in step.keys(row))
        yield col_line(step.key, i if product.transposed else j, listening)
    if key == product.bias:
        yield col_line(step.key, j, rows)
