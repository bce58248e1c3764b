"""What is wrong in an example file: where, what was found and expected, and how to mend it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

MOST_PLACES = 4  # of one and the same fault, that are told


@dataclass(frozen=True)
class Fault:
    """One thing wrong in an example file: where, what, and how to mend it (rows from 1)."""

    key: str
    message: str
    row: int | None = None
    col: int | None = None

    @property
    def place(self) -> str:
        """Its row and column, as far as it has them."""
        found = [f"row {self.row}"] if self.row is not None else []
        return " ".join([*found, f"column {self.col}"] if self.col is not None else found)

    def __str__(self) -> str:
        return f"{self.key} {self.place}".rstrip() + f": {self.message}"

    def as_data(self) -> dict[str, str | int | None]:
        """For a program: what is wrong, and where; None where it has no row or column."""
        return {"key": self.key, "row": self.row, "column": self.col, "message": self.message}


class ExampleError(Exception):
    """An example file cannot be used: `faults` holds everything that is wrong in it.

    What is wrong in the same way in many rows and columns of a key is one fault.
    """

    def __init__(self, name: str, faults: list[Fault]):
        self.name, self.faults = name, tuple(_merged(faults))
        super().__init__("\n".join(f"{name}: {fault}" for fault in self.faults))


def _merged(faults: list[Fault]) -> list[Fault]:
    alike: dict[tuple[str, str], dict[Fault, None]] = {}
    for fault in faults:
        alike.setdefault((fault.key, fault.message), {})[fault] = None
    return [replace(first, message=first.message + _also(others))
            for first, *others in map(list, alike.values())]


def _also(others: list[Fault]) -> str:
    """The other places of a fault."""
    places = [fault.place for fault in others]
    more = places[:MOST_PLACES]
    if len(places) > len(more):
        more.append(f"{len(places) - len(more)} more")
    return f"; also {listed(more)}" if more else ""


def count(n: int, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def listed(keys: Sequence[str]) -> str:
    """`q, k and v`."""
    return " and ".join([", ".join(keys[:-1]), keys[-1]] if len(keys) > 1 else keys)
