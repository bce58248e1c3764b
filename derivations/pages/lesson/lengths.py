"""Lengths of queries and keys and the cosines between them, on the page of the scores."""

from collections.abc import Callable
from fractions import Fraction

from markupsafe import Markup

from derivations.lesson import geometry
from derivations.pages import sentences
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render import markup
from derivations.render.corner import corner
from derivations.render.dialect import LATEX
from derivations.render.forms import decimal_latex
from derivations.render.markup import equation, math, number, text
from derivations.render.words import label, matrix_label
from derivations.rounded import Rounded
from derivations.step import Derivation

NO_ANGLE = Markup('<span class="none">none</span>')


def markers(lesson: Worked) -> dict[str, Callable[..., Markup]]:
    """The tables and one length worked out, by name."""
    return {
        "length_worked": lambda: length_worked(lesson),
        "lengths_table": lambda: lengths_table(lesson),
        "cosines_table": lambda: cosines_table(lesson),
        "cosine_check": lambda: cosine_check(lesson),
    }


def length_worked(worked: Worked) -> Markup:
    """The length of a query, worked out: of the first one that is no whole number, or the first."""
    queries = worked.derivation.rationals("queries")
    found = geometry.lengths(worked.derivation, "queries", 0)
    i = next((row for row, (length,) in enumerate(found) if length and not length.exact), 0)
    squares = " + ".join(_squared(queries.entry(i, c)) for c in range(queries.shape[1]))
    square = geometry.squared_length(worked.derivation, "queries", i)
    rounded = geometry.length(square, worked.example.places)
    chain = [LATEX.root.format(squares), LATEX.root.format(LATEX.rational(square))]
    relation = "=" if rounded.exact else r"\approx"
    shown = equation(f"{' = '.join(chain)} {relation} {decimal_latex(rounded)}",
                     f"the length of query {i + 1}")
    return Markup("For the query of {}:\n\n{}").format(sentences.name(worked, i), shown)


def _squared(entry: Fraction) -> str:
    shown = LATEX.rational(entry)
    return f"{shown}^{{2}}" if shown.isalnum() else rf"\left({shown}\right)^{{2}}"


def lengths_table(worked: Worked) -> Markup:
    """The length of every query and every key."""
    derivation, places = worked.derivation, worked.example.places
    found = {key: geometry.lengths(derivation, key, places) for key in ("queries", "keys")}
    rows, _ = corner(derivation["queries"].shape)
    lines = [[label(derivation["queries"].rows, i),
              *(_number(found[key][i][0], f"{key}_lengths", i, 0) for key in found)]
             for i in range(rows)]
    header = [text(word) for word in ("token", "length of its query", "length of its key")]
    return markup.table(header, lines, "lengths", "lengths of queries and keys")


def cosines_table(worked: Worked) -> Markup:
    """The cosine between every query and every key; none where one of the two is all 0."""
    step = worked.derivation["scores"]
    rows, cols = corner(step.shape)
    header = [text("cosines"), *(label(step.cols, j) for j in range(cols))]
    lines = [[label(step.rows, i), *(_cosine(worked, i, j) for j in range(cols))]
             for i in range(rows)]
    return markup.table(header, lines, "cosines", f"cosines, as the {matrix_label(step)}")


def _cosine(worked: Worked, i: int, j: int) -> Markup:
    """The dot product over the root of both squared lengths; and as a decimal, if it is rounded."""
    rounded = geometry.cosine(worked.derivation, i, j, worked.example.places)
    if rounded is None:
        return NO_ANGLE
    shown = _number(rounded, "cosines", i, j)
    return shown if rounded.exact else math(_over_root(worked.derivation, i, j)) + " ≈ " + shown


def _over_root(derivation: Derivation, i: int, j: int) -> str:
    scores = derivation.rationals("scores")
    square = geometry.squared_length(derivation, "queries", i) \
        * geometry.squared_length(derivation, "keys", j)
    return LATEX.over(LATEX.rational(scores.entry(i, j)), LATEX.root.format(LATEX.rational(square)))


def _number(rounded: Rounded | None, key: str, i: int, j: int) -> Markup:
    return scoped("geometry", number(rounded, key, i, j))


def cosine_check(worked: Worked) -> Markup:
    """Length times length times cosine, for the story's pair: the score again."""
    i, j, places = sentences.asker(worked), sentences.heard(worked), worked.example.places
    cosine = geometry.cosine(worked.derivation, i, j, places)
    if cosine is None:
        return Markup("Here one of the two is all 0, so the score is 0.")
    lengths = [geometry.lengths(worked.derivation, key, places)[row][0]
               for key, row in (("queries", i), ("keys", j))]
    score = worked.decimals["scores"][i][j]
    parts = [scoped("geometry", shown) for shown in (
        number(lengths[0], "queries_lengths", i, 0), number(lengths[1], "keys_lengths", j, 0),
        number(cosine, "cosines", i, j))]
    exact = all(one and one.exact for one in (*lengths, cosine, score))
    return Markup("For the query of {} and the key of {}: {} {} {}.").format(
        sentences.name(worked, i), sentences.name(worked, j), Markup(" × ").join(parts),
        Markup("=" if exact else "≈"), number(score, "scores", i, j))
