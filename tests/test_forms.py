"""How exact numbers are written: table by table, and rules that hold for any example."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings

from derivations.attention import derive
from derivations.decimals import table
from derivations.faults import ExampleError
from derivations.render.dialect import LATEX, PLAIN, finite_decimal
from derivations.render.exact import exact, joined, row_sum
from derivations.render.forms import decimal, decimal_latex, divisor_name, divisor_value, forms
from derivations.render.mathml import mathml
from derivations.render.matrices import (
    LONGEST_FORMULA,
    decimal_matrix,
    equation,
    exact_matrix,
    general,
    matrix,
)
from derivations.rounded import Rounded
from tests.strategies import built, examples


@dataclass(frozen=True)
class Written:
    """An example, ready to be written."""

    derivation: object
    decimals: dict

    def forms(self, key, i, j):
        return forms(self.derivation, self.decimals, self.derivation[key], i - 1, j - 1)

    def row(self, key, i, j):
        """One entry on one line, rows and columns from 1."""
        return self.forms(key, i, j).row

    def exact(self, key, i, j, dialect=LATEX):
        return exact(self.derivation[key], self.derivation, i - 1, j - 1, dialect)

    def equation(self, key):
        return equation(self.derivation[key], self.derivation, self.decimals)

    def general(self, key):
        return general(self.derivation[key], self.derivation)


def written(example):
    derivation = derive(example)
    decimals = {step.key: table(step.values, example.places) for step in derivation.steps}
    return Written(derivation, decimals)


def identity(n):
    return [[int(i == j) for j in range(n)] for i in range(n)]


def scored(*rows, values=None, **more):
    """The keys of an example whose scores are these; the values are 1, 2, 3, ..."""
    n = len(rows)
    return {"tokens": [f"t{i}" for i in range(n)], "x": identity(n), "w_q": identity(n),
            "w_k": [list(col) for col in zip(*rows, strict=True)],
            "w_v": values or [[i + 1] for i in range(n)], **more}


KEYS = {
    "cats": {
        "tokens": ["I", "love", "cats"],
        "x": [[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 0, 0]],
        "w_q": [[1, 0], [0, 0], [1, 1], [0, 0], [0, 1]],
        "w_k": [[0, 1], [1, 1], [0, 0], [1, 0], [0, 0]],
        "w_v": [[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]],
    },
    "fractions": scored(["1.37", "-1/3"], [0, -2], values=[["1/3"], ["-0.5"]]),
    "eighths": {
        "tokens": ["a", "b"], "x": [[1, 2], [3, -1]], "w_q": [[1] * 8, [0] * 8],
        "w_k": [[1, 0, 1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0]], "w_v": [[1, 0], [2, 1]],
        "mask": "causal",
    },
    "square": {"tokens": ["a", "b", "c"], "x": [[1], [1], [1]], "w_q": [[1, 1, 1, 1]],
               "w_k": [[1, 1, 1, 0]], "w_v": [["1/3"]]},
    "closed": scored([2, "1/3"], ["-1/2", 0], values=[[1], ["1234567.123"]], scale="none",
                     mask=[[1, 1], [0, 0]]),
    "thirds": scored([2, "1/3"], ["-1/2", 0], values=[[1], ["-2/3"]], scale="2/3"),
    "eight": scored(*[list(range(8))] * 8, scale="none"),
    "eleven": scored(*[[(i * j) % 5 - 2 for j in range(11)] for i in range(11)], scale="none",
                     values=[[i] for i in range(11)]),
    "large": scored([800, 799], [-7, -200], scale="none", values=[[10**10], ["0.5"]]),
    "hidden tie": scored([1, 1, 2], [1, 2, 1], [0, 0, 0], scale="none",
                         values=[[0], ["0.0001"], ["0.00005"]]),
    "opposite": scored([1, 2, 3], [0, 0, 1], [0, 1, 0], scale="none",
                       values=[[-1], [1], ["-5/7"]]),
}


@cache
def case(name):
    return written(built(KEYS[name]))


# Whole entries: the symbols, the numbers, the exact value and the decimal, with their relations.

ROWS = [
    ("cats", "embeddings", 1, 5, r"x_{1,5} = 1"),
    ("cats", "w_q", 5, 2, r"w^{Q}_{5,2} = 1"),
    ("cats", "keys", 2, 1,
     r"k_{2,1} = x_{2,1} w^{K}_{1,1} + x_{2,2} w^{K}_{2,1} + x_{2,3} w^{K}_{3,1}"
     r" + x_{2,4} w^{K}_{4,1} + x_{2,5} w^{K}_{5,1}"
     r" = 0 \cdot 0 + 1 \cdot 1 + 0 \cdot 0 + 1 \cdot 1 + 1 \cdot 0 = 2"),
    ("cats", "scores", 2, 3,
     r"s_{2,3} = q_{2,1} k_{3,1} + q_{2,2} k_{3,2} = 0 \cdot 1 + 1 \cdot 2 = 2"),
    ("cats", "scaled_scores", 2, 3,
     r"t_{2,3} = \frac{s_{2,3}}{\sqrt{d_k}} = \frac{2}{\sqrt{2}} = \sqrt{2} \approx 1.4142"),
    ("cats", "scaled_scores", 2, 1,
     r"t_{2,1} = \frac{s_{2,1}}{\sqrt{d_k}} = \frac{0}{\sqrt{2}} = 0"),
    ("cats", "exponentials", 1, 3, r"u_{1,3} = e^{t_{1,3}} = e^{5/\sqrt{2}} \approx 34.3133"),
    ("cats", "exponentials", 2, 1, r"u_{2,1} = e^{t_{2,1}} = e^{0/\sqrt{2}} = 1"),
    ("cats", "normalisers", 2, 1,
     r"Z_{2} = u_{2,1} + u_{2,2} + u_{2,3} = 1 + e^{1/\sqrt{2}} + e^{2/\sqrt{2}} \approx 7.1414"),
    ("cats", "weights", 2, 3,
     r"a_{2,3} = \frac{u_{2,3}}{Z_{2}}"
     r" = \frac{e^{2/\sqrt{2}}}{1 + e^{1/\sqrt{2}} + e^{2/\sqrt{2}}}"
     r" \approx \frac{4.1133}{7.1414} \approx 0.5760"),
    ("cats", "output", 2, 1,
     r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1}"
     r" = \frac{e^{1/\sqrt{2}} + 2 e^{2/\sqrt{2}}}{1 + e^{1/\sqrt{2}} + e^{2/\sqrt{2}}}"
     r" \approx 0.1400 \cdot 0 + 0.2840 \cdot 1 + 0.5760 \cdot 2 \approx 1.4359"),
    # negatives and fractions in products, finite decimals and fractions in exponents
    ("fractions", "keys", 1, 2,
     r"k_{1,2} = x_{1,1} w^{K}_{1,2} + x_{1,2} w^{K}_{2,2}"
     r" = 1 \cdot 0 + 0 \cdot (-2) = 0"),
    ("fractions", "scores", 1, 2,
     r"s_{1,2} = q_{1,1} k_{2,1} + q_{1,2} k_{2,2} = 1 \cdot \left(-\frac{1}{3}\right)"
     r" + 0 \cdot (-2) = -\frac{1}{3} \approx -0.3333"),
    ("fractions", "scaled_scores", 1, 1,
     r"t_{1,1} = \frac{s_{1,1}}{\sqrt{d_k}} = \frac{1.37}{\sqrt{2}}"
     r" = \frac{137 \sqrt{2}}{200} \approx 0.9687"),
    ("fractions", "scaled_scores", 1, 2,
     r"t_{1,2} = \frac{s_{1,2}}{\sqrt{d_k}} = \frac{-\frac{1}{3}}{\sqrt{2}}"
     r" = - \frac{\sqrt{2}}{6} \approx -0.2357"),
    ("fractions", "exponentials", 1, 1,
     r"u_{1,1} = e^{t_{1,1}} = e^{1.37/\sqrt{2}} \approx 2.6346"),
    ("fractions", "exponentials", 1, 2,
     r"u_{1,2} = e^{t_{1,2}} = e^{-1/(3\sqrt{2})} \approx 0.7900"),
    ("fractions", "exponentials", 2, 2,
     r"u_{2,2} = e^{t_{2,2}} = e^{-2/\sqrt{2}} \approx 0.2431"),
    ("fractions", "weights", 2, 1,
     r"a_{2,1} = \frac{u_{2,1}}{Z_{2}} = \frac{1}{1 + e^{-2/\sqrt{2}}}"
     r" \approx \frac{1}{1.2431} \approx 0.8044"),
    ("fractions", "output", 1, 1,
     r"o_{1,1} = a_{1,1} v_{1,1} + a_{1,2} v_{2,1} = \frac{\frac{1}{3} e^{1.37/\sqrt{2}}"
     r" - 0.5 e^{-1/(3\sqrt{2})}}{e^{1.37/\sqrt{2}} + e^{-1/(3\sqrt{2})}} \approx 0.7693 \cdot"
     r" \left(\frac{1}{3}\right) + 0.2307 \cdot (-0.5) \approx 0.1411"),
    ("fractions", "output", 2, 1,
     r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1}"
     r" = \frac{\frac{1}{3} - 0.5 e^{-2/\sqrt{2}}}{1 + e^{-2/\sqrt{2}}} \approx 0.8044 \cdot"
     r" \left(\frac{1}{3}\right) + 0.1956 \cdot (-0.5) \approx 0.1704"),
    # the root of d_k is kept
    ("eighths", "scaled_scores", 1, 1,
     r"t_{1,1} = \frac{s_{1,1}}{\sqrt{d_k}} = \frac{5}{\sqrt{8}} = \frac{5 \sqrt{2}}{4}"
     r" \approx 1.7678"),
    ("eighths", "exponentials", 1, 1,
     r"u_{1,1} = e^{t^{M}_{1,1}} = e^{5/\sqrt{8}} \approx 5.8578"),
    ("eighths", "scores", 2, 2,
     r"s_{2,2} = q_{2,1} k_{2,1} + q_{2,2} k_{2,2} + q_{2,3} k_{2,3} + q_{2,4} k_{2,4}"
     r" + q_{2,5} k_{2,5} + q_{2,6} k_{2,6} + q_{2,7} k_{2,7} + q_{2,8} k_{2,8}"
     r" = 3 \cdot 3 + 3 \cdot (-1) + 3 \cdot 3 + 3 \cdot 0 + 3 \cdot 3 + 3 \cdot 0"
     r" + 3 \cdot 0 + 3 \cdot 0 = 24"),
    # a mask
    ("eighths", "mask", 1, 2, "m_{1,2} = 0"),
    ("eighths", "masked_scores", 1, 2, r"t^{M}_{1,2} = -\infty"),
    ("eighths", "masked_scores", 2, 1,
     r"t^{M}_{2,1} = t_{2,1} = \frac{15 \sqrt{2}}{4} \approx 5.3033"),
    ("eighths", "exponentials", 1, 2, r"u_{1,2} = e^{t^{M}_{1,2}} = e^{-\infty} = 0"),
    ("eighths", "normalisers", 1, 1, r"Z_{1} = u_{1,1} = e^{5/\sqrt{8}} \approx 5.8578"),
    ("eighths", "weights", 1, 1,
     r"a_{1,1} = \frac{u_{1,1}}{Z_{1}} = 1 \approx \frac{5.8578}{5.8578}"),
    ("eighths", "weights", 1, 2, "a_{1,2} = 0"),
    ("eighths", "output", 1, 1, r"o_{1,1} = a_{1,1} v_{1,1} = 1 \cdot 5 = 5"),
    ("eighths", "output", 2, 2,
     r"o_{2,2} = a_{2,1} v_{1,2} + a_{2,2} v_{2,2} = \frac{2 e^{15/\sqrt{8}} - e^{24/\sqrt{8}}}"
     r"{e^{15/\sqrt{8}} + e^{24/\sqrt{8}}} \approx 0.0398 \cdot 2 + 0.9602 \cdot (-1)"
     r" \approx -0.8805"),
    ("closed", "normalisers", 2, 1, "Z_{2} = 0"),
    ("closed", "weights", 2, 1, "a_{2,1} = 0"),
    ("closed", "output", 2, 1, "o_{2,1} = 0"),
    ("closed", "exponentials", 2, 1, r"u_{2,1} = e^{t^{M}_{2,1}} = e^{-\infty} = 0"),
    # other scales
    ("closed", "scaled_scores", 1, 2,
     r"t_{1,2} = \frac{s_{1,2}}{1} = \frac{\frac{1}{3}}{1} = \frac{1}{3} \approx 0.3333"),
    ("closed", "exponentials", 1, 1, r"u_{1,1} = e^{t^{M}_{1,1}} = e^{2} \approx 7.3891"),
    ("closed", "exponentials", 1, 2, r"u_{1,2} = e^{t^{M}_{1,2}} = e^{1/3} \approx 1.3956"),
    ("closed", "output", 1, 1,
     r"o_{1,1} = a_{1,1} v_{1,1} + a_{1,2} v_{2,1}"
     r" = \frac{e^{2} + 1234567.123 e^{1/3}}{e^{2} + e^{1/3}}"
     r" \approx 0.8411 \cdot 1 + 0.1589 \cdot 1234567.123 \approx 196135.4149"),
    ("thirds", "scaled_scores", 2, 1,
     r"t_{2,1} = \frac{s_{2,1}}{\frac{2}{3}} = \frac{-0.5}{\frac{2}{3}} = -0.75"),
    ("thirds", "exponentials", 2, 1, r"u_{2,1} = e^{t_{2,1}} = e^{-0.75} \approx 0.4724"),
    ("thirds", "exponentials", 2, 2, r"u_{2,2} = e^{t_{2,2}} = e^{0} = 1"),
    ("thirds", "output", 2, 1,
     r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1}"
     r" = \frac{e^{-0.75} - \frac{2}{3}}{e^{-0.75} + 1}"
     r" \approx 0.3208 \cdot 1 + 0.6792 \cdot \left(-\frac{2}{3}\right) \approx -0.1320"),
    # rational weights
    ("square", "scaled_scores", 1, 1,
     r"t_{1,1} = \frac{s_{1,1}}{\sqrt{d_k}} = \frac{3}{\sqrt{4}} = 1.5"),
    ("square", "exponentials", 1, 1, r"u_{1,1} = e^{t_{1,1}} = e^{3/\sqrt{4}} \approx 4.4817"),
    ("square", "weights", 1, 2,
     r"a_{1,2} = \frac{u_{1,2}}{Z_{1}} = \frac{1}{3} \approx \frac{4.4817}{13.4451}"
     r" \approx 0.3333"),
    ("square", "output", 1, 1,
     r"o_{1,1} = a_{1,1} v_{1,1} + a_{1,2} v_{2,1} + a_{1,3} v_{3,1}"
     r" = \left(\frac{1}{3}\right) \cdot \left(\frac{1}{3}\right)"
     r" + \left(\frac{1}{3}\right) \cdot \left(\frac{1}{3}\right)"
     r" + \left(\frac{1}{3}\right) \cdot \left(\frac{1}{3}\right) = \frac{1}{3} \approx 0.3333"),
    ("hidden tie", "output", 1, 1,
     r"o_{1,1} = a_{1,1} v_{1,1} + a_{1,2} v_{2,1} + a_{1,3} v_{3,1} = 0.00005 \approx"
     r" 0.2119 \cdot 0 + 0.2119 \cdot 0.0001 + 0.5761 \cdot 0.00005 \approx 0.0000"),
    # long sums
    ("eight", "normalisers", 1, 1,
     r"Z_{1} = u_{1,1} + u_{1,2} + u_{1,3} + u_{1,4} + u_{1,5} + u_{1,6} + u_{1,7} + u_{1,8}"
     r" = 1 + e + e^{2} + e^{3} + e^{4} + e^{5} + e^{6} + e^{7} \approx 1734.2661"),
    ("eleven", "scores", 2, 11,
     r"s_{2,11} = q_{2,1} k_{11,1} + q_{2,2} k_{11,2} + q_{2,3} k_{11,3} + \cdots"
     r" + q_{2,11} k_{11,11} = 0 \cdot (-2) + 1 \cdot (-2) + 0 \cdot (-2) + \cdots"
     r" + 0 \cdot (-2) = -2"),
    ("eleven", "embeddings", 1, 11, "x_{1,11} = 0"),
    ("eleven", "values", 11, 1,
     r"v_{11,1} = x_{11,1} w^{V}_{1,1} + x_{11,2} w^{V}_{2,1} + x_{11,3} w^{V}_{3,1} + \cdots"
     r" + x_{11,11} w^{V}_{11,1} = 0 \cdot 0 + 0 \cdot 1 + 0 \cdot 2 + \cdots + 1 \cdot 10 = 10"),
    ("eleven", "normalisers", 2, 1,
     r"Z_{2} = u_{2,1} + u_{2,2} + u_{2,3} + \cdots + u_{2,11}"
     r" = e^{-2} + e^{-1} + 1 + \cdots + e^{-2} \approx 23.3564"),
    ("eleven", "weights", 2, 11,
     r"a_{2,11} = \frac{u_{2,11}}{Z_{2}} = \frac{e^{-2}}{Z_{2}}"
     r" \approx \frac{0.1353}{23.3564} \approx 0.0058"),
    ("eleven", "weights", 1, 1,
     r"a_{1,1} = \frac{u_{1,1}}{Z_{1}} = \frac{1}{11} \approx \frac{0.1353}{1.4887}"
     r" \approx 0.0909"),
    ("eleven", "output", 2, 1,
     r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1} + \cdots + a_{2,11} v_{11,1}"
     r" \approx 0.0058 \cdot 0"
     r" + 0.0158 \cdot 1 + 0.0428 \cdot 2 + \cdots + 0.0058 \cdot 10 \approx 5.9754"),
    # powers of ten
    ("large", "exponentials", 1, 1,
     r"u_{1,1} = e^{t_{1,1}} = e^{800} \approx 2.7264 \cdot 10^{347}"),
    ("large", "exponentials", 2, 2,
     r"u_{2,2} = e^{t_{2,2}} = e^{-200} \approx 1.3839 \cdot 10^{-87}"),
    ("large", "weights", 1, 1,
     r"a_{1,1} = \frac{u_{1,1}}{Z_{1}} = \frac{e^{800}}{e^{800} + e^{799}} \approx"
     r" \frac{2.7264 \cdot 10^{347}}{3.7294 \cdot 10^{347}} \approx 0.7311"),
    ("large", "values", 1, 1,
     r"v_{1,1} = x_{1,1} w^{V}_{1,1} + x_{1,2} w^{V}_{2,1}"
     r" = 1 \cdot 10000000000 + 0 \cdot 0.5 = 10000000000"),
    ("large", "output", 1, 1,
     r"o_{1,1} = a_{1,1} v_{1,1} + a_{1,2} v_{2,1}"
     r" = \frac{10000000000 e^{800} + 0.5 e^{799}}{e^{800} + e^{799}}"
     r" \approx 0.7311 \cdot 10000000000 + 0.2689 \cdot 0.5 \approx 7.3106 \cdot 10^{9}"),
    # signs
    ("opposite", "output", 1, 1,
     r"o_{1,1} = a_{1,1} v_{1,1} + a_{1,2} v_{2,1} + a_{1,3} v_{3,1}"
     r" = \frac{-e + e^{2} - \frac{5}{7} e^{3}}{e + e^{2} + e^{3}}"
     r" \approx 0.0900 \cdot (-1) + 0.2447 \cdot 1 + 0.6652 \cdot \left(-\frac{5}{7}\right)"
     r" \approx -0.3205"),
    ("opposite", "output", 2, 1,
     r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1}"
     r" = \frac{-1 + 1 - \frac{5}{7} e}{1 + 1 + e}"
     r" \approx 0.2119 \cdot (-1) + 0.2119 \cdot 1 + 0.5761 \cdot \left(-\frac{5}{7}\right)"
     r" \approx -0.4115"),
]


@pytest.mark.parametrize(("name", "key", "i", "j", "row"), ROWS)
def test_rows(name, key, i, j, row):
    assert case(name).row(key, i, j) == row


def test_a_row_and_its_aligned_form_say_the_same():
    four = case("cats").forms("scaled_scores", 2, 3)
    assert four.name == "t_{2,3}"
    assert four.symbols == r"\frac{s_{2,3}}{\sqrt{d_k}}"
    assert four.numbers == r"= \frac{2}{\sqrt{2}}"
    assert four.exact == r"= \sqrt{2}"
    assert four.decimal == r"\approx 1.4142"
    assert four.chain == (rf"= {four.symbols}", four.numbers, four.exact, four.decimal)
    assert four.aligned == (
        r"\begin{aligned} t_{2,3} &= \frac{s_{2,3}}{\sqrt{d_k}} \\ &= \frac{2}{\sqrt{2}}"
        r" \\ &= \sqrt{2} \\ &\approx 1.4142 \end{aligned}")


def test_rounded_numbers_come_after_the_exact_value():
    """So that each relation holds between its two sides."""
    four = case("cats").forms("weights", 2, 3)
    assert four.rounded_numbers
    assert [form.partition(" ")[0] for form in four.chain] == ["=", "=", r"\approx", r"\approx"]
    assert four.chain.index(four.exact) < four.chain.index(four.numbers)


# Exact values, as LaTeX and as text.

EXACT = [
    ("cats", "scores", 2, 3, "2", "2"),
    ("cats", "scaled_scores", 1, 3, r"\frac{5 \sqrt{2}}{2}", "5*sqrt(2)/2"),
    ("cats", "weights", 3, 2,
     r"\frac{e^{5/\sqrt{2}}}{e^{2/\sqrt{2}} + e^{5/\sqrt{2}} + e^{4/\sqrt{2}}}",
     "(exp(5/sqrt(2)))/(exp(2/sqrt(2)) + exp(5/sqrt(2)) + exp(4/sqrt(2)))"),
    ("fractions", "exponentials", 1, 1, r"e^{1.37/\sqrt{2}}", "exp(137/(100*sqrt(2)))"),
    ("fractions", "exponentials", 1, 2, r"e^{-1/(3\sqrt{2})}", "exp(-1/(3*sqrt(2)))"),
    ("fractions", "scores", 1, 2, r"-\frac{1}{3}", "-1/3"),
    ("fractions", "output", 2, 1,
     r"\frac{\frac{1}{3} - 0.5 e^{-2/\sqrt{2}}}{1 + e^{-2/\sqrt{2}}}",
     "(1/3 - 1/2*exp(-2/sqrt(2)))/(1 + exp(-2/sqrt(2)))"),
    ("eighths", "masked_scores", 1, 2, r"-\infty", "-oo"),
    ("eighths", "exponentials", 1, 2, "0", "0"),
    ("eighths", "exponentials", 2, 1, r"e^{15/\sqrt{8}}", "exp(15/sqrt(8))"),
    ("closed", "exponentials", 1, 2, "e^{1/3}", "exp(1/3)"),
    ("square", "weights", 1, 1, r"\frac{1}{3}", "1/3"),
    ("eight", "weights", 2, 1,
     r"\frac{1}{1 + e + e^{2} + e^{3} + e^{4} + e^{5} + e^{6} + e^{7}}",
     "(1)/(1 + exp(1) + exp(2) + exp(3) + exp(4) + exp(5) + exp(6) + exp(7))"),
    ("eleven", "weights", 3, 2, r"\frac{1}{Z_{3}}", "(1)/(Z[3])"),
    ("eleven", "normalisers", 2, 1, r"e^{-2} + e^{-1} + 1 + \cdots + e^{-2}",
     "exp(-2) + exp(-1) + 1 + exp(1) + exp(2) + exp(-2) + exp(-1) + 1 + exp(1) + exp(2)"
     " + exp(-2)"),
]


@pytest.mark.parametrize(("name", "key", "i", "j", "latex", "plain"), EXACT)
def test_exact_values(name, key, i, j, latex, plain):
    assert case(name).exact(key, i, j) == latex
    assert case(name).exact(key, i, j, PLAIN) == plain


NUMBERS = [
    ("0", "0", "0"), ("7", "7", "7"), ("-7", "-7", "-7"), ("1/10", "0.1", "0.1"),
    ("-137/100", "-1.37", "-1.37"), ("1/8", "0.125", "0.125"), ("1/3", r"\frac{1}{3}", "1/3"),
    ("-2/7", r"-\frac{2}{7}", "-2/7"), ("1/1000000000000", "0.000000000001", "0.000000000001"),
    ("1/10000000000000", r"\frac{1}{10000000000000}", "1/10000000000000"),
    ("123456789012345678901/10", "12345678901234567890.1", "12345678901234567890.1"),
]


@pytest.mark.parametrize(("number", "latex", "plain"), NUMBERS)
def test_rational_numbers(number, latex, plain):
    assert LATEX.rational(Fraction(number)) == latex
    assert PLAIN.rational(Fraction(number)) == plain
    finite = finite_decimal(Fraction(number))
    assert finite is None or Fraction(finite) == Fraction(number)


EXPONENTS = [
    ("3", r"3/\sqrt{8}", "3/sqrt(8)"), ("-3", r"-3/\sqrt{8}", "-3/sqrt(8)"),
    ("137/100", r"1.37/\sqrt{8}", "137/(100*sqrt(8))"), ("1/3", r"1/(3\sqrt{8})", "1/(3*sqrt(8))"),
    ("-22/7", r"-22/(7\sqrt{8})", "-22/(7*sqrt(8))"),
]


@pytest.mark.parametrize(("number", "latex", "plain"), EXPONENTS)
def test_quotients_in_a_line(number, latex, plain):
    assert LATEX.quotient_in_line(Fraction(number), r"\sqrt{8}") == latex
    assert PLAIN.quotient_in_line(Fraction(number), "sqrt(8)") == plain


DECIMALS = [
    (None, "5", ""), (Rounded(5, 0, exact=True), "5", ""),
    (Rounded(15000, 4, exact=True), "1.5", ""),
    (Rounded(3333, 4), r"\frac{1}{3}", r"\approx 0.3333"),
    (Rounded(125, 30, 10, exact=True), r"\frac{1}{8}", r"= 0.000000000000000000000000000125"
     r" \cdot 10^{10}"),
    (Rounded(5, 1, exact=True), r"\frac{1}{2}", "= 0.5"),
    (Rounded(27264, 4, 347), "e^{800}", r"\approx 2.7264 \cdot 10^{347}"),
    (Rounded(91188, 4, -4), "e^{-7}", r"\approx 9.1188 \cdot 10^{-4}"),
    (Rounded(0, 4), "0.00001", r"\approx 0.0000"),
]


@pytest.mark.parametrize(("rounded", "value", "expected"), DECIMALS)
def test_decimals(rounded, value, expected):
    assert decimal(rounded, value) == expected


def test_minus_infinity_as_a_decimal():
    assert decimal_latex(None) == r"-\infty"


SUMS = [
    (["a"], "a"), (["-a"], "-a"), (["a", "-b"], "a - b"), (["-a", "-b", "c"], "-a - b + c"),
    ([r"\frac{1}{2}", r"-\frac{1}{3}"], r"\frac{1}{2} - \frac{1}{3}"),
    ([f"t{i}" for i in range(8)], "t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7"),
    ([f"t{i}" for i in range(9)], r"t0 + t1 + t2 + \cdots + t8"),
    ([f"-t{i}" for i in range(9)], r"-t0 - t1 - t2 + \cdots - t8"),
]


@pytest.mark.parametrize(("terms", "expected"), SUMS)
def test_sums(terms, expected):
    assert joined(terms, shorten=True) == expected


def test_sums_in_data_are_not_shortened():
    assert joined([f"t{i}" for i in range(9)], shorten=False).count("+") == 8


@pytest.mark.parametrize(("name", "symbol", "number"), [
    ("cats", r"\sqrt{d_k}", r"\sqrt{2}"), ("eighths", r"\sqrt{d_k}", r"\sqrt{8}"),
    ("square", r"\sqrt{d_k}", r"\sqrt{4}"), ("closed", "1", "1"),
    ("thirds", r"\frac{2}{3}", r"\frac{2}{3}")])
def test_divisors(name, symbol, number):
    derivation = case(name).derivation
    assert (divisor_name(derivation), divisor_value(derivation)) == (symbol, number)


def test_the_sum_of_a_row_keeps_the_order_of_its_keys():
    derivation = case("cats").derivation
    exponents = derivation["weights"].values.exponents
    assert row_sum(derivation, exponents, 2, LATEX) == (
        r"e^{2/\sqrt{2}} + e^{5/\sqrt{2}} + e^{4/\sqrt{2}}")
    assert row_sum(derivation, exponents, 1, PLAIN) == "1 + exp(1/sqrt(2)) + exp(2/sqrt(2))"


# Formulas for any entry.

GENERAL = [
    ("cats", "embeddings", ""),
    ("cats", "queries", r"q_{i,j} = \sum_{l=1}^{d_{\text{model}}} x_{i,l} w^{Q}_{l,j}"),
    ("cats", "values", r"v_{i,j} = \sum_{l=1}^{d_{\text{model}}} x_{i,l} w^{V}_{l,j}"),
    ("cats", "scores", r"s_{i,j} = \sum_{l=1}^{d_k} q_{i,l} k_{j,l}"),
    ("cats", "scaled_scores", r"t_{i,j} = \frac{s_{i,j}}{\sqrt{d_k}}"),
    ("thirds", "scaled_scores", r"t_{i,j} = \frac{s_{i,j}}{\frac{2}{3}}"),
    ("cats", "exponentials", "u_{i,j} = e^{t_{i,j}}"),
    ("cats", "normalisers", r"Z_{i} = \sum_{l=1}^{n_k} u_{i,l}"),
    ("cats", "weights", r"a_{i,j} = \frac{u_{i,j}}{Z_{i}}"),
    ("cats", "output", r"o_{i,j} = \sum_{l=1}^{n_k} a_{i,l} v_{l,j}"),
    ("eighths", "mask", ""),
    ("eighths", "masked_scores",
     r"t^{M}_{i,j} = \begin{cases} t_{i,j} & \text{where } m_{i,j} = 1"
     r" \\ -\infty & \text{where } m_{i,j} = 0 \end{cases}"),
    ("eighths", "exponentials", "u_{i,j} = e^{t^{M}_{i,j}}"),
    ("eighths", "normalisers", r"Z_{i} = \sum_{l : m_{i,l} = 1} u_{i,l}"),
    ("eighths", "weights", r"a_{i,j} = \frac{u_{i,j}}{Z_{i}}"),
    ("eighths", "output", r"o_{i,j} = \sum_{l : m_{i,l} = 1} a_{i,l} v_{l,j}"),
    ("closed", "weights",
     r"a_{i,j} = \begin{cases} \frac{u_{i,j}}{Z_{i}} & \text{where } Z_{i} \ne 0"
     r" \\ 0 & \text{where } Z_{i} = 0 \end{cases}"),
]


@pytest.mark.parametrize(("name", "key", "expected"), GENERAL)
def test_general_formulas(name, key, expected):
    assert case(name).general(key) == expected


# Matrices.

B, E = r"\begin{bmatrix}", r"\end{bmatrix}"
EQUATIONS = [
    ("cats", "keys",
     rf"K = X W^{{K}} = {B} 0 & 0 & 1 & 1 & 1 \\ 0 & 1 & 0 & 1 & 1 \\ 1 & 1 & 1 & 0 & 0 {E}"
     rf" {B} 0 & 1 \\ 1 & 1 \\ 0 & 0 \\ 1 & 0 \\ 0 & 0 {E}"
     rf" = {B} 1 & 0 \\ 2 & 1 \\ 1 & 2 {E}"),
    ("cats", "scores",
     rf"S = Q K^{{\top}} = {B} 1 & 2 \\ 0 & 1 \\ 2 & 1 {E} {B} 1 & 2 & 1 \\ 0 & 1 & 2 {E}"
     rf" = {B} 1 & 4 & 5 \\ 0 & 1 & 2 \\ 2 & 5 & 4 {E}"),
    ("fractions", "scaled_scores",
     rf"T = \frac{{1}}{{\sqrt{{d_k}}}} S = \frac{{1}}{{\sqrt{{2}}}}"
     rf" {B} 1.37 & -\frac{{1}}{{3}} \\ 0 & -2 {E}"
     rf" = {B} \frac{{137 \sqrt{{2}}}}{{200}} & - \frac{{\sqrt{{2}}}}{{6}}"
     rf" \\ 0 & - \sqrt{{2}} {E} \approx {B} 0.9687 & -0.2357 \\ 0 & -1.4142 {E}"),
    ("eighths", "mask", rf"M = {B} 1 & 0 \\ 1 & 1 {E}"),
    ("eighths", "masked_scores",
     rf"T^{{M}} = {B} \frac{{5 \sqrt{{2}}}}{{4}} & -\infty \\ \frac{{15 \sqrt{{2}}}}{{4}} &"
     rf" 6 \sqrt{{2}} {E} \approx {B} 1.7678 & -\infty \\ 5.3033 & 8.4853 {E}"),
    ("eighths", "exponentials",
     rf"U = \exp(T^{{M}}) = {B} e^{{5/\sqrt{{8}}}} & 0 \\ e^{{15/\sqrt{{8}}}} &"
     rf" e^{{24/\sqrt{{8}}}} {E} \approx {B} 5.8578 & 0 \\ 200.9992 & 4842.9600 {E}"),
    ("eighths", "normalisers",
     rf"Z = {B} e^{{5/\sqrt{{8}}}} \\ e^{{15/\sqrt{{8}}}} + e^{{24/\sqrt{{8}}}} {E}"
     rf" \approx {B} 5.8578 \\ 5043.9591 {E}"),
    ("eighths", "weights",
     rf"A = \operatorname{{softmax}}(T^{{M}})"
     rf" = {B} 1 & 0 \\ \frac{{e^{{15/\sqrt{{8}}}}}}{{Z_{{2}}}}"
     rf" & \frac{{e^{{24/\sqrt{{8}}}}}}{{Z_{{2}}}} {E} \approx {B} 1 & 0 \\ 0.0398 & 0.9602 {E}"),
    ("eighths", "output",
     rf"O = A V \approx {B} 1 & 0 \\ 0.0398 & 0.9602 {E} {B} 5 & 2 \\ 1 & -1 {E}"
     rf" \approx {B} 5 & 2 \\ 1.1594 & -0.8805 {E}"),
    ("closed", "scaled_scores",
     rf"T = S = {B} 2 & \frac{{1}}{{3}} \\ -0.5 & 0 {E}"),
    ("thirds", "scaled_scores",
     rf"T = \frac{{1}}{{\frac{{2}}{{3}}}} S = \frac{{1}}{{\frac{{2}}{{3}}}}"
     rf" {B} 2 & \frac{{1}}{{3}} \\ -0.5 & 0 {E} = {B} 3 & 0.5 \\ -0.75 & 0 {E}"),
    ("square", "weights",
     rf"A = \operatorname{{softmax}}(T) = {B} \frac{{1}}{{3}} & \frac{{1}}{{3}} & \frac{{1}}{{3}}"
     rf" \\ \frac{{1}}{{3}} & \frac{{1}}{{3}} & \frac{{1}}{{3}} \\ \frac{{1}}{{3}} &"
     rf" \frac{{1}}{{3}} & \frac{{1}}{{3}} {E}"),
    # larger than the corner that is shown
    ("eleven", "scores", r"S = Q K^{\top}"),
    ("eleven", "weights", r"A = \operatorname{softmax}(T)"),
    ("eleven", "normalisers", ""),
    ("eleven", "embeddings", ""),
]


@pytest.mark.parametrize(("name", "key", "expected"), EQUATIONS)
def test_equations_of_matrices(name, key, expected):
    assert case(name).equation(key) == expected


def test_known_numbers_are_not_called_approximate():
    """One token: its weight is 1 and its output its value, so that nothing was rounded."""
    one = written(built(scored([2], values=[["0.5"]])))
    assert one.equation("output") == rf"O = A V = {B} 1 {E} {B} 0.5 {E} = {B} 0.5 {E}"


def test_a_known_product_of_known_weights_is_rounded_only_at_the_end():
    """Weights of a half and values of a third: only the output is rounded."""
    halves = written(built(scored([0, 0], [0, 0], values=[["1/3"], ["1/3"]])))
    assert halves.equation("output") == (
        rf"O = A V = {B} 0.5 & 0.5 \\ 0.5 & 0.5 {E} {B} \frac{{1}}{{3}} \\ \frac{{1}}{{3}} {E}"
        rf" \approx {B} 0.3333 \\ 0.3333 {E}")


def test_known_weights_are_written_exactly():
    """Three weights of a third, rounded, add up to 0.9999: so they are not rounded here."""
    thirds = written(built(scored([0] * 3, [0] * 3, [0] * 3, values=[[1], [1], [1]])))
    weights = r" \\ ".join([r"\frac{1}{3} & \frac{1}{3} & \frac{1}{3}"] * 3)
    ones = rf"{B} 1 \\ 1 \\ 1 {E}"
    assert thirds.equation("output") == rf"O = A V = {B} {weights} {E} {ones} = {ones}"


def test_a_known_output_of_rounded_weights_stands_alone():
    """A column that does not change comes out as it is, whatever the weights."""
    ones = written(built(scored([0, 1], [0, 1], values=[[1], [1]])))
    assert ones.equation("output") == rf"O = A V = {B} 1 \\ 1 {E}"


@pytest.mark.parametrize("cols", [1, 10, 11, 12, 40])
def test_wide_matrices_are_still_bmatrix(cols):
    body = " & ".join(str(j) for j in range(cols))
    assert matrix((1, cols), lambda i, j: str(j)) == rf"{B} {body} {E}"
    rounded = ((Rounded(1, 0, exact=True),) * cols,)
    assert decimal_matrix(rounded) == rf"{B} {' & '.join('1' * cols)} {E}"


def test_the_weights_are_written_over_the_name_of_their_sum():
    derivation = case("cats").derivation
    written_weights = exact_matrix(derivation["weights"], derivation)
    assert r"\frac{e^{2/\sqrt{2}}}{Z_{2}}" in written_weights
    assert [written_weights.count(f"Z_{{{i}}}") for i in (1, 2, 3)] == [3, 3, 3]
    assert "+" not in written_weights


# Rules that hold for any example.

NEVER = re.compile("|".join((
    r"- -", r"\+ -", r"-\s*-", r"\+\s*\+", r"-0\.0+(?!\d)", r"(?<![\d.])-0(?![\d.])", "nan", "None",
    "Fraction", r"\be\+", r"_\{\d{3,}\}", r"_\d", "array", r"\*", "mpz", r"\(\)")))


def all_forms(page):
    """The four forms of every entry of every step."""
    return [forms(page.derivation, page.decimals, step, i, j)
            for step in page.derivation.steps for i, j in step.places]


def parts(page, entries):
    """Every formula there is, each form of an entry by itself."""
    for step in page.derivation.steps:
        yield from filter(None, (general(step, page.derivation),
                                 equation(step, page.derivation, page.decimals)))
    for four in entries:
        yield from filter(None, (four.name, four.symbols, four.numbers, four.exact, four.decimal))


def assert_well_written(formula):
    assert not (found := NEVER.search(formula)), (found, formula)
    assert formula.count("{") == formula.count("}")
    assert " = " not in formula.partition(r"\approx")[2], "what is rounded stays rounded"
    assert len(formula) <= LONGEST_FORMULA, formula


def assert_chained_well(four):
    relations = [form.partition(" ")[0] for form in four.chain]
    assert four.chain and set(relations) <= {"=", r"\approx"}
    assert relations == sorted(relations), "exact before rounded"
    assert len(set(four.chain)) == len(four.chain), "no form repeats another"


@given(examples())
@settings(max_examples=40, deadline=None)
def test_every_formula_is_well_written_and_goes_from_exact_to_rounded(example):
    page = written(example)
    entries = all_forms(page)
    for formula in set(parts(page, entries)):
        assert_well_written(formula)
    for four in entries:
        assert_chained_well(four)


@given(examples(most=4))
@settings(max_examples=25, deadline=None)
def test_every_formula_can_be_typeset(example):
    page = written(example)
    entries = all_forms(page)
    for formula in parts(page, entries):
        assert mathml(formula, display=True).startswith("<math")
    for four in entries:
        mathml(four.row)
        mathml(four.aligned, display=True)


@pytest.mark.parametrize("name", KEYS)
def test_every_formula_of_the_cases_is_well_written_and_typeset(name):
    page = case(name)
    entries = all_forms(page)
    for formula in set(parts(page, entries)):
        assert_well_written(formula)
        mathml(formula, display=True)
    for four in entries:
        assert_chained_well(four)


def trained(n, width, digits):
    """The keys of an example with numbers as a trained model has them, to so many decimals."""
    random = Random(1706)

    def rows(count, cols):
        return [[f"{random.uniform(-2, 2):.{digits}f}" for _ in range(cols)] for _ in range(count)]

    return {"tokens": [f"t{i}" for i in range(n)], "x": rows(n, width),
            "w_q": rows(width, width), "w_k": rows(width, width), "w_v": rows(width, width)}


@pytest.mark.parametrize("digits", [2, 4, 6, 8, 12])
@pytest.mark.parametrize("n", [6, 8])
def test_formulas_keep_their_budget_whatever_the_numbers(n, digits):
    """1,000 characters a formula, for up to 8 tokens of width 8, in every form by itself."""
    page = written(built(trained(n, 8, digits)))
    entries = [page.forms(step.key, 2, step.shape[1]) for step in page.derivation.steps]
    for formula in parts(page, entries):
        assert len(formula) <= LONGEST_FORMULA
    for four in entries:
        assert_chained_well(four)
        assert four.exact or four.decimal


def test_numbers_of_thousands_of_digits_are_refused_or_written():
    """Fractions without common factors multiply; Python prints no integer of 4300 digits."""
    def rows(start):
        return [[f"1/{10**37 + start + 8 * i + j}" for j in range(8)] for i in range(8)]

    keys = {"tokens": list("abcdefgh"), "x": rows(1), "w_q": rows(101), "w_k": rows(201),
            "w_v": rows(301)}
    try:
        page = written(built(keys))
    except ExampleError:
        return
    for formula in parts(page, all_forms(page)):
        assert len(formula) <= LONGEST_FORMULA
