"""A whole step as one equation of matrices, and its formula for any entry (i, j)."""

from collections.abc import Callable

from derivations.decimals import Table
from derivations.formula import Beside, Dot, Exponential, Given, Masked, Ratio, RowSum, Scaled
from derivations.joined import Joined, rational
from derivations.notation import BY_KEY, SIZES
from derivations.render.corner import CORNER, corner
from derivations.render.dialect import LATEX
from derivations.render.exact import SHORT_SUM, exact, exponential
from derivations.render.forms import Decimals, decimal_latex, divisor_name, divisor_value
from derivations.step import Derivation, Step
from derivations.values import ExpSums

LONGEST_FORMULA = 1000
SIZE_LATEX = {size.key: size.latex for size in SIZES}


def general(step: Step, derivation: Derivation) -> str:
    """The formula of entry (i, j), for any i and j; '' where the step is given."""
    name = step.quantity.entry("i", "j")
    match step.formula:
        case Given() | Beside():
            return ""
        case Dot(left, right, transposed, masked, bias):
            bounds = _all_keys(derivation, BY_KEY[left].cols, masked)
            factor = BY_KEY[right].entry(*(("j", "l") if transposed else ("l", "j")))
            added = f" + {BY_KEY[bias].entry('i', 'j')}" if bias else ""
            return f"{name} = {bounds} {BY_KEY[left].entry('i', 'l')} {factor}{added}"
        case Scaled(of):
            return f"{name} = " + LATEX.over(BY_KEY[of].entry("i", "j"), divisor_name(derivation))
        case Masked(of, mask):
            kept, hidden = (f"{BY_KEY[mask].entry('i', 'j')} = {bit}" for bit in (1, 0))
            score = BY_KEY[of].entry("i", "j")
            return f"{name} = " + _cases((score, kept), (r"-\infty", hidden))
        case Exponential(of):
            return f"{name} = e^{{{BY_KEY[of].entry('i', 'j')}}}"
        case RowSum(of):
            bounds = _all_keys(derivation, "n_k", derivation.open is not None)
            return f"{name} = {bounds} {BY_KEY[of].entry('i', 'l')}"
        case Ratio(top, bottom):
            sum_name = BY_KEY[bottom].entry("i", "j")
            return f"{name} = " + _ratio(BY_KEY[top].entry("i", "j"), sum_name, derivation)


def _ratio(top: str, bottom: str, derivation: Derivation) -> str:
    """top / bottom; in cases where a row has no open key, so that bottom is 0."""
    quotient = LATEX.over(top, bottom)
    if not derivation.closed_rows:
        return quotient
    return _cases((quotient, rf"{bottom} \ne 0"), ("0", f"{bottom} = 0"))


def _cases(*cases: tuple[str, str]) -> str:
    """Each value with where it holds."""
    lines = (rf"{value} & \text{{where }} {condition}" for value, condition in cases)
    body = r" \\ ".join(lines)
    return rf"\begin{{cases}} {body} \end{{cases}}"


def equation(
    step: Step, derivation: Derivation, decimals: Decimals, *, most_rows: int = CORNER[0]
) -> str:
    """The step as matrices: its symbol, formula, numbers, exact entries and decimals.

    The numbers are left out where a matrix is larger than the corner shown of it or has more rows
    than `most_rows`, and where a bias is added: its row would be a matrix more, and a page is to
    have twenty at most.
    """
    symbols = _in_symbols(step, derivation)
    head = f"{step.quantity.matrix} = {symbols}" if symbols else step.quantity.matrix
    if not _fits(step, derivation) or step.shape[0] > most_rows:
        return head if symbols else ""
    whole = " ".join((head, *_in_numbers(step, derivation, decimals)))
    return whole if len(whole) <= LONGEST_FORMULA else (head if symbols else "")


def matrix_keys(latex: str, step: Step, derivation: Derivation) -> list[str]:
    """Which step each matrix of an `equation` shows, in order; `keys'` where it is transposed."""
    factors: list[str] = []
    match step.formula:
        case Dot(left, right, transposed):
            factors = [left, right + ("'" if transposed else "")]
        case Scaled(of) if divisor_name(derivation) != "1":
            factors = [of]
    count = latex.count(r"\begin{bmatrix}")
    own = [step.key] * count
    return [*factors, *own[len(factors):]] if count > len(factors) else own


def matrix(shape: tuple[int, int], entry: Callable[[int, int], str]) -> str:
    """A matrix in brackets."""
    rows, cols = shape
    body = r" \\ ".join(" & ".join(entry(i, j) for j in range(cols)) for i in range(rows))
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def exact_matrix(step: Step, derivation: Derivation) -> str:
    """The exact entries; those of the weights over the name of their row's sum."""
    def entry(i: int, j: int) -> str:
        values = step.values
        irrational = rational(values, i, j) is None
        if isinstance(values, ExpSums) and values.normalised and irrational:
            top = exponential(derivation, values.exponents, i, j, LATEX)
            return LATEX.over(top, BY_KEY["normalisers"].entry(i + 1, 1))
        return exact(step, derivation, i, j)

    return matrix(step.shape, entry)


def decimal_matrix(table: Table) -> str:
    """The decimals."""
    shape = (len(table), len(table[0]))
    return matrix(shape, lambda i, j: decimal_latex(table[i][j]))


def _all_keys(derivation: Derivation, size: str, masked: bool) -> str:
    if masked and derivation.open is not None:
        return rf"\sum_{{l : {BY_KEY['mask'].entry('i', 'l')} = 1}}"
    return rf"\sum_{{l=1}}^{{{SIZE_LATEX[size]}}}"


def _in_symbols(step: Step, derivation: Derivation) -> str:
    match step.formula:
        case Beside(parts):
            names = [BY_KEY[key].matrix for key, _ in parts]
            if len(names) > SHORT_SUM:
                names = [*names[:3], r"\ldots", names[-1]]
            return rf"\operatorname{{Concat}}({', '.join(names)})"
        case Dot(left, right, transposed, bias=bias):
            top = r"^{\top}" if transposed else ""
            added = f" + {BY_KEY[bias].matrix}" if bias else ""
            return f"{BY_KEY[left].matrix} {BY_KEY[right].matrix}{top}{added}"
        case Scaled(of) if divisor_name(derivation) == "1":
            return BY_KEY[of].matrix
        case Scaled(of):
            return f"{LATEX.over('1', divisor_name(derivation))} {BY_KEY[of].matrix}"
        case Exponential(of):
            return rf"\exp({BY_KEY[of].matrix})"
        case Ratio():
            of = "scaled_scores" if derivation.open is None else "masked_scores"
            return rf"\operatorname{{softmax}}({BY_KEY[of].matrix})"
        case Given() | Masked() | RowSum():
            return ""


def _in_numbers(step: Step, derivation: Derivation, decimals: Decimals) -> list[str]:
    shown = decimals[step.key]
    rounded = f"{_relation(shown)} {decimal_matrix(shown)}"
    if isinstance(step.values, Joined):  # its exact entries would be too long for a matrix
        return [rounded]
    match step.formula:
        case Given() | Masked():
            parts = []
        case Dot(left, right, masked=True):
            factors = derivation[left], derivation[right]
            return _mean_in_numbers(*factors, derivation, decimals, shown)
        case Dot(left, right, transposed):
            parts = [f"= {exact_matrix(derivation[left], derivation)} "
                     f"{_factor(derivation[right], derivation, transposed)}"]
        case Scaled(of) if divisor_name(derivation) != "1":
            parts = [f"= {LATEX.over('1', divisor_value(derivation))} "
                     f"{exact_matrix(derivation[of], derivation)}"]
        case _:
            parts = []
    parts.append(f"= {exact_matrix(step, derivation)}")
    exact_enough = _relation(shown) == "=" or _is_rational(step)  # a table beside has the decimals
    return parts if exact_enough else [*parts, rounded]


def _mean_in_numbers(
    weights: Step, values: Step, derivation: Derivation, decimals: Decimals, output: Table
) -> list[str]:
    """Weights times values, then the output: nothing exact after something rounded."""
    last = f"{_relation(output)} {decimal_matrix(output)}"
    factor = exact_matrix(values, derivation)
    if _is_rational(weights):
        return [f"= {exact_matrix(weights, derivation)} {factor}", last]
    if _relation(output) == "=":
        return [last]
    return [rf"\approx {decimal_matrix(decimals[weights.key])} {factor}", last]


def _is_rational(step: Step) -> bool:
    return all(rational(step.values, i, j) is not None for i, j in step.places)


def _relation(table: Table) -> str:
    """= where every decimal is the value itself."""
    exact = all(entry is None or entry.exact for row in table for entry in row)
    return "=" if exact else r"\approx"


def _factor(step: Step, derivation: Derivation, transposed: bool) -> str:
    if not transposed:
        return exact_matrix(step, derivation)
    rows, cols = step.shape
    return matrix((cols, rows), lambda i, j: exact(step, derivation, j, i))


def _fits(step: Step, derivation: Derivation) -> bool:
    sizes = [step.shape]
    if isinstance(step.formula, Dot) and step.formula.bias:
        return False
    if isinstance(step.formula, Dot):
        sizes += [derivation[step.formula.left].shape, derivation[step.formula.right].shape]
    return all(corner(size) == size for size in sizes)
