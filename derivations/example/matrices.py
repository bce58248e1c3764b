"""The tokens and matrices of an example file: which belong together, and whether they fit."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from derivations.example import fields
from derivations.example.fields import Matrix
from derivations.faults import Fault, count, listed

WORDS = ("x", "w_q", "w_k", "w_v")
DIRECT = ("q", "k", "v")
BIASES = ("b_q", "b_k", "b_v")
SIDES = ("row", "column")
# The sizes of each matrix, in the order in which they are looked at.
SHAPES = {
    "x": ("n_q", "d_model"), "context_x": ("n_k", "d_context"), "w_q": ("d_model", "d_k"),
    "w_k": ("d_in", "d_k"), "w_v": ("d_in", "d_v"), "b_q": ("one", "d_k"), "b_k": ("one", "d_k"),
    "b_v": ("one", "d_v"), "q": ("n_q", "d_k"), "k": ("n_k", "d_k"), "v": ("n_k", "d_v"),
}
SHARED = {"d_k": ": queries and keys share d_k"}
ANOTHER = "; give context_tokens where keys and values are those of another text"
NOT_ADDED = "is added to what w_q, w_k and w_v make; add it yourself to q, k and v, which are given"
EITHER = "give either x with w_q, w_k and w_v, or q, k and v, not both"


@dataclass(frozen=True)
class Given:
    """What an example file gives: tokens, and rows of numbers by key ([] for what it does not).

    `sizes` are n_q, d_k and the like, as far as they can be told; those `in_doubt` are of matrices
    that do not fit each other.
    """

    tokens: list[str]
    context_tokens: list[str]
    matrices: dict[str, Matrix]
    sizes: dict[str, int] = field(default_factory=dict)
    in_doubt: frozenset[str] = frozenset()

    @property
    def key_tokens(self) -> list[str]:
        """The tokens of keys and values."""
        return self.context_tokens or self.tokens

    @property
    def d_k(self) -> int:
        """The width of a query; 1 where it cannot be told."""
        return self.shape("q")[1] or self.shape("w_q")[1] or 1

    @property
    def is_direct(self) -> bool:
        """Are queries, keys and values given themselves?"""
        return any(self.matrices[key] for key in DIRECT)

    def shape(self, key: str) -> tuple[int, int]:
        """The rows and columns of a matrix, by its key."""
        return fields.shape_of(self.matrices[key])

    def size(self, name: str, *, sure: bool = False) -> int:
        """One of the sizes; 0 where it cannot be told, or not be told for `sure`."""
        if name == "d_in":
            name = "d_context" if self.matrices["context_x"] else "d_model"
        if name == "n_k" and name not in self.sizes and not self.is_direct:
            name = "n_q"  # keys are those of the tokens
        return 0 if sure and name in self.in_doubt else self.sizes.get(name, 0)


def read_given(data: dict[str, Any], faults: list[Fault], *, needs: bool = True) -> Given:
    """The tokens and matrices of an example file, each fault noted.

    It `needs` x and the weights, or queries, keys and values.
    """
    _check_choice(data, faults)
    named = bool({"tokens", "sentence"} & data.keys())
    tokens = fields.read_tokens(data, faults) if named else []
    context = fields.read_list(data, "context_tokens", faults) if "context_tokens" in data else []
    wanted = () if not needs else DIRECT if _is_direct(data) else WORDS
    found = {key: _matrix(data, key, key in wanted, faults) for key in SHAPES}
    asking, asked = found["q"] or found["x"], found["k"] or found["context_x"]
    crosses = bool(asked) and ("context_x" in data or (not named and len(asked) != len(asking)))
    given = Given(tokens if named else _numbered("query" if crosses else "token", asking),
                  context or (_numbered("key", asked) if crosses else []), found)
    typed = {"n_q": tokens, "n_k": context or (tokens if given.is_direct and not crosses else [])}
    return checked(given, {size: len(names) for size, names in typed.items() if names}, faults)


def _is_direct(data: dict[str, Any]) -> bool:
    """Are queries, keys and values given themselves?"""
    return any(key in data for key in DIRECT)


def _check_choice(data: dict[str, Any], faults: list[Fault]) -> None:
    """Are the keys such as belong together?"""
    others = [key for key in (*WORDS, *BIASES, "context_x") if key in data]
    if _is_direct(data):
        faults += [Fault(key, NOT_ADDED) for key in others if key in BIASES]
        if both := [key for key in others if key not in BIASES]:
            faults.append(Fault(both[0], f"{EITHER}: take {listed(both)} away, or "
                                + listed([key for key in DIRECT if key in data])))
    if not _is_direct(data) and "context_tokens" in data and "context_x" not in data:
        faults.append(Fault("context_x", "is missing: keys and values are made of its rows, one "
                            "for each of context_tokens"))


def _numbered(name: str, rows: Matrix) -> list[str]:
    """Names for tokens that a file does not name: token 1, token 2 and so on."""
    return [f"{name} {number}" for number in range(1, len(rows) + 1)]


def _matrix(
    data: dict[str, Any], key: str, is_wanted: bool, faults: list[Fault]
) -> Matrix:
    if key not in data and not is_wanted:
        return []
    return fields.read_row(data, key, faults) if key in BIASES \
        else fields.read_matrix(data, key, faults)


def checked(given: Given, tokens: dict[str, int], faults: list[Fault]) -> Given:
    """Do the matrices fit each other, and the tokens that are typed, of so many sizes?

    Where they do not, the one that stands alone is told.
    """
    measured = DIRECT if given.is_direct else SHAPES
    found = [Measure(size, n, key, side) for key in measured for side, (size, n)
             in enumerate(zip(_named(given, SHAPES[key]), given.shape(key), strict=True)) if n]
    of_size: dict[str, list[Measure]] = {}
    for one in found:
        of_size.setdefault(one.size, []).append(one)
    expected = {size: Measure(size, n, "", 0) for size, n in tokens.items()}
    expected = {size: _usual(ones) for size, ones in of_size.items()} | expected
    unfit = [one for one in found if one.n != expected[one.size].n]
    faults += [Fault(one.key, _unfit(given, one, expected[one.size])) for one in unfit]
    return replace(given, sizes={size: one.n for size, one in expected.items()},
                   in_doubt=frozenset(one.size for one in unfit))


@dataclass(frozen=True)
class Measure:
    """A size, as a matrix has it: so many rows (side 0) or columns (side 1). Tokens have no key."""

    size: str
    n: int
    key: str
    side: int


def _usual(ones: list[Measure]) -> Measure:
    """The first of those that most agree with."""
    most = Counter(one.n for one in ones).most_common(1)[0][0]
    return next(one for one in ones if one.n == most)


def _named(given: Given, sizes: tuple[str, str]) -> tuple[str, ...]:
    """What W^K and W^V take in is as wide as the context, or else as x."""
    taken = "d_context" if given.matrices["context_x"] else "d_model"
    return tuple(taken if size == "d_in" else size for size in sizes)


def _unfit(given: Given, found: Measure, expected: Measure) -> str:
    if not expected.key:
        why = ": one for each token"
        if found.size == "n_k":
            why += " of the context" if given.context_tokens else ANOTHER
    elif expected.side == found.side:
        why = f" because {expected.key} has as many"
    else:
        why = f" because {expected.key} has {count(expected.n, SIDES[expected.side])}"
    return f"has {count(found.n, SIDES[found.side])}, expected {expected.n}{why}" \
        + SHARED.get(found.size, "")
