"""An example file -> Example: exact numbers, checked shapes, every fault of the file at once."""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

from derivations.numbers import NotANumber, common_denominator, read_number, shown
from derivations.step import Divisor
from derivations.values import Open, Rationals

MATRICES = ("x", "w_q", "w_k", "w_v")
TEXTS = ("title", "source", "note", "author", "language")
KEYS = (*TEXTS, "tokens", "sentence", *MATRICES, "mask", "scale", "places")
LATER = ("b_q", "b_k", "b_v", "q", "k", "v", "context_tokens", "context_x", "heads", "w_o", "b_o",
         "published", "published_places", "float32", "input_decimals", "verdict", "overall")
MOST_PLACES = 30
LONGEST_TOKEN = 300
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class Fault:
    """One thing wrong in an example file: where, what, and how to mend it (rows from 1)."""

    key: str
    message: str
    row: int | None = None
    col: int | None = None

    def __str__(self) -> str:
        place = self.key
        place += f" row {self.row}" if self.row is not None else ""
        place += f" column {self.col}" if self.col is not None else ""
        return f"{place}: {self.message}"


class ExampleError(Exception):
    """An example file cannot be used: `faults` holds everything that is wrong in it."""

    def __init__(self, name: str, faults: list[Fault]):
        self.name, self.faults = name, tuple(faults)
        super().__init__("\n".join(f"{name}: {fault}" for fault in faults))


@dataclass(frozen=True)
class Example:
    """An example, checked: n tokens, x [n, d_model].

    w_q and w_k are [d_model, d_k], w_v is [d_model, d_v], mask is [n, n].
    """

    slug: str
    title: str
    tokens: tuple[str, ...]
    x: Rationals
    w_q: Rationals
    w_k: Rationals
    w_v: Rationals
    mask: Open | None
    divisor: Divisor
    places: int
    source: str
    note: str
    author: str
    language: str


def load(path: Path) -> Example:
    """Read and check an example file (.toml, or .json with the same keys).

    Raises ExampleError with every fault of the file.
    """
    return build(path, _parse(path))


def build(path: Path, data: dict[str, Any]) -> Example:
    """Check parsed data as an Example; `path` gives the slug and names the file in messages."""
    faults: list[Fault] = []
    if not _SLUG.fullmatch(path.stem):
        faults.append(Fault("file name", f"{shown(path.stem)} may hold only a-z, 0-9 and single "
                            "hyphens between them: it becomes the address of the page"))
    faults += _unknown_keys(data)
    tokens = _tokens(data, faults)
    matrices = {key: _matrix(data, key, faults) for key in MATRICES}
    _check_shapes(tokens, matrices, faults)
    mask = _mask(data, len(tokens) if tokens else None, faults)
    texts = {key: _text(data, key, faults) for key in TEXTS}
    places = _places(data, faults)
    divisor = _divisor(data, matrices["w_q"], faults)
    if faults:
        raise ExampleError(path.name, faults)
    x, w_q, w_k, w_v = (common_denominator(rows) for rows in matrices.values())
    texts["title"] = texts["title"] or " ".join(tokens)
    return Example(path.stem, tokens=tuple(tokens), x=x, w_q=w_q, w_k=w_k, w_v=w_v, mask=mask,
                   divisor=divisor, places=places, **texts)


def _parse(path: Path) -> dict[str, Any]:
    """The file's keys, with decimals kept as their text."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        data = _json(text) if path.suffix == ".json" else tomllib.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        fault = Fault("syntax", str(error) or "nested too deeply")
        raise ExampleError(path.name, [fault]) from None
    if not isinstance(data, dict):
        fault = Fault("syntax", f"found {shown(data)}, expected keys and values")
        raise ExampleError(path.name, [fault])
    return data


def _json(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_constant=str, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key {shown(key)} is given twice; keep one")
    return dict(pairs)


def _unknown_keys(data: dict[str, Any]) -> list[Fault]:
    return [Fault(shown(key).strip("'"), _unknown(key)) for key in data if key not in KEYS]


def _unknown(key: str) -> str:
    if key in LATER:
        return "this key cannot be used yet; give x, w_q, w_k and w_v instead"
    near = get_close_matches(key, KEYS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known keys are {', '.join(KEYS)}"
    return f"unknown key; {hint}"


def _tokens(data: dict[str, Any], faults: list[Fault]) -> list[str]:
    if "sentence" in data and "tokens" in data:
        faults.append(Fault("sentence", "give either tokens or sentence, not both"))
    if "tokens" not in data:
        sentence = _text(data, "sentence", faults)
        found: Any = sentence.split()
    else:
        found = data["tokens"]
    if not isinstance(found, list) or not found:
        faults.append(Fault("tokens", f"found {shown(found)}, expected one or more tokens, "
                            'such as tokens = ["I", "love", "cats"]'))
        return []
    for number, token in enumerate(found, 1):
        if problem := _token_problem(token):
            faults.append(Fault("tokens", problem, row=number))
    return [str(token) for token in found]


def _token_problem(token: object) -> str:
    if not isinstance(token, str) or not token.strip():
        return f"found {shown(token)}, expected text that is not empty"
    if len(token) > LONGEST_TOKEN:
        return f"has {len(token)} characters, expected at most {LONGEST_TOKEN}; shorten it"
    return _unprintable(token)


def _unprintable(text: str) -> str:
    """Says what is wrong with characters that no page can show, else ''."""
    for char in text:
        if (ord(char) < 32 and char not in "\t\n\r") or 0x7F <= ord(char) < 0xA0 \
                or 0xD800 <= ord(char) < 0xE000 or (ord(char) & 0xFFFE) == 0xFFFE:
            return f"holds the character U+{ord(char):04X}, which a page cannot show; remove it"
    return ""


def _text(data: dict[str, Any], key: str, faults: list[Fault]) -> str:
    text = data.get(key, "")
    if not isinstance(text, str):
        faults.append(Fault(key, f"found {shown(text)}, expected text in quotes"))
        return ""
    if problem := _unprintable(text):
        faults.append(Fault(key, problem))
    if key == "language" and text and not _LANGUAGE.fullmatch(text):
        faults.append(Fault(key, f"found {shown(text)}, expected a tag such as en or pt-BR"))
    return text


def _matrix(data: dict[str, Any], key: str, faults: list[Fault]) -> list[list[Fraction]]:
    """The matrix under a key; [] where it cannot be read (then faults say why)."""
    if key not in data:
        faults.append(Fault(key, "is missing; give a matrix such as [[1, 0], [0, 1]]"))
        return []
    return _rows(data[key], key, read_number, faults)


def _rows(
    found: Any, key: str, read: Callable[[object], Fraction], faults: list[Fault]
) -> list[list[Fraction]]:
    before = len(faults)
    if not isinstance(found, list) or not found:
        faults.append(Fault(key, f"found {shown(found)}, expected a matrix: a list of rows"))
        return []
    rows = [_row(row, key, number, read, faults) for number, row in enumerate(found, 1)]
    for number, row in enumerate(rows, 1):
        if row and rows[0] and len(row) != len(rows[0]):
            faults.append(Fault(key, f"has {count(len(row), 'number')}, expected {len(rows[0])} "
                                "because row 1 has as many", row=number))
    return rows if len(faults) == before else []


def _row(
    found: Any, key: str, number: int, read: Callable[[object], Fraction], faults: list[Fault]
) -> list[Fraction]:
    if not isinstance(found, list) or not found:
        faults.append(Fault(key, f"found {shown(found)}, expected a row of numbers", row=number))
        return []
    row = []
    for col, written in enumerate(found, 1):
        try:
            row.append(read(written))
        except NotANumber as problem:
            faults.append(Fault(key, str(problem), row=number, col=col))
            row.append(Fraction(0))
    return row


def _check_shapes(
    tokens: list[str], matrices: dict[str, list[list[Fraction]]], faults: list[Fault]
) -> None:
    x, w_q = matrices["x"], matrices["w_q"]
    if x and tokens and len(x) != len(tokens):
        faults.append(Fault("x", f"has {count(len(x), 'row')}, expected {len(tokens)}: one for "
                            "each token"))
    for key in ("w_q", "w_k", "w_v"):
        rows = matrices[key]
        if x and rows and len(rows) != len(x[0]):
            faults.append(Fault(key, f"has {count(len(rows), 'row')}, expected {len(x[0])} because "
                                f"x has {count(len(x[0]), 'column')}"))
    w_k = matrices["w_k"]
    if w_q and w_k and len(w_q[0]) != len(w_k[0]):
        faults.append(Fault("w_k", f"has {count(len(w_k[0]), 'column')}, expected {len(w_q[0])} "
                            "because w_q has as many: queries and keys share d_k"))


def _mask(data: dict[str, Any], n: int | None, faults: list[Fault]) -> Open | None:
    found = data.get("mask", "none")
    if found == "none" or n is None:
        return None
    if found == "causal":
        return tuple(tuple(j <= i for j in range(n)) for i in range(n))
    if not isinstance(found, list):
        faults.append(Fault("mask", f"found {shown(found)}, expected \"none\", \"causal\" or a "
                            "matrix of 1 (may attend) and 0"))
        return None
    rows = _rows(found, "mask", _zero_or_one, faults)
    if rows and (len(rows), len(rows[0])) != (n, n):
        faults.append(Fault("mask", f"is {len(rows)} by {len(rows[0])}, expected {n} by {n}: one "
                            "row and one column for each token"))
    return tuple(tuple(entry == 1 for entry in row) for row in rows)


def _zero_or_one(written: object) -> Fraction:
    if isinstance(written, bool) or written not in (0, 1):
        raise NotANumber(f"found {shown(written)}, expected 1 (may attend) or 0")
    return read_number(written)


def _places(data: dict[str, Any], faults: list[Fault]) -> int:
    found = data.get("places", 4)
    if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= MOST_PLACES:
        faults.append(Fault("places", f"found {shown(found)}, expected a whole number from 1 to "
                            f"{MOST_PLACES}: the decimals to show"))
        return 4
    return found


def _divisor(data: dict[str, Any], w_q: list[list[Fraction]], faults: list[Fault]) -> Divisor:
    found = data.get("scale", "sqrt_dk")
    if found == "sqrt_dk":
        return Divisor("sqrt_dk", len(w_q[0]) if w_q else 1, 1, 1)
    if found == "none":
        return Divisor("none", 1, 1, 1)
    try:
        value = read_number(found)
    except NotANumber:
        value = Fraction(0)
    if value <= 0:
        faults.append(Fault("scale", f"found {shown(found)}, expected \"sqrt_dk\", \"none\" or the "
                            "positive number to divide by"))
        return Divisor("none", 1, 1, 1)
    return Divisor("number", 1, value.numerator, value.denominator)


def count(n: int, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
