"""Decimals of a rational over the root of a rational: lengths, cosines."""

from fractions import Fraction

from derivations.decimals import table
from derivations.rounded import Rounded
from derivations.values import Rationals, Rooted


def over_root(top: Fraction, square: Fraction, places: int) -> Rounded:
    """top / sqrt(square), correctly rounded; square > 0.

    p / sqrt(a/b) is p b / sqrt(a b).
    """
    whole = top * square.denominator
    entry = Rationals(((whole.numerator,),), whole.denominator)
    ((rounded,),) = table(Rooted(entry, square.numerator * square.denominator), places)
    assert rounded is not None
    return rounded
