"""The chapters of the lesson: their number, and about how long one takes to read."""

import re

from markupsafe import Markup

from derivations.pages.lesson.counts import count
from derivations.render.markup import text

CHAPTERS = 11
WORDS_A_MINUTE = 150  # with a pencil in hand
EQUATION_SECONDS = 15
_MARKER = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
_EQUATION = re.compile(r"\{\{ *(?:entry|matrices|product|matrix|mistake|block)|\$\$")
_HEAD = '<p class="eyebrow">Chapter {} of {} · {}</p>'


def head(number: int, source: str, pace: str = "") -> Markup:
    """Which chapter this is, and how long it takes: the minutes of its Markdown, or as it says."""
    return Markup(_HEAD).format(count("chapter", number), count("chapters", CHAPTERS),
                                text(pace) if pace else _about(reading_minutes(source)))


def _about(minutes: int) -> Markup:
    told = "1 minute" if minutes == 1 else f"{minutes} minutes"
    return Markup("about {}").format(count("minutes", told))


def reading_minutes(source: str) -> int:
    """Minutes, rounded up: words of prose, and a quarter of a minute for each marker of a sum."""
    words, sums = len(_MARKER.sub("", source).split()), len(_EQUATION.findall(source))
    return -(-(words * 60 // WORDS_A_MINUTE + sums * EQUATION_SECONDS) // 60)
