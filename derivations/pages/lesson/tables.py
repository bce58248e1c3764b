"""Tables of the lesson on what the example's own steps do not hold: cosines, spreads, slopes."""

from collections.abc import Callable
from fractions import Fraction

from markupsafe import Markup

from derivations.lesson import variance
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render import markup
from derivations.render.markup import number, text
from derivations.roots import over_root
from derivations.rounded import round_rational
from derivations.step import Derivation


def markers(lesson: Worked) -> dict[str, Callable[..., Markup]]:
    """The tables, by name; rows count from 1."""
    return {
        "spread_table": lambda: spread_table(lesson.example.places),
        "chances_table": lambda d_k: chances_table(d_k, lesson.example.places),
        "own_spread": lambda: own_spread(lesson),
    }


def spread_table(places: int) -> Markup:
    """For each width: the mean of the dot product, its variance and the root."""
    widths = [*variance.ENUMERATED, *variance.BINOMIAL]
    header = [text("width"), text("mean"), text("variance"), text("its root")]
    return markup.table(header, [_spread(d_k, n, places) for n, d_k in enumerate(widths)],
                        "spreads", "the spread of a dot product, by width")


def _spread(d_k: int, n: int, places: int) -> list[Markup]:
    cases = cases_of(d_k)
    spread = variance.variance(cases)
    shown = {"widths": Fraction(d_k), "means": variance.mean(cases), "variances": spread}
    root = over_root(spread, spread, places)
    return [*(_exact(value, key, n) for key, value in shown.items()),
            scoped("spread", number(root, "roots", n, 0))]


def cases_of(d_k: int) -> variance.Cases:
    """All cases of this width: each pair counted, or the binomial distribution of the sum."""
    return variance.enumerated(d_k) if d_k in variance.ENUMERATED else variance.binomial(d_k)


def _exact(value: Fraction, key: str, n: int) -> Markup:
    """A whole number, in full."""
    return scoped("spread", number(round_rational(value, 0), key, n, 0))


def chances_table(d_k: int, places: int) -> Markup:
    """Each dot product of this width, how many cases have it, and its chance."""
    cases = cases_of(d_k)
    chances = variance.chances(cases)
    lines = [[_chance(d_k, "sums", Fraction(found), n, 0),
              _chance(d_k, "counts", Fraction(count), n, 0),
              _chance(d_k, "chances", chances[found], n, places)]
             for n, (found, count) in enumerate(cases.items())]
    header = [text(word) for word in ("dot product", "cases", "chance")]
    return markup.table(header, lines, "chances", f"dot products of width {d_k}, and their chances")


def _chance(d_k: int, key: str, value: Fraction, n: int, places: int) -> Markup:
    return scoped(f"width-{d_k}", number(round_rational(value, places), key, n, 0))


def own_spread(worked: Worked) -> Markup:
    """The mean and the variance of the entries of the example's own queries and keys."""
    told = [_spread_of(worked.derivation, key, n, worked.example.places)
            for n, key in enumerate(("queries", "keys"))]
    return Markup(" ").join(told)


def _spread_of(derivation: Derivation, key: str, n: int, places: int) -> Markup:
    cases = entries_of(derivation, key)
    size = len(cases)
    mean = sum(cases, Fraction(0)) / size
    spread = sum(((entry - mean) ** 2 for entry in cases), Fraction(0)) / size
    shown = [scoped("own", number(round_rational(value, places), name, n, 0))
             for name, value in (("means", mean), ("variances", spread))]
    return Markup("The entries of the {} have the mean {} and the variance {}.").format(
        text(key), *shown)


def entries_of(derivation: Derivation, key: str) -> list[Fraction]:
    """All entries of a rational step."""
    values = derivation.rationals(key)
    rows, cols = values.shape
    return [values.entry(i, j) for i in range(rows) for j in range(cols)]

