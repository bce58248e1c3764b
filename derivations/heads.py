"""Several heads: each is attention of its own; then side by side, and projected.

Vaswani et al. 2017, section 3.2.2: MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O, here
with a bias b^O where an example has one.
"""

from collections.abc import Sequence

from derivations.attention import derive
from derivations.exact import multiply_each
from derivations.example import Example
from derivations.joined import Joined
from derivations.step import Derivation
from derivations.values import ExpSums, Rationals


def derive_heads(example: Example) -> tuple[Derivation, ...]:
    """The derivation of each head, in order: one where an example has no heads of its own.

    Raises ExampleError.
    """
    return tuple(derive(head) for head in example.heads or (example,))


def together(example: Example, heads: Sequence[Derivation]) -> dict[str, Joined]:
    """What the heads of an example make together; nothing where it has none of its own."""
    if not example.heads:
        return {}
    found = {"concatenated": concatenated(heads)}
    return found | ({"projected": projected(example, heads)} if example.w_o.is_given else {})


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
