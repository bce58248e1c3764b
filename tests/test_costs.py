"""What each layer costs: counted again one by one, and the sentences for every order of sizes."""

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.attention import derive
from derivations.example import Example, build, load
from derivations.lesson.costs import COSTS, KERNEL, LAYERS, Logarithm, multiplications
from derivations.pages.lesson import comparisons
from derivations.pages.worked import Worked, work_out
from tests import sites
from tests.reader import Truth, read_page, truth_from_exact
from tests.strategies import examples
from tests.truths import comparisons as truth

FILES = sorted([sites.LESSON, *sites.EXAMPLES.iterdir()], key=lambda path: path.stem)


def of(n: int, d: int, d_k: int = 1, d_v: int = 1) -> Worked:
    data = {"tokens": [f"t{i}" for i in range(n)], "x": [[1] * d] * n,
            "w_q": [[1] * d_k] * d, "w_k": [[0] * d_k] * d, "w_v": [[1] * d_v] * d}
    return work_out(build(Path("t.toml"), data))


def plain(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", markup))


# The numbers

@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 5), (3, 5), (4, 4), (7, 2), (9, 3), (10, 3),
                                      (28, 2)])
def test_every_cost_counted_one_by_one(n: int, d: int) -> None:
    matrices, _ = truth.truths(of(n, d).example)["costs"]
    for name in COSTS:
        found = [[layer.cost(name).value(n, d)] for layer in LAYERS]
        assert found == [[int(number) for number in row] for row in matrices[name]], name


@pytest.mark.parametrize(("n", "layers"), [(1, 1), (3, 1), (4, 2), (9, 2), (10, 3), (27, 3),
                                           (28, 4)])
def test_dilated_layers(n: int, layers: int) -> None:
    assert Logarithm().value(n, 1) == layers == truth.layers_that_see(n)


class Counted(int):
    """A number that counts how often it is multiplied."""

    times = 0

    def __mul__(self, other: int) -> "Counted":
        Counted.times += 1
        return Counted(int(self) * int(other))


def counted(rows: int, inner: int, cols: int) -> int:
    """The multiplications of a product of matrices, by multiplying."""
    Counted.times = 0
    left, right = [[Counted(1)] * inner] * rows, [[Counted(1)] * cols] * inner
    for row in left:
        for column in zip(*right, strict=True):
            sum(p * q for p, q in zip(row, column, strict=True))
    return Counted.times


@given(examples(most=5))
def test_multiplications_by_multiplying(example: Example) -> None:
    n, d = example.x.shape
    d_k, d_v = example.w_q.shape[1], example.w_v.shape[1]
    assert multiplications(derive(example)) == {
        "projections": 2 * counted(n, d, d_k) + counted(n, d, d_v),
        "scores": counted(n, d_k, n), "output": counted(n, n, d_v)}


# The formulas say what the numbers are

def evaluated(formula: str, n: int, d: int) -> int:
    """O(k n d²) with numbers for the letters."""
    inner = formula.removeprefix('<span class="order">O(').removesuffix(")</span>")
    powers = re.sub(r"<sup>(\d)</sup>", r"**\1", inner)
    letters = re.sub(r"<i>(\w)</i>", r"\1", powers).replace(" + ", "+").replace(" ", "*")
    return eval(letters, {"k": KERNEL, "n": n, "d": d})


@given(st.integers(1, 40), st.integers(1, 40))
def test_each_formula_has_its_value(n: int, d: int) -> None:
    for layer in LAYERS:
        for name in COSTS:
            cost = layer.cost(name)
            if not isinstance(cost, Logarithm):
                assert evaluated(comparisons.formula(cost), n, d) == cost.value(n, d)


def test_the_table_of_the_paper() -> None:
    """Vaswani et al. (2017), Table 1, without the restricted kind."""
    shown = {layer.key: [plain(comparisons.formula(layer.cost(name)))
                         for name in ("operations", "sequential", "path")] for layer in LAYERS}
    assert shown["self-attention"] == ["O(n2 d)", "O(1)", "O(1)"]
    assert shown["recurrent"] == ["O(n d2)", "O(n)", "O(n)"]
    assert shown["convolution"] == ["O(k n d2)", "O(1)", "O(logk n)"]


# The page

NAMES = ("costs_table", "sizes_compared", "operations_compared", "memory_compared", "equally_many",
         "multiplications_table", "multiplications_compared")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_page_is_read_back(path: Path) -> None:
    example = load(path)
    whole = truth_from_exact(derive(example))
    named = {name: Truth(*found) for name, found in truth.truths(example).items()}
    made = comparisons.markers(work_out(example))
    page = "<p>" + "\n".join(made[name]() for name in NAMES) + "</p>"
    report = read_page(page, Truth(whole.matrices, whole.sizes, variants=named))
    assert report.faults == []
    assert report.counts["refs"] == 4 * len(LAYERS) + 10
    sizes = re.findall(r'data-size="(\w+)">(\d+)<', page)
    assert sizes == [(name, str(whole.sizes[name])) for name, _ in sizes]
    assert len(sizes) == 4


@pytest.mark.parametrize(("n", "d", "operations", "memory", "ahead"), [
    (3, 5, "n is less than d, so the term of self-attention is below that of a recurrent layer or "
           "linear attention: 45 against 75.",
     "fewer numbers than a recurrent layer: 9 against 15.",
     "that is 5 tokens; both terms are then 125. The example has fewer tokens than "
     "that, so self-attention is ahead."),
    (4, 4, "n is equal to d, so the term of self-attention is equal to that of a recurrent layer "
           "or linear attention: 64 against 64.",
     "as many numbers as a recurrent layer: 16 against 16.",
     "that is 4 tokens; both terms are then 64. The example has just as many tokens, "
     "so neither is ahead."),
    (3, 1, "n is more than d, so the term of self-attention is above that of a recurrent layer or "
           "linear attention: 9 against 3.", "more numbers than a recurrent layer: 9 against 3.",
     "that is 1 token; both terms are then 1. The example has more tokens than that, "
     "so the recurrent layer is ahead."),
])
def test_n_against_d(n: int, d: int, operations: str, memory: str, ahead: str) -> None:
    made = comparisons.markers(of(n, d))
    assert plain(made["operations_compared"]()) == f"Here {operations}"
    assert plain(made["memory_compared"]()) == f"Here self-attention keeps {memory}"
    assert plain(made["equally_many"]()) == f"With d = {d}, {ahead}"


@pytest.mark.parametrize(("worked", "told"), [
    (of(3, 5, 2, 2), "more multiplications than all pairs of tokens together: 90 against 36."),
    (of(3, 2, 1, 1), "as many multiplications as all pairs of tokens together: 18 against 18."),
    (of(4, 1, 1, 1), "fewer multiplications than all pairs of tokens together: 12 against 32."),
])
def test_projections_against_pairs(worked: Worked, told: str) -> None:
    made = comparisons.markers(worked)
    assert plain(made["multiplications_compared"]()) == f"Here making Q, K and V takes {told}"
