"""The round numbers at an axis: exact multiples of 1, 2 or 5 times a power of ten."""

from fractions import Fraction
from math import ceil

from derivations.render.figures.words import spoken, width
from derivations.rounded import magnitude, round_rational

FEWEST = 3  # steps for which an axis has room
PLAIN = 5  # the largest power of ten whose zeros are written
SIZE, LONGEST = 12, 68.0
MINUS = "\N{MINUS SIGN}"
Tick = tuple[Fraction, str]


def ticks(low: Fraction, span: Fraction, *, whole: bool) -> list[Tick]:
    """Round numbers from low on, each with its text; none where these are too long.

    Only whole ones where all numbers drawn are whole.
    """
    step = _step(span / FEWEST)
    step = max(step, Fraction(1)) if whole else step
    first, last = ceil(low / step), (low + span) // step
    found = [(n * step, _written(n * step, step)) for n in range(first, last + 1)]
    return found if all(width(shown, SIZE) <= LONGEST for _, shown in found) else []


def _step(least: Fraction) -> Fraction:
    """The least of 1, 2, 5 and 10 times a power of ten that is not below this."""
    unit = Fraction(10) ** magnitude(least)
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= least)


def _written(value: Fraction, step: Fraction) -> str:
    last = magnitude(step)
    if value == 0 or abs(last) <= PLAIN:
        return spoken(round_rational(value, max(0, -last)))
    power = magnitude(abs(value))
    front = spoken(round_rational(value / Fraction(10) ** power, power - last))
    return f"{front}·10^{power}".replace("-", MINUS)
