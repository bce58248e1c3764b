"""What the chapter on code says of its programs: generated, so that it is true of any example."""

from collections.abc import Iterable
from fractions import Fraction

from markupsafe import Markup

from derivations.faults import ExampleError
from derivations.lesson.code.example_module import Extent
from derivations.lesson.code.expected import Number
from derivations.lesson.variants import LARGE_SCORES
from derivations.notation import BY_KEY
from derivations.pages.lesson import variants
from derivations.pages.lesson.counts import count
from derivations.pages.sentences import MOST_NAMED, asker, heard, name
from derivations.pages.worked import Worked
from derivations.render.forms import divisor_name
from derivations.render.markup import listed, math, number, text
from derivations.render.words import entry_name
from derivations.values import ExpSums

LARGE = '<span class="number" data-ref="overflow.scaled_scores-r1c{}">{}</span>'
OTHER_DIGITS = "Where the exact value is close to the middle between two decimals, where more " \
               "digits are asked for than a float has, or where large numbers cancel, a float " \
               "may end in other digits than the certified decimal. "
MULTIPLIES = "Mind the name: PyTorch's <code>scale</code> multiplies the scores, so it is one " \
             "over what this site calls the scale."
MOST_TOLD = 3
Differing = dict[str, list[tuple[Number, str]]]


def what_is_printed(lesson: Worked, extent: Extent) -> Markup:
    """What the programs print, and how a token looks that is not ASCII."""
    names = listed([text(BY_KEY[key].name) for key in extent.steps])
    if extent.whole:
        told = Markup("It prints the {}: the name of the step, then a line for each token.").format(
            names)
    else:
        told = Markup(
            "This example is large, so it prints the {} of {} alone. Change <code>steps</code> and "
            "<code>rows</code> in <code>example.py</code> to see more."
        ).format(names, name(lesson, asker(lesson)))
    if all(token.isascii() for token in lesson.example.tokens):
        return told
    return told + Markup(" Letters beyond ASCII are printed as escapes, which any screen can show.")


def torch_call(lesson: Worked) -> Markup:
    """The line for this example, with the arguments that it needs."""
    arguments = ["queries", "keys", "values"]
    if lesson.example.mask is not None:
        arguments.append("attn_mask=mask")
    if not _is_default(lesson):
        arguments.append("scale=1 / divisor")
    call = f"output = F.scaled_dot_product_attention({', '.join(arguments)})"
    return Markup("<code>{}</code>").format(text(call))


def torch_arguments(lesson: Worked) -> Markup:
    """What must be said of the scale and of the mask, and what need not be."""
    return _scale(lesson) + Markup(" ") + _mask(lesson)


def _scale(lesson: Worked) -> Markup:
    told = Markup("Unless told otherwise it divides by {}").format(math(r"\sqrt{d_k}"))
    if _is_default(lesson):
        return told + Markup(", and this example asks for nothing else. ") + Markup(MULTIPLIES)
    return told + Markup(". This example divides by {}, so <code>scale</code> must be given. "
                         ).format(math(divisor_name(lesson.derivation))) + Markup(MULTIPLIES)


def _mask(lesson: Worked) -> Markup:
    if lesson.example.mask is None:
        return Markup("There is no mask here: each token may attend to all, and "
                      "<code>attn_mask</code> is left out or <code>None</code>.")
    told = Markup("The mask is given as <code>attn_mask</code>, <code>True</code> where a token "
                  "may attend.")
    closed = [name(lesson, i) for i in lesson.derivation.closed_rows]
    if not closed:
        return told
    more = Markup(" and so on") if len(closed) > MOST_NAMED else Markup("")
    return told + Markup(" In this example there is nobody to attend to for {}{}.").format(
        listed(closed[:MOST_NAMED]), more)


def _is_default(lesson: Worked) -> bool:
    """Is the divisor the square root of d_k, whatever the example calls it?"""
    return _divisor_squared(lesson) == lesson.derivation.size("d_k")


def _divisor_squared(lesson: Worked) -> Fraction:
    divisor = lesson.derivation.divisor
    return Fraction(divisor.numerator, divisor.denominator) ** 2 * divisor.root


def torch_was_run(was_run: bool) -> Markup:
    """Whether the printed output is a program's, or what is expected of it."""
    if was_run:
        return Markup("This build ran it, and this is what it printed.")
    return Markup("**This build did not run it**, since PyTorch is not installed here. What it is "
                  "expected to print is worked out from the exact values:")


def compared(numbers: Iterable[Number]) -> Markup:
    """How many of the printed numbers were compared."""
    bounded = [number.error is not None for number in numbers]
    done, left = bounded.count(True), bounded.count(False)
    told = Markup("In this build they printed {} numbers that were compared.").format(
        count("compared", done))
    if not left:
        return told
    return told + Markup(" Beside these stand {} of which no bound says how far a float may be "
                         "off.").format(count("not-compared", left))


def differing(lesson: Worked, found: Differing) -> Markup:
    """Where a float ended in other digits than the certified decimal, if it did anywhere."""
    files: dict[tuple[str, int, int, str], list[str]] = {}
    for file, pairs in found.items():
        for entry, written in pairs:
            files.setdefault((entry.key, entry.i, entry.j, written), []).append(file)
    if not files:
        return Markup("Each of them is the certified decimal, to the last digit.")
    told = [_differs(lesson, *place) for place in list(files.items())[:MOST_TOLD]]
    if len(files) > len(told):
        told.append(Markup("So it is with {} more.").format(
            count("differing", len(files) - len(told))))
    return Markup(OTHER_DIGITS) + Markup(" ").join(told)


def _differs(lesson: Worked, place: tuple[str, int, int, str], files: list[str]) -> Markup:
    key, i, j, written = place
    step, by = lesson.derivation[key], [Markup("<code>{}</code>").format(text(f)) for f in files]
    told = "The certified decimal of the {} is {}; <code>{}</code> is printed by {}."
    return Markup(told).format(
        entry_name(step, i, j), number(lesson.decimal(step, i, j), key, i, j), text(written),
        listed(by))


def prints_the_same(other: str) -> Markup:
    """In place of what was shown already, below another program."""
    return Markup("It prints the same as <code>{}</code>, digit for digit.").format(text(other))


def same_line(key: str) -> Markup:
    """A line that stands in the table already, at another step."""
    return Markup("the line at the {} does this too").format(text(BY_KEY[key].name))


def large_scores() -> Markup:
    """The two scores that are too large without the shift."""
    return listed([Markup(LARGE).format(column, score)
                   for column, score in enumerate(LARGE_SCORES, 1)])


def without_scale(lesson: Worked) -> Markup:
    """What the story's weight would be if the scores were not divided."""
    i, j = asker(lesson), heard(lesson)
    told = Markup("{} gives {} the weight {}").format(
        name(lesson, i), _itself(lesson, i, j), _weight(lesson, i, j))
    if i in lesson.derivation.closed_rows:
        return Markup("{} may attend to nobody, so its weights are 0 with the line and without "
                      "it.").format(name(lesson, i))
    if _divisor_squared(lesson) == 1:
        return Markup("This example divides by 1. So nothing would change: {}.").format(told)
    if _all_equal(lesson, i):
        return Markup("All scores that {} can choose from are equal, and stay so. So nothing would "
                      "change: {}.").format(name(lesson, i), told)
    return told + _unscaled(lesson, i, j)


def _unscaled(lesson: Worked, i: int, j: int) -> Markup:
    try:
        bare = variants.of(lesson)("unscaled")
    except ExampleError:
        return Markup(". Without the line the exponentials would be too large to be shown here.")
    changed = bare.number("weights", i + 1, j + 1)
    same = bare.worked.decimals["weights"][i][j] == lesson.decimals["weights"][i][j]
    more = Markup(" (the change is too small to show in so few decimals)") if same else ""
    return Markup(". Without the line it would be {}{}.").format(changed, more)


def _weight(lesson: Worked, i: int, j: int) -> Markup:
    return number(lesson.decimals["weights"][i][j], "weights", i, j)


def _itself(lesson: Worked, i: int, j: int) -> Markup:
    return Markup("itself") if i == j else name(lesson, j)


def _all_equal(lesson: Worked, i: int) -> bool:
    """Are all scores of row i that are not hidden one number?"""
    values = lesson.derivation["weights"].values
    assert isinstance(values, ExpSums)
    return len(values.groups[i]) == 1
