"""Arithmetic on scalars and matrices alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mpmath

from .errors import ReadError, UndefinedError
from .interval import Interval, Scalar, exponential
from .table import Number


@dataclass(frozen=True)
class Matrix:
    """A matrix of scalars, by rows."""

    rows: Sequence[Sequence[Scalar]]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.rows), len(self.rows[0])

    def map(self, change: Callable[[Scalar], Scalar]) -> "Matrix":
        """Entry by entry."""
        return Matrix([[change(x) for x in row] for row in self.rows])


Value = Number | Interval | Matrix


def add(a: Value, b: Value) -> Value:
    """a + b, of one shape; a row is added to each row."""
    if not isinstance(a, Matrix) and not isinstance(b, Matrix):
        return a + b
    if isinstance(a, Matrix) and isinstance(b, Matrix) and b.shape == (1, a.shape[1]):
        b = Matrix(list(b.rows) * len(a.rows))
    if not isinstance(a, Matrix) or not isinstance(b, Matrix) or a.shape != b.shape:
        raise ReadError(f"a sum of {shape_of(a)} and {shape_of(b)}")
    return Matrix([[x + y for x, y in zip(p, q, strict=True)]
                   for p, q in zip(a.rows, b.rows, strict=True)])


def negate(a: Value) -> Value:
    """-a."""
    return a.map(lambda x: -x) if isinstance(a, Matrix) else -a


def multiply(a: Value, b: Value) -> Value:
    """a b, matrix products included."""
    if isinstance(a, Matrix) and isinstance(b, Matrix):
        return _matmul(a, b)
    if isinstance(a, Matrix):
        return a.map(lambda x: x * b)
    return b.map(lambda x: a * x) if isinstance(b, Matrix) else a * b


def _matmul(a: Matrix, b: Matrix) -> Matrix:
    if a.shape[1] != b.shape[0]:
        raise ReadError(f"a product of {shape_of(a)} and {shape_of(b)}")
    columns = list(zip(*b.rows, strict=True))
    return Matrix([[_dot(row, column) for column in columns] for row in a.rows])


def _dot(row: Sequence[Scalar], column: Sequence[Scalar]) -> Scalar:
    total: Scalar = mpmath.mpf(0)
    for x, y in zip(row, column, strict=True):
        total = total + x * y
    return total


def divide(a: Value, b: Value) -> Value:
    """a / b, b a scalar other than zero."""
    if isinstance(b, Matrix):
        raise ReadError("a division by a matrix")
    if not isinstance(b, Interval) and b == 0:
        raise UndefinedError("a division by zero")
    return a.map(lambda x: x / b) if isinstance(a, Matrix) else a / b


def beside(a: Value, b: Value) -> Value:
    """Two matrices with as many rows, side by side."""
    if not isinstance(a, Matrix) or not isinstance(b, Matrix) or len(a.rows) != len(b.rows):
        raise ReadError(f"{shape_of(a)} beside {shape_of(b)}")
    return Matrix([[*p, *q] for p, q in zip(a.rows, b.rows, strict=True)])


def transpose(a: Value) -> Value:
    """The transpose of a matrix."""
    if not isinstance(a, Matrix):
        raise ReadError("a transpose of a number")
    return Matrix(list(zip(*a.rows, strict=True)))


def softmax(a: Value) -> Value:
    """Row by row; a row of minus infinity gives zeros, by convention."""
    if not isinstance(a, Matrix):
        raise ReadError("softmax of a number")
    return Matrix([_softmax_row(row) for row in a.rows])


def _softmax_row(row: Sequence[Scalar]) -> list[Scalar]:
    powers = [exponential(x) for x in row]
    total = _dot(powers, [mpmath.mpf(1)] * len(row))
    if not isinstance(total, Interval) and total == 0:
        return [mpmath.mpf(0)] * len(row)
    return [x / total for x in powers]


def scalar(a: Value, what: str) -> Scalar:
    """A number; a matrix of one entry is that entry."""
    if isinstance(a, Matrix):
        if a.shape != (1, 1):
            raise ReadError(f"{what} of {shape_of(a)}")
        return a.rows[0][0]
    return a


def shape_of(a: Value) -> str:
    """In words."""
    return "a {} by {} matrix".format(*a.shape) if isinstance(a, Matrix) else "a number"
