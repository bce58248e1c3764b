"""How wide a text is, about: rather too wide than too narrow, since what is too wide is cut off.

Measured against DejaVu Sans, the widest of the fonts that a page may be shown in.
"""

from functools import cache
from unicodedata import bidirectional, category, east_asian_width, normalize

NARROW = frozenset("iljtfrIJ.,:;'|!()[] ·")
WIDE = frozenset("mw@%æœжмшщюыфљњѡψωسشصض…—―")  # these, and their capitals
SIGNS = frozenset("#&$€£")
MARKS = ("Mn", "Me", "Cf")  # on or between other characters
ORDINARY = ("Ll", "Nd", "Lm", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Zs")
LAST_COMMON = "ÿ"
FINAL = 0.3  # what the last letter of an Arabic word adds


def ems(written: str) -> float:
    """About how wide a text is where letters have size 1."""
    return sum(map(_em, written)) + FINAL * (bidirectional(written[-1:] or " ") == "AL")


@cache
def _em(char: str) -> float:
    base, kind = normalize("NFD", char)[0], category(char)
    if kind in MARKS:
        return 0
    if base in NARROW:
        return 0.42
    if kind == "So" and east_asian_width(char) == "W":
        return 1.3
    if base.lower() in WIDE or east_asian_width(char) in "WF":
        return 1.15
    return _by_kind(char, kind)


def _by_kind(char: str, kind: str) -> float:
    """The width of a character by what it is: a letter of some script, a digit, a sign."""
    if kind == "Lo":
        return {"R": 0.73, "AL": 0.75}.get(bidirectional(char), 0.95)
    if kind == "Lu":
        return 0.8 if char <= LAST_COMMON else 0.92
    if kind in ("Sm", "Sk") or char in SIGNS:
        return 0.9
    if kind in ORDINARY:
        return 0.66 if char <= LAST_COMMON or kind != "Ll" else 0.74
    return 1.15
