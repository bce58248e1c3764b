"""What an example file chooses: its mask, scale and places, and how its source computed."""

from fractions import Fraction
from typing import Any

from derivations.example.fields import MOST_PLACES, read_rows
from derivations.faults import Fault
from derivations.numbers import NotANumber, read_number, shown
from derivations.step import Divisor
from derivations.values import Open, causal


def read_mask(data: dict[str, Any], n_q: int, n_k: int, faults: list[Fault]) -> Open | None:
    """Who may attend to whom; None where all may."""
    found, cached = data.get("mask", "none"), read_cache_length(data, faults)
    if found == "none" or not n_q:
        return None
    if found == "causal":
        return causal(n_q, n_k, cached)
    if not isinstance(found, list):
        faults.append(Fault("mask", f"found {shown(found)}, expected \"none\", \"causal\" or a "
                            "matrix of 1 (may attend) and 0"))
        return None
    rows = read_rows(found, "mask", _zero_or_one, faults)
    if rows and (len(rows), len(rows[0])) != (n_q, n_k):
        faults.append(Fault("mask", f"is {len(rows)} by {len(rows[0])}, expected {n_q} by {n_k}: "
                            "one row for each query and one column for each key"))
    return tuple(tuple(entry == 1 for entry in row) for row in rows)


def read_cache_length(data: dict[str, Any], faults: list[Fault]) -> int:
    """How many keys come before the first query, of a causal mask."""
    found = data.get("cache_length", 0)
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        faults.append(Fault("cache_length", f"found {shown(found)}, expected a whole number: how "
                            "many keys come before the first query"))
        return 0
    if "cache_length" in data and data.get("mask") != "causal":
        faults.append(Fault("cache_length", 'only moves a causal mask; add mask = "causal" or '
                            "take it away"))
    return found


def _zero_or_one(written: object) -> Fraction:
    if isinstance(written, bool) or written not in (0, 1):
        raise NotANumber(f"found {shown(written)}, expected 1 (may attend) or 0")
    return read_number(written)


def read_places(data: dict[str, Any], faults: list[Fault]) -> int:
    """How many decimals to show."""
    found = data.get("places", 4)
    if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= MOST_PLACES:
        faults.append(Fault("places", f"found {shown(found)}, expected a whole number from 1 to "
                            f"{MOST_PLACES}: the decimals to show"))
        return 4
    return found


def read_divisor(data: dict[str, Any], d_k: int, faults: list[Fault]) -> Divisor:
    """What the scores are divided by."""
    found = data.get("scale", "sqrt_dk")
    if found == "sqrt_dk":
        return Divisor("sqrt_dk", d_k, 1, 1)
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


def read_marks(data: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """How a source computed what it prints: in float32? from inputs rounded to some decimals?"""
    float32, decimals = data.get("float32", False), data.get("input_decimals")
    if not isinstance(float32, bool):
        faults.append(Fault("float32", f"found {shown(float32)}, expected true or false"))
    if decimals is not None and (isinstance(decimals, bool) or not isinstance(decimals, int)
                                 or not 0 <= decimals <= MOST_PLACES):
        faults.append(Fault("input_decimals", f"found {shown(decimals)}, expected a whole number "
                            f"from 0 to {MOST_PLACES}: the decimals of the inputs"))
    return {"float32": float32, "input_decimals": decimals}
