"""The four matrix steps as one flow, each matrix as a grid of its own size."""

from markupsafe import Markup

from derivations.formula import Dot
from derivations.notation import BY_KEY
from derivations.render.figures import svg, words
from derivations.render.markup import listed, math, text
from derivations.step import Derivation, Divisor

LEFT, MIDDLE, RIGHT, SCALED = 62.0, 171.0, 290.0, 214.0
BESIDE = (MIDDLE + RIGHT) / 2  # of the context, above the keys and values
PLACES = {"embeddings": (MIDDLE, 0), "queries": (LEFT, 1), "keys": (MIDDLE, 1),
          "values": (RIGHT, 1), "scores": (LEFT, 2), "scaled_scores": (SCALED, 2),
          "weights": (SCALED, 3), "output": (SCALED, 4)}
STRAIGHT = (("queries", "scores", 0), ("keys", "scores", 18), ("scaled_scores", "weights", 0),
            ("weights", "output", 0))  # from, to, and how far beside its middle an arrow ends
PROJECTED = {"queries": (LEFT + 12, "end", "Q"), "keys": (MIDDLE + 8, "start", "K"),
             "values": (RIGHT - 12, "start", "V")}  # where its matrix is named, which end is there
ACROSS = {"queries": (LEFT + 8, "start", "Q"), "keys": (MIDDLE - 2, "end", "K"),
          "values": (RIGHT + 2, "start", "V")}  # the same where there is a context
PRODUCTS = ((LEFT + 84, 2, "Q", "K", "⊤"), (SCALED + 8, 4, "A", "V", ""))  # where, two factors
LONGEST_SIDE, LARGEST_CELL = 72.0, 16.0
MOST_LINES = 12  # a larger matrix is drawn with so many rows or columns
HEADER, ARROW = 22.0, 46.0  # the room for a name above a grid, and for an arrow below it


class Plan:
    """Where each matrix stands: levels of equal height, five, or four where Q, K, V are given."""

    def __init__(self, derivation: Derivation):
        self.places = _places(derivation)
        self.shapes = {key: derivation[key].shape for key in self.places}
        self.first = min(level for _, level in self.places.values())
        longest = min(MOST_LINES, max(max(shape) for shape in self.shapes.values()))
        self.cell = min(LARGEST_CELL, LONGEST_SIDE / longest)
        self.tall = max(self.grid(key)[1] for key in self.places)

    def grid(self, key: str) -> svg.Point:
        """The width and height of a matrix."""
        rows, cols = (min(size, MOST_LINES) * self.cell for size in self.shapes[key])
        return cols, rows

    def top(self, level: float) -> float:
        """The upper edge of a level."""
        return (level - self.first) * (HEADER + self.tall + ARROW)

    def above(self, key: str, beside: float = 0) -> svg.Point:
        """Where an arrow to a matrix ends."""
        x, level = self.places[key]
        return x + beside, self.top(level)

    def below(self, key: str) -> svg.Point:
        """Where an arrow from a matrix starts."""
        x, level = self.places[key]
        return x, self.top(level) + HEADER + self.grid(key)[1] + 5


def _places(derivation: Derivation) -> dict[str, tuple[float, int]]:
    """Where the matrices of a derivation stand: across, and on which level."""
    if "context" in derivation:
        return PLACES | {"embeddings": (LEFT, 0), "context": (BESIDE, 0)}
    return {key: place for key, place in PLACES.items() if key in derivation}


def flow(derivation: Derivation) -> Markup:
    """From X to Q, K and V, to S, to T, to A, to O: with their sizes, and what happens between."""
    plan = Plan(derivation)
    size = svg.PHONE, plan.top(5) - ARROW + 4
    drawn = svg.drawing(size, "the steps of attention",
                        *(_matrix(derivation, plan, key) for key in plan.places),
                        *_projections(derivation, plan), *_arrows(plan), *_products(plan),
                        *_scaling(plan, derivation.divisor),
                        _weighing(derivation, plan))
    return svg.figure("flow", drawn, _caption(derivation), _facts(derivation))


def _matrix(derivation: Derivation, plan: Plan, key: str) -> Markup:
    """A matrix: its name and size, and a grid below."""
    (x, y), (width, height), role = plan.above(key), plan.grid(key), BY_KEY[key].role
    left, top = x - width / 2, y + HEADER
    frame = svg.tag("rect", x=left, y=top, width=width, height=height, fill="currentColor",
                    fill_opacity="0.15", stroke="currentColor", stroke_width="1.5")
    heading = svg.words((x, top - 6), *_heading(derivation, key), text_anchor="middle")
    return svg.tag("g", heading, frame, _lines(plan, key, left, top),
                   class_=f"role-{role}" if role else None)


def _heading(derivation: Derivation, key: str) -> list[Markup]:
    """A name and a size: Q 3 × 2."""
    quantity = BY_KEY[key]
    sizes = [svg.tag("tspan", Markup(str(derivation.size(name))), data_size=name)
             for name in (derivation[key].rows.size, derivation[key].cols.size)]
    return [svg.tag("tspan", svg.letter(quantity.matrix), font_size=15), Markup("  "),
            Markup(" × ").join(sizes)]


def _lines(plan: Plan, key: str, left: float, top: float) -> Markup:
    """The lines between rows and between columns."""
    width, height = plan.grid(key)
    rows, cols = round(height / plan.cell), round(width / plan.cell)
    inner: list[str | float | svg.Point] = []
    for i in range(1, rows):
        inner += ["M", (left, top + i * plan.cell), "h", width]
    for j in range(1, cols):
        inner += ["M", (left + j * plan.cell, top), "v", height]
    return svg.tag("path", d=svg.path(*inner), stroke="currentColor", stroke_opacity="0.5")


def _projections(derivation: Derivation, plan: Plan) -> list[Markup]:
    """The arrows to Q, K and V, each with its matrix; there is no room for biases."""
    found = []
    for key, (x, anchor, raised) in (ACROSS if "context" in derivation else PROJECTED).items():
        formula = derivation[key].formula
        if not isinstance(formula, Dot):
            continue
        found += [svg.arrow(plan.below(formula.left), plan.above(key)),
                  svg.words((x, plan.top(1) - 10), svg.letter("×"), Markup(" "),
                            svg.letter("W", raised), text_anchor=anchor)]
    return found


def _arrows(plan: Plan) -> list[Markup]:
    """From matrix to matrix; the values go down the right side to the output."""
    width, height = plan.grid("output")
    (x, start), (end, y) = plan.below("values"), plan.above("output")
    level = y + HEADER + height / 2
    drop = svg.line((x, start), (x, level))
    turn = svg.arrow((x, level), (end + width / 2 + 6, level))
    return [svg.arrow(plan.below(key), plan.above(to, beside)) for key, to, beside in STRAIGHT] \
        + [drop, turn]


def _products(plan: Plan) -> list[Markup]:
    """What happens at the arrows between levels, but for softmax."""
    return [svg.words((x, plan.top(level) - 10), svg.letter(first), Markup(" "),
                      svg.letter(second, raised), text_anchor="start")
            for x, level, first, second, raised in PRODUCTS]


def _scaling(plan: Plan, divisor: Divisor) -> list[Markup]:
    """The arrow from scores to scaled scores: above it the divisor, below it what that is."""
    (width, height), (_, y) = plan.grid("scores"), plan.above("scores")
    start, end, level = LEFT + width / 2 + 6, SCALED - width / 2 - 6, y + HEADER + height / 2
    above = [text(words.fitted(_scale(divisor) or "unchanged", end - start, svg.TEXT))]
    below = Markup("")
    if divisor.kind == "sqrt_dk":
        above, below = [Markup("÷ √"), svg.letter("d", lowered="k")], text(f"= √{divisor.root}")
    middle = (start + end) / 2
    return [svg.arrow((start, level), (end, level)),
            svg.words((middle, level - 9), *above, text_anchor="middle"),
            svg.words((middle, level + 16), below, text_anchor="middle")]


def _weighing(derivation: Derivation, plan: Plan) -> Markup:
    """What makes weights of scaled scores."""
    return svg.words((SCALED - 8, plan.top(3) - 10), text(_softmax(derivation)), text_anchor="end")


def _softmax(derivation: Derivation) -> str:
    return "softmax" if derivation.open is None else "mask, softmax"


def _scale(divisor: Divisor) -> str:
    """÷ √2; ÷ 3/2; '' where the scores stay as they are."""
    if divisor.kind == "sqrt_dk":
        return f"÷ √{divisor.root}"
    over = f"/{divisor.denominator}" if divisor.denominator > 1 else ""
    return f"÷ {divisor.numerator}{over}" if divisor.kind == "number" else ""


def _caption(derivation: Derivation) -> Markup:
    larger = max(max(derivation[key].shape) for key in _places(derivation)) > MOST_LINES
    cut = Markup(" Of a matrix with more than {0} rows or columns, {0} are drawn.").format(
        MOST_LINES) if larger else Markup("")
    told = Markup("Rows × columns of every matrix. A row is a token; in {}, {} and {} a column is "
                  "a token too.")
    return told.format(*map(math, "STA")) + cut + _biases(derivation)


def _biases(derivation: Derivation) -> Markup:
    """What the drawing has no room for."""
    biased = [key for key in PROJECTED if f"b_{BY_KEY[key].role}" in derivation]
    told = listed([Markup("the ") + Markup(BY_KEY[key].name) for key in biased])
    return Markup(" A bias is added to {}.").format(told) if biased else Markup("")


def _facts(derivation: Derivation) -> Markup:
    """Every matrix with its formula and size."""
    given = {"embeddings": "X", "context": "C"}
    formulas = {**{key: symbol for key, symbol in given.items() if key in derivation},
                **{key: _made(derivation, key) for key in PROJECTED},
                "scores": "S = Q times K transposed",
                "scaled_scores": f"T = S {_scale(derivation.divisor)}".rstrip(),
                "weights": f"A: {_softmax(derivation)} of each row of T", "output": "O = A times V"}
    sizes = {key: "{} by {}".format(*derivation[key].shape) for key in formulas}
    return text("; ".join(f"{BY_KEY[key].name} {formula}, {sizes[key]}"
                          for key, formula in formulas.items()))


def _made(derivation: Derivation, key: str) -> str:
    """Q = X times the query matrix; K where it is given."""
    formula, symbol = derivation[key].formula, BY_KEY[key].matrix
    if not isinstance(formula, Dot):
        return symbol
    added = f" plus the {BY_KEY[formula.bias].name}" if formula.bias else ""
    return f"{symbol} = {BY_KEY[formula.left].matrix} times the {BY_KEY[formula.right].name}{added}"
