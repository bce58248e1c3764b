"""The table of true values that a page is held against."""

from dataclasses import dataclass, field
from typing import Any

from mpmath import mpf

from .errors import ReadError

Number = Any  # mpmath's mpf, for which there are no types
DIGITS = 70
EXACT = mpf("1e-30")


@dataclass(frozen=True)
class Truth:
    """Matrices by step key, sizes by name, parameters by letter.

    `relative` is the tolerance of an equality, `absolute` the one beside a true zero. `variants`
    are the truths of other derivations that a page shows, by name.
    """

    matrices: dict[str, list[list[Number]]]
    sizes: dict[str, int]
    parameters: dict[str, Number] = field(default_factory=dict)
    relative: Number = EXACT
    absolute: Number = EXACT
    variants: dict[str, "Truth"] = field(default_factory=dict)

    def variant(self, name: str | None) -> "Truth":
        """That of a variant; this one where no name is given."""
        if name is not None and name not in self.variants:
            raise ReadError(f"there is no variant {name}")
        return self if name is None else self.variants[name]

    def matrix(self, key: str) -> list[list[Number]]:
        """All rows of a step."""
        if key not in self.matrices:
            raise ReadError(f"there is no step {key} in this example")
        return self.matrices[key]

    def shape(self, key: str) -> tuple[int, int]:
        """(rows, columns) of a step."""
        rows = self.matrix(key)
        return len(rows), len(rows[0])

    def entry(self, key: str, row: int, col: int) -> Number:
        """One entry, counted from 1."""
        rows, cols = self.shape(key)
        if not (1 <= row <= rows and 1 <= col <= cols):
            raise ReadError(f"{key} has no entry ({row}, {col}): it is {rows} by {cols}")
        return self.matrices[key][row - 1][col - 1]

    def size(self, name: str) -> int:
        """One of n_q, n_k, d_model, d_k, d_v."""
        if name not in self.sizes:
            raise ReadError(f"there is no size {name} in this example")
        return self.sizes[name]

    def open_keys(self, row: int) -> list[int]:
        """The columns, from 1, that a row may attend to."""
        if "mask" not in self.matrices:
            return list(range(1, self.size("n_k") + 1))
        return [col for col, m in enumerate(self.matrix("mask")[row - 1], 1) if m != 0]

    def slack(self, true: Number) -> Number:
        """What a true value may be off by in the check of a rounded number."""
        if self.relative <= mpf("1e-25"):
            return mpf("1e-40")
        return self.relative * abs(true) + self.absolute
