"""From a loaded example to the strings of all weights and outputs, and to the scores."""

from collections.abc import Iterator

from sympy import Matrix, Rational

from benchmarks import bare
from benchmarks.inputs import Size, random_example
from benchmarks.measure import Row, best
from derivations.attention import exact_values
from derivations.decimals import table
from derivations.exact import multiply_each, multiply_transposed
from derivations.example import Example
from derivations.values import Rationals

SIZES: tuple[Size, ...] = ((3, 5, 2), (16, 64, 64), (64, 256, 64))
LARGEST = SIZES[-1]
PLACES = 6
ROUNDS = 15
MOST_TIMES_BARE = 3
LEAST_TIMES_FASTER = 40
Strings = tuple[list[str], list[str]]


def rows() -> Iterator[Row]:
    """Against the bare script at every size, and against sympy.Matrix at the largest."""
    for size in SIZES:
        yield _against_bare(size)
    yield _against_sympy()


def strings(example: Example) -> Strings:
    """Every weight and every output, as the site prints them."""
    values = exact_values(example)
    weights, outputs = (
        [entry.text for row in table(values[key], PLACES) for entry in row]
        for key in ("weights", "output")
    )
    return weights, outputs


def _against_bare(size: Size) -> Row:
    example = random_example(size)
    given = _bare_inputs(example)
    if strings(example) != bare.strings(given):
        raise AssertionError(f"at {size}, ours and the bare script print different digits")
    ours, baseline = best(lambda: strings(example), lambda: bare.strings(given), ROUNDS)
    at_most = MOST_TIMES_BARE if size == LARGEST else None
    what = f"example to 6 places, all weights and outputs, {_shown(size)}"
    return Row(what, "bare FLINT script", ours, baseline, at_most)


def _bare_inputs(example: Example) -> bare.Inputs:
    matrices = (example.x, example.w_q, example.w_k, example.w_v)
    return bare.Inputs(
        *([list(row) for row in matrix.integers] for matrix in matrices),
        denominators=tuple(matrix.denominator for matrix in matrices),
        d_k=example.w_q.shape[1],
    )


def _against_sympy() -> Row:
    """Both start at matrices held in their own form, and end at one: X, W_Q, W_K to S."""
    example = random_example(LARGEST)
    held = [_matrix(values) for values in (example.x, example.w_q, example.w_k)]
    if _matrix(_scores(example)) != _sympy_scores(*held):
        raise AssertionError("ours and sympy.Matrix give different scores")
    ours, baseline = best(lambda: _scores(example), lambda: _sympy_scores(*held), ROUNDS)
    what = f"queries to scores, exact, {_shown(LARGEST)}"
    return Row(what, "sympy.Matrix", ours, baseline, 1 / LEAST_TIMES_FASTER)


def _scores(example: Example) -> Rationals:
    queries, keys = multiply_each(example.x, example.w_q, example.w_k)
    return multiply_transposed(queries, keys)


def _sympy_scores(x: Matrix, w_q: Matrix, w_k: Matrix) -> Matrix:
    queries, keys = x * w_q, x * w_k
    return queries * keys.T


def _matrix(values: Rationals) -> Matrix:
    of = values.denominator
    return Matrix([[Rational(entry, of) for entry in row] for row in values.integers])


def _shown(size: Size) -> str:
    return "n = {}, d_model = {}, d_k = {}".format(*size)
