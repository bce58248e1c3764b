"""A common mistake, as a marker of the lesson: wrong beside right, and what gives it away."""

from collections.abc import Callable
from functools import cache

from markupsafe import Markup

from derivations.lesson.compared import Compared, compared
from derivations.lesson.mistakes import Mistake, Overflow, ShapeFault, Stuck
from derivations.notation import BY_KEY
from derivations.pages.lesson import look_up
from derivations.pages.lesson.look_up import mistake_page
from derivations.pages.lesson.signs import (
    exactly_one,
    given_away,
    hidden_columns,
    output_of_nobody,
    rows_named,
    without_shift,
    wrong_sums,
    wrong_zeros,
)
from derivations.pages.lesson.variants import scoped
from derivations.pages.prose import MISTAKES
from derivations.pages.worked import Worked
from derivations.render.markup import address, link, math, number, size, table, text
from derivations.render.tables import matrix_table
from derivations.step import Derivation

SIDES = '<div class="sides" markdown="1">\n<div markdown="1">\n\n{}\n\n</div>\n' \
        '<div markdown="1">\n\n{}\n\n</div>\n</div>'
UNSEEN = "On this example one cannot see it: every decimal shown is the right one."
UNCHANGED = {
    "weights": "The attention weights are the right ones, in all decimals shown.",
    "output": "The output is the right one, in all decimals shown.",
}
STUCK = (
    "On this example the work stops: in {rows}, every exponential is rounded to 0, and so is the "
    "sum. Nothing can be divided by it.")
NO_PRODUCT = (
    "Here the shapes do not fit. {left} is {left_shape}, {right} is {right_shape}. A product needs "
    "as many columns on the left as rows on the right, and {columns} is not {rows}. A program "
    "stops with an error: the mistake gives itself away.")
NO_NUMBERS = (
    "In float64 the exponentials come out as {powers}, and the weights as {weights}. The largest "
    "float64 is about 1.8·10<sup>308</sup>; what is beyond it becomes *inf*, and *inf* divided by "
    "*inf* is *nan*: not a number. With the largest score taken away first, the weights are right: "
    "{right}.")
ON_THE_VARIANT = "The weights of the variant with a causal mask:\n\n{}"


def markers(lesson: Worked) -> dict[str, Callable[..., Markup]]:
    """`mistake(key)`: wrong beside right; `look_up_table(step)`: from a number to the mistake."""
    @cache
    def found() -> dict[str, Compared]:
        return {one.mistake.key: one for one in compared(lesson.example)}

    return {
        "mistake": lambda key: comparison(found()[key]),
        "mistakes_table": lambda: overview(tuple(found().values())),
        "look_up_table": lambda key, variant="": look_up.entries(
            tuple(found().values()), key, variant),
        "masked_look_up": lambda: _on_the_variant(lesson, tuple(found().values())),
        "hidden_columns": lambda: hidden_columns(lesson.derivation),
        "without_shift": lambda: without_shift(lesson.derivation),
        "output_of_nobody": lambda: output_of_nobody(lesson.derivation),
    }


def _on_the_variant(lesson: Worked, mistakes: tuple[Compared, ...]) -> Markup:
    """The look-up of the variant with a causal mask, where the example has no mask of its own."""
    if lesson.derivation.open is not None:
        return Markup("")
    found = look_up.entries(mistakes, "weights", "causal")
    return Markup(ON_THE_VARIANT).format(found) if found else found


def overview(mistakes: tuple[Compared, ...]) -> Markup:
    """Every mistake: how it shows, and whether the sums of the rows give it away."""
    header = [text(word) for word in ("mistake", "shows as", "rows add up to 1")]
    lines = [[link(text(MISTAKES[one.mistake.key]), mistake_page(one.mistake)), text(_shows(one)),
              text(_adds_up(one))] for one in mistakes]
    return table(header, lines, "mistakes stacks", "the mistakes, and how each shows")


def _shows(one: Compared) -> str:
    match one.found:
        case ShapeFault():
            return "shapes that do not fit"
        case Overflow():
            return "no numbers, with scores of 800 and 799"
        case Stuck():
            return "no numbers, where a sum is rounded to 0"
    where = ", with a causal mask" if one.variant else ""
    return ("other numbers" if one.shows else "nothing, in the decimals shown") + where


def _adds_up(one: Compared) -> str:
    if not isinstance(one.found, dict):
        return "no sums"
    if wrong_sums(one):
        return "no"
    zeros = " (also where nobody may be heard)" if wrong_zeros(one) else \
        " (0 where nobody may be heard)" if one.right.closed_rows else ""
    return ("yes" if exactly_one(one) else "yes, but for rounding") + zeros


def comparison(one: Compared) -> Markup:
    """The wrong matrices beside the right ones, and in words what tells them apart."""
    match one.found:
        case ShapeFault() as fault:
            return _no_product(fault, one.right)
        case Overflow() as floats:
            return _no_numbers(floats, one)
        case Stuck(rows):
            return Markup(STUCK).format(rows=rows_named(one.right, rows))
        case _ if not one.shows:
            return Markup(UNSEEN)
    changed = {key for key, _, _ in one.differing}
    shown = [_sides(one, key) if key in changed else Markup(UNCHANGED[key]) for key in one.wrong]
    return Markup("\n\n").join([*shown, given_away(one)])


def namespace(mistake: Mistake) -> str:
    """What stands before the data-ref of a wrong number."""
    return f"mistake-{mistake.key}"


def _sides(one: Compared, key: str) -> Markup:
    """A step, wrong and right."""
    step = one.right[key]
    wrong = scoped(namespace(one.mistake), _marked(one, matrix_table(step, {key: one.wrong[key]})))
    return Markup(SIDES).format(
        Markup("**Wrong:** the {}\n\n{}").format(text(step.quantity.name), wrong),
        Markup("**Right:** the {}\n\n{}").format(text(step.quantity.name), _right(one, key)))


def _marked(one: Compared, shown: Markup) -> Markup:
    """A matrix in which the numbers that differ from the right ones stand out."""
    marked = str(shown)
    for place in one.differing:
        ref = f'data-ref="{address(*place)}"'
        marked = marked.replace(f'class="number" {ref}', f'class="number differs" {ref}')
    return Markup(marked)


def _right(one: Compared, key: str) -> Markup:
    """The right matrix: of the example, or of the variant on which the mistake shows."""
    shown = matrix_table(one.right[key], {key: one.judged[key]})
    return scoped(one.variant, shown) if one.variant else shown


def _no_product(fault: ShapeFault, right: Derivation) -> Markup:
    left, other = BY_KEY[fault.left], BY_KEY[fault.right]
    rows, cols = (other.cols, other.rows) if fault.transposed else (other.rows, other.cols)
    turned = r"^{\top}" if fault.transposed else ""
    return Markup(NO_PRODUCT).format(
        left=math(left.matrix), left_shape=_shape(right, left.rows, left.cols),
        right=math(other.matrix + turned), right_shape=_shape(right, rows, cols),
        columns=_size(right, left.cols), rows=_size(right, rows))


def _shape(right: Derivation, rows: str, cols: str) -> Markup:
    return Markup("{} by {}").format(_size(right, rows), _size(right, cols))


def _size(right: Derivation, key: str) -> Markup:
    return size(key, right.size(key))


def _no_numbers(floats: Overflow, one: Compared) -> Markup:
    right = [number(rounded, "weights", 0, j) for j, rounded in enumerate(one.true["weights"][0])]
    return Markup(NO_NUMBERS).format(
        powers=_floats(floats.exponentials[0]), weights=_floats(floats.weights[0]),
        right=scoped(one.variant, Markup(" and ").join(right)))


def _floats(row: tuple[float, ...]) -> Markup:
    return Markup(" and ").join(Markup("<code>{}</code>").format(str(entry)) for entry in row)
