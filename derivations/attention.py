"""The equations of one attention head, in order (Vaswani et al. 2017, section 3.2.1, eq. 1).

One token is one row, as in the paper: Q = X W^Q [n, d_model] [d_model, d_k] -> [n, d_k].
"""

from derivations.exact import add_row, multiply_each, multiply_transposed, scale
from derivations.example import Example
from derivations.faults import ExampleError, Fault
from derivations.formula import Dot, Exponential, Formula, Given, Masked, Ratio, RowSum, Scaled
from derivations.notation import BY_KEY
from derivations.step import Axis, Derivation, Divisor, Step
from derivations.values import ExpSums, Mask, Open, Rationals, Rooted, Values

FORMULAS: dict[str, Formula] = {
    "embeddings": Given("x"),
    "context": Given("context_x"),
    "w_q": Given("w_q"),
    "w_k": Given("w_k"),
    "w_v": Given("w_v"),
    "b_q": Given("b_q"),
    "b_k": Given("b_k"),
    "b_v": Given("b_v"),
    "queries": Dot("embeddings", "w_q"),
    "keys": Dot("embeddings", "w_k"),
    "values": Dot("embeddings", "w_v"),
    "scores": Dot("queries", "keys", transposed=True),
    "scaled_scores": Scaled("scores"),
    "mask": Given("mask"),
    "masked_scores": Masked("scaled_scores", "mask"),
    "exponentials": Exponential("scaled_scores"),
    "normalisers": RowSum("exponentials"),
    "weights": Ratio("exponentials", "normalisers"),
    "output": Dot("weights", "values", masked=True),
}
PROJECTED = (("queries", "w_q", "b_q", "q"), ("keys", "w_k", "b_k", "k"),
             ("values", "w_v", "b_v", "v"))
LARGEST_EXPONENT = 5000
MOST_FAULTS = 5


def derive(example: Example) -> Derivation:
    """Every step of one head for an example: exact, in order.

    Raises ExampleError where an exponential would run to thousands of digits.
    """
    values = exact_values(example)
    check_exponents(example, values["scaled_scores"])
    return assembled(example, values, formulas(example), sizes_of(example))


def assembled(
    example: Example, values: dict[str, Values], formulas: dict[str, Formula],
    sizes: dict[str, int],
) -> Derivation:
    """The steps that have these values, in their order; each says by which formula."""
    axes = _axes(example, sizes)
    steps = tuple(_step(key, values[key], formula_of(key, example.mask is not None, formulas),
                        axes, sizes, example.mask) for key in values)
    return Derivation(steps, example.tokens, tuple(sizes.items()), example.divisor, example.mask,
                      example.crosses)


def formulas(example: Example) -> dict[str, Formula]:
    """The formula of every step that an example may have, as it has it."""
    return FORMULAS | {key: _projection(example, key, w, b, given)
                       for key, w, b, given in PROJECTED}


def _projection(example: Example, key: str, w: str, b: str, given: str) -> Formula:
    """How queries, keys or values are made: of what, with a bias or without, or not at all."""
    if example.matrix(given).is_given:
        return Given(given)
    crosses = key != "queries" and example.context_x.is_given
    bias = b if example.matrix(b).is_given else None
    return Dot("context" if crosses else "embeddings", w, bias=bias)


def exact_values(example: Example) -> dict[str, Values]:
    """The exact matrix of every step, by key, in order."""
    mask, given = example.mask, given_matrices(example)
    queries, keys, values = projected(example)
    scores = multiply_transposed(queries, keys)
    scaled = scaled_scores(scores, example.divisor)
    exponents = Rooted(scaled.rationals, scaled.root, mask)
    masked: dict[str, Values] = {}
    if mask is not None:
        masked = {"mask": Mask(mask), "masked_scores": exponents}
    return {
        **given,
        "queries": queries,
        "keys": keys,
        "values": values,
        "scores": scores,
        "scaled_scores": scaled,
        **masked,
        **attended(exponents, values),
    }


def given_matrices(example: Example) -> dict[str, Values]:
    """The matrices that an example gives, by the key of their step, but for Q, K and V."""
    named = {"embeddings": "x", "context": "context_x"}
    keys = ("embeddings", "context", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
    found = {key: example.matrix(named.get(key, key)) for key in keys}
    return {key: matrix for key, matrix in found.items() if matrix.is_given}


def projected(example: Example) -> tuple[Rationals, ...]:
    """Queries [n_q, d_k], keys [n_k, d_k] and values [n_k, d_v]: given, or X W and a bias."""
    if example.q.is_given:
        return example.q, example.k, example.v
    x = example.x
    if example.context_x.is_given:
        products = *multiply_each(x, example.w_q), \
            *multiply_each(example.context_x, example.w_k, example.w_v)
    else:
        products = multiply_each(x, example.w_q, example.w_k, example.w_v)
    biases = example.b_q, example.b_k, example.b_v
    return tuple(add_row(product, bias) if bias.is_given else product
                 for product, bias in zip(products, biases, strict=True))


def attended(exponents: Rooted, values: Rationals) -> dict[str, Values]:
    """Softmax along each row of exponents [n_q, n_k], and the values [n_k, d_v] mixed by it."""
    return {
        "exponentials": ExpSums(exponents, None, normalised=False),
        "normalisers": ExpSums(exponents, ones(exponents.shape[1]), normalised=False),
        "weights": ExpSums(exponents, None, normalised=True),
        "output": ExpSums(exponents, values, normalised=True),
    }


def scaled_scores(scores: Rationals, divisor: Divisor) -> Rooted:
    """The scores over the divisor: [n_q, n_k]."""
    return Rooted(scale(scores, divisor.denominator, divisor.numerator), divisor.root)


def ones(n: int) -> Rationals:
    """A column of ones [n, 1]."""
    return Rationals(((1,),) * n)


def formula_of(key: str, masked: bool, formulas: dict[str, Formula] = FORMULAS) -> Formula:
    """The formula of a step: with a mask, the exponentials are those of the masked scores."""
    if masked and key == "exponentials":
        return Exponential("masked_scores")
    return formulas[key]


def sizes_of(example: Example) -> dict[str, int]:
    """n_q, n_k, d_k, d_v, and the widths of what goes in, where that is given."""
    widths = {"d_model": example.x, "d_context": example.context_x}
    return {
        "n_q": len(example.tokens),
        "n_k": len(example.key_tokens),
        **{name: given.shape[1] for name, given in widths.items() if given.is_given},
        "d_k": example.d_k,
        "d_v": example.d_v,
    }


def _axes(example: Example, sizes: dict[str, int]) -> dict[str, Axis]:
    axes = {name: Axis(name, tuple(str(j + 1) for j in range(size)), tokens=False)
            for name, size in sizes.items()}
    axes["n_q"] = Axis("n_q", example.tokens, tokens=True)
    axes["n_k"] = Axis("n_k", example.key_tokens, tokens=True)
    return axes | {"one": Axis("one", ("1",), tokens=False)}


def _rows(key: str, axes: dict[str, Axis]) -> Axis:
    """The rows of a step: those of W^K and W^V are as many as what they project is wide."""
    if key in ("w_k", "w_v") and "d_context" in axes:
        return axes["d_context"]
    return axes[BY_KEY[key].rows]


def _step(
    key: str, values: Values, formula: Formula, axes: dict[str, Axis], sizes: dict[str, int],
    mask: Open | None,
) -> Step:
    quantity = BY_KEY[key]
    width = sizes[BY_KEY[formula.left].cols if isinstance(formula, Dot) else "n_k"]
    return Step(key, formula, values, _rows(key, axes), axes[quantity.cols], width, mask)


def check_exponents(example: Example, scaled: Values, what: str = "scaled score") -> None:
    """Raises ExampleError where e to the power of one of these would run to thousands of digits."""
    assert isinstance(scaled, Rooted)
    integers, root = scaled.rationals.integers, scaled.root
    limit = (LARGEST_EXPONENT * scaled.rationals.denominator) ** 2 * root
    places = [
        (i, j)
        for i, row in enumerate(integers)
        for j, r in enumerate(row)
        if r * r > limit and (example.mask is None or example.mask[i][j])
    ]
    typed = "q" if example.q.is_given else "x"
    faults = [
        Fault(typed, f"the {what} of token {i + 1} for token {j + 1} is beyond "
              f"{LARGEST_EXPONENT}, too large for an exponential that can be printed; use smaller "
              "numbers or a larger scale")
        for i, j in places[:MOST_FAULTS]
    ]
    if len(places) > MOST_FAULTS:
        faults.append(Fault(typed, f"{len(places) - MOST_FAULTS} more of them are too large"))
    if faults:
        raise ExampleError(example.file, faults)
