"""An example file -> Example: exact numbers, checked shapes, every fault of the file at once."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from derivations.example import choices, fields
from derivations.example.heads import Heads, read_heads
from derivations.example.matrices import Given, read_given
from derivations.example.meant import as_meant
from derivations.example.printed import read_published
from derivations.example.published import Published
from derivations.example.shapes import printed_shapes
from derivations.example.syntax import parse
from derivations.faults import ExampleError, Fault
from derivations.numbers import common_denominator, shown
from derivations.slug import EXTENSIONS, RULE, SLUG
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
    faults = [] if any_name else _of_name(path)
    data = as_meant(data, faults)
    heads = read_heads(data, faults)
    given = heads.heads[0] if heads.heads \
        else read_given(data, faults, needs="heads" not in data)
    mask = choices.read_mask(data, given, faults)
    texts = {key: fields.read_text(data, key, faults) for key in TEXTS}
    places = choices.read_places(data, faults)
    marks = choices.read_marks(data, faults)
    divisors = [choices.read_divisor(data, one.d_k, [] if number else faults)
                for number, one in enumerate(heads.heads or [given])]
    shapes = printed_shapes(data, heads, given)
    published = read_published(data, shapes, faults) if shapes else ()
    if faults:
        raise ExampleError(path.name, faults)
    if not fields.is_visible(texts["title"]):
        texts["title"] = fields.cut_short(" ".join(given.tokens), fields.LONGEST["title"])
    more: dict[str, Any] = {**texts, **marks}
    bare = Example(path.stem, path.name, tokens=tuple(given.tokens), mask=mask,
                   divisor=divisors[0], places=places, context_tokens=tuple(given.context_tokens),
                   **more)
    whole = _with_heads(bare, heads, divisors) if heads.heads else _with_matrices(bare, given)
    return replace(whole, published=published)


def _of_name(path: Path) -> list[Fault]:
    """What is wrong with the name of the file."""
    faults = []
    if path.suffix.lower() not in EXTENSIONS:
        faults.append(Fault("file name", f"ends in {shown(path.suffix)}, expected "
                            + " or ".join(EXTENSIONS)))
    if not SLUG.fullmatch(path.stem):
        other = re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-")
        mend = f"; rename it, perhaps to {other}{path.suffix}" if other else ""
        faults.append(Fault("file name", f"{shown(path.stem)} {RULE}{mend}"))
    return faults


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
