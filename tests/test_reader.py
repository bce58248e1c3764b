"""The reader of the pages itself: right formulas pass, and each planted fault is found."""

import time
from dataclasses import replace
from pathlib import Path

import mpmath
import numpy as np
import pytest
from math_core import LatexToMathML

from derivations.attention import derive
from derivations.example import build
from derivations.heads import derive_all
from tests.reader import Report, Truth, read_page, truth_from_exact, truth_from_twin
from tests.reader.errors import UndefinedError
from tests.reader.interval import Interval, power

CATS = {
    "title": "I love cats",
    "tokens": ["I", "love", "cats"],
    "x": [[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 0, 0]],
    "w_q": [[1, 0], [0, 0], [1, 1], [0, 0], [0, 1]],
    "w_k": [[0, 1], [1, 1], [0, 0], [1, 0], [0, 0]],
    "w_v": [[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]],
}
LONG = {
    "tokens": list("abcdefghij"),
    "x": [[i + 1, (i * i) % 5 - 2] for i in range(10)],
    "w_q": [["0.1", 0], [0, 1]],
    "w_k": [[0, "0.3"], [1, 0]],
    "w_v": [[1, -1], [0, "0.5"]],
}


def table(data: dict[str, object], **more: object) -> Truth:
    return truth_from_exact(derive(build(Path("cats.toml"), {**data, **more})))


TRUTH = table(CATS)
CAUSAL = table(CATS, mask="causal")
HOLED = table(CATS, mask=[[1, 1, 1], [0, 0, 0], [1, 0, 1]])
TEN = table(LONG)
PAIR = table({**CATS, "tokens": ["I", "love"], "x": CATS["x"][:2]})


def converter() -> LatexToMathML:
    return LatexToMathML(annotation=True)


def mathml(latex: str) -> str:
    return str(converter().convert_with_local_state(latex, displaystyle=True))


def read(latex: str, truth: Truth = TRUTH) -> Report:
    return read_page(f"<p>{mathml(latex)}</p>", truth)


def row(*cells: str, anchor: str = "scores-r2c3") -> str:
    inner = "".join(f"<td>{mathml(cell)}</td>" for cell in cells)
    head = f'<th><span id="{anchor}">love for cats</span></th>'
    return f'<table class="entries"><tbody><tr>{head}{inner}</tr></tbody></table>'


def entries(*cells: str, anchor: str = "scores-r2c3") -> Report:
    return read_page(row(*cells, anchor=anchor), TRUTH)


RIGHT = [
    r"s_{2,3} = q_{2,1} k_{3,1} + q_{2,2} k_{3,2} = 0 \cdot 1 + 1 \cdot 2 = 2",
    r"q_{1,1} = x_{1,1} w^{Q}_{1,1} + x_{1,2} w^{Q}_{2,1} + x_{1,3} w^{Q}_{3,1} "
    r"+ x_{1,4} w^{Q}_{4,1} + x_{1,5} w^{Q}_{5,1} "
    r"= 0 \cdot 1 + 0 \cdot 0 + 1 \cdot 1 + 1 \cdot 0 + 1 \cdot 0 = 1",
    r"t_{2,3} = \frac{s_{2,3}}{\sqrt{d_k}} = \frac{2}{\sqrt{2}} = \sqrt{2} \approx 1.4142",
    r"t_{2,3} = s_{2,3} / \sqrt{d_k} = 2/\sqrt{2}",
    r"u_{2,3} = e^{t_{2,3}} = e^{2/\sqrt{2}} \approx e^{1.4142} \approx 4.1133",
    r"u_{2,1} = e^{t_{2,1}} = e^{0} = 1",
    r"Z_{2} = u_{2,1} + u_{2,2} + u_{2,3} = 1 + e^{1/\sqrt{2}} + e^{2/\sqrt{2}} "
    r"\approx 1 + 2.0281 + 4.1133 \approx 7.1414",
    r"a_{2,3} = \frac{u_{2,3}}{Z_{2}} = \frac{e^{2/\sqrt{2}}}{1 + e^{1/\sqrt{2}} + e^{2/\sqrt{2}}}"
    r" \approx \frac{4.1133}{7.1414} \approx 0.5760",
    r"a_{2,3} = \frac{e^{2/\sqrt{2}}}{e^{0} + e^{1/\sqrt{2}} + e^{2/\sqrt{2}}} "
    r"\approx \frac{4.1133}{1 + 2.0281 + 4.1133} \approx 0.5760",
    r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1} "
    r"\approx 0.1400 \cdot 0 + 0.2840 \cdot 1 + 0.5760 \cdot 2 \approx 1.4359",
    r"\begin{aligned} a_{2,3} &= \frac{u_{2,3}}{Z_2} \\ "
    r"&= \frac{e^{\sqrt{2}}}{1+e^{1/\sqrt{2}}+e^{\sqrt{2}}} \\ &\approx 0.5760 \end{aligned}",
    r"S = Q K^{\top} = \begin{bmatrix} 1 & 2 \\ 0 & 1 \\ 2 & 1 \end{bmatrix}"
    r"\begin{bmatrix} 1 & 2 & 1 \\ 0 & 1 & 2 \end{bmatrix}"
    r" = \begin{bmatrix} 1 & 4 & 5 \\ 0 & 1 & 2 \\ 2 & 5 & 4 \end{bmatrix}",
    r"K^{\top} = \begin{bmatrix} 1 & 0 \\ 2 & 1 \\ 1 & 2 \end{bmatrix}^{\top}",
    r"T = \frac{1}{\sqrt{d_k}} S = \frac{1}{\sqrt{2}} S = \frac{S}{\sqrt{d_k}} \approx "
    r"\begin{bmatrix} 0.7071 & 2.8284 & 3.5355 \\ 0 & 0.7071 & 1.4142 \\ "
    r"1.4142 & 3.5355 & 2.8284 \end{bmatrix}",
    r"Q = X W^{Q}, \quad K = X W^{K}, \quad V = X W^{V}",
    r"A = \operatorname{softmax}(T) "
    r"= \operatorname{softmax}\left(\frac{1}{\sqrt{d_k}} Q K^{\top}\right)",
    r"U = \exp(T), \quad u_{1,2} = \exp(t_{1,2}) = \exp t_{1,2}",
    r"O = A V \approx \begin{bmatrix} 1.6062 & 0.6823 \\ 1.4359 & 0.7160 \\ "
    r"1.2314 & 0.3800 \end{bmatrix}",
    r"O = A V \approx \begin{bmatrix} 0.0381 & 0.3177 & 0.6443 \\ 0.1400 & 0.2840 & 0.5760 \\ "
    r"0.0743 & 0.6200 & 0.3057 \end{bmatrix} \begin{bmatrix} 0 & 1 \\ 1 & 0 \\ 2 & 1 \end{bmatrix}",
    r"\begin{bmatrix} a_{2,1} & a_{2,2} & a_{2,3} \end{bmatrix} = \frac{1}{Z_2} "
    r"\begin{bmatrix} 1 & e^{1/\sqrt{2}} & e^{2/\sqrt{2}} \end{bmatrix} "
    r"\approx \frac{1}{7.1414} \begin{bmatrix} 1 & 2.0281 & 4.1133 \end{bmatrix} "
    r"\approx \begin{bmatrix} 0.1400 & 0.2840 & 0.5760 \end{bmatrix}",
    r"Z \approx \begin{bmatrix} 53.2603 \\ 7.1414 \\ 55.3454 \end{bmatrix}",
    r"s_{i,j} = \sum_{l=1}^{d_k} q_{i,l} k_{j,l}",
    r"Z_{i} = \sum_{j : m_{i,j} = 1} u_{i,j}",
    r"o_{i,j} = \sum_{l : m_{i,l} = 1} a_{i,l} v_{l,j} = \sum_{l} a_{i,l} v_{l,j}",
    r"t^{M}_{i,j} = \begin{cases} t_{i,j} & \text{where } m_{i,j} = 1 \\ "
    r"-\infty & \text{where } m_{i,j} = 0 \end{cases}",
    r"a_{i,j} = \frac{e^{t_{i,j}}}{\sum_{l=1}^{n_k} e^{t_{i,l}}}",
    r"a_{i,j} = \frac{e^{t_{i,j} - \max_{l} t_{i,l}}}{\sum_{l} e^{t_{i,l} - \max_{r} t_{i,r}}}",
    r"\sum_{j=1}^{n_k} a_{i,j} = 1",
    r"a_{1,1} + a_{1,2} + a_{1,3} = 1",
    r"a_{i,1} + a_{i,2} + \cdots + a_{i,n_k} = 1",
    r"\frac{a_{2,3}}{a_{2,1}} = e^{t_{2,3} - t_{2,1}} = e^{\frac{1}{\sqrt{2}}(2 - 0)}",
    r"s_{2,3} = \begin{bmatrix} 0 & 1 \end{bmatrix} \begin{bmatrix} 1 \\ 2 \end{bmatrix} = 2",
    r"e^{-\infty} = 0",
    r"e^{-1/(3\sqrt{2})} \approx 0.7900 > e^{-1.37/\sqrt{2}}",
    r"d_{\text{model}} = 5 \ne d_k < 3 \le n_q",
    r"(-2) \cdot 3 + (-1)^{2} - (-1) = -4",
    r"Q \in \mathbb{R}^{n_q \times d_k}",
    r"2 \cdot 10^{3} = 2000",
    r"s_{2,3} = 2 \quad \text{because of the last two}",
]


@pytest.mark.parametrize("latex", RIGHT)
def test_right_formula_passes(latex: str) -> None:
    report = read(latex)
    assert report.faults == []
    assert report.counts["formulas"] >= 1 and report.counts["relations"] >= 1


@pytest.mark.parametrize(
    "latex", [r"d_k", r"s_{2,3}", r"K^{\top}", r"=", r"t^{M}_{i,j}", r"Q, K, V"])
def test_mention_is_parsed_and_counted(latex: str) -> None:
    report = read(latex)
    assert report.faults == []
    assert report.counts["mentions"] >= 1 and report.counts["formulas"] == 0


WRONG = {
    "sign flipped": r"s_{2,3} = q_{2,1} k_{3,1} - q_{2,2} k_{3,2}",
    "operand": r"s_{2,3} = q_{2,1} k_{3,1} + q_{2,2} k_{2,2}",
    "transposed": r"s_{2,3} = q_{3,1} k_{2,1} + q_{3,2} k_{2,2}",
    "substituted numbers": r"s_{2,3} = 0 \cdot 1 + 1 \cdot 3",
    "factors of another entry, same sum":
        r"s_{2,3} = q_{2,1} k_{3,1} + q_{2,2} k_{3,2} = 1 \cdot 2 + 0 \cdot 1",
    "value": r"s_{2,3} = 5",
    "last digit": r"a_{2,3} \approx 0.5761",
    "truncated": r"t_{1,3} \approx 3.5355 \quad \text{so}, \quad o_{1,1} \approx 1.6061",
    "equals, not about": r"a_{2,3} = 0.5760",
    "negative": r"t_{2,3} \approx -1.4142",
    "negative zero": r"s_{2,1} = -0",
    "negative zero, rounded": r"t_{2,1} \approx -0.0000",
    "negative zero in a product": r"s_{2,1} = -0 \cdot 3",
    "term of a rounded sum": r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1} "
                             r"\approx 0.1401 \cdot 0 + 0.2840 \cdot 1 + 0.5760 \cdot 2",
    "order of a rounded sum": r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1} "
                              r"\approx 0.2840 \cdot 1 + 0.1400 \cdot 0 + 0.5760 \cdot 2",
    "term left out of a rounded sum":
        r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1} "
        r"\approx 0.2840 \cdot 1 + 0.5760 \cdot 2",
    "factors of a rounded product": r"a_{2,3} v_{3,1} m_{1,1} \approx 0.5760 \cdot 2",
    "rounded sum without symbols": r"a_{2,3} \approx \frac{4.1133}{7.1414}",
    "shape of a rounded sum": r"a_{2,3} = \frac{u_{2,3}}{Z_2} \approx 4.1133 \cdot 0.14003",
    "rounded equality": r"o_{2,1} = a_{2,1} v_{1,1} + a_{2,2} v_{2,1} + a_{2,3} v_{3,1} "
                        r"\approx 0.1400 \cdot 0 + 0.2840 \cdot 1 + 0.5760 \cdot 2 = 1.4360",
    "matrix entry": r"S = \begin{bmatrix} 1 & 4 & 5 \\ 0 & 1 & 2 \\ 2 & 4 & 5 \end{bmatrix}",
    "matrix transposed": r"S = \begin{bmatrix} 1 & 0 & 2 \\ 4 & 1 & 5 \\ 5 & 2 & 4 \end{bmatrix}",
    "matrix decimal": r"Z \approx \begin{bmatrix} 53.2603 \\ 7.1415 \\ 55.3454 \end{bmatrix}",
    "matrix shape": r"S = \begin{bmatrix} 1 & 4 \\ 0 & 1 \end{bmatrix}",
    "product untransposed": r"S = K Q^{\top}",
    "scale": r"T = \frac{1}{\sqrt{d_{\text{model}}}} S",
    "softmax of the scores": r"A = \operatorname{softmax}(S)",
    "index of a sum": r"s_{i,j} = \sum_{l=1}^{d_k} q_{i,l} k_{l,j}",
    "limit of a sum": r"s_{i,j} = \sum_{l=1}^{1} q_{i,l} k_{j,l}",
    "columns add up": r"\sum_{i=1}^{n_q} a_{i,j} = 1",
    "relation": r"d_k > d_{\text{model}}",
    "not unequal": r"d_k \ne d_v",
    "size": r"d_k = 3",
    "space": r"Q \in \mathbb{R}^{d_k \times n_q}",
    "second row of aligned": r"\begin{aligned} s_{2,3} &= 2 \\ &= 3 \end{aligned}",
    "second formula": r"s_{2,3} = 2, \quad s_{3,2} = 2",
    "no such entry": r"s_{2,4} = 2",
    "no such entry mentioned": r"s_{4,2}",
    "cases": r"t^{M}_{i,j} = \begin{cases} s_{i,j} & \text{where } m_{i,j} = 1 \\ "
             r"-\infty & \text{where } m_{i,j} = 0 \end{cases}",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_formula_is_a_fault(name: str) -> None:
    assert len(read(WRONG[name]).faults) == 1


UNREADABLE = [
    r"= 2", r"s_{2,3} =", r"s_{2,3} = y", r"y_{2,3} = 2", r"s_{23} = 2", r"s_{2} = 2",
    r"s_{2,3} = \binom{2}{1}", r"s_{2,3} = \sqrt{4} 3 \cdot \frac{1}{3}", r"s_{2,3} = 1 - -1",
    r"s_{2,3} = 4/2\sqrt{1}", r"s_{2,3} = |2|", r"s_{2,3} = \phantom{1}2", r"K^{T} = Q",
    r"s_{2,3} = 1 + \cdots", r"t_{1,2} \approx \infty", r"s_{2,3} = \frac{0}{0}",
    r"\text{score} = 2", r"s_{2,3} = 2'", r"d_{q} = 2", r"s_{2,3} = 2 \propto 1", r"\sum_{j} 1 = 3",
    r"s_{2,3} = 2 \text{ points}", r"s_{2,3} = \operatorname{f}(2)",
    r"s_{2,3} = 2, \quad s_{2,3} = 3 \text{ points}",
    r"1 + 2 + \cdots + 10 = 55", r"S + Q = S", r"S + 1 = S", r"s_{2,3} = 2_{1}", r"B",
    r"A = e^{T}", r"Q K = S", r"s_{2,3} = [2]", r"s_{2,3} = nan",
]


@pytest.mark.parametrize("latex", UNREADABLE)
def test_what_cannot_be_read_is_a_fault(latex: str) -> None:
    assert read(latex).faults


def test_annotation_and_visible_formula_must_agree() -> None:
    good = mathml(r"s_{2,3} = q_{2,1} k_{3,1} + q_{2,2} k_{3,2} = 2")
    for old, new in (("= 2</annotation>", "= 5</annotation>"),
                     ("k_{3,1}", "k_{3,2}"), ("+ q", "- q"), ("= 2</ann", r"\approx 2</ann")):
        assert old in good
        assert read_page(good.replace(old, new), TRUTH).faults
    same_value = good.replace("= 2</annotation>", r"= \frac{4}{2}</annotation>")
    assert "its LaTeX says" in read_page(same_value, TRUTH).faults[0]


def test_visible_number_is_what_is_read() -> None:
    good = mathml(r"s_{2,3} = 0 \cdot 1 + 1 \cdot 2 = 2")
    bad = good.replace("<mn>2</mn></mrow><annotation", "<mn>3</mn></mrow><annotation")
    assert bad != good and len(read_page(bad, TRUTH).faults) == 2


def test_missing_or_broken_annotation_is_a_fault() -> None:
    good = mathml(r"s_{2,3} = 2")
    assert read_page(good.replace('encoding="application/x-tex"', ""), TRUTH).faults
    assert read_page(good.replace("= 2</annotation>", "= 2%</annotation>"), TRUTH).faults
    assert read_page(good.replace("= 2</annotation>", r"= \foo 2</annotation>"), TRUTH).faults


def test_malformed_mathml_is_a_fault() -> None:
    good = mathml(r"s_{2,3} = \frac{4}{2}")
    for old, new in (("<mn>4</mn>", ""), ("<mn>4</mn>", "<mn>4.</mn>"), ("<mn>4</mn>", "4"),
                     ("<mfrac>", '<mfrac linethickness="0">'), ("<mn>4</mn>", "<mi>4</mi>"),
                     ("<mn>4</mn>", "<merror>4</merror>"), ("<msub>", "<msub><mn>1</mn>"),
                     ("<mo>=", "7<mo>="), ("</mfrac>", "</mfrac>7"), ("<mfrac>", "<mfrac>7"),
                     ("</mfrac>", "</mfrac><mphantom><mn>4</mn></mphantom>")):
        assert old in good
        assert read_page(good.replace(old, new, 1), TRUTH).faults, new


def test_links_inside_a_formula_are_read_through() -> None:
    good = mathml(r"s_{2,3} = 2")
    end = "<mn>2</mn></mrow><annotation"
    for inside, fine in (("2", True), ("3", False)):
        linked = f'<mtext><a href="#scores-r2c3">{inside}</a></mtext></mrow><annotation'
        assert end in good
        assert (read_page(good.replace(end, linked), TRUTH).faults == []) is fine


CELLS = (r"s_{2,3} = q_{2,1} k_{3,1} + q_{2,2} k_{3,2}", r"= 0 \cdot 1 + 1 \cdot 2", "= 2")


def test_cells_of_a_row_share_its_left_side() -> None:
    report = entries(*CELLS)
    assert report.faults == [] and report.counts["formulas"] == 3
    rounded = entries(r"a_{2,3} = \frac{u_{2,3}}{Z_2}", r"\approx \frac{4.1133}{7.1414}",
                      r"\approx 0.5760", anchor="weights-r2c3")
    assert rounded.faults == []
    alone = entries("s_{2,3}", "= 2")
    assert alone.faults == []


@pytest.mark.parametrize("cells", [
    (*CELLS[:2], "= 5"),
    (CELLS[0], r"= 1 \cdot 2 + 0 \cdot 1", CELLS[2]),
    (*CELLS[:2], r"\approx 2.1"),
    (*CELLS[:2], "="),
    CELLS[1:],
    (r"s_{3,2} = q_{3,1} k_{2,1} + q_{3,2} k_{2,2}", r"= 2 \cdot 2 + 1 \cdot 1", "= 5"),
    (r"s_{2,3} + 0 = 2", "= 2"),
])
def test_wrong_cell_is_a_fault(cells: tuple[str, ...]) -> None:
    assert entries(*cells).faults


def test_formula_under_the_name_of_another_entry() -> None:
    other = r"s_{3,2} = q_{3,1} k_{2,1} + q_{3,2} k_{2,2} = 5"
    assert "stands at scores-r2c3" in entries(other).faults[0]
    block = f'<div id="scores-r3c2">{mathml(other)}</div>'
    assert read_page(block, TRUTH).faults == []
    assert "stands at" in read_page(block.replace("-r3c2", "-r2c3"), TRUTH).faults[0]


def test_rounded_sum_takes_its_form_from_its_own_row() -> None:
    one = row(r"a_{2,3} = \frac{u_{2,3}}{Z_2}", anchor="weights-r2c3")
    other = row(r"a_{2,3} = 1 - a_{2,1} - a_{2,2}", r"\approx \frac{4.1133}{7.1414}",
                anchor="weights-r2c3")
    assert len(read_page(one + other, TRUTH).faults) == 1


def ref(text: str, of: str = "weights-r2c3", more: str = "") -> Report:
    return read_page(f'<p data-places="4"><span data-ref="{of}" {more}>{text}</span></p>', TRUTH)


@pytest.mark.parametrize("text, of", [
    ("0.5760", "weights-r2c3"), ("≈ 0.5760", "weights-r2c3"), ("2", "scores-r2c3"),
    ("1.4142", "scaled_scores-r2c3"), ("7.1414", "normalisers-r2c1"), ("7.1414", "normalisers-r2"),
    ("4/2", "scores-r2c3"), ("2", "d_k"), ("7.1414 · 10^0", "normalisers-r2c1"),
    ("5.7598·10<sup>−1</sup>", "weights-r2c3"), ("0", "scores-r2c1"), ("= 2", "scores-r2c3"),
])
def test_right_number_passes(text: str, of: str) -> None:
    report = ref(text, of)
    assert report.faults == [] and report.counts["refs"] == 1


@pytest.mark.parametrize("text, of, more", [
    ("0.5761", "weights-r2c3", ""), ("0.5759", "weights-r2c3", ""), ("0.576", "weights-r2c3", ""),
    ("0.57597", "weights-r2c3", ""), ("0.5760", "weights-r2c3", "data-exact"),
    ("0.5760", "weights-r3c2", ""), ("−0.5760", "weights-r2c3", ""), ("0.5760", "weights-r2c4", ""),
    ("= 0.5760", "weights-r2c3", ""), ("3/2", "scores-r2c3", ""), ("-0", "scores-r2c1", ""),
    ("−0.0000", "scaled_scores-r2c1", ""), ("nan", "weights-r2c3", ""), ("", "weights-r2c3", ""),
    ("0.5760", "wheights-r2c3", ""), ("0.5760", "weights-r2", ""), ("3", "d_k", ""),
    ("0.1400", "weights-r2", ""), ("5.7598·10−1", "weights-r2c3", ""),
    ("2.0001", "scores-r2c3", ""), ("∞", "scores-r2c3", ""), ("5.7597·10^2", "weights-r2c3", ""),
])
def test_wrong_number_is_a_fault(text: str, of: str, more: str) -> None:
    assert len(ref(text, of, more).faults) == 1


def test_number_in_a_picture_and_its_title() -> None:
    svg = ('<svg><a data-ref="scores-r2c3" href="x/#scores-r2c3"><title>love for cats: {}</title>'
           '<text>{}</text></a></svg>')
    for title, text, faults in (("2", "2", 0), ("2", "3", 1), ("3", "2", 1), ("12", "2", 1),
                                ("2, hidden by the mask", "2", 0), ("2, 3", "2", 1)):
        assert len(read_page(svg.format(title, text), TRUTH).faults) == faults, (title, text)


def test_formula_in_a_data_ref_is_its_number() -> None:
    for latex, fine in ((r"\sqrt{2}", True), (r"= \frac{2}{\sqrt{2}}", True), (r"2", False),
                        (r"\frac{1}{2}", False), ("1.4142", True), ("1.4143", False)):
        html = f'<table><tr><td>{mathml("t_{2,3}")}</td><td data-ref="scaled_scores-r2c3">' \
               f"{mathml(latex)}</td></tr></table>"
        assert (read_page(html, TRUTH).faults == []) is fine, latex


def test_data_ref_inside_a_formula() -> None:
    good = mathml(r"S = \begin{bmatrix} 1 & 4 & 5 \\ 0 & 1 & 2 \\ 2 & 5 & 4 \end{bmatrix}")
    for tag, fine in (('<mtd data-ref="scores-r1c2"><mn>4', False),  # one entry, named alone
                      ('<mtd><mn data-ref="scores-r1c2">4', True),
                      ('<mtd><mn data-ref="scores-r1c3">4', False)):
        report = read_page(good.replace("<mtd><mn>4", tag, 1), TRUTH)
        assert report.counts["refs"] == 1 and (report.faults == []) is fine, tag


def matrix(rows: list[list[int]], places: list[list[str]]) -> Report:
    body = "".join(
        "<tr><th>token</th>" + "".join(
            f'<td><span data-ref="scores-r{place}">{n}</span></td>'
            for n, place in zip(numbers, named, strict=True)) + "</tr>"
        for numbers, named in zip(rows, places, strict=True))
    head = "<thead><tr><th></th><th>I</th><th>love</th><th>cats</th></tr></thead>"
    return read_page(f'<table class="matrix">{head}<tbody>{body}</tbody></table>', TRUTH)


S = [[1, 4, 5], [0, 1, 2], [2, 5, 4]]
PLACES = [[f"{i}c{j}" for j in (1, 2, 3)] for i in (1, 2, 3)]


def test_matrix_table_cell_by_cell() -> None:
    report = matrix(S, PLACES)
    assert report.faults == [] and report.counts["cells"] == 9
    corner = matrix([line[:2] for line in S[:2]], [line[:2] for line in PLACES[:2]])
    assert corner.faults == [] and corner.counts["cells"] == 4


def test_wrong_digit_in_a_matrix_table() -> None:
    assert len(matrix([[1, 4, 5], [0, 1, 3], [2, 5, 4]], PLACES).faults) == 1


def test_cell_moved_to_another_column() -> None:
    moved = [[*PLACES[0]], [PLACES[1][0], PLACES[1][2], PLACES[1][1]], [*PLACES[2]]]
    faults = matrix([[1, 4, 5], [0, 2, 1], [2, 5, 4]], moved).faults
    assert len(faults) == 2 and "stands in row 2, column 2" in faults[0]


def test_rows_exchanged() -> None:
    assert len(matrix([S[1], S[0], S[2]], [PLACES[1], PLACES[0], PLACES[2]]).faults) == 6


def test_negative_zero_in_a_cell_without_a_reference() -> None:
    assert read_page("<table><tr><td>-0.0000</td></tr></table>", TRUTH).faults


def test_placeholder_left_on_the_page() -> None:
    assert read_page('<p><span class="m" data-tex="s_{2,3}"></span></p>', TRUTH).faults
    filled = f'<p><span class="m" data-tex="s_{{2,3}}">{mathml("s_{2,3}")}</span></p>'
    assert read_page(filled, TRUTH).faults == []


MASKED = [
    r"t^{M}_{1,2} = -\infty", r"u_{1,2} = e^{t^{M}_{1,2}} = e^{-\infty} = 0", r"m_{1,2} = 0",
    r"Z_{2} = u_{2,1} + u_{2,2} = 1 + e^{1/\sqrt{2}}", r"a_{1,1} = 1",
    r"A = \operatorname{softmax}(T^{M})", r"U = \exp(T^{M})",
    r"T^{M} \approx \begin{bmatrix} 0.7071 & -\infty & -\infty \\ 0 & 0.7071 & -\infty \\ "
    r"1.4142 & 3.5355 & 2.8284 \end{bmatrix}",
    r"\sum_{j : m_{2,j} = 1} 1 = 2", r"\sum_{j \le 2} m_{1,j} = 1",
    r"Z_{i} = \sum_{j=1}^{i} u_{i,j}", r"Z_{i} = \sum_{j \le i} u_{i,j}", *RIGHT[21:25],
]


@pytest.mark.parametrize("latex", MASKED)
def test_causal_mask(latex: str) -> None:
    assert read(latex, CAUSAL).faults == []


def test_minus_infinity_as_a_number() -> None:
    html = '<span data-ref="masked_scores-r1c2">{}</span>'
    assert read_page(html.format("−∞"), CAUSAL).faults == []
    assert read_page(html.format("0"), CAUSAL).faults
    assert read_page(html.format("∞"), CAUSAL).faults


def test_wrong_mask_is_a_fault() -> None:
    for latex in (r"A = \operatorname{softmax}(T)", r"Z_{2} = u_{2,1} + u_{2,2} + e^{t_{2,3}}",
                  r"t^{M}_{1,2} = t_{1,2}", r"u_{i,j} = e^{t_{i,j}}", r"t^{M}_{1,2} = 0"):
        assert read(latex, CAUSAL).faults, latex


def test_row_that_may_attend_to_nothing() -> None:
    general = read(r"a_{i,j} = \frac{u_{i,j}}{Z_{i}}", HOLED)
    assert general.faults == [] and general.counts["undefined"] == 3
    assert read(r"a_{2,1} = 0, \quad A = \operatorname{softmax}(T^{M})", HOLED).faults == []
    assert read(r"a_{2,1} = \frac{u_{2,1}}{Z_{2}} = 0", HOLED).faults
    assert read(r"Z_{3} = u_{3,1} + u_{3,3}", HOLED).faults == []


def terms(shape: str, *places: int) -> str:
    shown = [shape.format(k) for k in places]
    return " + ".join([*shown[:-1], r"\cdots", shown[-1]])


EXPONENTS = [mpmath.nstr(10 * x, 15).rstrip("0").rstrip(".")
             for x in TEN.matrices["scores"][1]]


def exponential(k: int) -> str:
    number = mpmath.mpf(EXPONENTS[k - 1]) / 10
    text = mpmath.nstr(number, 15)
    return rf"e^{{{text.removesuffix('.0')}/\sqrt{{2}}}}"


WEIGHTED = terms("a_{{2,{0}}} v_{{{0},1}}", 1, 2, 3, 10)
SYMBOLS = r"Z_{2} = " + terms("u_{{2,{}}}", 1, 2, 3, 10)
POWERS = " + ".join([exponential(1), exponential(2), exponential(3), r"\cdots", exponential(10)])


def test_long_sum_is_read_whole() -> None:
    assert read(f"{SYMBOLS} = {POWERS}", TEN).faults == []
    assert read(f"Z_{{2}} = {POWERS}", TEN).faults == []
    ratio = rf"\frac{{{exponential(1)}}}{{{POWERS}}}"
    assert read(rf"a_{{2,1}} = \frac{{u_{{2,1}}}}{{Z_{{2}}}} = {ratio}", TEN).faults == []
    assert read(f"o_{{2,1}} = {WEIGHTED}", TEN).faults == []


@pytest.mark.parametrize("latex", [
    "Z_{2} = " + terms("u_{{2,{}}}", 1, 2, 3, 9),
    f"o_{{2,1}} = {WEIGHTED}".replace("v_{3,1}", "v_{3,2}"),
    f"o_{{2,1}} = {WEIGHTED}".replace("v_{2,1}", "v_{3,1}"),
    "Z_{2} = " + terms("u_{{2,{}}}", 1, 2, 4, 10),
    "Z_{2} = " + terms("u_{{3,{}}}", 1, 2, 3, 10),
    "Z_{2} = " + terms("u_{{{},2}}", 1, 2, 3, 10),
    "o_{2,1} = " + terms("a_{{2,{0}}} v_{{{0},2}}", 1, 2, 3, 10),
    f"{SYMBOLS} = " + POWERS.replace(exponential(2), exponential(5)),
    f"Z_{{2}} = {POWERS}".replace(exponential(10), exponential(9)),
    rf"a_{{2,1}} = \frac{{{exponential(1)}}}{{{POWERS}}}",
    f"s_{{2,1}} = {POWERS}",
])
def test_wrong_long_sum_is_a_fault(latex: str) -> None:
    assert len(read(latex, TEN).faults) == 1


def test_long_sum_over_open_keys() -> None:
    keys = [1, 3, 4, 5, 6, 8, 9, 10]
    mask = [[int(k in keys) for k in range(1, 11)]] * 10
    holed = table(LONG, mask=mask)
    assert read("Z_{2} = " + terms("u_{{2,{}}}", 1, 3, 4, 10), holed).faults == []
    assert read("Z_{2} = " + terms("u_{{2,{}}}", 1, 3, 5, 10), holed).faults


def test_intervals_hold_what_they_stand_for() -> None:
    mixed, near = Interval(-1, 2), Interval(3, 4)
    assert mixed * near == Interval(-4, 8) and mixed * -2 == Interval(-4, 2)
    assert 1 / Interval(2, 4) == Interval(0.25, 0.5) and near / 2 == Interval(1.5, 2)
    assert -mixed == Interval(-2, 1) and 1 + mixed == Interval(0, 3)
    assert power(mixed, 2) == Interval(0, 4) and power(mixed, 3) == Interval(-1, 8)
    with pytest.raises(UndefinedError):
        near / mixed


def test_tie_within_the_error_of_float64() -> None:
    table_of_one = Truth({"weights": [[mpmath.mpf(0.12345)]]}, {}, relative=mpmath.mpf("1e-9"))
    for text, fine in (("0.1234", True), ("0.1235", True), ("0.1236", False)):
        html = f'<b data-ref="weights-r1c1">{text}</b>'
        assert (read_page(html, table_of_one).faults == []) is fine


def test_scientific_notation() -> None:
    hot = table({"tokens": ["a", "b"], "x": [[40], [20]], "w_q": [[1]], "w_k": [[1]],
                 "w_v": [[1]]}, scale="none", places=4)
    true = mpmath.exp(800)
    digits = mpmath.nstr(true, 5).split("e")[0]
    worse = f"{float(digits) + 0.0001:.4f}"
    assert read(rf"u_{{1,2}} = e^{{800}} \approx {digits} \cdot 10^{{347}}", hot).faults == []
    assert read(rf"u_{{1,2}} \approx {worse} \cdot 10^{{347}}", hot).faults
    assert read(rf"u_{{1,2}} \approx {digits} \cdot 10^{{346}}", hot).faults
    html = '<b data-ref="exponentials-r1c2">{}·10^{}</b>'
    assert read_page(html.format(digits, 347), hot).faults == []
    assert read_page(html.format(worse, 347), hot).faults


def test_parameters_and_two_keys() -> None:
    logistic = r"a_{1,2} = \frac{1}{1 + e^{-(t_{1,2} - t_{1,1})}}"
    assert read(logistic, PAIR).faults == [] and read(logistic).faults
    shifted = r"a_{i,j} = \frac{e^{t_{i,j} + c}}{e^{t_{i,1} + c} + e^{t_{i,2} + c}}"
    assert read(shifted, PAIR).faults
    assert read(shifted, replace(PAIR, parameters={"c": mpmath.mpf(3)})).faults == []


def test_assumed_formula_is_parsed_and_not_compared() -> None:
    page = f"<p>{mathml('n = 3, d_k = 4')}</p>"
    assert len(read_page(page, TRUTH).faults) == 2
    report = read_page(page, TRUTH, assumed=["n = 3, d_k = 4"])
    assert report.faults == [] and report.counts["assumed"] == 2


def twin() -> Truth:
    given = {key: np.array(CATS[key], dtype=float) for key in ("x", "w_q", "w_k", "w_v")}
    q, k, v = (given["x"] @ given[w] for w in ("w_q", "w_k", "w_v"))
    scaled = q @ k.T / np.sqrt(2)
    powers = np.exp(scaled)
    sums = powers.sum(axis=1)
    weights = powers / sums[:, None]
    found = {"queries": q, "keys": k, "values": v, "scores": q @ k.T, "scaled_scores": scaled,
             "exponentials": powers, "normalisers": sums, "weights": weights, "output": weights @ v}
    return truth_from_twin(found, given)


@pytest.mark.parametrize("latex", RIGHT)
def test_right_formula_passes_in_float64(latex: str) -> None:
    assert read(latex, twin()).faults == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong_formula_is_a_fault_in_float64(name: str) -> None:
    assert read(WRONG[name], twin()).faults


def test_exact_and_float64_tables_agree() -> None:
    exact, floats = TRUTH, twin()
    assert exact.sizes == floats.sizes
    for key, rows in floats.matrices.items():
        for ours, theirs in zip(exact.matrices[key], rows, strict=True):
            assert np.allclose([float(x) for x in ours], [float(x) for x in theirs], rtol=1e-13)


def test_sixty_entries_are_read_in_time() -> None:
    cells = (r"a_{2,3} = \frac{u_{2,3}}{Z_2}", r"\approx \frac{4.1133}{7.1414}",
             r"= \frac{e^{2/\sqrt{2}}}{1 + e^{1/\sqrt{2}} + e^{2/\sqrt{2}}}", r"\approx 0.5760")
    page = row(*cells, anchor="weights-r2c3") * 60
    start = time.process_time()
    report = read_page(page, TRUTH)
    assert report.faults == [] and report.counts["formulas"] == 240
    assert time.process_time() - start < 3


PRODUCT = (r"S = Q K^{\top} = \begin{bmatrix} 1 & 2 \\ 0 & 1 \\ 2 & 1 \end{bmatrix}"
           r"\begin{bmatrix} 1 & 2 & 1 \\ 0 & 1 & 2 \end{bmatrix}"
           r" = \begin{bmatrix} 1 & 4 & 5 \\ 0 & 1 & 2 \\ 2 & 5 & 4 \end{bmatrix}")


def named(latex: str, *steps: str) -> str:
    """A formula whose matrices, one after the other, show these steps (KEY' transposed)."""
    before, *grids = mathml(latex).split("<mtable")
    for step, grid in zip(steps, grids, strict=True):
        inner, end, after = grid.partition("</mtable>")
        lines = []
        for i, line in enumerate(inner.split("<mtr>")):
            first, *cells = line.split("<mtd>")
            for j, cell in enumerate(cells, 1):
                shown, close, rest = cell.partition("</mtd>")
                at = f"r{j}c{i}" if step.endswith("'") else f"r{i}c{j}"
                ref = f"{step.removesuffix(chr(39))}-{at}"
                first += f'<mtd data-ref="{ref}">{shown}{close}{rest}'
            lines.append(first)
        before += "<mtable" + "<mtr>".join(lines) + end + after
    return f"<p>{before}</p>"


def test_linked_matrices_are_read_as_if_they_had_no_named() -> None:
    report = read_page(named(PRODUCT, "queries", "keys'", "scores"), TRUTH)
    plain = read(PRODUCT)
    assert report.faults == plain.faults == []
    assert report.counts["named"] == report.counts["refs"] == 21
    assert report.counts["relations"] == plain.counts["relations"]


@pytest.mark.parametrize("steps", [
    ("queries", "keys", "scores"), ("queries'", "keys'", "scores"),
    ("queries", "keys'", "scores'"), ("keys", "keys'", "scores"),
    ("queries", "queries'", "scores"), ("queries", "keys'", "scaled_scores")])
def test_matrix_that_names_other_entries(steps: tuple[str, str, str]) -> None:
    assert read_page(named(PRODUCT, *steps), TRUTH).faults


def test_names_are_held_against_places_even_where_all_values_are_alike() -> None:
    ones = table({**CATS, "x": [[1] * 5] * 3, "w_q": [[1, 1]] * 5, "w_k": [[1, 1]] * 5})
    latex = r"S = Q K^{\top} = " + r"\begin{bmatrix} 50 & 50 & 50 \\ 50 & 50 & 50 \\ " \
        r"50 & 50 & 50 \end{bmatrix}"
    good = named(latex, "scores")
    assert read_page(good, ones).faults == []
    assert len(read_page(named(latex, "scores'"), ones).faults) == 6
    assert "does not name" in read_page(good.replace("<mi>S</mi>", "<mi>T</mi>"), ones).faults[-1]
    one_moved = good.replace('data-ref="scores-r1c2"', 'data-ref="scores-r1c3"')
    assert any("stands in row 1, column 2" in fault for fault in read_page(one_moved, ones).faults)
    bare = good.replace(' data-ref="scores-r1c2"', "")
    assert len(read_page(bare, ones).faults) == 1
    twice = good.replace("scores-r1c2", "scores-r1c1")
    assert len(read_page(twice, ones).faults) == 1
    other = good.replace("scores-r1c2", "output-r1c2")
    assert any("shows the steps" in fault for fault in read_page(other, ones).faults)


def test_a_mark_names_no_step() -> None:
    latex = r"W^{K} = \begin{bmatrix} 0 & 1 \\ 1 & 1 \\ 0 & 0 \\ 1 & 0 \\ 0 & 0 \end{bmatrix}"
    assert read_page(named(latex, "w_k"), TRUTH).faults == []
    assert any("shows keys, which its formula does not name" in fault
               for fault in read_page(named(latex, "keys"), TRUTH).faults)


def test_named_matrix_in_an_aligned_chain() -> None:
    grid = r"\begin{bmatrix} 1 & 4 & 5 \\ 0 & 1 & 2 \\ 2 & 5 & 4 \end{bmatrix}"
    page = named(rf"S = {grid}", "scores")
    opening, closing = "<mtable><mtr><mtd>", "</mtd></mtr></mtable>"
    inner = page[page.index("<mi>S"):page.index("</mrow><annotation")]
    chain = page.replace(inner, opening + inner + closing)
    assert read_page(chain, TRUTH).counts["named"] == 9
    assert not any("stands in row" in fault for fault in read_page(chain, TRUTH).faults)


def test_transposed_matrix_after_its_own_sign() -> None:
    latex = r"K^{\top} = \begin{bmatrix} 1 & 0 \\ 2 & 1 \\ 1 & 2 \end{bmatrix}^{\top}"
    assert read_page(named(latex, "keys"), TRUTH).faults == []
    assert read_page(named(latex, "keys'"), TRUTH).faults


HEAD = {"w_q": [["0.1"], [1]], "w_k": [[1], [0]], "w_v": [[1], [-1]]}
HEADS = truth_from_exact(derive_all(build(Path("heads.toml"), {
    **{key: LONG[key] for key in ("tokens", "x")},
    "heads": [HEAD | {"w_v": [[n], [1]]} for n in range(1, 10)]})))


@pytest.mark.parametrize(("inside", "holds"), [
    (r"O^{(1)}, O^{(2)}, O^{(3)}, \ldots, O^{(9)}", True),
    (r"O^{(1)}, O^{(2)}, \ldots, O^{(9)}", True),
    (r"O^{(1)}, O^{(2)}, O^{(3)}, \ldots, O^{(8)}", False),
    (r"O^{(1)}, O^{(3)}, \ldots, O^{(9)}", False),
    (r"O^{(2)}, O^{(1)}, O^{(3)}, \ldots, O^{(9)}", False),
    (r"O^{(1)}, \ldots, O^{(9)}", False),
    (r"O^{(1)}, O^{(2)}, O^{(3)}, \ldots, O^{(2)}", False),
    (r"2 O^{(1)}, 2 O^{(2)}, \ldots, 2 O^{(9)}", False),
    (r"O^{(1)}, O^{(2)}, \ldots, Q", False),
    (r"O^{(1)}, O^{(2)}, \ldots, O^{(99999999)}", False),
])
def test_a_long_row_of_matrices_is_read_whole(inside: str, holds: bool) -> None:
    report = read(rf"H = \operatorname{{Concat}}({inside})", HEADS)
    assert (report.faults == []) is holds
