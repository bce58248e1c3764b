"""Self-attention beside other layers, as markers of the lesson: what each costs for the example."""

from typing import Any

from markupsafe import Markup

from derivations.lesson.costs import (
    BY_KEY,
    COSTS,
    KERNEL,
    LAYERS,
    Cost,
    Layer,
    Logarithm,
    Product,
    Sum,
    multiplications,
)
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.variants import scoped
from derivations.pages.worked import Worked
from derivations.render.markup import number, size, table, text
from derivations.rounded import Rounded

NAMES = {
    "self-attention": "self-attention",
    "recurrent": "recurrent",
    "convolution": "convolution",
    "additive-attention": "additive attention",
    "linear-attention": "linear attention",
}
HEADS = {
    "path": "longest path",
    "sequential": "steps that wait",
    "operations": "operations per layer",
    "memory": "numbers kept",
}
SPACE = "n_q", "d_model"


def markers(lesson: Worked) -> dict[str, Any]:
    """The markers of the page of comparisons."""
    here = _Page(lesson)
    return {
        "kernel": count("kernel", KERNEL),
        "costs_table": here.table,
        "sizes_compared": here.sizes,
        "operations_compared": here.operations,
        "memory_compared": here.memory,
        "equally_many": here.equally_many,
        "multiplications_table": here.multiplications,
        "multiplications_compared": here.multiplications_compared,
    }


class _Page:
    """The example's n and d."""

    def __init__(self, lesson: Worked):
        self.lesson = lesson
        self.n, self.d = (lesson.derivation.size(name) for name in SPACE)

    def table(self) -> Markup:
        """Every layer with its costs: the formula, and its value for the example."""
        rows = [[text(NAMES[layer.key]), *(self._cell(layer, i, name) for name in COSTS)]
                for i, layer in enumerate(LAYERS)]
        header = [text("layer"), *(text(HEADS[name]) for name in COSTS)]
        return table(header, rows, "costs stacks", "what each layer costs")

    def _cell(self, layer: Layer, i: int, name: str) -> Markup:
        return formula(layer.cost(name)) + Markup(": ") + self._value(layer.cost(name), name, i)

    def _value(self, cost: Cost, name: str, i: int) -> Markup:
        return _number(cost.value(self.n, self.d), name, i)

    def _of(self, key: str, name: str) -> Markup:
        layer = BY_KEY[key]
        return self._value(layer.cost(name), name, LAYERS.index(layer))

    def sizes(self) -> Markup:
        """Here n is 3 and d is 5."""
        return Markup("Here <i>n</i> is {}, the number of tokens, and <i>d</i> is {}, the width of "
                      "an embedding.").format(size("n_q", self.n), size("d_model", self.d))

    def operations(self) -> Markup:
        """Whether self-attention or a recurrent layer takes fewer operations here."""
        pairs, steps = (self._of(key, "operations") for key in ("self-attention", "recurrent"))
        told = {
            -1: "<i>n</i> is less than <i>d</i>, so the term of self-attention is below that of a "
                "recurrent layer or linear attention",
            0: "<i>n</i> is equal to <i>d</i>, so the term of self-attention is equal to that of a "
               "recurrent layer or linear attention",
            1: "<i>n</i> is more than <i>d</i>, so the term of self-attention is above that of a "
               "recurrent layer or linear attention",
        }[_order(self.n, self.d)]
        return Markup("Here {}: {} against {}.").format(Markup(told), pairs, steps)

    def memory(self) -> Markup:
        """Whether self-attention or a recurrent layer keeps fewer numbers here."""
        pairs, steps = (self._of(key, "memory") for key in ("self-attention", "recurrent"))
        told = {-1: "fewer numbers than", 0: "as many numbers as", 1: "more numbers than"}
        return Markup("Here self-attention keeps {} a recurrent layer: {} against {}.").format(
            Markup(told[_order(self.n, self.d)]), pairs, steps)

    def equally_many(self) -> Markup:
        """How many tokens would make both take equally many operations."""
        both = Product(d=3).value(self.n, self.d)
        first = Markup("With <i>d</i> = {}, that is {} token{}; both terms are then {}."
                       ).format(
            size("d_model", self.d), size("d_model", self.d), Markup(_s(self.d)),
            _number(both, "even", 0))
        told = {
            -1: "The example has fewer tokens than that, so self-attention is ahead.",
            0: "The example has just as many tokens, so neither is ahead.",
            1: "The example has more tokens than that, so the recurrent layer is ahead.",
        }
        return first + Markup(" ") + Markup(told[_order(self.n, self.d)])

    def multiplications(self) -> Markup:
        """The multiplications of the example's own head."""
        names = {"projections": "to make Q, K and V", "scores": "for all scores",
                 "output": "for all outputs"}
        sizes = {"projections": _times("n", "d<sub>model</sub>",
                                       "(2 <i>d<sub>k</sub></i> + <i>d<sub>v</sub></i>)"),
                 "scores": _times("n<sup>2</sup>", "d<sub>k</sub>"),
                 "output": _times("n<sup>2</sup>", "d<sub>v</sub>")}
        rows = [[text(names[key]), sizes[key], _number(found, "multiplications", i)]
                for i, (key, found) in enumerate(multiplications(self.lesson.derivation).items())]
        return table([text("multiplications"), text("formula"), text("number")], rows,
                     "products", "multiplications of the example")

    def multiplications_compared(self) -> Markup:
        """Whether the projections or the pairs take more multiplications."""
        first, *pairs = multiplications(self.lesson.derivation).values()
        of_pairs = _number(sum(pairs), "pairs", 0)
        told = {-1: "fewer multiplications than", 0: "as many multiplications as",
                1: "more multiplications than"}[_order(first, sum(pairs))]
        return Markup("Here making <i>Q</i>, <i>K</i> and <i>V</i> takes {} all pairs of tokens "
                      "together: {} against {}.").format(
            Markup(told), _number(first, "multiplications", 0), of_pairs)


def formula(cost: Cost) -> Markup:
    """O(n² d), as HTML: it is a bound, no equation about the example."""
    match cost:
        case Logarithm():
            inner = Markup("log<sub><i>k</i></sub> <i>n</i>")
        case Sum(terms):
            inner = Markup(" + ").join(map(_product, terms))
        case Product():
            inner = _product(cost)
    return Markup('<span class="order">O({})</span>').format(inner)


def _product(product: Product) -> Markup:
    powers = {"k": product.k, "n": product.n, "d": product.d}
    parts = [Markup(f"<i>{name}</i>") + _power(power) for name, power in powers.items() if power]
    return Markup(" ").join(parts) or Markup("1")


def _power(power: int) -> Markup:
    return Markup("") if power == 1 else Markup("<sup>{}</sup>").format(power)


def _times(*factors: str) -> Markup:
    return Markup(" ").join(
        Markup(factor if factor.startswith("(") else f"<i>{factor}</i>") for factor in factors)


def _number(value: int, key: str, i: int) -> Markup:
    return scoped("costs", number(Rounded(value, 0, exact=True), key, i, 0))


def _order(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _s(counted: int) -> str:
    return "" if counted == 1 else "s"
