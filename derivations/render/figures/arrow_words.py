"""What is said of a query and a key as arrows: their legend and their caption."""

from dataclasses import dataclass

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.angle import Angle
from derivations.render.figures.reach import Reach, length
from derivations.render.forms import Decimals
from derivations.render.markup import math, number, text
from derivations.render.words import token_name
from derivations.step import Derivation

LEGEND, SIZE = 22.0, 13
SAMPLE = 24.0, 62.0
TOKEN_ROOM = NUMBER_ROOM = 76.0
DASHES = {"q": None, "k": "7 4"}
WAY = {"stroke_width": 9, "stroke_opacity": "0.35"}  # how far a key reaches
Q, K = math("q"), math("k")


@dataclass(frozen=True)
class Pair:
    """The query of token i and the key of token j, the angle between them, and the decimals."""

    derivation: Derivation
    decimals: Decimals
    i: int
    j: int
    reach: Reach
    between: Angle | None

    @property
    def places(self) -> int:
        """How many decimals a rounded number has."""
        weight = self.decimals["weights"][0][0]
        assert weight
        return weight.places


def legend(pair: Pair, top: float) -> list[Markup]:
    """A sample of each line, with what it is and how long; then the angle."""
    query, key = pair.derivation.tokens, pair.derivation.key_tokens
    rows = [_vector(pair, "q", "the query of ", query, pair.i),
            _vector(pair, "k", "the key of ", key, pair.j)]
    if pair.between is None:
        rows.append(Markup("no angle"))
    else:
        rows += [_reach(pair), Markup(f"angle {_sign(pair.between)} {pair.between.text}°")]
    samples = [*_samples()[: len(rows) - 1], Markup("")]
    return [svg.tag("g", sample, svg.words((SAMPLE[1] + 10, 4), told), font_size=SIZE,
                    transform=f"translate(0 {svg.at(top + 8 + n * LEGEND)})")
            for n, (sample, told) in enumerate(zip(samples, rows, strict=True))]


def _samples() -> list[Markup]:
    """The lines of a query, a key and a reach."""
    start, end = ((x, 0.0) for x in SAMPLE)
    return [svg.line(start, end, class_="role-q", stroke_width=2.5),
            svg.line(start, end, class_="role-k", stroke_width=2.5, stroke_dasharray=DASHES["k"]),
            svg.line(start, end, class_="role-s", **WAY)]


def _vector(pair: Pair, name: str, told: str, tokens: tuple[str, ...], i: int) -> Markup:
    vector = pair.reach.query if name == "q" else pair.reach.key
    token = svg.tag("tspan", words.label(tokens, i, TOKEN_ROOM, SIZE),
                    font_weight=700)
    letter, long = svg.letter(name), _short(length(vector, pair.places))
    size = Markup(": |{}| {}").format(letter, long) if long else Markup("")
    return Markup("{}, {}{}{}").format(letter, Markup(told), token, size)


def _reach(pair: Pair) -> Markup:
    along = _short(_bare(pair.reach.along(pair.places)))
    told = Markup(": {}").format(along) if along else Markup("")
    return Markup("how far {} reaches along {}{}").format(svg.letter("k"), svg.letter("q"), told)


def _bare(number: str) -> str:
    """A number within a sentence: 2, or about 1.3416."""
    return number.replace("= ", "").replace("≈", "about")


def _short(number: str) -> Markup:
    """A number, or '' where it is too long for a legend."""
    return text(number) if words.width(number, SIZE) <= NUMBER_ROOM else Markup("")


def caption(pair: Pair, squares: bool) -> Markup:
    """The two vectors, the angle, and how the score comes of the lengths and the angle."""
    tokens, asked = pair.derivation.tokens, pair.derivation.key_tokens
    told = Markup("The query of {} is {}, the key of {} is {}. {}").format(
        token_name(tokens, pair.i), _numbers(pair, "queries", pair.i),
        token_name(asked, pair.j), _numbers(pair, "keys", pair.j), _told(pair))
    return told + Markup(" Each square is 1 by 1." if squares else "")


def _numbers(pair: Pair, key: str, i: int) -> Markup:
    x, y = (number(pair.decimals[key][i][c], key, i, c) for c in (0, 1))
    return Markup("({}, {})").format(x, y)


def _told(pair: Pair) -> Markup:
    rounded = pair.decimals["scores"][pair.i][pair.j]
    score = number(rounded, "scores", pair.i, pair.j)
    if pair.between is None:
        return Markup("A vector of zeros has no direction, so there is no angle. Its products are "
                      "all 0, and so is the score: {}.").format(score)
    about = "" if pair.between.exact else "about "
    return Markup(
        "The angle between them is {about}{angle}°. {how} Along {q}, {k} reaches |{k}| · "
        "cos(angle) {reach}{away}. Times the length |{q}| {length}, that is the score: |{q}| · "
        "|{k}| · cos(angle) {sign} {score}.").format(
            about=Markup(about), angle=Markup(pair.between.text), how=_how(pair.reach), q=Q, k=K,
            reach=_written(pair.reach.along(pair.places)), away=Markup(_away(pair.reach)),
            length=_written(length(pair.reach.query, pair.places)),
            sign=Markup("=" if rounded and rounded.exact else "≈"), score=score)


def _written(number: str) -> Markup:
    """A number of a picture, in a caption: with its power of ten raised."""
    base, _, power = number.partition("^")
    return Markup(base) + (Markup("<sup>{}</sup>").format(Markup(power)) if power else Markup(""))


def _how(reach: Reach) -> Markup:
    """Where the foot of the key's tip is to be seen."""
    if not reach.cross:
        return Markup("{k} lies on the line of {q}.").format(q=Q, k=K)
    where = "" if reach.dot else ", and meets it where both arrows start"
    return Markup("The dotted line runs from the tip of {} to the line of {}{}.").format(
        K, Q, Markup(where))


def _away(reach: Reach) -> str:
    return ", less than 0 because it points away" if reach.dot < 0 else ""


def _sign(angle: Angle) -> str:
    return "=" if angle.exact else "≈"
