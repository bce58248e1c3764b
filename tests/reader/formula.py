"""One <math> element, read twice: what is seen and what is copied must be the same."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from . import latex, mathml
from .errors import ReadError
from .grammar import Chain, read_formula

Element = Any


@dataclass
class Formula:
    """The chains that are seen, the LaTeX that is copied, and what is wrong with them."""

    math: Element
    label: str
    chains: list[Chain]
    problems: list[str]


def read_math(math: Element) -> Formula:
    """Both readings of a formula, and where they differ."""
    source = mathml.annotation(math)
    formula = Formula(math, source or " ".join("".join(math.itertext()).split()), [], [])
    try:
        formula.chains = read_formula(mathml.tokens_of(math))
    except ReadError as error:
        formula.problems.append(f"the visible formula: {error}")
    if source is None:
        formula.problems.append("it carries no LaTeX")
        return formula
    try:
        copied = _copied(source)
    except ReadError as error:
        formula.problems.append(f"its LaTeX: {error}")
        return formula
    if formula.chains and formula.chains != copied:
        formula.problems.append(_difference(formula.chains, copied))
    return formula


@lru_cache(maxsize=4096)
def _copied(source: str) -> list[Chain]:
    return read_formula(latex.tokens_of(source))


def _difference(seen: list[Chain], copied: list[Chain]) -> str:
    """The first member in which both readings differ."""
    members = zip_longest(sum(seen, ()), sum(copied, ()), fillvalue=("", "nothing"))
    for (sign, expr), (other_sign, other) in members:
        if (sign, expr) != (other_sign, other):
            return f"it shows {sign} {expr}, its LaTeX says {other_sign} {other}"
    return "it shows other formulas than its LaTeX says"
