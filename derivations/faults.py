"""What is wrong in an example file: where, what was found and expected, and how to mend it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing wrong in an example file: where, what, and how to mend it (rows from 1)."""

    key: str
    message: str
    row: int | None = None
    col: int | None = None

    def __str__(self) -> str:
        place = self.key
        place += f" row {self.row}" if self.row is not None else ""
        place += f" column {self.col}" if self.col is not None else ""
        return f"{place}: {self.message}"

    def as_data(self) -> dict[str, str | int | None]:
        """For a program: what is wrong, and where; None where it has no row or column."""
        return {"key": self.key, "row": self.row, "column": self.col, "message": self.message}


class ExampleError(Exception):
    """An example file cannot be used: `faults` holds everything that is wrong in it."""

    def __init__(self, name: str, faults: list[Fault]):
        self.name, self.faults = name, tuple(faults)
        super().__init__("\n".join(f"{name}: {fault}" for fault in faults))


def count(n: int, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
