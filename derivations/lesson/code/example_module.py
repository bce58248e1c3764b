"""An example as a Python module, example.py: what the programs of the lesson import.

Numbers are expressions whose floats are the nearest ones; tokens are escaped to ASCII.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from derivations.example import Example
from derivations.values import Rationals

NAME = "example.py"
STEPS = ("queries", "keys", "values", "scores", "scaled_scores", "masked_scores", "weights",
         "output")
MOST_ENTRIES = 64  # of a matrix that is printed as a whole
LONGEST_DECIMAL = 17
LONGEST_LIST = 70  # characters of a list on one line
MODULE = '''"""The example: the numbers that the programs beside this file work on."""

from math import sqrt

# {title}
tokens = {tokens}

x = {x}  # [n, d_model]
w_q = {w_q}  # [d_model, d_k]
w_k = {w_k}  # [d_model, d_k]
w_v = {w_v}  # [d_model, d_v]

# {mask_says}
mask = {mask}
divisor = {divisor}

# What the programs print: which steps, which rows (from 0), how many decimals.
steps = {steps}
rows = {rows}
places = {places}
'''


@dataclass(frozen=True)
class Extent:
    """What the programs print: all of a small example, one row of a large one's results."""

    steps: tuple[str, ...]
    rows: tuple[int, ...]
    whole: bool


def extent(example: Example, asker: int) -> Extent:
    """What is printed of an example; of a large one, the row of the asker."""
    n, width = len(example.tokens), max(example.w_q.shape[1], example.w_v.shape[1])
    if n * max(n, width) > MOST_ENTRIES:
        return Extent(("weights", "output"), (asker,), whole=False)
    steps = (key for key in STEPS if key != "masked_scores" or example.mask is not None)
    return Extent(tuple(steps), tuple(range(n)), whole=True)


def module(example: Example, asker: int) -> str:
    """The text of example.py: ASCII, whatever the example holds."""
    shown = extent(example, asker)
    matrices = {key: _matrix(getattr(example, key)) for key in ("x", "w_q", "w_k", "w_v")}
    return MODULE.format(
        title=ascii(example.title),
        tokens=_listed(ascii(token) for token in example.tokens),
        mask_says="None: each token may attend to all" if example.mask is None
        else "[n, n], True where the token of the row may attend to that of the column",
        mask=None if example.mask is None else _rows(map(str, row) for row in example.mask),
        divisor=_divisor(example),
        steps=_listed(map(repr, shown.steps)),
        rows=list(shown.rows),
        places=example.places,
        **matrices,
    )


def expression(value: Fraction) -> str:
    """A rational as Python: 2, 0.1 or -1/3; too large for exact floats, it is made one."""
    if value.denominator == 1:
        return str(value) if abs(value) <= 2**53 else f"{value}.0"
    decimal = _decimal(value)
    return decimal if decimal and len(decimal) <= LONGEST_DECIMAL else str(value)


def _decimal(value: Fraction) -> str:
    """All its decimals; '' where they do not end."""
    places, power = 0, 1
    while power % value.denominator and places <= LONGEST_DECIMAL:
        places, power = places + 1, power * 10
    if power % value.denominator:
        return ""
    digits = f"{abs(value.numerator) * (power // value.denominator):0{places + 1}d}"
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _matrix(matrix: Rationals) -> str:
    rows, cols = matrix.shape
    return _rows([expression(matrix.entry(i, j)) for j in range(cols)] for i in range(rows))


def _divisor(example: Example) -> str:
    """What scores are divided by."""
    divisor = example.divisor
    if divisor.kind == "sqrt_dk":
        return "sqrt(len(w_q[0]))  # the square root of d_k, the width of a row of w_q"
    chosen = expression(Fraction(divisor.numerator, divisor.denominator))
    return f"{chosen}  # this example's own choice: the paper has sqrt(d_k)"


def _rows(rows: Iterable[Iterable[str]]) -> str:
    return _listed(f"[{', '.join(row)}]" for row in rows)


def _listed(items: Iterable[str]) -> str:
    """A list; a long one with one item a line."""
    found = list(items)
    short = f"[{', '.join(found)}]"
    if len(short) <= LONGEST_LIST:
        return short
    return "[\n" + "".join(f"    {item},\n" for item in found) + "]"
