"""The exact form of an entry, as a person would write it, in either dialect.

Exponentials keep the root (e^(3/sqrt(8)): the reader sees d_k), sums keep the order of the keys.
Scaled scores are the exception: SymPy reduces them, 2/sqrt(2) = sqrt(2).
"""

from dataclasses import replace
from fractions import Fraction

import sympy

from derivations.joined import Joined, rational
from derivations.render.dialect import LATEX, Dialect
from derivations.step import Derivation, Step
from derivations.values import ExpSums, Mask, Rationals, Rooted

SHORT_SUM = 8


def exact(step: Step, derivation: Derivation, i: int, j: int, dialect: Dialect = LATEX) -> str:
    """Entry (i, j), exactly."""
    known = rational(step.values, i, j)
    if known is not None:
        return dialect.rational(known)
    match step.values:
        case Rooted():
            return _scaled_score(step.values, i, j, dialect)
        case ExpSums():
            return _exponential_form(step.values, derivation, i, j, dialect)
        case Joined():
            return _of_heads(step.values, derivation, i, j, dialect)
        case Rationals() | Mask():
            raise AssertionError("a rational matrix has rational entries")


def exponent(derivation: Derivation, values: Rooted, i: int, j: int, dialect: Dialect) -> str:
    """The exponent of e: 2/sqrt(2), or the rational where the divisor is one."""
    value = values.rationals.entry(i, j)
    if derivation.divisor.kind == "sqrt_dk":
        return dialect.quotient_in_line(value, dialect.root.format(values.root))
    if value.denominator == 1 or "." in dialect.inside(value):
        return dialect.inside(value)
    return f"{value.numerator}/{value.denominator}"


def exponential(derivation: Derivation, values: Rooted, i: int, j: int, dialect: Dialect) -> str:
    """e to the power of one exponent; 1 for e^0, e for e^1."""
    if values.rationals.integers[i][j] == 0:
        return "1"
    power = exponent(derivation, values, i, j, dialect)
    return "e" if power == "1" and dialect is LATEX else dialect.exponential.format(power)


def row_sum(derivation: Derivation, values: Rooted, i: int, dialect: Dialect) -> str:
    """Z of row i: its exponentials in key order."""
    keys = values.open_keys(i)
    return _sum([(Fraction(1), exponential(derivation, values, i, j, dialect)) for j in keys],
                dialect)


def _scaled_score(values: Rooted, i: int, j: int, dialect: Dialect) -> str:
    if not values.is_open(i, j):
        return dialect.infinity
    r = values.rationals.entry(i, j)
    reduced = sympy.Rational(r.numerator, r.denominator) / sympy.sqrt(values.root)
    return sympy.latex(reduced) if dialect is LATEX else str(reduced)


def _of_heads(
    values: Joined, derivation: Derivation, i: int, c: int, dialect: Dialect
) -> str:
    """A quotient of each head, where it is irrational, and the sum of all that is rational."""
    known = [rational(part, i, c) for part in values.parts]
    rest = values.row.entry(0, c) + sum(value for value in known if value is not None)
    heads = zip(values.parts, known, derivation.heads, strict=True)
    terms = [_exponential_form(part, head, i, c, dialect, f"({number})")
             for number, (part, value, head) in enumerate(heads, 1) if value is None]
    return joined([*terms, *([dialect.inside(rest)] if rest else [])], shorten=False)


def _exponential_form(
    values: ExpSums, derivation: Derivation, i: int, c: int, dialect: Dialect, mark: str = ""
) -> str:
    terms = [
        (factor, exponential(derivation, values.exponents, i, j, dialect))
        for j, factor in values.terms(i, c)
        if factor
    ]
    top = _sum(terms, dialect)
    if not values.normalised:
        return top
    return dialect.over(top, _bottom(values, derivation, i, dialect, mark))


def _bottom(
    values: ExpSums, derivation: Derivation, i: int, dialect: Dialect, mark: str
) -> str:
    """The normaliser written out, or its name where it is long; `mark` says of which head."""
    if len(values.exponents.open_keys(i)) > SHORT_SUM:
        quantity = replace(derivation["normalisers"].quantity, mark=mark)
        return quantity.entry(i + 1, 1) if dialect is LATEX else f"Z{mark}[{i + 1}]"
    return row_sum(derivation, values.exponents, i, dialect)


def _sum(terms: list[tuple[Fraction, str]], dialect: Dialect) -> str:
    """Signed terms in order; the middle of a long sum as dots."""
    written = [_term(factor, name, dialect) for factor, name in terms]
    return joined(written, dialect is LATEX)


def joined(terms: list[str], shorten: bool) -> str:
    """Terms joined by their signs; of more than eight, the first three, dots and the last."""
    if shorten and len(terms) > SHORT_SUM:
        terms = [*terms[:3], r"\cdots", terms[-1]]
    signed = [f"- {term[1:]}" if term.startswith("-") else f"+ {term}" for term in terms[1:]]
    return " ".join([terms[0], *signed])


def _term(factor: Fraction, name: str, dialect: Dialect) -> str:
    if name == "1":
        return dialect.inside(factor)
    if abs(factor) == 1:
        return name if factor > 0 else f"-{name}"
    return dialect.product.format(dialect.inside(factor), name)
