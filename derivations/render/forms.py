"""The four forms of an entry, as LaTeX: symbols, numbers, exact value, decimal.

All four come from one stored formula and its values, so they cannot disagree.
"""

from dataclasses import dataclass
from fractions import Fraction

import sympy
from sympy import Add, Expr, Symbol

from derivations.decimals import Table
from derivations.formula import DIVISOR, Beside, Dot, Exponential, Formula, RowSum, address
from derivations.joined import Joined, rational
from derivations.notation import BY_KEY
from derivations.render.dialect import LATEX
from derivations.render.exact import exact, exponent, exponential, joined
from derivations.rounded import Rounded
from derivations.step import Derivation, Step
from derivations.values import ExpSums, Rooted

Decimals = dict[str, Table]
LONGEST_FORM = 400


@dataclass(frozen=True)
class Forms:
    """One entry: `name` = `symbols`, then numbers, exact and decimal, each with its relation.

    A form that would only repeat the one before it is '', and so is one too long to read: then
    `complete` is false.
    """

    name: str
    symbols: str
    numbers: str
    exact: str
    decimal: str
    rounded_numbers: bool
    complete: bool

    @property
    def chain(self) -> tuple[str, ...]:
        """The forms in an order in which each relation holds: exact before rounded."""
        order = (self.exact, self.numbers) if self.rounded_numbers else (self.numbers, self.exact)
        symbols = f"= {self.symbols}" if self.symbols else ""
        return tuple(form for form in (symbols, *order, self.decimal) if form)

    @property
    def row(self) -> str:
        """All on one line."""
        return " ".join((self.name, *self.chain))

    @property
    def aligned(self) -> str:
        """One form a line, for display."""
        lines = " \\\\ ".join(f"&{form}" for form in self.chain)
        return rf"\begin{{aligned}} {self.name} {lines} \end{{aligned}}"


def forms(derivation: Derivation, decimals: Decimals, step: Step, i: int, j: int) -> Forms:
    """The four forms of entry (i, j) of a step."""
    value = exact(step, derivation, i, j)
    symbols, numbers, is_rounded = _substituted(derivation, decimals, step, i, j)
    relation = r"\approx" if is_rounded else "="
    return Forms(
        name=step.quantity.entry(i + 1, j + 1),
        symbols=symbols,
        numbers=_unless_long(f"{relation} {numbers}") if numbers != symbols else "",
        exact=_unless_long(f"= {value}") if value not in (numbers, symbols) else "",
        complete=bool(_unless_long(numbers)) == bool(numbers) and bool(_unless_long(value)),
        decimal=decimal(decimals[step.key][i][j], value),
        rounded_numbers=is_rounded,
    )


def _unless_long(form: str) -> str:
    """A form; '' where nobody would read it, or its terms are not all there: see the data."""
    return "" if len(form) > LONGEST_FORM or _is_cut(form) else form


def _is_cut(form: str) -> bool:
    """Has a quotient lost terms to dots? Sums may: the symbols beside them say which."""
    return r"\frac" in form and r"\cdots" in form


def _substituted(
    derivation: Derivation, decimals: Decimals, step: Step, i: int, j: int
) -> tuple[str, str, bool]:
    """The formula in symbols, the same in numbers, and whether one of these is rounded."""
    expression = step.expression(i, j)
    if expression is None:
        return "", "", False
    if isinstance(step.formula, Beside):  # the same number, in another place
        name = _print(expression, {expression: _symbol(expression, derivation)})
        return name, name, False
    symbols = {symbol: _symbol(symbol, derivation) for symbol in expression.free_symbols}
    numbers = {symbol: _number(symbol, step.formula, derivation, decimals) for symbol in symbols}
    rounded = any(is_rounded for _, is_rounded in numbers.values())
    texts = {symbol: text for symbol, (text, _) in numbers.items()}
    return _print(expression, symbols), _print(expression, texts, "dot"), rounded


def decimal(rounded: Rounded | None, value: str) -> str:
    """The decimal with its relation; '' where the exact form already is that decimal."""
    if rounded is None:
        return ""
    text = decimal_latex(rounded)
    if text == value:
        return ""
    return f"= {text}" if rounded.exact else rf"\approx {text}"


def decimal_latex(rounded: Rounded | None) -> str:
    """A rounded number as LaTeX; minus infinity for None."""
    if rounded is None:
        return r"-\infty"
    power = rf" \cdot 10^{{{rounded.exponent}}}" if rounded.exponent else ""
    return rounded.text + power


def _symbol(symbol: Symbol, derivation: Derivation) -> str:
    if symbol == DIVISOR:
        return divisor_name(derivation)
    key, i, j = address(symbol)
    return BY_KEY[key].entry(i + 1, j + 1)


def divisor_name(derivation: Derivation) -> str:
    """What scores are divided by, in symbols: the root of d_k, or the number itself."""
    return r"\sqrt{d_k}" if derivation.divisor.kind == "sqrt_dk" else divisor_value(derivation)


def divisor_value(derivation: Derivation) -> str:
    """What scores are divided by, in numbers."""
    divisor = derivation.divisor
    if divisor.kind == "sqrt_dk":
        return LATEX.root.format(divisor.root)
    return LATEX.rational(Fraction(divisor.numerator, divisor.denominator))


def _number(
    symbol: Symbol, formula: Formula, derivation: Derivation, decimals: Decimals
) -> tuple[str, bool]:
    """An earlier result: exactly where that is short, else as its decimal; and is it rounded?"""
    if symbol == DIVISOR:
        return divisor_value(derivation), False
    key, i, j = address(symbol)
    step = derivation[key]
    match formula, step.values:
        case Exponential(), Rooted() as values:
            return _exponent(values, derivation, i, j), False
        case RowSum(), ExpSums(exponents=exponents):
            return exponential(derivation, exponents, i, j, LATEX), False
        case _, ExpSums() | Joined() if rational(step.values, i, j) is None:
            return _as_factor(decimal_latex(decimals[key][i][j])), True
        case Dot(), _:
            return bracketed(step, derivation, i, j), False
        case _:
            return exact(step, derivation, i, j), False


def _exponent(values: Rooted, derivation: Derivation, i: int, j: int) -> str:
    if not values.is_open(i, j):
        return r"-\infty"
    return exponent(derivation, values, i, j, LATEX)


def bracketed(step: Step, derivation: Derivation, i: int, j: int) -> str:
    """The exact value as a factor: in parentheses where it is negative or a fraction."""
    text = exact(step, derivation, i, j)
    if r"\frac" in text:
        return rf"\left({text}\right)"
    return _as_factor(text)


def _as_factor(text: str) -> str:
    """In parentheses where it is negative."""
    return f"({text})" if text.startswith("-") else text


def _print(expression: Expr, names: dict[Symbol, str], multiply: str | None = None) -> str:
    """A formula with these names for its symbols, terms in order, long sums shortened."""
    terms = expression.args if isinstance(expression, Add) else (expression,)
    latex = [
        sympy.latex(term, symbol_names=names, order="none", mul_symbol=multiply) for term in terms
    ]
    if len(terms) > 1 and terms[-1].is_Symbol and terms[0].is_Mul:  # a bias is no term of the sum
        return joined([joined(latex[:-1], shorten=True), latex[-1]], shorten=False)
    return joined(latex, shorten=True)
