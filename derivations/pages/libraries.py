"""What libraries make of the lesson's example and of masks, from the file of what was measured.

`make libraries` writes that file: no library runs while the site is built.
"""

import json
from collections.abc import Callable
from decimal import Context, Decimal
from functools import cached_property
from hashlib import sha256
from math import frexp, ldexp
from pathlib import Path
from typing import Any

from markupsafe import Markup

from derivations.floats import nearest
from derivations.pages.sentences import asker
from derivations.pages.worked import Worked
from derivations.render.markup import listed, table, text

OF_THE_FILE = "measured", "ulp", "errors", "far", "masks", "hidden", "causal", "scales"
PLACE = "reference/libraries.json"
BITS = {"float32": 24, "float64": 53}
LEAST = {"float32": -149, "float64": -1074}  # the smallest float is 2 to this
FAR = 1000  # ulps: no rounding of the last digits
THREE_DIGITS = Context(prec=3)
TERMS = Decimal("1.00"), Decimal("0.004"), Decimal("0.004")
NOTHING_HEARD = {"0": "0", "NaN": "NaN", "mean": "the mean of all values",
                 "not hidden": "as if nothing were hidden", "": "takes none"}
DEFAULTS = {"1/sqrt(d_k)": "1/√<i>d<sub>k</sub></i>", "1/d_k": "1/<i>d<sub>k</sub></i>", "1": "1"}
UNCLEAR = "something else"
CAUSES = {
    "JAX": " Its softmax is made in float32, whatever it is given: so says "
           "[its code](https://github.com/jax-ml/jax/blob/main/jax/_src/nn/functions.py).",
    "ONNX": " Its scale is [an attribute](https://onnx.ai/onnx/operators/onnx__Attention.html) "
            "of float32, whatever else it is given.",
}
HIDDEN_ROWS = Markup("\n\nRows from which the mask hides every key are left out.")
OTHER_EXAMPLE = Markup(
    "*How far the libraries are off is left out here: it was measured of another example, or of "
    "this one before it was changed. `make libraries` measures it anew.*")


def markers(docs: Path, lesson: Worked) -> dict[str, Any]:
    """The markers of the page of libraries."""
    here = _Page(docs, lesson)
    return {"libraries_orders": orders} | {f"libraries_{name}": getattr(here, name)
                                           for name in OF_THE_FILE}


def orders() -> Markup:
    """The same three numbers added in both orders, each sum rounded to three digits."""
    rows = [_sums(text("from the left"), *TERMS), _sums(text("from the right"), *TERMS[::-1])]
    return _table(("order", "first sum", "second sum"), rows, "the same sum in two orders")


def _sums(name: Markup, first: Decimal, second: Decimal, third: Decimal) -> list[Markup]:
    between = THREE_DIGITS.add(first, second)
    return [name, _sum(first, second), _sum(between, third)]


def _sum(a: Decimal, b: Decimal) -> Markup:
    """A sum with three digits; it is told whether that is all of it."""
    rounded = THREE_DIGITS.add(a, b)
    return Markup("{} + {} {} {}").format(a, b, "=" if rounded == a + b else "≈", rounded)


class _Page:
    """The file of what was measured, and the lesson's example. The file is read when asked for."""

    def __init__(self, docs: Path, lesson: Worked):
        self.docs, self.lesson = docs, lesson

    @cached_property
    def data(self) -> dict[str, Any]:
        """What was measured. Raises LookupError where the file cannot be read."""
        try:
            found: dict[str, Any] = json.loads((self.docs / PLACE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise LookupError(f"{PLACE}: {error}; make libraries writes it anew") from error
        return found

    @property
    def of_this_example(self) -> bool:
        """Was it measured of the file as it is now?"""
        file = self.docs / "examples" / self.lesson.example.file
        return bool(self.data["example"]["sha256"] == sha256(file.read_bytes()).hexdigest())

    def measured(self) -> Markup:
        """The libraries with their versions, and what they ran on."""
        versions = [Markup("{} {}").format(text(name), text(version))
                    for name, version in self.data["versions"].items()]
        return Markup("{}, on a processor of the kind {}").format(
            listed(versions), text(self.data["processor"]))

    def ulp(self) -> Markup:
        """One ulp of either precision, where the first number of the asker's output stands."""
        value = nearest(self.lesson.derivation["output"].values)[asker(self.lesson)][0]
        rows = [[text(name), text(bits), *_ulp(value, name)] for name, bits in BITS.items()]
        return _table(("precision", "binary digits", "one ulp", "which is about"), rows,
                      "units in the last place")

    def errors(self) -> Markup:
        """How far each library is off; a sentence where that was measured of another example."""
        if not self.of_this_example:
            return OTHER_EXAMPLE
        rows = [[Markup("{}, {}").format(text(one["library"]), text(one["precision"])),
                 Markup("{} of {}").format(one["nearest"], one["numbers"]),
                 _ulps(one["largest"]), _ulps(one["mean"])] for one in self.data["errors"]]
        shown = _table(("library", "nearest float", "largest error, in ulps",
                        "mean error, in ulps"), rows, "how far each library is off")
        return shown + HIDDEN_ROWS if self.lesson.derivation.closed_rows else shown

    def far(self) -> Markup:
        """Which of them are off by more than their last digits; '' where that is none."""
        if not self.of_this_example:
            return Markup("")
        return Markup(" ").join(
            Markup("**{} in {}** is off by up to {} ulps.{}").format(
                text(one["library"]), text(one["precision"]), _ulps(one["largest"]),
                Markup(CAUSES.get(one["library"], "")))
            for one in self.data["errors"] if (one["largest"] or 0) > FAR)

    def masks(self) -> Markup:
        """What True means in each mask."""
        found = [one | {"call": one["call"].partition(", ")[0]} for one in self.data["masks"]]
        return _meanings(found, {"True means": lambda one: text(one["true"])},
                         "what True means in a mask")

    def hidden(self) -> Markup:
        """What comes out where every key is hidden."""
        return _meanings(self.data["masks"], {"all hidden": lambda one: _outcome(one["all_hidden"]),
                                              "−∞ added to all": _added},
                         "what comes out where every key is hidden")

    def causal(self) -> Markup:
        """Where a causal mask begins that is not square."""
        return _meanings(self.data["causal"], {"it begins": lambda one: text(one["alignment"])},
                         "where a causal mask begins")

    def scales(self) -> Markup:
        """What scores are multiplied by, and what a given number does."""
        return _meanings(self.data["scales"], {
            "left out, it multiplies by":
                lambda one: Markup(DEFAULTS.get(one["default"], UNCLEAR)),
            "a given number": lambda one: text(one["given"])}, "what libraries do about the scale")


def _meanings(
    found: list[dict[str, str]], columns: dict[str, Callable[[dict[str, str]], Markup]], label: str
) -> Markup:
    """A row for each call and what came of it: of several arguments, where it came of each."""
    arguments: dict[tuple[Markup, ...], list[str]] = {}
    for one in found:
        row = _called(one), *(of(one) for of in columns.values())
        arguments.setdefault(row, []).append(one["argument"])
    rows = [[called, _code(*dict.fromkeys(names)), *cells]
            for (called, *cells), names in arguments.items()]
    return _table(("library", "argument", *columns), rows, label)


def _table(header: tuple[str, ...], rows: list[list[Markup]], label: str) -> Markup:
    return table([text(word) for word in header], rows, "libraries stacks", label)


def _ulp(value: float, precision: str) -> list[Markup]:
    """The unit in the last place where a value stands: a power of two, and as a decimal."""
    least = LEAST[precision]
    exponent = max(frexp(value)[1] - BITS[precision], least) if value else least
    return [Markup("2<sup>{}</sup>").format(_minus(exponent)), _rounded(ldexp(1, exponent))]


def _rounded(number: float) -> Markup:
    """A positive number with two digits, and a power of ten."""
    digits, exponent = f"{number:.1e}".split("e")
    return Markup("{}·10<sup>{}</sup>").format(Markup(digits), _minus(int(exponent)))


def _minus(exponent: int) -> Markup:
    return Markup(str(exponent).replace("-", "\N{MINUS SIGN}"))


def _ulps(error: float | None) -> Markup:
    """An error: two decimals, or a power of ten; None where a number is not finite."""
    if error is None:
        return text("not finite")
    return Markup(f"{error:.2f}") if error <= FAR else _rounded(error)


def _called(one: dict[str, str]) -> Markup:
    """A library, and what of it is called; on lines of their own, since a header does not wrap."""
    calls = map(_code, one["call"].split(", "))
    return Markup("{}<br>{}").format(text(one["library"]), Markup(",<br>").join(calls))


def _code(*names: str) -> Markup:
    return Markup(", ").join(Markup("<code>{}</code>").format(text(name)) for name in names)


def _outcome(found: str) -> Markup:
    return text(NOTHING_HEARD.get(found, UNCLEAR))


def _added(one: dict[str, str]) -> Markup:
    """What comes out where minus infinity is added, and by which argument."""
    by = Markup("") if one["added"] in ("", one["argument"]) else Markup(", by ")
    return _outcome(one["all_infinite"]) + (by and by + _code(one["added"]))
