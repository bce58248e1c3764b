"""Numbers as an author writes them, read exactly: 0.1 is one tenth, "1/3" is a third."""

import re
from fractions import Fraction
from math import lcm

from derivations.values import Rationals

MOST_DIGITS = 40
LONGEST_SHOWN = 60
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?|[+-]?\d+/\d+", re.ASCII)
_FAR = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)[eE][+-]?\d{3,}", re.ASCII)


class NotANumber(ValueError):
    """What was written is not a number that can be read exactly; the text says why."""


class Written(str):
    """A decimal as it is typed in a file, without quotes: its text, so that nothing is rounded."""


def read_number(written: object) -> Fraction:
    """An integer, a decimal as text, or a fraction as text, exactly.

    Raises NotANumber, with what was found and how to mend it.
    """
    if isinstance(written, bool) or not isinstance(written, int | str):
        raise NotANumber(f"{shown(written)} is not a number; write 2, 0.5 or \"1/2\"")
    text = str(written).strip() if isinstance(written, str) else _digits(written)
    if not _NUMBER.fullmatch(text):
        raise NotANumber(f"{shown(written)} {_why_not(text)}")
    if sum(map(str.isdigit, text)) > MOST_DIGITS:
        raise NotANumber(f"{shown(written)} has more than {MOST_DIGITS} digits; write fewer")
    try:
        value = Fraction(text)
    except ZeroDivisionError:
        raise NotANumber(f"{shown(written)} divides by zero; write another fraction") from None
    if len(str(max(abs(value.numerator), value.denominator))) > 2 * MOST_DIGITS:
        raise NotANumber(f"{shown(written)} is too large or too small; rescale the example")
    return value


def _why_not(text: str) -> str:
    """What is wrong with text that is almost a number."""
    if _NUMBER.fullmatch(text.replace("\N{MINUS SIGN}", "-")):
        return "has a typographic minus sign; write a plain -"
    if _NUMBER.fullmatch(text.replace(",", ".", 1)):
        return "has a comma; write a point before the decimals"
    if _NUMBER.fullmatch(re.sub(r"\s*/\s*", "/", text)):
        return "has blanks; take them away"
    if _FAR.fullmatch(text):
        return "is too large or too small; rescale the example"
    return 'is not a number; write 2, 0.5 or "1/2"'


def shown(found: object) -> str:
    """What was found, short and on one line, for a message."""
    match found:
        case Written():
            text = str.__str__(found) if found.isprintable() else ascii(found)
        case str():
            text = repr(found)
        case bool():
            text = str(found).lower()
        case float():
            text = str(found)
        case int():
            text = _digits(found)
        case list() | tuple():
            text = "a list" if found else "an empty list"
        case dict():
            text = "a table"
        case None:
            text = "nothing"
        case _:
            text = type(found).__name__
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def bare(key: str) -> str:
    """A key of a file, in a message: without quotes, but for an empty one."""
    return shown(key)[1:-1] or shown(key)


def _digits(number: int) -> str:
    """The digits of an integer; of a huge one only that it is huge (Python refuses to print it)."""
    return str(number) if abs(number) < 10**100 else "9" * 101


def common_denominator(rows: list[list[Fraction]]) -> Rationals:
    """A matrix of fractions as integers over their least common denominator."""
    denominator = lcm(*(entry.denominator for row in rows for entry in row))
    integers = tuple(
        tuple(entry.numerator * (denominator // entry.denominator) for entry in row)
        for row in rows
    )
    return Rationals(integers, denominator)
