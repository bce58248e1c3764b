"""The round numbers at an axis: exact multiples of 1, 2 or 5 times a power of ten."""

from fractions import Fraction
from math import ceil

from derivations.render.figures.words import spoken, width
from derivations.rounded import magnitude, round_rational

FEWEST = 3  # steps for which an axis has room
PLAIN = 5  # the largest power of ten whose zeros are written
SIZE, LONGEST = 12, 78.0
MINUS = "\N{MINUS SIGN}"
Tick = tuple[Fraction, str]


def ticks(
    low: Fraction, span: Fraction, *, whole: bool, beyond: Fraction = Fraction(0)
) -> list[Tick]:
    """Round numbers from low on, at least two, each with its text; none where these are too long.

    Only whole ones where all numbers drawn are whole. An axis is seen so far `beyond` both of its
    ends, and 0 has its tick there too.
    """
    ends = (low, low + span)
    if low - beyond <= 0 <= low + span + beyond:
        ends = min(low, Fraction(0)), max(low + span, Fraction(0))
    step = _step((ends[1] - ends[0]) / FEWEST)
    step = max(step, Fraction(1)) if whole else step
    found = _multiples(step, *ends)
    if len(found) < 2:
        step = _step(step / 3)
        found = _multiples(step, *ends)
    shown = [(value, _written(value, step)) for value in found]
    return shown if all(width(text, SIZE) <= LONGEST for _, text in shown) else []


def _multiples(step: Fraction, low: Fraction, high: Fraction) -> list[Fraction]:
    """The multiples of a step between two numbers; each second one where these are too many."""
    found = [n * step for n in range(ceil(low / step), high // step + 1)]
    return found[::2] if len(found) > FEWEST + 1 else found


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
