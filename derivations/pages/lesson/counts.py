"""Numbers that were counted or chosen, and are no quantity of a derivation."""

from markupsafe import Markup


def count(name: str, counted: object) -> Markup:
    """A number that says what it counts."""
    return Markup('<span data-count="{}">{}</span>').format(Markup(name), counted)


def decimals(places: int) -> Markup:
    """So many decimals, in words."""
    return count("decimals", places) + Markup(" decimal" if places == 1 else " decimals")
