"""LaTeX -> the same tokens as the MathML, by recursive descent. An unknown command is an error."""

import re

from .errors import ReadError
from .tokens import Row, Token, operator

LEXEME = re.compile(r"\s+|\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|.", re.DOTALL)
SIGNS = {
    r"\cdot": "⋅", r"\times": "×", r"\cdots": "⋯", r"\dots": "⋯", r"\ldots": "⋯", r"\sum": "∑",
    r"\infty": "∞", r"\top": "⊤", r"\approx": "≈", r"\ne": "≠", r"\neq": "≠", r"\lt": "<",
    r"\gt": ">", r"\le": "≤", r"\leq": "≤", r"\ge": "≥", r"\geq": "≥", r"\in": "∈", r"\mid": "∣",
    r"\colon": ":", r"\lbrack": "[", r"\rbrack": "]",
}
IGNORED = {
    r"\,", r"\;", r"\:", r"\!", r"\ ", r"\left", r"\right", r"\displaystyle", r"\textstyle", "~",
    r"\limits", r"\nolimits", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\big", r"\Big",
}
NAMED = {r"\exp": "exp", r"\max": "max"}
BRACKETS = {"bmatrix": "[]", "pmatrix": "()", "cases": "{", "aligned": "",
            "array": "", "matrix": ""}


def tokens_of(latex: str) -> Row:
    """The tokens of a formula in LaTeX."""
    reader = _Reader(latex)
    row = reader.row(())
    if reader.peek():
        raise ReadError(f"{reader.peek()!r} stands where nothing can")
    return row


class _Reader:
    """Reads lexemes from left to right."""

    def __init__(self, latex: str):
        self.lexemes = [part for part in LEXEME.findall(latex) if not part.isspace()]
        self.source = latex
        self.at = 0

    def peek(self) -> str:
        """The next lexeme, '' at the end."""
        return self.lexemes[self.at] if self.at < len(self.lexemes) else ""

    def next(self) -> str:
        """The next lexeme, taken."""
        found = self.peek()
        if not found:
            raise ReadError("the LaTeX ends too early")
        self.at += 1
        return found

    def expect(self, lexeme: str) -> None:
        """Takes exactly this lexeme."""
        if (found := self.next()) != lexeme:
            raise ReadError(f"found {found!r}, expected {lexeme!r}")

    def row(self, ends: tuple[str, ...]) -> Row:
        """The tokens up to one of the ends (or a closing brace), which is left."""
        out: list[Token] = []
        while self.peek() and self.peek() not in (*ends, "}"):
            out.extend(self.item())
        return tuple(out)

    def item(self) -> Row:
        """The tokens of the next item."""
        lexeme = self.next()
        if lexeme in IGNORED:
            return ()
        if lexeme in ("_", "^"):
            return (self.script(lexeme),)
        if lexeme == "{":
            return self.closed()
        if lexeme.startswith("\\"):
            return self.command(lexeme)
        return _plain(lexeme)

    def closed(self) -> Row:
        """The row up to the closing brace, which is taken."""
        row = self.row(())
        self.expect("}")
        return row

    def argument(self) -> Row:
        """A row in braces, or one single token (one digit of a number)."""
        lexeme = self.peek()
        if lexeme[:1].isdigit() and len(lexeme) > 1:
            self.lexemes[self.at] = lexeme[1:]
            return (Token("number", lexeme[0]),)
        return self.item()

    def script(self, sign: str) -> Token:
        """A subscript, a superscript, or both."""
        found = {sign: self.argument()}
        if self.peek() in ("_", "^"):
            other = self.next()
            if other in found:
                raise ReadError(f"two {other!r} in a row")
            found[other] = self.argument()
        return Token("script", parts=(found.get("_", ()), found.get("^", ())))

    def command(self, name: str) -> Row:
        """The tokens of a command and its arguments."""
        if name in SIGNS:
            sign = operator(SIGNS[name])
            assert sign is not None
            return (sign,)
        if name in NAMED:
            return (Token("name", NAMED[name]),)
        if name in (r"\quad", r"\qquad"):
            return (Token("quad"),)
        if name in (r"\frac", r"\dfrac", r"\tfrac"):
            return (Token("frac", parts=(self.argument(), self.argument())),)
        if name == r"\sqrt":
            return (Token("root", parts=(self.argument(),)),)
        if name in (r"\text", r"\textrm", r"\mathrm", r"\operatorname", r"\mathbb"):
            return self.worded(name)
        if name == r"\begin":
            return self.environment()
        raise ReadError(f"{name} is not understood")

    def worded(self, name: str) -> Row:
        """Text, or a name of several letters."""
        word = self.braced()
        if name in (r"\text", r"\textrm"):
            return (Token("text", word),)
        if name == r"\mathbb" and word != "R":
            raise ReadError(f"\\mathbb{{{word}}} is not understood")
        return (Token("name", "ℝ" if name == r"\mathbb" else word),)

    def braced(self) -> str:
        """The letters between braces (spaces are lost)."""
        self.expect("{")
        letters = []
        while self.peek() != "}":
            letters.append(self.next())
        self.expect("}")
        return "".join(letters)

    def environment(self) -> Row:
        """A grid, between its brackets."""
        name = self.braced()
        if name not in BRACKETS:
            raise ReadError(f"the environment {name} is not understood")
        if name == "array":
            self.braced()
        rows = self.grid()
        if self.braced() != name:
            raise ReadError(f"{name} is not ended")
        signs = tuple(Token("op", sign) for sign in BRACKETS[name])
        return (*signs[:1], Token("grid", parts=tuple((row,) for row in rows)), *signs[1:])

    def grid(self) -> list[Token]:
        """The rows up to \\end, which is taken."""
        rows: list[list[Row]] = [[]]
        while True:
            rows[-1].append(self.row(("&", r"\\", r"\end")))
            lexeme = self.next()
            if lexeme == r"\\":
                rows.append([])
            elif lexeme == r"\end":
                break
            elif lexeme != "&":
                raise ReadError(f"{lexeme!r} stands loose in a grid")
        if rows[-1] == [()] and len(rows) > 1:
            rows.pop()
        return [Token("row", parts=tuple(cells)) for cells in rows]


def _plain(lexeme: str) -> Row:
    """A number, a sign or a letter."""
    if lexeme[0].isdigit():
        return (Token("number", lexeme),)
    sign = operator(lexeme)
    if sign is not None:
        return (sign,)
    if lexeme.isalpha():
        return (Token("name", lexeme),)
    raise ReadError(f"{lexeme!r} is not understood")
