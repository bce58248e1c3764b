"""How exact numbers are written: as LaTeX on a page, as plain text in data files.

One description of each exact value serves both dialects.
"""

from dataclasses import dataclass
from fractions import Fraction

LONGEST_DECIMAL = 12


@dataclass(frozen=True)
class Dialect:
    """The templates of one way of writing; `{0}` and `{1}` are the parts."""

    fraction: str
    short_fraction: str
    root: str
    exponential: str
    product: str
    infinity: str
    decimals_inside: bool  # does what reads it take 0.5 within an expression for one half?

    def over(self, top: str, bottom: str) -> str:
        """A quotient."""
        return self.fraction.format(top, bottom)

    def rational(self, value: Fraction) -> str:
        """A rational: a finite decimal of at most twelve places in full, else a fraction."""
        finite = finite_decimal(value)
        if finite is not None:
            return finite
        sign = "-" if value < 0 else ""
        return sign + self.short_fraction.format(abs(value.numerator), value.denominator)

    def inside(self, value: Fraction) -> str:
        """A rational within an expression: SymPy would read a decimal there as a float."""
        return self.rational(value) if self.decimals_inside else str(value)

    def quotient_in_line(self, value: Fraction, root: str) -> str:
        """value / root on one line, as in an exponent: 2/r, 1.37/r, 1/(3r)."""
        finite = finite_decimal(value)
        if finite is not None and (self.decimals_inside or value.denominator == 1):
            return f"{finite}/{root}"
        return f"{value.numerator}/({value.denominator}{self.product.format('', root).strip()})"


LATEX = Dialect(
    fraction=r"\frac{{{0}}}{{{1}}}",
    short_fraction=r"\frac{{{0}}}{{{1}}}",
    root=r"\sqrt{{{0}}}",
    exponential="e^{{{0}}}",
    product=r"{0} {1}",
    infinity=r"-\infty",
    decimals_inside=True,
)
PLAIN = Dialect(
    fraction="({0})/({1})",
    short_fraction="{0}/{1}",
    root="sqrt({0})",
    exponential="exp({0})",
    product="{0}*{1}",
    infinity="-oo",
    decimals_inside=False,
)


def finite_decimal(value: Fraction) -> str | None:
    """The decimal of a rational that has at most twelve places, else None."""
    for places in range(LONGEST_DECIMAL + 1):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = f"{abs(scaled.numerator):0{places + 1}d}"
            whole = digits[: len(digits) - places]
            part = digits[len(digits) - places :]
            return ("-" if value < 0 else "") + whole + ("." + part if part else "")
    return None

