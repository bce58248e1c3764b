"""Several heads: each is attention of its own; then side by side, and projected.

Vaswani et al. 2017, section 3.2.2: MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O, here
with a bias b^O where an example has one.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from derivations.attention import derive
from derivations.exact import multiply_each
from derivations.example import Example
from derivations.faults import ExampleError, Fault
from derivations.formula import Beside, Dot, Given, OfHead
from derivations.joined import Joined
from derivations.step import NO_SCALE, Axis, Derivation, Head, Step
from derivations.values import ExpSums, Rationals


def derive_all(example: Example) -> Derivation:
    """The derivation of an example; of one with heads, what they make together.

    Raises ExampleError.
    """
    return together(example, derive_heads(example)) if example.heads else derive(example)


def derive_heads(example: Example) -> tuple[Derivation, ...]:
    """The derivation of each head, in order.

    Raises ExampleError with what is wrong in any of them.
    """
    faults: list[Fault] = []
    heads = [derivation for number, head in enumerate(example.heads, 1)
             if (derivation := _derived(head, number, faults))]
    if faults:
        raise ExampleError(example.file, faults)
    starts = accumulate((head.size("d_v") for head in heads), initial=0)
    return tuple(replace(head, head=Head(number, start, len(heads)))
                 for number, (head, start) in enumerate(zip(heads, starts, strict=False), 1))


def _derived(head: Example, number: int, faults: list[Fault]) -> Derivation | None:
    """The derivation of a head; what is wrong says of which. x is that of all heads."""
    try:
        return derive(head)
    except ExampleError as error:
        faults += [replace(fault, key=f"heads {number} {fault.key}".removesuffix(" x"))
                   for fault in error.faults]
    return None


def together(example: Example, heads: tuple[Derivation, ...]) -> Derivation:
    """What heads make together: their outputs side by side, and projected where there is W^O."""
    tokens = heads[0]["output"].rows
    outputs = tuple(_seen(head, number) for number, head in enumerate(heads, 1))
    beside = Beside(tuple((step.key, len(step.cols)) for step in outputs))
    side_by_side = concatenated(heads)
    width = _numbered("d_concat", side_by_side.shape[1])
    step = Step("concatenated", beside, side_by_side, tokens, width, len(width), None)
    steps = (*outputs, step, *_projection(example, heads, tokens, width))
    sizes = {"n_q": len(tokens)} | {axis.size: len(axis) for axis in (width, steps[-1].cols)}
    return Derivation(steps, example.tokens, tuple(sizes.items()), NO_SCALE, None, heads=heads)


def _seen(head: Derivation, number: int) -> Step:
    """The output of a head, as a step that others begin with."""
    return replace(head["output"], key=f"head_{number}", formula=OfHead("output", number))


def _projection(
    example: Example, heads: Sequence[Derivation], tokens: Axis, width: Axis
) -> tuple[Step, ...]:
    """W^O, perhaps a bias, and what they make of the outputs side by side."""
    if not example.w_o.is_given:
        return ()
    values = projected(example, heads)
    out = _numbered("d_out", values.shape[1])
    w_o = Step("w_o", Given("w_o"), example.w_o, width, out, len(width), None)
    b_o = Step("b_o", Given("b_o"), example.b_o, _numbered("one", 1), out, 1, None)
    with_bias = example.b_o.is_given
    formula = Dot("concatenated", "w_o", bias="b_o" if with_bias else None)
    result = Step("projected", formula, values, tokens, out, len(width), None)
    return (w_o, b_o, result) if with_bias else (w_o, result)


def _numbered(size: str, count: int) -> Axis:
    """Rows or columns that have numbers for names."""
    return Axis(size, tuple(str(j + 1) for j in range(count)), tokens=False)


def concatenated(heads: Sequence[Derivation]) -> Joined:
    """The outputs side by side: [n_q, d_v of all heads together]."""
    width = sum(head.size("d_v") for head in heads)
    parts, start = [], 0
    for head in heads:
        parts.append(_spread(_output(head), start, width))
        start += head.size("d_v")
    return Joined(tuple(parts), _zeros(width))


def projected(example: Example, heads: Sequence[Derivation]) -> Joined:
    """The concatenation times W^O [d_v of all heads, d_out], plus b^O [1, d_out]."""
    w_o, parts, start = example.w_o, [], 0
    for head in heads:
        output, end = _output(head), start + head.size("d_v")
        assert output.tops is not None
        block = Rationals(w_o.integers[start:end], w_o.denominator)
        (mixed,) = multiply_each(output.tops, block)
        parts.append(ExpSums(output.exponents, mixed, normalised=True))
        start = end
    bias = example.b_o if example.b_o.is_given else _zeros(w_o.shape[1])
    return Joined(tuple(parts), bias)


def _output(head: Derivation) -> ExpSums:
    values = head["output"].values
    assert isinstance(values, ExpSums)
    return values


def _spread(output: ExpSums, start: int, width: int) -> ExpSums:
    """An output as wide as all together, 0 but in its own columns."""
    assert output.tops is not None
    after = width - start - output.tops.shape[1]
    rows = tuple((0,) * start + row + (0,) * after for row in output.tops.integers)
    return ExpSums(output.exponents, Rationals(rows, output.tops.denominator), normalised=True)


def _zeros(width: int) -> Rationals:
    return Rationals(((0,) * width,))
