"""The generated parts of the reference pages: notation, the generic derivation, verification."""

from fractions import Fraction
from functools import cache
from pathlib import Path

from markupsafe import Markup

from derivations.checks import CheckError, StepChecks
from derivations.example import Example, build
from derivations.example.schema import schema
from derivations.generic import IDENTITIES, generic
from derivations.notation import QUANTITIES, SIZES, Quantity
from derivations.pages.worked import Worked, work_out
from derivations.render.forms import forms
from derivations.render.markup import equation, link, listed, math, table, text
from derivations.rounded import magnitude
from derivations.step import Step

GENERIC_SHAPES = ((2, 2), (3, 2), (3, 4))
SIZE_NAMES = {size.key: size.latex for size in SIZES} | {"one": "1"}


def notation_table() -> Markup:
    """Every symbol: its name, an entry, its size, what it means, where it comes from."""
    header = ["name", "symbol", "entry", "size", "meaning", "in the paper"]
    return table([text(word) for word in header], [_symbol_row(q) for q in QUANTITIES],
                 "notation stacks", "every symbol")


def sizes_table() -> Markup:
    """Every size."""
    rows = [[text(size.meaning), math(size.latex)] for size in SIZES]
    return table([text("meaning"), text("size")], rows, "sizes", "every size")


def format_table() -> Markup:
    """Every key of an example file, and what it holds."""
    rows = [[Markup("<code>{}</code>").format(text(key)), text(one["description"])]
            for key, one in schema()["properties"].items()]
    return table([text("key"), text("what it holds")], rows, "keys stacks", "keys of a file")


def generic_equations(key: str) -> Markup:
    """Each entry of a step for two tokens and width 2, in symbols of the step before."""
    worked = _two_tokens()
    step = worked.derivation[key]
    lines = [_in_symbols(worked, step, i, j) for i, j in step.places]
    return Markup("\n").join(equation(line, step.quantity.entry_name) for line in lines)


@cache
def identities() -> Markup:
    """Each identity that this build proved, as a list.

    Raises CheckError where a proof fails.
    """
    for statement, proof in IDENTITIES.items():
        for n, d in GENERIC_SHAPES:
            if not proof(generic(n, d)):
                raise CheckError(f"not proved for n = {n}, d_k = {d}: {statement}")
    return Markup("\n").join(Markup("- {}").format(text(statement)) for statement in IDENTITIES)


def identity_sizes() -> Markup:
    """The sizes for which each identity is proved."""
    return listed([Markup("{} tokens of width {}").format(n, d) for n, d in GENERIC_SHAPES])


def checks_table(worked: Worked, checks: tuple[StepChecks, ...]) -> Markup:
    """What this build checked of one example."""
    header = ["step", "by the entry equation", "by NumPy", "largest bound", "rounded twice"]
    rows = [
        [text(c.step.quantity.name), Markup(str(c.by_second_route)), _by_twin(c),
         power_of_ten(c.bound), Markup(str(c.rounded_twice))]
        for c in checks
    ]
    return table([text(word) for word in header], rows, "checks",
                 f"checks of {worked.example.title}")


def examples_table(examples: list[Example]) -> Markup:
    """The examples, each a link to its worked page, with what it shows."""
    rows = [[link(text(example.title), f"{example.slug}/index.md"), _tokens(example),
             text(example.note)] for example in examples]
    header = [text(word) for word in ("example", "tokens", "what it shows")]
    return table(header, rows, "examples stacks", "examples")


def _tokens(example: Example) -> Markup:
    """How many tokens it has: those that ask, and those that are asked where they are others."""
    asked = Markup(" that ask, {} asked").format(len(example.key_tokens))
    return Markup(str(len(example.tokens))) + (asked if example.crosses else Markup(""))


def power_of_ten(bound: Fraction) -> Markup:
    """A bound, rounded up to two digits: 4.5·10^-16."""
    if bound == 0:
        return Markup("0")
    exponent = magnitude(bound)
    digits = (bound * 10 / Fraction(10) ** exponent).__ceil__()
    if digits >= 100:
        digits, exponent = -(-digits // 10), exponent + 1
    power = Markup("<sup>{}</sup>").format(str(exponent).replace("-", "\N{MINUS SIGN}"))
    return Markup(f"{digits // 10}.{digits % 10}·10") + power


def _by_twin(c: StepChecks) -> Markup:
    beyond = f" ({c.overflowed} beyond float64)" if c.overflowed else ""
    unbounded = f" ({c.unbounded} of which no bound says anything)" if c.unbounded else ""
    return Markup(f"{c.by_twin}{beyond}{unbounded}")


def _symbol_row(q: Quantity) -> list[Markup]:
    size = rf"{SIZE_NAMES[q.rows]} \times {SIZE_NAMES[q.cols]}"
    elsewhere = Markup("<br>Elsewhere: {}").format(text(q.elsewhere)) if q.elsewhere else ""
    return [text(q.name), math(q.matrix), math(q.entry("i", "j")), math(size),
            text(q.meaning) + elsewhere, text(q.place)]


@cache
def _two_tokens() -> Worked:
    """An example of the right shape; only its symbols are shown."""
    identity = [[1, 0], [0, 1]]
    data = {"tokens": ["1", "2"]} | dict.fromkeys(("x", "w_q", "w_k", "w_v"), identity)
    return work_out(build(Path("generic.toml"), data))


def _in_symbols(worked: Worked, step: Step, i: int, j: int) -> str:
    shown = forms(worked.derivation, worked.decimals, step, i, j)
    return f"{shown.name} = {shown.symbols}"
