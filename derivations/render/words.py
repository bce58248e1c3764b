"""What a number, a row, a column or a matrix is called, and what a screen reader says of it."""

from markupsafe import Markup

from derivations.decimals import Table
from derivations.render.corner import corner
from derivations.render.markup import shortened, text, token
from derivations.rounded import Rounded
from derivations.step import Axis, Derivation, Step
from derivations.trace import Line


def label(axis: Axis, number: int) -> Markup:
    """The label of a row or column: its token, or the number of the dimension."""
    shown = axis.labels[number]
    return token(shown) if axis.tokens else Markup(shown)


def placed(axis: Axis, number: int) -> Markup:
    """The label of a row or column in a sentence: a token that occurs twice has its place."""
    return token_name(axis.labels, number) if axis.tokens else label(axis, number)


def token_name(tokens: tuple[str, ...], i: int) -> Markup:
    """A token, with its place where a reader sees it more than once: cat (token 2)."""
    return token(tokens[i]) + Markup(token_place(tokens, i))


def token_place(tokens: tuple[str, ...], i: int) -> str:
    """The place of a token that looks like another; '' for one that does not."""
    seen = [" ".join(shortened(written).split()) for written in tokens]
    return f" (token {i + 1})" if seen.count(seen[i]) > 1 else ""


def entry_label(step: Step, i: int, j: int) -> Markup:
    """An entry's place in words: love for cats, or love 2."""
    if step.quantity.vector:
        return placed(step.rows, i)
    if step.quantity.is_row:
        return placed(step.cols, j)
    joint = " for " if step.rows.tokens and step.cols.tokens else ", "
    return placed(step.rows, i) + Markup(joint) + placed(step.cols, j)


def entry_name(step: Step, i: int, j: int) -> Markup:
    """An entry in words: score of love for cats; query of love, number 2."""
    name, row, col = text(step.quantity.entry_name), placed(step.rows, i), placed(step.cols, j)
    if step.quantity.is_row:
        return name + Markup(", number {}").format(col)
    if not step.rows.tokens:
        return name + Markup(" in row {}, column {}").format(row, col)
    if step.quantity.vector:
        return name + Markup(" of {}").format(row)
    return name + Markup(" of {} for {}" if step.cols.tokens else " of {}, number {}").format(
        row, col)


def entry_text(step: Step, decimals: Table, i: int, j: int) -> str:
    """What a screen reader says of an entry: score of love for cats: 2."""
    return f"{Markup(entry_name(step, i, j)).striptags()}: {_value(decimals[i][j])}"


def line_name(derivation: Derivation, line: Line) -> Markup:
    """A row, a column or an entry in few words: query (love); score (love, cats)."""
    step = derivation[line.key]
    if line.col is None and (line.row is None or step.quantity.is_row):
        return text(step.quantity.name)
    if line.row is None:
        assert line.col is not None
        return text(step.quantity.name) + Markup(
            " (for {})" if step.cols.tokens else ", column {}").format(placed(step.cols, line.col))
    if step.quantity.is_row:
        assert line.col is not None
        return text(step.quantity.name) + Markup(", number {}").format(placed(step.cols, line.col))
    shown = [placed(step.rows, line.row)]
    if line.col is not None and not step.quantity.vector:
        shown.append(placed(step.cols, line.col))
    name = step.quantity.name if line.col is None and step.cols.tokens else step.quantity.entry_name
    return text(name) + Markup(" ({})").format(Markup(", ").join(shown))


def matrix_label(step: Step) -> str:
    """What a matrix is called: scores, 3 by 3."""
    rows, cols = step.shape
    return f"{step.quantity.name}, {rows} by {cols}"


def matrix_text(step: Step, decimals: Table) -> str:
    """What a screen reader says of a matrix: scores, 3 by 3; love: I 0, love 1, cats 2.

    Of a large one, the corner that is shown.
    """
    rows, cols = corner(step.shape)
    spoken = [
        f"{shortened(step.rows.labels[i])}: " + ", ".join(
            _spoken(step, decimals, i, j) for j in range(cols))
        for i in range(rows)
    ]
    return "; ".join([matrix_label(step), *spoken])


def _spoken(step: Step, decimals: Table, i: int, j: int) -> str:
    number = _value(decimals[i][j])
    return f"{shortened(step.cols.labels[j])} {number}" if step.cols.tokens else number


def _value(rounded: Rounded | None) -> str:
    if rounded is None:
        return "minus infinity"
    power = f" times 10 to the {rounded.exponent}" if rounded.exponent else ""
    return rounded.text.replace("-", "minus ") + power
