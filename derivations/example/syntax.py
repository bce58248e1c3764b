"""An example file -> its keys and values, decimals kept as their text; TOML, or JSON."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from derivations.example.hints import Break, advice
from derivations.faults import ExampleError, Fault
from derivations.numbers import Written, shown

KEYS = (
    "title", "tokens", "sentence", "x", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "q", "k", "v",
    "context_tokens", "context_x", "heads", "w_o", "b_o", "mask", "cache_length", "scale", "places",
    "source", "note", "author", "language", "published", "published_places", "float32",
    "input_decimals", "verdict", "overall",
)


def parse(path: Path) -> dict[str, Any]:
    """The file's keys, with decimals kept as their text.

    Raises ExampleError where the file is not TOML (or JSON) at all.
    """
    try:
        data = _read(path.read_bytes(), path.suffix.lower() == ".json")
    except OSError as error:
        fault = Fault("file", f"cannot be read: {error.strerror}")
        raise ExampleError(path.name, [fault]) from None
    except NotUtf8 as error:
        raise ExampleError(path.name, [Fault("encoding", str(error))]) from None
    except (ValueError, RecursionError) as error:
        raise ExampleError(path.name, [Fault("syntax", _what(error))]) from None
    if not isinstance(data, dict):
        fault = Fault("syntax", f"found {shown(data)}, expected keys and values")
        raise ExampleError(path.name, [fault])
    return data


class NotUtf8(Exception):
    """The bytes of a file are not text in UTF-8; says where, and how to mend it."""


def _read(contents: bytes, is_json: bool) -> Any:
    text = decoded(contents)
    try:
        return _json(text) if is_json else tomllib.loads(text, parse_float=Written)
    except json.JSONDecodeError as error:
        said, at = error.msg, error.pos
    except tomllib.TOMLDecodeError as error:
        text = text.replace("\r\n", "\n")  # as TOML counts
        said, at = _place(str(error), text)
    broken = Break(text, at, said, is_json)
    column = at - text.rfind("\n", 0, at)
    raise ValueError(f"{said} (at line {broken.line(at)}, column {column}){advice(broken)}")


def _place(told: str, text: str) -> tuple[str, int]:
    """What TOML's reader says, without its Python, and where: the offset in the text."""
    said, _, place = told.rpartition(" (at ")
    said = re.sub(r"\(('.*'),?\)", lambda names: "[" + names[1].replace("', '", ".").strip("'")
                  + "]", said)
    found = re.match(r"line (\d+), column (\d+)", place)
    if not found:
        return said, len(text)
    start = 0
    for _ in range(int(found[1]) - 1):
        start = text.index("\n", start) + 1
    return said, start + int(found[2]) - 1


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
