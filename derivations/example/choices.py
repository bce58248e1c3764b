"""What an example file chooses: its mask, scale and places, and how its source computed."""

from fractions import Fraction
from typing import Any

from derivations.example.fields import HIDDEN, MOST_PLACES, is_text, read_rows, shape_of
from derivations.example.matrices import Given
from derivations.example.meant import alike
from derivations.faults import Fault
from derivations.numbers import NotANumber, read_number, shown
from derivations.step import NO_SCALE, Divisor
from derivations.values import Open, causal


def read_mask(data: dict[str, Any], given: Given, faults: list[Fault]) -> Open | None:
    """Who may attend to whom; None where all may."""
    found, cached = data.get("mask", "none"), _cache_length(data, faults)
    n_q, n_k = given.size("n_q"), given.size("n_k")
    if found == "none":
        return None
    if found == "causal":
        return causal(n_q, n_k, cached)
    if not isinstance(found, list):
        faults.append(Fault("mask", f"found {shown(found)}, expected \"none\", \"causal\" or a "
                            f"matrix of 1 (may attend) and 0{_perhaps(found, 'none', 'causal')}"))
        return None
    rows = read_rows(found, "mask", _zero_or_one, faults)
    shape = shape_of(rows)
    if all((*shape, n_q, n_k)) and shape != (n_q, n_k):
        faults.append(Fault("mask", f"is {shape[0]} by {shape[1]}, expected {n_q} by {n_k}: one "
                            "row for each query and one column for each key"))
    return tuple(tuple(entry == 1 for entry in row) for row in rows)


def _zero_or_one(written: object) -> Fraction:
    try:
        value = Fraction(-1) if is_text(written) else read_number(written)
    except NotANumber:
        value = Fraction(-1)
    if value not in (0, 1):
        more = " (may not): a mask is not added to scores here" if written in HIDDEN else ""
        raise NotANumber(f"found {shown(written)}, expected 1 (may attend) or 0{more}")
    return value


def _perhaps(found: object, *words: str) -> str:
    """The word that was meant perhaps."""
    meant = alike(found, words) if is_text(found) else ""
    return f'; did you mean "{meant}"?' if meant else ""


def _cache_length(data: dict[str, Any], faults: list[Fault]) -> int:
    """How many keys come before the first query, of a causal mask."""
    found = _whole(data, "cache_length", 0, None, "how many keys come before the first query",
                   faults)
    mask = data.get("mask", "none")
    if found is not None and (mask == "none" or isinstance(mask, list)):
        faults.append(Fault("cache_length", 'only moves a causal mask; add mask = "causal" or '
                            "take it away"))
    return found or 0


def _whole(
    data: dict[str, Any], key: str, least: int, most: int | None, what: str, faults: list[Fault]
) -> int | None:
    """A whole number; None where there is none."""
    found = data.get(key)
    if isinstance(found, int) and not isinstance(found, bool) and least <= found \
            and (most is None or found <= most):
        return found
    if key in data:
        limits = f" from {least}" + (f" to {most}" if most is not None else "")
        bare = "; take the quotes away" if is_text(found) and found.isdecimal() else ""
        faults.append(Fault(key, f"found {shown(found)}, expected a whole number{limits}: {what}"
                            + bare))
    return None


def read_places(data: dict[str, Any], faults: list[Fault]) -> int:
    """How many decimals to show."""
    found = _whole(data, "places", 1, MOST_PLACES, "the decimals to show", faults)
    return 4 if found is None else found


def read_divisor(data: dict[str, Any], d_k: int, faults: list[Fault]) -> Divisor:
    """What the scores are divided by."""
    found = data.get("scale", "sqrt_dk")
    if found == "sqrt_dk":
        return Divisor("sqrt_dk", d_k, 1, 1)
    if found == "none":
        return NO_SCALE
    try:
        value = read_number(found)
    except NotANumber:
        value = Fraction(0)
    if value <= 0:
        faults.append(Fault("scale", f"found {shown(found)}, expected \"sqrt_dk\", \"none\" or the "
                            "positive number to divide by" + _perhaps(found, "sqrt_dk", "none")))
        return NO_SCALE
    return Divisor("number", 1, value.numerator, value.denominator)


def read_marks(data: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """How a source computed what it prints: in float32? from inputs rounded to some decimals?"""
    float32 = data.get("float32", False)
    if not isinstance(float32, bool):
        faults.append(Fault("float32", f"found {shown(float32)}, expected true or false"))
    given = {key: value for key, value in data.items() if value is not None}  # as JSON may say
    decimals = _whole(given, "input_decimals", 0, MOST_PLACES, "the decimals of the inputs", faults)
    return {"float32": float32, "input_decimals": decimals}
