"""Labels of rows, columns and entries that say which of several equal tokens is meant."""

from markupsafe import Markup

from derivations.render.words import label, token_name
from derivations.step import Axis, Step


def line_label(axis: Axis, i: int) -> Markup:
    """A row or a column: its token, with its place where it needs one; or its number."""
    return token_name(axis.labels, i) if axis.tokens else label(axis, i)


def entry_label(step: Step, i: int, j: int) -> Markup:
    """An entry: love for cats (token 2), or love, 2."""
    joint = " for " if step.rows.tokens and step.cols.tokens else ", "
    return line_label(step.rows, i) + Markup(joint) + line_label(step.cols, j)
