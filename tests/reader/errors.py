"""What can go wrong while reading."""


class ReadError(Exception):
    """A formula or number that cannot be parsed, resolved or evaluated."""


class UndefinedError(ReadError):
    """An operation without a value, such as 0 / 0."""


class ShapeError(ReadError):
    """Two expressions that are not built alike."""
