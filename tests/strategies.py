"""Example files as hypothesis draws them: for `build(Path("h.toml"), data)`, and built."""

from fractions import Fraction
from pathlib import Path

from hypothesis import strategies as st

from derivations.example import Example, build

HIGHEST_SCALED = (6, 60, 600)

integers = st.integers(-9, 9)
zeros = st.just(0)
decimals = st.one_of(
    st.sampled_from(["0.1", "-1.37", "0.5", "2.50", "-0.125", "1e-1", "-.75", "+3."]),
    st.integers(-999, 999).map(lambda n: f"{n / 100:.2f}"),
)
fractions = st.tuples(integers, st.integers(1, 12)).map(lambda pair: f"{pair[0]}/{pair[1]}")
large = st.sampled_from(["123456", -98765, "50000.5", "1e5", 123456])
tiny = st.sampled_from(["0.0000001", "-0.0000001", "1/9999991", "-3e-7", "0.00005"])
ordinary = st.one_of(integers, decimals, fractions, zeros)
entries = st.one_of(ordinary, ordinary, ordinary, large, tiny)

FLAVOURS = (integers, st.integers(0, 1), st.one_of(zeros, decimals), fractions, ordinary, entries)
scales = st.one_of(
    st.sampled_from(["sqrt_dk", "none"]),
    st.sampled_from([2, "0.5", "1/3", "10", "2.37", 1]),
)


@st.composite
def matrices(draw, rows, cols):
    """Rows of numbers as an author writes them; often some of the rows are equal."""
    numbers = draw(st.sampled_from(FLAVOURS))
    row = st.lists(numbers, min_size=cols, max_size=cols)
    if draw(st.booleans()):
        return draw(st.lists(row, min_size=rows, max_size=rows))
    pool = draw(st.lists(row, min_size=1, max_size=max(1, rows - 1)))
    return [list(draw(st.sampled_from(pool))) for _ in range(rows)]


@st.composite
def masks(draw, n):
    """none, causal, or zeros and ones; often a row that may attend to nothing."""
    kind = draw(st.sampled_from(["none", "causal", "matrix", "closed row"]))
    if kind in ("none", "causal"):
        return kind
    mask = draw(st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n),
                         min_size=n, max_size=n))
    if kind == "closed row":
        mask[draw(st.integers(0, n - 1))] = [0] * n
    return mask


def sizes(most):
    """n, d_model, d_k, d_v: most often all different, so that a transpose shows."""
    different = st.permutations(range(1, max(most, 4) + 1)).map(lambda order: tuple(order[:4]))
    any_size = st.integers(1, most)
    return st.one_of(different, different, st.tuples(any_size, any_size, any_size, any_size))


@st.composite
def data(draw, most=6):
    """The keys of an example file, with every scaled score at most 600: the limit is 5000.

    Where the scores are too large for the scale drawn, a number to divide by takes its place.
    (Exponentials of some thousands take decimal arithmetic a quarter of a second each.)
    """
    n, d_model, d_k, d_v = draw(sizes(most))
    shapes = {"x": (n, d_model), "w_q": (d_model, d_k), "w_k": (d_model, d_k),
              "w_v": (d_model, d_v)}
    written = {key: draw(matrices(*shape)) for key, shape in shapes.items()}
    keys = {
        "tokens": [f"t{i + 1}" for i in range(n)],
        **written,
        "mask": draw(masks(n)),
        "scale": draw(scales),
        "places": draw(st.sampled_from([4, 4, 4, 1, 2, 3, 7, 12, 30])),
    }
    largest = largest_score(written)
    if largest / lowest_divisor(keys["scale"]) > HIGHEST_SCALED[-1]:
        most_scaled = draw(st.sampled_from(HIGHEST_SCALED))
        keys["scale"] = str(int(largest) // most_scaled + 1)
    return keys


def largest_score(written):
    """The largest |score|, by plain sums of Fractions."""
    x, w_q, w_k = ([[Fraction(entry) for entry in row] for row in written[key]]
                   for key in ("x", "w_q", "w_k"))
    queries, keys = ([[dot(row, col) for col in zip(*w, strict=True)] for row in x]
                     for w in (w_q, w_k))
    return max(abs(dot(query, key)) for query in queries for key in keys)


def dot(a, b):
    """The sum of products."""
    return sum(p * q for p, q in zip(a, b, strict=True))


def lowest_divisor(scale):
    """What the scale divides by at least."""
    return Fraction(1) if scale in ("sqrt_dk", "none") else Fraction(scale)


def built(keys) -> Example:
    """The keys of an example file as an Example."""
    return build(Path("h.toml"), keys)


def examples(most=6):
    """Built examples."""
    return data(most).map(built)
