"""The markers of a scene of the exercises: those of any example, told to be of this scene."""

from fractions import Fraction
from typing import Any

from markupsafe import Markup

from derivations.lesson.practice.scenes import Scene
from derivations.pages import sentences
from derivations.pages.lesson import counts, practice_calculator, practice_givens
from derivations.pages.lesson import sentences as lesson_sentences
from derivations.pages.lesson.variants import scoped
from derivations.pages.markers import Markers
from derivations.pages.worked import Worked, shown
from derivations.render.corner import corner
from derivations.render.forms import decimal, divisor_name
from derivations.render.markup import equation, math, number
from derivations.rounded import Rounded

PAIR = ("The lesson's example does not suit this question, so a pair of tokens stands in: "
        "{} and {}. ")
HALVED = "Suppose that scores are divided by a fixed number. "
FIXED = "The scale here is {}: every score is divided by it."
UNSCALED = "Nothing is divided here: the scale is 1."
ROOT = "The scale is {}, the root of the width of a key. That width is {}."
ROOT_KEY = "The root key of a calculator gives the scale."
NUMBER_KEY = "The scale is a number, so no root is needed."
WIDER = ("The scale is now the root of {}, and no longer of {}. So every scaled score is "
         "multiplied by the root of 2.")
COPIES = ("The root makes up for terms that are independent of each other. These are copies: they "
          "all point the same way.")
NOT_WIDER = ("The scale of this example does not depend on the width, so every scaled score "
             "doubles.")
MASK = "The mask has a 1 where the token of the row may hear that of the column:\n\n{}\n\n"
ROUNDED_SUM = "The decimals above add up to {}, because each of them was rounded."
ONE_PRODUCT = ("This key has one number, so the score is one product, {product}: a number of the "
               "query times the missing number.")
PRODUCTS = ("The numbers that are there contribute {rest} to the score, so the missing product is "
            "{product}.")
EXACT_SUM = "The decimals above add up to {} as well."
HOLE = Markup('<strong class="hole">?</strong>')


class Told:
    """The markers of a scene. Rows and columns count from 1."""

    def __init__(self, scene: Scene, lesson: Worked):
        self.scene = scene
        self.worked = shown(scene.example, scene.derivation) if scene.name else lesson
        self._markers = Markers(self.worked)

    def __getattr__(self, marker: str) -> Any:
        """A marker of any example, told to be of this scene."""
        found = getattr(self._markers, marker)
        return lambda *place: self._told(found(*place))

    def _told(self, made: Markup) -> Markup:
        return scoped(self.scene.name, made) if self.scene.name else made

    @property
    def places(self) -> int:
        """How many decimals are shown."""
        return self.worked.example.places

    @property
    def decimals(self) -> Markup:
        """The same, in words."""
        return counts.decimals(self.places)

    @property
    def told(self) -> Markup:
        """Where this is, if it is not the lesson's example; else ''."""
        return Markup(HALVED if self.scene.name.endswith("-halved") else "")

    @property
    def pair(self) -> Markup:
        """That a pair stands in for the example; '' where it does not."""
        if not self.scene.name.startswith("practice-pair"):
            return Markup("")
        return Markup(PAIR).format(*(sentences.name(self.worked, i) for i in range(2)))

    @property
    def no_mask(self) -> Markup:
        """That the mask is left out, where there is one."""
        return Markup("" if self.worked.derivation.open is None else "Leave the mask out here. ")

    @property
    def sentence(self) -> Markup:
        """The sentence in quotation marks."""
        return sentences.sentence(self.worked)

    @property
    def width(self) -> Markup:
        """d_k."""
        return self.size("d_k")

    def size(self, name: str) -> Markup:
        """A size; that of a scene says of which one."""
        value = self.worked.derivation.size(name)
        if not self.scene.name:
            return self._markers.size(name)
        return Markup('<span class="number" data-ref="{}.{}" data-exact>{}</span>').format(
            Markup(self.scene.name), Markup(name), value)

    @property
    def scale(self) -> Markup:
        """What scores are divided by."""
        divisor, name = self.worked.derivation.divisor, math(divisor_name(self.worked.derivation))
        if divisor.kind == "sqrt_dk":
            return Markup(ROOT).format(name, self.width)
        return Markup(UNSCALED if divisor.kind == "none" else FIXED).format(name)

    @property
    def root_key(self) -> Markup:
        """How a calculator comes by the scale."""
        return Markup(ROOT_KEY if self.worked.derivation.divisor.kind == "sqrt_dk" else NUMBER_KEY)

    def wider(self, before: "Told") -> Markup:
        """What doubling the width does to the scaled scores."""
        if self.worked.derivation.divisor.kind != "sqrt_dk":
            return Markup(NOT_WIDER)
        return Markup(WIDER).format(self.width, before.width)

    @property
    def copies(self) -> Markup:
        """Why the root does not undo the doubling; '' where the scale is no root."""
        by_root = self.worked.derivation.divisor.kind == "sqrt_dk"
        return Markup(COPIES if by_root else "")

    def products(self, rest: Markup, product: Markup) -> Markup:
        """What a score is made of, if one number of the key is missing."""
        one = self.worked.derivation.size("d_k") == 1
        return Markup(ONE_PRODUCT if one else PRODUCTS).format(rest=rest, product=product)

    def hidden(self, row: int) -> Markup:
        """Whom the mask hides from a token; '' where it hides nobody."""
        return practice_givens.hidden(self.worked, row - 1)

    def exact(self, key: str, row: int, col: int) -> Markup:
        """An entry in full: one works from it."""
        return self._told(practice_givens.exact(self.worked, key, row - 1, col - 1))

    def given(self, key: str, row: int) -> Markup:
        """A whole row in full, as (0, 1, 2)."""
        return self._told(practice_givens.row_of(self.worked, key, row - 1))

    def column(self, key: str, col: int) -> Markup:
        """A whole column in full, as (0, 1, 2)."""
        return self._told(practice_givens.column_of(self.worked, key, col - 1))

    def whole(self, key: str) -> Markup:
        """A whole matrix in full."""
        return self._told(practice_givens.matrix(
            self.worked.derivation[key],
            lambda i, j: practice_givens.exact(self.worked, key, i, j)))

    @property
    def mask(self) -> Markup:
        """The mask; '' where there is none."""
        if self.worked.derivation.open is None:
            return Markup("")
        return Markup(MASK).format(self.whole("mask"))

    def each(self, key: str, row: int, cols: int) -> Markup:
        """The first entries of a row, worked out."""
        return Markup("\n\n").join(self.entry(key, row, col) for col in range(1, cols + 1))

    def holed(self, key: str, row: int, col: int) -> Markup:
        """A matrix with a question mark for one entry; of a large one, its row alone."""
        step, hole = self.worked.derivation[key], (row - 1, col - 1)
        rows = range(step.shape[0]) if corner(step.shape) == step.shape else [hole[0]]
        return self._told(practice_givens.matrix(
            step, lambda i, j: HOLE if (i, j) == hole
            else practice_givens.exact(self.worked, key, i, j),
            rows, "holed", f"{step.quantity.name} with a hole"))

    def sum_of_weights(self, row: int) -> Markup:
        """The weights of a row added up, as fractions."""
        return self._told(lesson_sentences.sum_of_weights(self.worked, row - 1))

    def printed_sum(self, row: int) -> Markup:
        """What the rounded weights of a row add up to."""
        total = sum((entry.value for entry in self.worked.decimals["weights"][row - 1] if entry),
                    Fraction(0))
        written = Rounded(int(total * 10**self.places), self.places, exact=True)
        shown_sum = scoped(self.scene.prefix, number(written, "printed_sum", 0, 0))
        return Markup(EXACT_SUM if total == 1 else ROUNDED_SUM).format(shown_sum)

    def ratio(self, row: int, high: int, low: int, rounded: Rounded) -> Markup:
        """One weight over another, as a power of e."""
        weights, powers, scaled = (
            [self.worked.derivation[key].quantity.entry(row, col) for col in (high, low)]
            for key in ("weights", "exponentials", "scaled_scores"))
        latex = (rf"\frac{{{weights[0]}}}{{{weights[1]}}} = \frac{{{powers[0]}}}{{{powers[1]}}} = "
                 rf"e^{{{scaled[0]} - {scaled[1]}}} {decimal(rounded, '')}")
        return self._told(equation(latex, "one weight over another"))

    def presses(self, row: int, col: int) -> Markup:
        """Which keys of a calculator give a weight."""
        return self._told(practice_calculator.presses(self.worked, row - 1, col - 1))
