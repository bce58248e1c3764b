"""An example file -> its keys and values, decimals kept as their text; TOML, or JSON."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from derivations.example.broken import Break
from derivations.example.hints import advice
from derivations.faults import ExampleError, Fault
from derivations.numbers import Written, shown

MOST_BREAKS = 20  # of one file, that are told
KEYS = (
    "title", "tokens", "sentence", "x", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "q", "k", "v",
    "context_tokens", "context_x", "heads", "w_o", "b_o", "mask", "cache_length", "scale", "places",
    "source", "note", "author", "language", "published", "published_places", "float32",
    "input_decimals", "verdict", "overall",
)


class NotUtf8(Exception):
    """The bytes of a file are not text in UTF-8; says where, and how to mend it."""


def parse(path: Path) -> dict[str, Any]:
    """The file's keys, with decimals kept as their text.

    Raises ExampleError where the file is not TOML (or JSON) at all.
    """
    faults: list[Fault] = []
    try:
        data = _read(decoded(path.read_bytes()), path.suffix.lower() == ".json", faults)
    except OSError as error:
        faults.append(Fault("file", f"cannot be read: {error.strerror}"))
    except NotUtf8 as error:
        faults.append(Fault("encoding", str(error)))
    except (ValueError, RecursionError) as error:
        faults.append(Fault("syntax", _what(error)))
    else:
        if isinstance(data, dict) and not faults:
            return data
        faults = faults or [Fault("syntax", f"found {shown(data)}, expected keys and values")]
    raise ExampleError(path.name, faults)


def _read(text: str, is_json: bool, faults: list[Fault]) -> Any:
    """What is read; where the text breaks off, a fault is noted, and what follows is read too."""
    before = -1
    while True:
        try:
            return _json(text) if is_json else tomllib.loads(text, parse_float=Written)
        except json.JSONDecodeError as error:
            broken = Break(text, *_json_place(error, text), is_json)
        except tomllib.TOMLDecodeError as error:
            broken = Break(text, *_place(str(error), text), is_json)
        if broken.at <= before or len(faults) == MOST_BREAKS:
            return None  # a guess was wrong: the author sees more once the first are mended
        hint, text = advice(broken)
        before = broken.at
        faults.append(Fault("syntax", f"{broken.said} (at line {broken.line(broken.at)}, column "
                            f"{broken.column}){hint}"))
        if not text:
            return None


def _json_place(error: json.JSONDecodeError, text: str) -> tuple[int, str]:
    """Where JSON's reader stops and what it says; of a last comma what newer readers say."""
    before = text[:error.pos].rstrip()
    if text[error.pos:error.pos + 1] in ("]", "}") and before.endswith(","):
        return len(before) - 1, "Illegal trailing comma"
    return error.pos, error.msg.removesuffix(" before end of object").removesuffix(
        " before end of array")


def _place(told: str, text: str) -> tuple[int, str]:
    """Where TOML's reader stops, as the offset in the text; what it says, without its Python."""
    said, _, place = told.rpartition(" (at ")
    said = re.sub(r"\(('.*'),?\)", lambda names: "[" + names[1].replace("', '", ".").strip("'")
                  + "]", said)
    found = re.match(r"line (\d+), column (\d+)", place)
    if not found:
        return len(text), said
    start = 0
    for _ in range(int(found[1]) - 1):
        start = text.index("\n", start) + 1
    return start + int(found[2]) - 1, said


def decoded(contents: bytes) -> str:
    """The text of a file in UTF-8, with a byte order mark or without.

    Raises NotUtf8.
    """
    if contents.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in contents[:2]:
        raise NotUtf8("the file is in UTF-16; save it as UTF-8")
    try:
        return contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before, byte = error.object[:error.start], error.object[error.start:error.start + 1]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        raise NotUtf8(f"line {line}, column {column}: the byte 0x{byte.hex().upper()} is not UTF-8 "
                      f"(in Windows-1252 it is {shown(byte.decode('cp1252', 'replace'))}); save "
                      "the file as UTF-8") from None


def _what(error: Exception) -> str:
    """What is wrong, but for where Python speaks of itself."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if "set_int_max_str_digits" in str(error):
        return "a number has thousands of digits; write fewer"
    return str(error)


def _json(text: str) -> Any:
    return json.loads(text, parse_float=Written, parse_constant=Written,
                      object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key {shown(key)} is given twice; keep one")
    return dict(pairs)
