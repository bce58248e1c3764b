"""The variants of the lesson: each is a derivation whose equations hold, and is what it says."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from mpmath import mpf

from derivations.attention import derive
from derivations.decimals import table
from derivations.example import Example, load
from derivations.lesson import variance
from derivations.lesson.geometry import cosine, length
from derivations.lesson.slopes import slopes
from derivations.pages.lesson.variants import MAKERS
from derivations.second_route import disagreements
from derivations.step import Derivation
from tests import sites
from tests.reader import truth_from_exact
from tests.truths import lesson

PATHS = [sites.LESSON, *(sites.EXAMPLES / name for name in (
    "fractions.toml", "hidden-row.toml", "causal.toml", "one.toml", "ties.json"))]
SHIFTED = {"scaled_scores", "masked_scores", "exponentials", "normalisers"}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", MAKERS)
def test_the_equations_hold(name: str, path: Path) -> None:
    """But those between the steps that the shift changes, which the page does not write."""
    derivation = MAKERS[name](load(path))
    for step in derivation.steps:
        if name != "shifted" or step.key not in SHIFTED - {"normalisers"}:
            assert disagreements(derivation, step, step.places[:12]) == [], step.key


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", MAKERS)
def test_the_values_are_those_of_mpmath(name: str, path: Path) -> None:
    example = load(path)
    with mpmath.workdps(70):
        truth = lesson.variants(example)[name]
        found = truth_from_exact(MAKERS[name](example)).matrices
        for key in truth.keys() & found.keys():
            assert same(found[key], truth[key]), key
        assert {"weights", "output"} <= truth.keys() & found.keys()


def same(a: list[list[mpf]], b: list[list[mpf]]) -> bool:
    return all(mpmath.almosteq(x, y, mpf("1e-50"), mpf("1e-55")) or x == y
               for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True))


def test_a_shift_leaves_the_weights_as_they_are() -> None:
    for path in PATHS:
        example = load(path)
        assert decimals(MAKERS["shifted"], example) == decimals(derive, example)


def decimals(make: Callable[[Example], Derivation], example: Example) -> object:
    derivation = make(example)
    return table(derivation["weights"].values, 20), table(derivation["output"].values, 20)


def test_slopes_are_those_of_the_weights() -> None:
    """Against a difference quotient of softmax, at 60 digits."""
    derivation = derive(load(sites.LESSON))
    truth = truth_from_exact(derivation).matrices["scaled_scores"]
    found, step = table(slopes(derivation), 12), mpf(10) ** -20
    with mpmath.workdps(60):
        for i, row in enumerate(truth):
            for j in range(len(row)):
                moved = [t + step * (l == j) for l, t in enumerate(row)]
                rise = (softmax(moved)[j] - softmax(row)[j]) / step
                shown = found[i][j]
                assert shown is not None
                assert abs(rise - mpf(shown.digits) / 10**12) < mpf("1e-12")


def softmax(row: list[mpf]) -> list[mpf]:
    powers = [mpmath.exp(t) for t in row]
    return [power / mpmath.fsum(powers) for power in powers]


@pytest.mark.parametrize("d_k", [*variance.ENUMERATED, *variance.BINOMIAL])
def test_the_variance_of_a_dot_product_is_its_width(d_k: int) -> None:
    cases = variance.enumerated(d_k) if d_k <= 4 else variance.binomial(d_k)
    assert variance.mean(cases) == 0
    assert variance.variance(cases) == d_k
    assert sum(variance.chances(cases).values()) == 1


@pytest.mark.parametrize("d_k", variance.ENUMERATED)
def test_counting_pairs_and_counting_signs_give_the_same_chances(d_k: int) -> None:
    assert variance.chances(variance.enumerated(d_k)) == variance.chances(variance.binomial(d_k))


def test_cosines() -> None:
    derivation = derive(load(sites.LESSON))
    assert cosine(derivation, 0, 2, 4).text == "1"  # (1, 2) and (1, 2)
    assert cosine(derivation, 1, 0, 4).text == "0"  # (0, 1) and (1, 0)
    assert cosine(derivation, 1, 2, 4).text == "0.8944"  # 2 / root of 5
    assert length(Fraction(5), 6).text == "2.236068"
    assert length(Fraction(0), 4).text == "0"
