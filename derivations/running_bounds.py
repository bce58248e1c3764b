"""The bound of every entry's float64 error, step by step, from the roundings of the inputs on.

Each step takes over the bounds of the steps before it: see `derivations.bounds` for the algebra.
"""

from dataclasses import replace
from itertools import chain

from derivations import bounds, decimals, exact
from derivations.bounds import GRID, Measured
from derivations.formula import Dot
from derivations.joined import Joined
from derivations.step import Derivation, Divisor, Step
from derivations.values import ExpSums, Rationals, Rooted, Rows, Values

MOST_DIGITS = 365
SIZE_DIGITS = 40
Enclosed = tuple[tuple[tuple[int, int] | None, ...], ...]


def enclosed(values: Values | Joined, digits: int) -> Enclosed:
    """(low, high) of every entry on the grid; None where it is minus infinity."""
    power = 10**digits
    return tuple(
        tuple(
            entry and ((entry[0] << GRID) // power, bounds.over(entry[1] << GRID, power))
            for entry in row
        )
        for row in decimals.enclosures(values, digits)
    )


def running_bounds(derivation: Derivation, spread: int = 0) -> dict[str, Rows]:
    """The bound of every entry's error, by step, from the roundings of the inputs on.

    The inputs may be off by so much more, on the grid.
    """
    if derivation.heads:
        return _together(derivation, spread)
    queries, keys, values = (_projected(derivation, key, spread)
                             for key in ("queries", "keys", "values"))
    scores = _product(derivation["scores"], queries, keys.transposed())
    scaled = bounds.quotients(scores, _divisor_below(derivation.divisor))
    powers = derivation["exponentials"].values
    assert isinstance(powers, ExpSums)
    exponentials, normalisers = _exponentials(powers, scaled)
    weights = _weights(powers.exponents, scaled)
    return {
        "queries": queries.errors,
        "keys": keys.errors,
        "values": values.errors,
        "scores": scores.errors,
        "scaled_scores": scaled,
        "masked_scores": scaled,
        "exponentials": exponentials,
        "normalisers": normalisers,
        "weights": weights.errors,
        "output": bounds.product(weights, values),
    }


def rationals(step: Step) -> Rationals:
    """The exact values of a rational step."""
    assert isinstance(step.values, Rationals)
    return step.values


def _projected(derivation: Derivation, key: str, spread: int) -> Measured:
    """Queries, keys or values: given, or a product, to which a bias is added perhaps."""
    step = derivation[key]
    if not isinstance(step.formula, Dot):
        return bounds.inputs(rationals(step), spread)
    left, right = step.formula.left, step.formula.right
    a, b = (bounds.inputs(rationals(derivation[given]), spread) for given in (left, right))
    if step.formula.bias is None:
        return _product(step, a, b)
    row = rationals(derivation[step.formula.bias])
    whole = rationals(step)
    product = exact.add_row(whole, Rationals(
        (tuple(-entry for entry in row.integers[0]),), row.denominator))
    errors = bounds.with_row(bounds.sizes(product), bounds.product(a, b),
                             bounds.inputs(row, spread))
    return Measured(bounds.sizes(whole), errors)


def _together(derivation: Derivation, spread: int) -> dict[str, Rows]:
    """Of heads side by side the bounds are their own; then that of the product and of a bias."""
    each = [running_bounds(head, spread)["output"] for head in derivation.heads]
    errors = tuple(tuple(chain(*rows)) for rows in zip(*each, strict=True))
    if "projected" not in derivation:
        return {"concatenated": errors}
    step = derivation["projected"]
    left = Measured(_sizes(derivation["concatenated"].values), errors)
    w_o = bounds.inputs(rationals(derivation["w_o"]), spread)
    product = bounds.product(left, w_o)
    if "b_o" in derivation:
        row = bounds.inputs(rationals(derivation["b_o"]), spread)
        assert isinstance(step.values, Joined)
        plain = replace(step.values, row=Rationals(((0,) * len(step.cols),)))
        product = bounds.with_row(_sizes(plain), product, row)
    return {"concatenated": errors, "projected": product}


def _sizes(values: Values | Joined) -> Rows:
    """Upper bounds of the absolute values of what is never infinite."""
    return tuple(tuple(max(map(abs, ends or (0, 0))) for ends in row)
                 for row in enclosed(values, SIZE_DIGITS))


def _product(step: Step, a: Measured, b: Measured) -> Measured:
    return Measured(bounds.sizes(rationals(step)), bounds.product(a, b))


def _divisor_below(divisor: Divisor) -> int:
    return bounds.root_below(divisor.root, divisor.numerator, divisor.denominator)


def _exponentials(powers: ExpSums, scaled: Rows) -> tuple[Rows, Rows]:
    """The bounds of the exponentials, 0 where a key is hidden, and of their sums."""
    exponentials, normalisers = [], []
    for i, row in enumerate(_magnitudes(powers)):
        keys = powers.exponents.open_keys(i)
        highs = [row[j][1] for j in keys]
        errors = [bounds.power(row[j][1], scaled[i][j]) for j in keys]
        exponentials.append(bounds.spread(keys, errors, len(row)))
        normalisers.append((bounds.total(highs, errors),))
    return tuple(exponentials), tuple(normalisers)


def _weights(exponents: Rooted, scaled: Rows) -> Measured:
    """The weights of shifted exponentials, as the twin computes them; 0 where a key is hidden."""
    shifted = bounds.shifted(exponents)
    exact = _magnitudes(ExpSums(shifted, None, normalised=False))
    all_sizes, all_errors = [], []
    for i, row in enumerate(exact):
        keys = shifted.open_keys(i)
        distances = [bounds.size(shifted, shifted.rationals.integers[i][j]) for j in keys]
        lows, highs = [row[j][0] for j in keys], [row[j][1] for j in keys]
        sizes, errors = bounds.weights(distances, lows, highs, [scaled[i][j] for j in keys])
        all_sizes.append(bounds.spread(keys, sizes, len(row)))
        all_errors.append(bounds.spread(keys, errors, len(row)))
    return Measured(tuple(all_sizes), tuple(all_errors))


def _magnitudes(powers: ExpSums) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Enclosures of single exponentials, to some twenty significant digits of the smallest."""
    lowest = min(0, *(entry for row in powers.exponents.rationals.integers for entry in row))
    depth = (bounds.size(powers.exponents, lowest) >> GRID) + 1
    found = enclosed(powers, min(MOST_DIGITS, 20 + depth * 10 // 23))
    return tuple(tuple(entry or (0, 0) for entry in row) for row in found)
