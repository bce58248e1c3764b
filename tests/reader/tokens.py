"""The tokens that both MathML and LaTeX are turned into: what is seen, in reading order.

Kinds: number, name, op, text, quad; frac and root with their rows in `parts`; script with
(subscript, superscript), belonging to the token before it; grid with one `row` token a row,
whose parts are its cells.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    """One token; `parts` are rows of tokens."""

    kind: str
    text: str = ""
    parts: tuple["Row", ...] = ()

    def __str__(self) -> str:
        return self.text or self.kind


Row = tuple[Token, ...]

OPERATORS = {
    "−": "-", "-": "-", "+": "+", "/": "/", "(": "(", ")": ")", "[": "[", "]": "]", "{": "{",
    "⋅": "·", "×": "×", "⋯": "…", "…": "…", ",": ",", ".": ".", ":": ":", "∣": ":", "|": ":",
    "∑": "∑", "=": "=", "≈": "≈", "≠": "≠", "<": "<", ">": ">", "≤": "≤", "≥": "≥", "∈": "∈",
    "∞": "∞", "⊤": "⊤",
}
RELATIONS = ("=", "≈", "≠", "<", ">", "≤", "≥", "∈")
INVISIBLE = {"\u2061", "\u2062", "\u2063", "\u2064", ""}


def operator(text: str) -> Token | None:
    """The operator token of a sign, None where it has none."""
    return Token("op", OPERATORS[text]) if text in OPERATORS else None


def is_op(token: Token, *texts: str) -> bool:
    """Is it one of these operators?"""
    return token.kind == "op" and token.text in texts


def is_relation(token: Token) -> bool:
    """Is it a relation sign?"""
    return token.kind == "op" and token.text in RELATIONS


def segments(row: Row) -> list[Row]:
    """A row split at wide spaces and at commas outside parentheses, empty pieces left out."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in row:
        depth += is_op(token, "(", "[") - is_op(token, ")", "]")
        if token.kind == "quad" or (is_op(token, ",") and depth == 0):
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [tuple(piece) for piece in pieces if piece]


def split_relations(row: Row) -> list[tuple[str, Row]]:
    """(relation, row) of each member; the first relation is '' where the row has a left side."""
    members: list[tuple[str, list[Token]]] = [("", [])]
    depth = 0
    for token in row:
        depth += is_op(token, "(", "[") - is_op(token, ")", "]")
        if is_relation(token) and depth == 0:
            members.append((token.text, []))
        else:
            members[-1][1].append(token)
    if not members[0][1]:
        members = members[1:]
    return [(relation, tuple(tokens)) for relation, tokens in members]
