"""The tokens and matrices of an example file: which belong together, and whether they fit."""

from dataclasses import dataclass
from typing import Any

from derivations.example import fields
from derivations.example.fields import Matrix
from derivations.faults import Fault, count

WORDS = ("x", "w_q", "w_k", "w_v")
DIRECT = ("q", "k", "v")
BIASES = ("b_q", "b_k", "b_v")
SIDES = ("row", "column")
# The sizes of each matrix, in the order in which they are looked at: the first that has a size says
# how large it must be in those that follow.
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
    """What an example file gives: tokens, and rows of numbers by key ([] for what it does not)."""

    tokens: list[str]
    context_tokens: list[str]
    matrices: dict[str, Matrix]

    @property
    def key_tokens(self) -> list[str]:
        """The tokens of keys and values."""
        return self.context_tokens or self.tokens

    @property
    def d_k(self) -> int:
        """The width of a query; 1 where it cannot be told."""
        rows = self.matrices["q"] or self.matrices["w_q"]
        return len(rows[0]) if rows else 1


def read_given(data: dict[str, Any], faults: list[Fault]) -> Given:
    """The tokens and matrices of an example file, each fault noted."""
    _check_choice(data, faults)
    named = bool({"tokens", "sentence"} & data.keys())
    tokens = fields.read_tokens(data, faults) if named else []
    context = fields.read_list(data, "context_tokens", faults) if "context_tokens" in data else []
    wanted = DIRECT if _is_direct(data) else WORDS
    found = {key: _matrix(data, key, key in wanted, faults) for key in SHAPES}
    asking, asked = found["q"] or found["x"], found["k"] or found["context_x"]
    crosses = bool(asked) and ("context_x" in data or (not named and len(asked) != len(asking)))
    given = Given(tokens if named else _numbered("query" if crosses else "token", asking),
                  context or (_numbered("key", asked) if crosses else []), found)
    typed = {"n_q": tokens, "n_k": context or (tokens if not crosses else [])}
    check_shapes(given, {size: len(names) for size, names in typed.items() if names}, faults)
    return given


def _is_direct(data: dict[str, Any]) -> bool:
    """Are queries, keys and values given themselves?"""
    return any(key in data for key in DIRECT)


def _check_choice(data: dict[str, Any], faults: list[Fault]) -> None:
    """Are the keys such as belong together?"""
    others = [key for key in (*WORDS, *BIASES, "context_x") if key in data]
    if _is_direct(data):
        faults += [Fault(key, NOT_ADDED if key in BIASES else EITHER) for key in others]
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


def check_shapes(given: Given, tokens: dict[str, int], faults: list[Fault]) -> None:
    """Do the matrices fit each other, and the tokens that are typed, of so many sizes?"""
    known: dict[str, tuple[int, str, int]] = {size: (n, "", 0) for size, n in tokens.items()}
    for key, sizes in SHAPES.items():
        rows = given.matrices[key]
        for side, size in enumerate(_named(given, sizes)) if rows else ():
            found = (len(rows), len(rows[0]))[side]
            wanted, by, its = known.setdefault(size, (found, key, side))
            if found != wanted:
                faults.append(Fault(key, _unfit(given, size, found, side, (wanted, by, its))))


def _named(given: Given, sizes: tuple[str, str]) -> tuple[str, ...]:
    """What W^K and W^V take in is as wide as the context, or else as x."""
    taken = "d_context" if given.matrices["context_x"] else "d_model"
    return tuple(taken if size == "d_in" else size for size in sizes)


def _unfit(
    given: Given, size: str, found: int, side: int, expected: tuple[int, str, int]
) -> str:
    wanted, by, its = expected
    if not by:
        why = ": one for each token" + (" of the context" if given.context_tokens else ANOTHER) \
            if size == "n_k" else ": one for each token"
    elif its == side:
        why = f" because {by} has as many"
    else:
        why = f" because {by} has {count(wanted, SIDES[its])}"
    return f"has {count(found, SIDES[side])}, expected {wanted}{why}{SHARED.get(size, '')}"
