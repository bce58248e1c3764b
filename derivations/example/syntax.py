"""An example file -> its keys and values, decimals kept as their text; TOML, or JSON."""

import json
import tomllib
from collections.abc import Collection
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from derivations.faults import ExampleError, Fault
from derivations.numbers import shown

KEYS = (
    "title", "tokens", "sentence", "x", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "q", "k", "v",
    "context_tokens", "context_x", "heads", "w_o", "b_o", "mask", "cache_length", "scale", "places",
    "source", "note", "author", "language", "published", "published_places", "float32",
    "input_decimals", "verdict", "overall",
)
ALIKE = 0.6  # from here on two keys look alike


def parse(path: Path) -> dict[str, Any]:
    """The file's keys, with decimals kept as their text.

    Raises ExampleError where the file is not TOML (or JSON) at all.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        data = _json(text) if path.suffix == ".json" else tomllib.loads(text, parse_float=str)
    except OSError as error:
        fault = Fault("file", f"cannot be read: {error.strerror}")
        raise ExampleError(path.name, [fault]) from None
    except (ValueError, RecursionError) as error:
        raise ExampleError(path.name, [Fault("syntax", _what(error))]) from None
    if not isinstance(data, dict):
        fault = Fault("syntax", f"found {shown(data)}, expected keys and values")
        raise ExampleError(path.name, [fault])
    return data


def _what(error: Exception) -> str:
    """What the parser says, but for where it speaks of Python."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if "set_int_max_str_digits" in str(error):
        return "a number has thousands of digits; write fewer"
    return str(error)


def _json(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_constant=str, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key {shown(key)} is given twice; keep one")
    return dict(pairs)


def unknown_keys(data: dict[str, Any]) -> list[Fault]:
    """A fault for each key that no example has, with the nearest that one has."""
    missing = [key for key in KEYS if key not in data]
    return [
        Fault(shown(key).strip("'"), f"unknown key; {nearest(key, KEYS, missing)}")
        for key in data if key not in KEYS
    ]


def nearest(key: str, keys: Collection[str], missing: Collection[str]) -> str:
    """The key that was meant perhaps; of two that are as near, one that is missing."""
    def alike(known: str) -> tuple[float, bool]:
        return SequenceMatcher(None, key, known).ratio(), known in missing

    best = max(keys, key=alike)
    near = alike(best)[0] >= ALIKE
    return f"did you mean {best}?" if near else f"known keys are {', '.join(keys)}"
