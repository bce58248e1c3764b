"""Tokens, texts and matrices of an example file: read exactly; a fault is noted, not raised."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeGuard
from unicodedata import category

from derivations.faults import Fault, count
from derivations.numbers import MOST_DIGITS, NotANumber, Written, read_number, shown

MOST_PLACES = 30
LONGEST_TOKEN = 300
HIDDEN = ("-inf", "-Infinity", "-∞")  # minus infinity, as sources print it
LONGEST = {"title": 300, "author": 300, "source": 1000, "note": 4000}  # characters
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
Matrix = list[list[Fraction]]


def read_tokens(data: dict[str, Any], faults: list[Fault]) -> list[str]:
    """The tokens, or the words of the sentence; [] where there are none (then faults say why)."""
    if "sentence" in data and "tokens" in data:
        faults.append(Fault("sentence", "give either tokens or sentence, not both"))
    if "tokens" in data:
        return read_list(data, "tokens", faults)
    return read_list({"tokens": read_text(data, "sentence", faults).split()}, "tokens", faults)


def read_list(data: dict[str, Any], key: str, faults: list[Fault]) -> list[str]:
    """The tokens under a key."""
    found = data[key]
    if not isinstance(found, list) or not found:
        other = "; or give them as sentence" if key == "tokens" and is_text(found) else ""
        faults.append(Fault(key, f"found {shown(found)}, expected one or more tokens, "
                            f'such as {key} = ["I", "love", "cats"]{other}'))
        return []
    for number, token in enumerate(found, 1):
        if problem := _token_problem(token):
            faults.append(Fault(key, problem, row=number))
    return [str(token) for token in found]


def _token_problem(token: object) -> str:
    if not is_text(token):
        return f"found {shown(token)}, expected text in quotes"
    if problem := _unprintable(token):
        return problem
    if not is_visible(token):
        return f"found {shown(token)}, expected text that can be seen"
    if len(token) > LONGEST_TOKEN:
        return f"has {len(token)} characters, expected at most {LONGEST_TOKEN}; shorten it"
    return ""


def is_text(found: object) -> TypeGuard[str]:
    """Is it text in quotes?"""
    return isinstance(found, str) and not isinstance(found, Written)


def is_visible(text: str) -> bool:
    """Is there a letter, a mark, a number, a sign: more than blanks and formatting?"""
    return any(category(char)[0] in "LMNPS" for char in text)


def _unprintable(text: str) -> str:
    """Says what is wrong with characters that no page can show, else ''."""
    for char in text:
        if (ord(char) < 32 and char not in "\t\n\r") or 0x7F <= ord(char) < 0xA0 \
                or 0xD800 <= ord(char) < 0xE000 or (ord(char) & 0xFFFE) == 0xFFFE:
            return f"holds the character U+{ord(char):04X}, which a page cannot show; remove it"
    return ""


def cut_short(written: str, most: int) -> str:
    """A text of at most so many characters."""
    return written if len(written) <= most else written[:most - 1] + "…"


def read_text(data: dict[str, Any], key: str, faults: list[Fault]) -> str:
    """Text in quotes; '' where there is none."""
    text = data.get(key, "")
    if not is_text(text):
        faults.append(Fault(key, f"found {shown(text)}, expected text in quotes"))
        return ""
    if problem := _unprintable(text):
        faults.append(Fault(key, problem))
    if len(text) > LONGEST.get(key, len(text)):
        faults.append(Fault(key, f"has {len(text)} characters, expected at most {LONGEST[key]}; "
                            "shorten it: pages show it whole"))
    if key == "language" and text and not _LANGUAGE.fullmatch(text):
        faults.append(Fault(key, f"found {shown(text)}, expected a tag such as en or pt-BR"))
    return text


def read_matrix(data: dict[str, Any], key: str, faults: list[Fault]) -> Matrix:
    """The matrix under a key; [] where it cannot be read (then faults say why)."""
    if key not in data:
        faults.append(Fault(key, "is missing; give a matrix such as [[1, 0], [0, 1]]"))
        return []
    return read_rows(data[key], key, read_number, faults)


def read_row(data: dict[str, Any], key: str, faults: list[Fault]) -> Matrix:
    """The row of numbers under a key, as a matrix of one row; [] where it cannot be read."""
    found = data[key]
    if not isinstance(found, list) or not found:
        faults.append(Fault(key, f"found {shown(found)}, expected a row of numbers, such as "
                            "[1, 0]"))
        return []
    rows = read_rows([found] if is_flat(found) else found, key, read_number, faults)
    if len(rows) > 1:
        faults.append(Fault(key, f"has {count(len(rows), 'row')}, expected one row of numbers, "
                            "such as [1, 0]"))
        return []
    return rows


def is_flat(found: list[Any]) -> bool:
    """Is it a list without lists in it?"""
    return not any(isinstance(one, list) for one in found)


def read_list_of_rows(found: Any, key: str, faults: list[Fault]) -> list[Any]:
    """What should be a list of rows; [] where it is not (then a fault says why)."""
    if not isinstance(found, list) or not found:
        faults.append(Fault(key, f"found {shown(found)}, expected a matrix: a list of rows"))
        return []
    if is_flat(found):
        faults.append(Fault(key, "found a list without rows in it, expected a list of rows, such "
                            "as [[1, 0], [0, 1]]"))
        return []
    return found


def read_rows(
    found: Any, key: str, read: Callable[[object], Fraction], faults: list[Fault]
) -> Matrix:
    """Rows of numbers of one width: the usual one, where faults say that some have another.

    What cannot be read is 0. Where no width is more usual than another the rows stay as they are;
    [] where there is none.
    """
    rows = [_row(row, key, number, read, faults)
            for number, row in enumerate(read_list_of_rows(found, key, faults), 1)]
    width = usual_width(rows)
    if not width:
        return []
    check_widths(rows, key, width, faults)
    common = lcm(*(entry.denominator for row in rows for entry in row))
    if common >= 10**MOST_DIGITS:
        faults.append(Fault(key, f"needs a common denominator of more than {MOST_DIGITS} digits; "
                            "write fewer decimals or simpler fractions"))
    widths = [len(row) for row in rows if row]
    if any(widths.count(other) == widths.count(width) for other in {*widths} - {width}):
        return rows
    return [(row + [Fraction(0)] * width)[:width] for row in rows]


def usual_width(rows: Sequence[Sequence[object]]) -> int:
    """The width of most rows; of widths as usual the first, and 0 where there is none."""
    widths = Counter(len(row) for row in rows if row)
    return widths.most_common(1)[0][0] if widths else 0


def check_widths(
    rows: Sequence[Sequence[object]], key: str, width: int, faults: list[Fault], why: str = ""
) -> None:
    """Has each row this width, that of most or that for which `why` tells a reason?"""
    widths = [len(row) for row in rows]
    why = why or f" because row {1 + widths.index(width)} has as many"
    faults += [Fault(key, f"has {count(found, 'number')}, expected {width}{why}", row=number)
               for number, found in enumerate(widths, 1) if found not in (0, width)]


def shape_of(rows: Matrix) -> tuple[int, int]:
    """Rows and columns; 0 for the columns where not all rows have as many."""
    widths = set(map(len, rows))
    return len(rows), widths.pop() if len(widths) == 1 else 0


def _row(
    found: Any, key: str, number: int, read: Callable[[object], Fraction], faults: list[Fault]
) -> list[Fraction]:
    row = []
    for col, written in enumerate(row_of(found, key, number, faults), 1):
        try:
            row.append(read(written))
        except NotANumber as problem:
            faults.append(Fault(key, str(problem), row=number, col=col))
            row.append(Fraction(0))
    return row


def row_of(found: Any, key: str, number: int, faults: list[Fault]) -> list[Any]:
    """What should be a row of numbers; [] where it is not (then a fault says why)."""
    told = ""
    if not isinstance(found, list) or not found:
        told = f"found {shown(found)}, expected a row of numbers"
    elif all(isinstance(one, list) for one in found):
        told = "found lists in a row, expected numbers; take a pair of brackets away"
    if told:
        faults.append(Fault(key, told, row=number))
    return [] if told else found
