"""An example file -> Example: exact numbers, checked shapes, every fault of the file at once."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from derivations.example import choices, fields
from derivations.example.heads import Heads, read_heads
from derivations.example.matrices import Given, read_given
from derivations.example.published import Published, Shape, read_published
from derivations.example.syntax import parse, unknown_keys
from derivations.faults import ExampleError, Fault
from derivations.numbers import common_denominator, shown
from derivations.slug import RULE, SLUG
from derivations.step import Divisor
from derivations.values import NOT_GIVEN, Open, Rationals

TEXTS = ("title", "source", "note", "author", "language")


@dataclass(frozen=True)
class Example:
    """An example, checked: n_q tokens, and n_k of the keys, which may be the same.

    Either x [n_q, d_model] with w_q and w_k [d_model, d_k], w_v [d_model, d_v] and perhaps biases,
    rows b_q, b_k [1, d_k] and b_v [1, d_v]; or q, k [n, d_k] and v [n_k, d_v]. Where keys and
    values are made of another text, `context_x` is [n_k, d_context], and w_k, w_v have d_context
    rows. What is not given is NOT_GIVEN. mask is [n_q, n_k]; `typed` is the text of the file,
    of each head too.

    With `heads`, each is an example of one head, and the matrices of heads are theirs; w_o
    [d_v of all heads, d_out] and the row b_o project their outputs, where they are given.

    `published` are the numbers that its source prints, which were made in `float32` perhaps, or
    from inputs rounded to `input_decimals`.
    """

    slug: str
    file: str
    title: str
    tokens: tuple[str, ...]
    mask: Open | None
    divisor: Divisor
    places: int
    source: str
    note: str
    author: str
    language: str
    x: Rationals = NOT_GIVEN
    w_q: Rationals = NOT_GIVEN
    w_k: Rationals = NOT_GIVEN
    w_v: Rationals = NOT_GIVEN
    b_q: Rationals = NOT_GIVEN
    b_k: Rationals = NOT_GIVEN
    b_v: Rationals = NOT_GIVEN
    q: Rationals = NOT_GIVEN
    k: Rationals = NOT_GIVEN
    v: Rationals = NOT_GIVEN
    context_tokens: tuple[str, ...] = ()
    context_x: Rationals = NOT_GIVEN
    heads: "tuple[Example, ...]" = ()
    w_o: Rationals = NOT_GIVEN
    b_o: Rationals = NOT_GIVEN
    published: tuple[Published, ...] = ()
    float32: bool = False
    input_decimals: int | None = None
    typed: str = ""

    @property
    def crosses(self) -> bool:
        """Are keys and values those of another text?"""
        return bool(self.context_tokens)

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The tokens of the keys and values."""
        return self.context_tokens or self.tokens

    @property
    def is_plain(self) -> bool:
        """Is it self-attention of x by three matrices alone, as the lesson tells it?"""
        more = self.b_q, self.b_k, self.b_v, self.q
        return not (self.crosses or self.heads or any(matrix.is_given for matrix in more))

    @property
    def d_k(self) -> int:
        """The width of a query and a key; of an example of one head."""
        return (self.q if self.q.is_given else self.w_q).shape[1]

    @property
    def d_v(self) -> int:
        """The width of a value; of an example of one head."""
        return (self.v if self.v.is_given else self.w_v).shape[1]

    def matrix(self, key: str) -> Rationals:
        """A matrix by its key in the file."""
        found: Rationals = getattr(self, key)
        return found


def load(path: Path, *, any_name: bool = False) -> Example:
    """Read and check an example file (.toml, or .json with the same keys).

    Its name must be such as an address may have, but for `any_name`: where no page is made of it.
    Raises ExampleError with every fault of the file.
    """
    example = build(path, parse(path), any_name=any_name)
    typed = path.read_text(encoding="utf-8-sig")
    heads = tuple(replace(head, typed=typed) for head in example.heads)
    return replace(example, typed=typed, heads=heads)


def build(path: Path, data: dict[str, Any], *, any_name: bool = False) -> Example:
    """Check parsed data as an Example; `path` gives the slug and names the file in messages."""
    faults: list[Fault] = []
    if not any_name and not SLUG.fullmatch(path.stem):
        faults.append(Fault("file name", f"{shown(path.stem)} {RULE}"))
    faults += unknown_keys(data)
    heads = read_heads(data, faults)
    given = heads.heads[0] if heads.heads else read_given(data, faults)
    mask = choices.read_mask(data, len(given.tokens), len(given.key_tokens), faults)
    texts = {key: fields.read_text(data, key, faults) for key in TEXTS}
    places = choices.read_places(data, faults)
    marks = choices.read_marks(data, faults)
    divisors = [choices.read_divisor(data, one.d_k, [] if number else faults)
                for number, one in enumerate(heads.heads or [given])]
    if faults:
        raise ExampleError(path.name, faults)
    if not fields.is_visible(texts["title"]):
        texts["title"] = " ".join(given.tokens)
    more: dict[str, Any] = {**texts, **marks}
    bare = Example(path.stem, path.name, tokens=tuple(given.tokens), mask=mask,
                   divisor=divisors[0], places=places, context_tokens=tuple(given.context_tokens),
                   **more)
    whole = _with_heads(bare, heads, divisors) if heads.heads else _with_matrices(bare, given)
    published = read_published(data, printed_shapes(whole), faults)
    if faults:
        raise ExampleError(path.name, faults)
    return replace(whole, published=published)


def _with_heads(bare: Example, heads: Heads, divisors: list[Divisor]) -> Example:
    each = tuple(_with_matrices(replace(bare, divisor=divisor), given)
                 for divisor, given in zip(divisors, heads.heads, strict=True))
    shared = {key: matrix for key in ("x", "context_x")
              if (matrix := each[0].matrix(key)).is_given}
    joined = {key: common_denominator(rows)
              for key, rows in (("w_o", heads.w_o), ("b_o", heads.b_o)) if rows}
    more: dict[str, Any] = {**shared, **joined}
    return replace(bare, heads=each, **more)


def _with_matrices(bare: Example, given: Given) -> Example:
    more: dict[str, Any] = {
        key: common_denominator(rows) for key, rows in given.matrices.items() if rows}
    return replace(bare, **more)


def printed_shapes(example: Example) -> dict[str, Shape]:
    """The shape of every matrix that a source may print, by its name in a verdict."""
    heads = example.heads or (example,)
    found: dict[str, Shape] = {}
    for number, head in enumerate(heads, 1):
        prefix = f"head{number}." if example.heads else ""
        found |= {prefix + name: shape for name, shape in _head_shapes(head).items()}
    if example.heads:
        n_q, together = len(example.tokens), sum(head.d_v for head in heads)
        found["concat"] = n_q, together
        found["output"] = n_q, example.w_o.shape[1] if example.w_o.is_given else together
    return found


def _head_shapes(head: Example) -> dict[str, Shape]:
    n_q, n_k, d_k, d_v = len(head.tokens), len(head.key_tokens), head.d_k, head.d_v
    given = {key: matrix.shape for key in ("w_q", "w_k", "w_v")
             if (matrix := head.matrix(key)).is_given}
    pairs = ["scores", "scaled", "weights"]
    pairs += ["masked_scores", "masked_scaled"] if head.mask is not None else []
    return given | {"q": (n_q, d_k), "k": (n_k, d_k), "v": (n_k, d_v), "output": (n_q, d_v)} \
        | dict.fromkeys(pairs, (n_q, n_k))
