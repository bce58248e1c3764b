"""The sums of printed weights: each is rounded by itself, so a row need not add up to 1."""

from markupsafe import Markup

from derivations.pages import sentences
from derivations.pages.lesson.counts import count, decimals
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render.markup import listed, number
from derivations.rounded import Rounded

MOST_SHOWN = 8


def printed_sums(lesson: Worked) -> Markup:
    """The rows whose printed weights add up to something else than 1."""
    places, closed = lesson.example.places, lesson.derivation.closed_rows
    sums = {i: Rounded(sum(rounded.digits for rounded in row if rounded), places, exact=True)
            for i, row in enumerate(lesson.decimals["weights"]) if i not in closed}
    if not sums:
        return Markup("No token may listen to anybody here, so every weight is 0.")
    off = {i: total for i, total in sums.items() if total.digits != 10**places}
    opening = Markup("This site rounds every weight by itself, to {}. ").format(decimals(places))
    hears = Markup(" of a token that may hear somebody") if closed else Markup("")
    if not off:
        return opening + Markup("Here each printed row{} adds up to exactly 1 all the "
                                "same.").format(hears)
    told = [Markup("the row of {} adds up to {}").format(sentences.name(lesson, i), _sum(i, total))
            for i, total in list(off.items())[:MOST_SHOWN]]
    return opening + Markup("As printed, {}.").format(listed(told)) + _other_rows(
        len(off), len(sums), hears)


def _other_rows(off: int, whole: int, hears: Markup) -> Markup:
    """What is to be said of the rows that were not named."""
    more = Markup(" So it is, with sums of their own, in {} more.").format(
        count("rows", off - MOST_SHOWN)) if off > MOST_SHOWN else Markup("")
    if off == whole:
        return more
    return more + Markup(" Every other row{} adds up to exactly 1 as printed.").format(hears)


def _sum(i: int, total: Rounded) -> Markup:
    return scoped("printed", number(total, "normalisers", i, 0))
