"""Tokens -> expressions, by recursive descent. What could be read in two ways is an error."""

from .binders import bounds_of
from .errors import ReadError
from .symbols import exponent_of, indices_of, space_of, symbol
from .tokens import Row, Token, is_op, split_relations
from .tree import DOTS, INFINITY, ONE, Expr, Literal, Node

END = Token("end", "the end")
FUNCTIONS = ("exp", "softmax")


def read_expression(row: Row) -> Expr:
    """One whole expression."""
    parser = _Parser(row)
    expr = parser.expression()
    if parser.peek() is not END:
        raise ReadError(f"{parser.peek()} stands where nothing can")
    return expr


def read_condition(row: Row) -> Expr:
    """A condition with one relation."""
    members = split_relations(row)
    if len(members) != 2 or members[0][0]:
        raise ReadError("a condition needs one relation")
    parts = tuple(read_expression(tokens) for _, tokens in members)
    return Node("holds", parts, (members[1][0],))


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, row: Row):
        self.row = tuple(token for token in row if token.kind != "quad")
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        """A token to come."""
        place = self.at + ahead
        return self.row[place] if place < len(self.row) else END

    def next(self) -> Token:
        """The next token, taken."""
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *texts: str) -> str:
        """Takes the next token where it is one of these operators."""
        return self.next().text if is_op(self.peek(), *texts) else ""

    def expect(self, text: str) -> None:
        """Takes exactly this operator."""
        if not self.accept(text):
            raise ReadError(f"found {self.peek()}, expected {text}")

    def expression(self) -> Expr:
        """A sum of terms; only the first may carry a minus sign of its own."""
        negative = self.accept("-")
        first = self.term()
        terms = [Node("neg", (first,)) if negative else first]
        signs = ["+"]
        while sign := self.accept("+", "-"):
            signs.append(sign)
            terms.append(self.term())
        return Node("sum", tuple(terms), tuple(signs)) if len(terms) > 1 else terms[0]

    def term(self) -> Expr:
        """A product, written with dots or side by side, or a quotient."""
        factors = [self.factor()]
        divided = False
        while True:
            if self.accept("·", "×"):
                self.multiplied(factors)
            elif self.accept("/"):
                factors = [Node("quotient", (_product(factors), self.factor()))]
                divided = True
                continue
            elif self.starts_factor():
                self.side_by_side(divided)
                factors.append(self.factor())
            else:
                return _product(factors)
            divided = False

    def multiplied(self, factors: list[Expr]) -> None:
        """A further factor; a power of ten makes a number of the one before it."""
        last, power = factors[-1], self.peek(1)
        if isinstance(last, Literal) and not last.exponent and self.peek() == Token("number", "10"):
            exponent = exponent_of(power)
            if exponent is not None:
                self.at += 2
                factors[-1] = Literal(last.text, exponent)
                return
        factors.append(self.factor())

    def side_by_side(self, divided: bool) -> None:
        """Refuses what has no single meaning."""
        if divided:
            raise ReadError("a factor after a / without parentheses can be read in two ways")
        if self.peek().kind == "number":
            raise ReadError(f"the number {self.peek()} follows a factor without a sign")

    def starts_factor(self) -> bool:
        """Does a factor begin here?"""
        token = self.peek()
        return token.kind in ("number", "name", "frac", "root") or is_op(
            token, "(", "[", "{", "∑", "∞", "…")

    def factor(self) -> Expr:
        """A primary with the powers on it."""
        expr = self.primary()
        while self.peek().kind == "script":
            expr = self.raised(expr, *self.next().parts)
        return expr

    def raised(self, expr: Expr, sub: Row, sup: Row) -> Expr:
        """A power, or a transpose."""
        if sub or not sup:
            raise ReadError(f"a subscript on {expr} is not understood")
        if sup == (Token("op", "⊤"),):
            return Node("transpose", (expr,))
        return Node("power", (expr, read_expression(sup)))

    def primary(self) -> Expr:
        """A number, a symbol, a group, a fraction, a root, a matrix, a sum."""
        token = self.next()
        if token.kind == "number":
            return Literal(token.text)
        if token.kind == "name":
            return self.named(token.text)
        if token.kind == "frac":
            return Node("quotient", tuple(map(read_expression, token.parts)))
        if token.kind == "root":
            return Node("root", (read_expression(token.parts[0]),))
        if is_op(token, "∞", "…"):
            return INFINITY if token.text == "∞" else DOTS
        if is_op(token, "∑"):
            return self.over("sum")
        if is_op(token, "(", "[", "{"):
            return self.bracketed(token.text)
        raise ReadError(f"found {token}, expected a number or a symbol")

    def bracketed(self, opening: str) -> Expr:
        """A matrix, cases, or a group in parentheses."""
        if self.peek().kind == "grid":
            rows = [row.parts for (row,) in self.next().parts]
            if opening == "{":
                return Node("cases", tuple(map(_case, rows)))
            self.expect({"[": "]", "(": ")"}[opening])
            return _matrix(rows)
        if opening != "(":
            raise ReadError(f"{opening} without a matrix is not understood")
        expr = self.expression()
        self.expect(")")
        return expr

    def named(self, name: str) -> Expr:
        """A symbol, a power of e, or a function of what follows."""
        sub, sup = self.peek().parts if self.peek().kind == "script" else ((), ())
        if name == "max" and sub:
            return self.over("max")
        if name == "Concat":
            return self.concatenation()
        if name in FUNCTIONS:
            return Node(name, (self.factor(),), ("exp",) if name == "exp" else ())
        if sub or sup:
            self.next()
        if name == "e" and not sub:
            return Node("exp", (read_expression(sup) if sup else ONE,), ("e",))
        if name == "ℝ":
            return space_of(sup, read_expression)
        expr, rest = symbol(name, sub, sup, lambda: indices_of(sub, read_expression))
        return self.raised(expr, (), rest) if rest else expr

    def concatenation(self) -> Expr:
        """Matrices side by side."""
        self.expect("(")
        parts = [self.expression()]
        while self.accept(","):
            parts.append(self.expression())
        self.expect(")")
        return Node("concat", tuple(parts))

    def over(self, kind: str) -> Expr:
        """A sum or maximum over a letter; its body is the term that follows."""
        if self.peek().kind != "script":
            raise ReadError(f"a {kind} without a letter below it")
        sub, sup = self.next().parts
        letter, bounds = bounds_of(sub, sup, read_expression, read_condition)
        return Node("over", (self.term(), *bounds), (kind, letter))


def _product(factors: list[Expr]) -> Expr:
    return Node("product", tuple(factors)) if len(factors) > 1 else factors[0]


def _matrix(rows: list[tuple[Row, ...]]) -> Expr:
    if len({len(row) for row in rows}) != 1:
        raise ReadError("the rows of a matrix differ in length")
    return Node("matrix", tuple(Node("row", tuple(map(read_expression, row))) for row in rows))


def _case(cells: tuple[Row, ...]) -> Expr:
    """A value and its condition; words around the condition are dropped."""
    condition = tuple(token for cell in cells[1:] for token in cell if token.kind != "text")
    value = read_expression(cells[0])
    return Node("case", (value, read_condition(condition)) if condition else (value,))

