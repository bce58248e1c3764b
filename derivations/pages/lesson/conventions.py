"""The same query in three layouts, as markers of the lesson: rows, columns, and nn.Linear."""

from typing import Any

from markupsafe import Markup

from derivations.exact import multiply_transposed
from derivations.pages import sentences
from derivations.pages.worked import Worked
from derivations.render.exact import exact
from derivations.render.forms import divisor_name
from derivations.render.markup import equation, math, size, table, text
from derivations.render.matrices import LONGEST_FORMULA, exact_matrix, matrix
from derivations.step import Derivation

WIDEST = 8
TRANSPOSED = r"(W^{Q})^{\top}"
W = "<i>W<sup>Q</sup></i>"
W_TURNED = f"({W})<sup>⊤</sup>"
SQUARE = "In this example it is square, {}. {}."
TURNED = {
    "symmetric": "Transposed it is the same matrix, so here nothing comes out wrong",
    "alike": "Transposed it is another matrix, but one that happens to give the same queries",
    "other": "Transposed it is another matrix, and the queries come out wrong",
}
ROOT = r"\sqrt{d_k}"
TOO_LARGE = (
    "The matrices of this example are too large to be written here: {} has {} rows and {} columns. "
    "Its data files hold them."
)


def markers(lesson: Worked) -> dict[str, Any]:
    """The markers of the page of conventions; all are about the asker's query."""
    here = _Page(lesson)
    return {
        "query_matrix": here.query_matrix,
        "stored_matrix": here.stored,
        "query_as_row": here.as_row,
        "query_as_column": here.as_column,
        "query_by_linear": here.by_linear,
        "layouts_table": here.layouts,
        "square_or_not": here.square_or_not,
        "scale_of_its_own": lambda: scale_of_its_own(lesson.derivation),
        "divide_by_root": lambda: divide_by_root(lesson.derivation),
        "divisor_here": lambda: divisor_here(lesson.derivation),
    }


def scale_of_its_own(right: Derivation) -> Markup:
    """Says by what an example divides that does not divide by the root of d_k; '' for others."""
    if right.divisor.kind == "sqrt_dk":
        return Markup("")
    if right.divisor.kind == "none":
        return Markup("This example leaves its scores as they are: its scale is 1.")
    return Markup("This example has a scale of its own, {}.").format(math(divisor_name(right)))


def divide_by_root(right: Derivation) -> Markup:
    """By what the scores should be divided: in this example, and usually."""
    if right.divisor.kind == "sqrt_dk":
        return Markup("Divide by {}.").format(math(ROOT))
    return Markup("{} Where the scale is the usual one, divide by {}.").format(
        scale_of_its_own(right), math(ROOT))


def divisor_here(right: Derivation) -> Markup:
    """What follows the usual scale, in an example with another one; '' for others."""
    if right.divisor.kind == "sqrt_dk":
        return Markup("")
    return Markup("; in this example, {}").format(math(divisor_name(right)))


class _Page:
    """The asker's embedding, the query matrix, and the asker's query."""

    def __init__(self, lesson: Worked):
        self.derivation, self.i = lesson.derivation, sentences.asker(lesson)

    def query_matrix(self) -> Markup:
        """W^Q as this site writes it: [d_model, d_k]; a sentence where it is too large."""
        if not self._fits:
            rows, cols = (_size(self.derivation, name) for name in ("d_model", "d_k"))
            return Markup(TOO_LARGE).format(Markup(W), rows, cols)
        return equation(f"W^{{Q}} = {exact_matrix(self.derivation['w_q'], self.derivation)}",
                        "the query matrix", ["w_q"])

    def stored(self) -> Markup:
        """Its transpose, [d_k, d_model], which nn.Linear stores; '' where it is too large."""
        return self._shown(f"{TRANSPOSED} = {turned(self.derivation, 'w_q')}",
                           "the query matrix, transposed")

    def as_row(self) -> Markup:
        """The query as a row: the embedding times W^Q."""
        found, given = self._line("queries"), self._line("embeddings")
        weights = exact_matrix(self.derivation["w_q"], self.derivation)
        return self._shown(
            rf"\begin{{aligned}} {self._name} &= {given} W^{{Q}} \\ &= {given} {weights} \\ "
            rf"&= {found} \end{{aligned}}", "the query as a row",
            ["-", "-", "-", "w_q", "-"])

    def as_column(self) -> Markup:
        """The query as a column: the transpose of W^Q times the embedding."""
        found, given = self._line("queries", column=True), self._line("embeddings", column=True)
        weights = turned(self.derivation, "w_q")
        return self._shown(f"{self._column_name} = {TRANSPOSED} {given} = {weights} {given} "
                           f"= {found}", "the query as a column")

    def by_linear(self) -> Markup:
        """The query as nn.Linear makes it: the embedding times the transpose of what is stored."""
        found, given = self._line("queries"), self._line("embeddings")
        stored = rf"{turned(self.derivation, 'w_q')}^{{\top}}"
        return self._shown(
            rf"\begin{{aligned}} {self._name} &= {given} {stored} \\ &= {found} \end{{aligned}}",
            "the query by nn.Linear")

    def layouts(self) -> Markup:
        """The three layouts side by side: the product, the shapes, and the matrix that is kept."""
        d_model, d_k = (_size(self.derivation, name) for name in ("d_model", "d_k"))
        straight, turned_ = _shape(d_model, d_k), _shape(d_k, d_model)
        row, column = _shape(1, d_model), _shape(d_model, 1)
        rows = [
            [text("rows"), Markup(f"<i>x</i> {W}"),
             _times(row, straight, _shape(1, d_k)), straight],
            [text("columns"), Markup(f"{W_TURNED} <i>x</i>"),
             _times(turned_, column, _shape(d_k, 1)), turned_],
            [text("nn.Linear"), Markup("<i>x</i> <i>A</i><sup>⊤</sup>, with <i>A</i> = ") +
             Markup(W_TURNED), _times(row, straight, _shape(1, d_k)), turned_],
        ]
        header = [text(head) for head in ("layout", "product", "in shapes", "matrix kept")]
        return table(header, rows, "layouts stacks", "three layouts")

    def square_or_not(self) -> Markup:
        """Whether a forgotten transpose would be an error of shapes here."""
        d_model, d_k = (_size(self.derivation, name) for name in ("d_model", "d_k"))
        if self.derivation.size("d_model") == self.derivation.size("d_k"):
            return Markup(SQUARE).format(_shape(d_model, d_k), Markup(TURNED[self._turned]))
        return Markup("In this example it is not square: {} against {}.").format(
            _shape(d_model, d_k), _shape(d_k, d_model))

    @property
    def _turned(self) -> str:
        """What a square query matrix is to its transpose."""
        x, w_q = (self.derivation.rationals(key) for key in ("embeddings", "w_q"))
        if w_q.integers == tuple(zip(*w_q.integers, strict=True)):
            return "symmetric"
        wrong, right = multiply_transposed(x, w_q), self.derivation.rationals("queries")
        rows, cols = right.shape
        alike = all(wrong.entry(i, j) == right.entry(i, j)
                    for i in range(rows) for j in range(cols))
        return "alike" if alike else "other"

    @property
    def _fits(self) -> bool:
        return max(self.derivation["w_q"].shape) <= WIDEST and \
            len(self._longest) <= LONGEST_FORMULA

    @property
    def _longest(self) -> str:
        return self._line("embeddings") * 2 + turned(self.derivation, "w_q") + self._line("queries")

    def _shown(self, latex: str, label: str, of: list[str] | None = None) -> Markup:
        return equation(latex, label, of or []) if self._fits else Markup("")

    @property
    def _name(self) -> str:
        """The query in symbols, as a row."""
        entry = self.derivation["queries"].quantity.entry
        width = self.derivation.size("d_k")
        return matrix((1, width), lambda _, j: entry(self.i + 1, j + 1))

    @property
    def _column_name(self) -> str:
        entry = self.derivation["queries"].quantity.entry
        width = self.derivation.size("d_k")
        return matrix((width, 1), lambda j, _: entry(self.i + 1, j + 1))

    def _line(self, key: str, *, column: bool = False) -> str:
        """The asker's row of a step, as a row or as a column."""
        step, i = self.derivation[key], self.i
        width = step.shape[1]
        if column:
            return matrix((width, 1), lambda j, _: exact(step, self.derivation, i, j))
        return matrix((1, width), lambda _, j: exact(step, self.derivation, i, j))


def turned(derivation: Derivation, key: str) -> str:
    """The exact entries of a step, rows as columns."""
    step = derivation[key]
    rows, cols = step.shape
    return matrix((cols, rows), lambda i, j: exact(step, derivation, j, i))


def _size(derivation: Derivation, name: str) -> Markup:
    return size(name, derivation.size(name))


def _shape(rows: int | Markup, cols: int | Markup) -> Markup:
    return Markup('<span class="shape">{} × {}</span>').format(rows, cols)


def _times(left: Markup, right: Markup, made: Markup) -> Markup:
    return Markup("{} times {} gives {}").format(left, right, made)
