"""Tokens -> the chains of a formula: `lhs = a = b ≈ c`, on one line or several."""

from .errors import ReadError
from .expressions import read_expression
from .tokens import Row, is_op, is_relation, segments, split_relations
from .tree import Expr, Mark

Chain = tuple[tuple[str, Expr], ...]


def read_formula(row: Row) -> list[Chain]:
    """The chains (relation, expression) of a formula; the rows of an aligned one are joined.

    A relation sign alone is a symbol that the text speaks of.
    """
    while row and (row[-1].kind == "quad" or is_op(row[-1], ".", ",")):
        row = row[:-1]
    if len(row) == 1 and is_relation(row[0]):
        return [(("", Mark(row[0].text)),)]
    lines = [row]
    if len(row) == 1 and row[0].kind == "grid":
        lines = [sum(line.parts, ()) for (line,) in row[0].parts]
    chains: list[Chain] = []
    for line in lines:
        _add_line(line, chains)
    if not chains:
        raise ReadError("the formula is empty")
    return chains


def _add_line(line: Row, chains: list[Chain]) -> None:
    """A line that begins with a relation goes on with the chain before it."""
    for number, piece in enumerate(segments(line)):
        if all(token.kind == "text" for token in piece) or (number and piece[0].kind == "text"):
            continue
        chain = read_chain(piece)
        if chains and chain[0][0] and number == 0:
            chains[-1] += chain
        else:
            chains.append(chain)


def read_chain(row: Row) -> Chain:
    """The members of one chain, each with the relation before it."""
    return tuple((relation, read_expression(tokens)) for relation, tokens in split_relations(row))
