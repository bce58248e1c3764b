"""The scenes of a walk-through: the four matrix steps, told of one row. Each is a still."""

from dataclasses import dataclass

from markupsafe import Markup

from derivations.decimals import Table
from derivations.render.corner import CORNER
from derivations.render.figures import svg, words
from derivations.render.figures.walk_cells import Drawn, Matrix, matrix
from derivations.render.figures.walk_layout import Product
from derivations.render.figures.walk_product import Lights, product
from derivations.render.figures.walk_row import LABELS, Line, Sheet, worksheet
from derivations.render.figures.walk_values import Mix, mix
from derivations.render.forms import Decimals
from derivations.render.markup import text
from derivations.step import Derivation, Divisor

MOST_DIMENSIONS = CORNER[1]
ROOM = LABELS - 24  # for a divisor: signs are wider than letters in some fonts
WEIGHTED = "walk.weighted_values"  # not an entry of the derivation: weight times value
NAMES = {"scores": "scores", "scaled_scores": "scaled", "masked_scores": "masked",
         "exponentials": "exponentials", "weights": "weights"}


@dataclass(frozen=True)
class Walk:
    """A derivation as query i and key j are followed through it.

    `weighted` holds the weight that query i gives each key, times the value of the key.
    """

    derivation: Derivation
    decimals: Decimals
    weighted: Table
    i: int
    j: int

    def matrix(self, key: str) -> Matrix:
        """The numbers of a step."""
        return matrix(self.derivation[key], self.decimals)

    @property
    def keys(self) -> range:
        """The keys that are drawn, key j among them."""
        return words.window(len(self.derivation.tokens), self.j)

    @property
    def queries(self) -> range:
        """The queries that are drawn, query i among them."""
        return words.window(len(self.derivation.tokens), self.i, CORNER[0])

    def dimensions(self, size: str) -> range:
        """The columns of queries and keys (d_k), or of values (d_v), that are drawn."""
        return range(min(self.derivation.size(size), MOST_DIMENSIONS))


def queries_and_keys(walk: Walk) -> Drawn:
    """Q and the transpose of K, with room for what they give."""
    return product(_scores(walk), Lights(walk.i), "queries and keys")


def one_score(walk: Walk) -> Drawn:
    """A row of Q, a column of the transpose of K, and the score where they cross."""
    return product(_scores(walk), Lights(walk.i, walk.j), "one score")


def all_scores(walk: Walk) -> Drawn:
    """All scores, one row of them lit."""
    return product(_scores(walk), Lights(walk.i, whole=True), "all scores")


def all_outputs(walk: Walk) -> Drawn:
    """All outputs: weights times values, one row lit."""
    names = _named(walk, "A", ("n_q", "n_k")), _named(walk, "V", ("n_k", "d_v")), \
        _named(walk, "O", ("n_q", "d_v"))
    drawn = Product(walk.matrix("weights"), walk.matrix("values"), walk.matrix("output"), names,
                    walk.queries, walk.dimensions("d_v"), walk.keys)
    return product(drawn, Lights(walk.i, whole=True), "all outputs")


def row_until(walk: Walk, last: str) -> Drawn:
    """The row of query i, from its scores down to one of the later steps."""
    keys = [key for key in NAMES if key in walk.derivation]
    shown = keys[: keys.index(last) + 1]
    lines = tuple(Line(NAMES[key], walk.matrix(key), _done(walk, key)) for key in shown)
    sums = walk.matrix("normalisers") if "exponentials" in shown else None
    sheet = Sheet(lines, walk.i, walk.keys, sums, bars=last == "weights")
    return worksheet(sheet, f"{NAMES[last]} of {words.plain(walk.derivation.tokens, walk.i)}")


def weighted_values(walk: Walk, *, added: bool) -> Drawn:
    """The value of each key times its weight; where `added`, their sum too, which is the output."""
    values = walk.matrix("values")
    parts = Matrix(WEIGHTED, "weighted value", values.role, walk.weighted, values.rows,
                   values.cols, tokens=False)
    drawn = Mix(walk.matrix("weights"), values, parts, walk.matrix("output") if added else None,
                walk.i, walk.keys, walk.dimensions("d_v"))
    return mix(drawn, "values, weighted" + (", and their sum" if added else ""))


def _scores(walk: Walk) -> Product:
    names = _named(walk, "Q", ("n_q", "d_k")), _named(walk, "K", ("d_k", "n_k"), "⊤"), \
        _named(walk, "S", ("n_q", "n_k"))
    return Product(walk.matrix("queries"), walk.matrix("keys"), walk.matrix("scores"), names,
                   walk.queries, walk.keys, walk.dimensions("d_k"), turned=True)


def _named(walk: Walk, letter: str, sizes: tuple[str, str], raised: str = "") -> Markup:
    """The letter of a matrix, and its size."""
    told = [svg.tag("tspan", Markup(str(walk.derivation.size(name))), data_size=name)
            for name in sizes]
    named = svg.tag("tspan", svg.letter(letter, raised), font_size=15)
    return Markup("{}{}{}").format(named, _back(raised), Markup(" × ").join(told))


def _back(raised: str) -> Markup:
    """The space after a letter; back on the line after something raised."""
    return svg.tag("tspan", Markup("  "), dy=5 if raised else None)


def _done(walk: Walk, key: str) -> Markup:
    """What makes a line of the line above it."""
    match key:
        case "scaled_scores":
            return text(words.fitted(divided(walk.derivation.divisor), ROOM, svg.TEXT))
        case "masked_scores":
            return Markup("mask")
        case "exponentials":
            return svg.letter("e", "x")
        case "weights":
            return Markup("÷ sum")
    return Markup("")


def divided(divisor: Divisor) -> str:
    """÷ √2; ÷ 3/2; ÷ 1 where the scores stay as they are."""
    if divisor.kind == "sqrt_dk":
        return f"÷ √{divisor.root}"
    over = f"/{divisor.denominator}" if divisor.denominator > 1 else ""
    return f"÷ {divisor.numerator}{over}"
