"""What a derived quantity is: a Step, and the Derivation that holds the steps in order."""

from dataclasses import dataclass
from functools import cached_property

from sympy import Expr

from derivations.formula import Formula, OfHead, expression
from derivations.joined import Joined
from derivations.notation import BY_KEY, Quantity
from derivations.values import ExpSums, Open, Rationals, Rooted, Values


@dataclass(frozen=True)
class Axis:
    """The rows or the columns of a step: the name of their number, and a label for each."""

    size: str
    labels: tuple[str, ...]
    tokens: bool

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Divisor:
    """What scores are divided by: sqrt(root) times a rational; `kind` as the example file says.

    kind "sqrt_dk": root = d_k and number = 1; "none": both 1; "number": root 1.
    """

    kind: str
    root: int
    numerator: int
    denominator: int


NO_SCALE = Divisor("none", 1, 1, 1)


@dataclass(frozen=True)
class Step:
    """One matrix of a derivation: its formula, and the exact values of its entries."""

    key: str
    formula: Formula
    values: Values | Joined
    rows: Axis
    cols: Axis
    width: int
    open: Open | None

    @property
    def quantity(self) -> Quantity:
        """Its symbol, meaning and source."""
        return BY_KEY[self.key]

    @property
    def of_one(self) -> Values:
        """Its values, where it is a step of one head."""
        assert not isinstance(self.values, Joined)
        return self.values

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.cols)

    @property
    def places(self) -> list[tuple[int, int]]:
        """The place (i, j) of every entry, row by row."""
        rows, cols = self.shape
        return [(i, j) for i in range(rows) for j in range(cols)]

    def keys(self, i: int) -> tuple[int, ...]:
        """The keys that row i may attend to."""
        if self.open is None:
            return tuple(range(self.width))
        return tuple(j for j, is_open in enumerate(self.open[i]) if is_open)

    def expression(self, i: int, j: int) -> Expr | None:
        """Entry (i, j) in the symbols of earlier steps; None where it is given."""
        return expression(self.formula, i, j, self.width, self.keys)


@dataclass(frozen=True)
class Head:
    """Which of how many heads, from 1, and where its output begins among those side by side."""

    number: int
    start: int
    count: int


@dataclass(frozen=True)
class Derivation:
    """The steps of one example, in order: each uses only those before it.

    `tokens` are those of the queries. Where it `crosses`, the keys are those of another text.
    One of several heads says which, in `head`; what comes of all of them has these in `heads`.
    """

    steps: tuple[Step, ...]
    tokens: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]
    divisor: Divisor
    open: Open | None
    crosses: bool = False
    head: Head | None = None
    heads: "tuple[Derivation, ...]" = ()

    @cached_property
    def by_key(self) -> dict[str, Step]:
        """The steps by key."""
        return {step.key: step for step in self.steps}

    @property
    def own_steps(self) -> tuple[Step, ...]:
        """Its steps, without those that one of its heads has worked out."""
        return tuple(step for step in self.steps if not isinstance(step.formula, OfHead))

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The tokens of the keys."""
        return self["weights"].cols.labels

    @property
    def closed_rows(self) -> tuple[int, ...]:
        """The rows from which the mask hides every key."""
        return tuple(i for i, row in enumerate(self.open or ()) if not any(row))

    @property
    def exponents(self) -> Rooted:
        """What e is raised to: the scaled scores, minus infinity where hidden: [n_q, n_k]."""
        values = self["weights"].values
        assert isinstance(values, ExpSums)
        return values.exponents

    def rationals(self, key: str) -> Rationals:
        """The values of a step before the scale, which are rational."""
        values = self[key].values
        assert isinstance(values, Rationals)
        return values

    def __getitem__(self, key: str) -> Step:
        return self.by_key[key]

    def __contains__(self, key: str) -> bool:
        return key in self.by_key

    def size(self, name: str) -> int:
        """One of n_q, n_k, d_model, d_k, d_v."""
        return dict(self.sizes)[name]
