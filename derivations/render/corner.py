"""Of a large matrix a page shows the upper left corner; the data files hold all of it."""

from derivations.step import Step

CORNER = (8, 8)


def corner(shape: tuple[int, int]) -> tuple[int, int]:
    """How many rows and columns of a matrix are shown."""
    return min(shape[0], CORNER[0]), min(shape[1], CORNER[1])


def is_cut(step: Step) -> bool:
    """Is only a corner of the matrix shown?"""
    return corner(step.shape) != step.shape
