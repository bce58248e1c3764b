"""What stands below and above the sign of a sum or a maximum."""

from collections.abc import Callable

from .errors import ReadError
from .tokens import Row, is_op, is_relation
from .tree import Expr

Read = Callable[[Row], Expr]


def bounds_of(sub: Row, sup: Row, read: Read, condition: Read) -> tuple[str, tuple[Expr, ...]]:
    """The letter, and two limits, one condition, or nothing."""
    if not sub or sub[0].kind != "name":
        raise ReadError("a sum without a letter below it")
    letter, rest = sub[0].text, sub[1:]
    if sup:
        if not rest or not is_op(rest[0], "="):
            raise ReadError("the lower limit of a sum needs =")
        return letter, (read(rest[1:]), read(sup))
    if not rest:
        return letter, ()
    if is_op(rest[0], ":"):
        return letter, (condition(rest[1:]),)
    if any(is_relation(token) for token in rest):
        return letter, (condition(sub),)
    raise ReadError("what stands below a sum is not understood")
