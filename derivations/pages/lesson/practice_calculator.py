"""Which keys of a pocket calculator give one attention weight, with nothing rounded on the way."""

from fractions import Fraction

from markupsafe import Markup

from derivations.lesson.practice.choices import is_far
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.practice_givens import exact, written
from derivations.pages.worked import Worked
from derivations.render.dialect import finite_decimal
from derivations.render.markup import size
from derivations.render.words import token_name

MOST_TOKENS = 4
ROOT_FIRST = " On many newer calculators the root key comes before its number."
ONE_MORE = "Likewise for the other token that it may hear."
MORE = "Likewise for the other {} tokens that it may hear."
SHIFT = ("These powers of $e$ are beyond what most calculators can show. Take the largest score of "
         "the row from each of its scores first: the weights stay the same.")


def presses(worked: Worked, row: int, col: int) -> Markup:
    """A list of what to press for weight (row, col), counted from 0."""
    heard = worked.derivation.exponents.open_keys(row)
    first = [_line(worked, row, j, [*_power(worked, row, j), "M+"]) for j in heard[:MOST_TOKENS]]
    others = len(heard) - len(first)
    if others > 0:
        first.append(Markup(ONE_MORE if others == 1 else MORE).format(
            count("other tokens", others)))
    last = [*_power(worked, row, col), "÷", "MR", "="]
    lines = [*first, Markup("Then the weight: {}").format(_keys(last))]
    listed = Markup("\n").join(Markup("1. {}").format(line) for line in lines)
    return Markup("\n\n").join(filter(None, [
        listed, _note(worked, row)]))


def _line(worked: Worked, row: int, j: int, keys: list[str | Markup]) -> Markup:
    return Markup("For {}: {}").format(token_name(worked.example.tokens, j), _keys(keys))


def _power(worked: Worked, row: int, j: int) -> list[str | Markup]:
    """The score, the scale, and e to that power."""
    return [exact(worked, "scores", row, j), *_scale(worked), "eˣ"]


def _scale(worked: Worked) -> list[str | Markup]:
    divisor = worked.derivation.divisor
    if divisor.kind == "sqrt_dk":
        width = size("d_k", worked.derivation.size("d_k"))
        return ["÷", width, "√", "="]
    fixed = Fraction(divisor.numerator, divisor.denominator)
    if fixed == 1:
        return []
    shown = count("scale", Markup(written(fixed)))
    return ["÷", shown, "="] if fixed.denominator == 1 or finite_decimal(fixed) \
        else ["÷", "(", shown, ")", "="]


def _keys(pressed: list[str | Markup]) -> Markup:
    return Markup(" ").join(Markup("<kbd>{}</kbd>").format(key) for key in pressed)


def _note(worked: Worked, row: int) -> Markup:
    """That a root key may come first; that a power may be beyond the calculator."""
    exponents = worked.derivation.exponents
    far = max(abs(n) for n in exponents.numerators(row).values())
    beyond = is_far(Fraction(far, exponents.rationals.denominator), exponents.root)
    root = worked.derivation.divisor.kind == "sqrt_dk"
    return Markup("") + Markup(ROOT_FIRST.strip() if root else "") \
        + Markup(" " if root and beyond else "") + Markup(SHIFT if beyond else "")
