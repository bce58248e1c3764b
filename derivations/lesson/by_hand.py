"""Working by hand: each step rounded to a few places, and worked on from the rounded numbers.

Numbers are rounded half up (a tie away from 0), as with a pencil and a pocket calculator, from
exact values or certified enclosures. One of ten digits or more before the point is written with
one digit before it and a power of ten, and rounded there.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from derivations.decimals import table
from derivations.numbers import common_denominator
from derivations.quotients import Quotient, Quotients
from derivations.rounded import PLAIN_DIGITS, Rounded, magnitude
from derivations.step import Derivation
from derivations.values import ExpSums, Mask, Rationals, Rooted, Values, rational_entry

STEPS = ("scaled_scores", "exponentials", "normalisers", "weights", "output")
MOST_PLACES = 10
Row = tuple[Fraction, ...]


def rounded_steps(right: Derivation, places: int) -> dict[str, Values | Quotients]:
    """The steps of STEPS, each rounded to so many places: matrices of rationals.

    What is rounded is worked out from the rounded numbers of the step before. Hidden keys count
    as 0, and so do weights over a sum that was rounded to 0.
    """
    rows = [hand_row(right, i, places) for i in range(len(right["scores"].rows))]
    return {key: common_denominator([list(row[key]) for row in rows]) for key in STEPS}


def hand_row(right: Derivation, i: int, places: int) -> dict[str, Row]:
    """Row i of the steps of STEPS, by hand."""
    scaled = tuple(rounded.value for rounded in right_row(right, "scaled_scores", i, places))
    exponentials = tuple(
        exponential(entry, places) if _is_open(right, i, j) else Fraction(0)
        for j, entry in enumerate(scaled))
    whole = half_up(sum(exponentials, Fraction(0)), places).value
    weights = tuple(
        half_up(entry / whole, places).value if whole else Fraction(0) for entry in exponentials)
    return {"scaled_scores": scaled, "exponentials": exponentials, "normalisers": (whole,),
            "weights": weights, "output": _mixed(weights, right["values"].of_one, places)}


def _mixed(weights: Row, values: Values, places: int) -> Row:
    """The values, which are exact, mixed by rounded weights."""
    assert isinstance(values, Rationals)
    columns = range(values.shape[1])
    return tuple(
        half_up(sum((weight * values.entry(j, c) for j, weight in enumerate(weights)),
                    Fraction(0)), places).value
        for c in columns)


def half_up(value: Fraction, places: int) -> Rounded:
    """A rational, rounded to so many places; a tie goes away from 0."""
    exponent = magnitude(abs(value)) if abs(value) >= 10**PLAIN_DIGITS else 0
    scaled = abs(value) * Fraction(10) ** (places - exponent)
    digits = (scaled + Fraction(1, 2)).__floor__()
    if exponent and digits == 10 ** (places + 1):
        digits, exponent = digits // 10, exponent + 1
    return Rounded(-digits if value < 0 else digits, places, exponent)


def exponential(exponent: Fraction, places: int) -> Fraction:
    """e to the power of a rational, rounded to so many places, be it as small as it may."""
    power = Quotient(Counter({exponent.numerator: 1}), Counter({0: 1}))
    return _right(Quotients(((power,),), exponent.denominator, root=1), places)[0].value


def right_row(right: Derivation, key: str, i: int, places: int) -> tuple[Rounded, ...]:
    """Row i of a step as it is: its exact values, correctly rounded, half up."""
    values = _row(right[key].of_one, i)
    if isinstance(values, ExpSums) and not values.normalised:
        return _right(_as_quotients(values), places)
    return _right(values, places)


def _right(values: Values | Quotients, places: int) -> tuple[Rounded, ...]:
    """A matrix of one row. What is irrational is no tie, and its decimals are certified."""
    (found,) = table(values, places)
    return tuple(_entry(values, j, rounded, places) for j, rounded in enumerate(found))


def _entry(values: Values | Quotients, j: int, rounded: Rounded | None, places: int) -> Rounded:
    rational = values.entry(0, j).rational if isinstance(values, Quotients) \
        else rational_entry(values, 0, j)
    if rational is not None:
        return half_up(rational, places)
    assert rounded is not None
    return rounded


def _row(values: Values, i: int) -> Values:
    """The same values for row i alone."""
    match values:
        case Rationals(integers, denominator):
            return Rationals((integers[i],), denominator)
        case Rooted(rationals, root, open_):
            row = Rationals((rationals.integers[i],), rationals.denominator)
            return Rooted(row, root, None if open_ is None else (open_[i],))
        case ExpSums(exponents, tops, normalised):
            row_of_exponents = _row(exponents, i)
            assert isinstance(row_of_exponents, Rooted)
            return ExpSums(row_of_exponents, tops, normalised)
        case Mask(open_):
            return Mask((open_[i],))


def _as_quotients(values: ExpSums) -> Quotients:
    """Sums of exponentials over 1: so small a number as e^(-50) is rounded to 0 as others are."""
    exponents = values.exponents
    numerators = exponents.rationals.integers[0]
    entries = tuple(
        Quotient(Counter(numerators[j] for j, _ in values.terms(0, c)), Counter({0: 1}))
        for c in range(values.shape[1]))  # the coefficients are 1 in both steps
    return Quotients((entries,), exponents.rationals.denominator, exponents.root)


def _is_open(right: Derivation, i: int, j: int) -> bool:
    return right.open is None or right.open[i][j]


@dataclass(frozen=True)
class ByHand:
    """Row i of a derivation, worked by hand with so many places, beside what is right."""

    right: Derivation
    i: int
    places: int

    @cached_property
    def found(self) -> dict[str, tuple[Rounded, ...]]:
        """What comes out by hand."""
        row = hand_row(self.right, self.i, self.places)
        return {key: tuple(half_up(entry, self.places) for entry in row[key]) for key in STEPS}

    @cached_property
    def true(self) -> dict[str, tuple[Rounded, ...]]:
        """What is right, to as many places."""
        return {key: right_row(self.right, key, self.i, self.places) for key in STEPS}

    @property
    def stuck(self) -> bool:
        """Was the sum rounded to 0, although a key is open? Then nothing can be divided by it."""
        return not self.found["normalisers"][0].digits and bool(self.open_keys)

    @property
    def open_keys(self) -> tuple[int, ...]:
        """The keys that this row may attend to."""
        n_k = len(self.right["scores"].cols)
        return tuple(j for j in range(n_k) if _is_open(self.right, self.i, j))

    def entries(self, key: str) -> tuple[int, ...]:
        """The columns of a step that are worked out: hidden keys are left out."""
        if key in ("normalisers", "output"):
            return tuple(range(len(self.true[key])))
        return self.open_keys

    def is_wrong(self, key: str, j: int) -> bool:
        """Does another number come out by hand, or none at all?"""
        if self.stuck and key in ("weights", "output"):
            return True
        return self.found[key][j].value != self.true[key][j].value

    def wrong(self, key: str) -> tuple[int, ...]:
        """The wrong columns of a step."""
        return tuple(j for j in self.entries(key) if self.is_wrong(key, j))

    @property
    def first_wrong(self) -> str | None:
        """The first step with a wrong number."""
        return next((key for key in STEPS if self.wrong(key)), None)


def enough_places(right: Derivation, i: int, wanted: int) -> int | None:
    """How many places make every weight of row i right to the wanted ones, rounded at the end.

    The fewest from which on, up to MOST_PLACES, it is so; None where MOST_PLACES are not enough.
    """
    enough = None
    for places in range(MOST_PLACES, wanted - 1, -1):
        if not _weights_right(right, i, places, wanted):
            break
        enough = places
    return enough


def _weights_right(right: Derivation, i: int, places: int, wanted: int) -> bool:
    worked = ByHand(right, i, places)
    true = right_row(right, "weights", i, wanted)
    return not worked.stuck and all(
        half_up(entry.value, wanted).value == right.value
        for entry, right in zip(worked.found["weights"], true, strict=True))
