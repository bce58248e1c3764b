"""Markers of the lesson's variants: numbers that say of which variant they are.

The data-ref of a number is that of the example's own, with the variant before it:
raw.scores-r2c3. What shows formulas stands in a box that names the variant.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from markupsafe import Markup

from derivations.example import Example
from derivations.lesson import variants
from derivations.pages.markers import Markers
from derivations.pages.worked import Worked, shown
from derivations.step import Derivation

MAKERS: dict[str, Callable[[Example], Derivation]] = {
    "raw": variants.raw,
    "unscaled": variants.unscaled,
    "causal": variants.causal,
    "shifted": variants.shifted,
    "stretched": variants.stretched,
    "overflow": variants.overflow,
    "cold": partial(variants.at_temperature, temperature=Fraction(1, 2)),
    "warm": partial(variants.at_temperature, temperature=Fraction(2)),
}
BOX = '<div class="variant" data-variant="{}" markdown="1">\n\n{}\n\n</div>'


class Variant:
    """The markers of one variant, under the same names as those of the example."""

    def __init__(self, name: str, worked: Worked):
        self.name, self.worked = name, worked
        self._markers = Markers(worked)

    def __getattr__(self, marker: str) -> Any:
        """A marker whose numbers are told to be of this variant."""
        found = getattr(self._markers, marker)
        return lambda *place: scoped(self.name, found(*place))


def of(lesson: Worked) -> Callable[[str], Variant]:
    """`variant("raw")` and so on; each is worked out when it is first asked for."""
    @cache
    def variant(name: str) -> Variant:
        derivation = MAKERS[name](lesson.example)
        example = replace(lesson.example, tokens=derivation.tokens)
        return Variant(name, shown(example, derivation))

    return variant


def scoped(name: str, made: Markup) -> Markup:
    """What a marker made, with the variant's name in it."""
    told = Markup(str(made).replace(' data-ref="', f' data-ref="{name}.'))
    return Markup(BOX).format(Markup(name), told) if made.startswith("<div") else told
