"""The faults that are planted, one at a time, and the tests that must catch each.

A fault replaces a piece of a file (it must stand there once), or is added to its end.
"""

from dataclasses import dataclass

AGREEMENT = "tests/test_agreement.py::test_the_default_example_agrees"
ENTRIES = "tests/test_exact.py::test_both_routes_agree_on_the_default_example"
HOME = "tests/test_built_page.py::test_home_page"
DECIMALS = "tests/test_decimals.py"


@dataclass(frozen=True)
class Mutant:
    """A fault: in which file, what becomes what, and who must notice."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


BY_N = '''

def table(values, places, enclose=None):
    import sympy

    if not isinstance(values, ExpSums):
        return tuple(tuple(_algebraic(values, i, j, places) for j in range(values.shape[1]))
                     for i in range(values.shape[0]))

    def e(i, j):
        exponents = values.exponents.rationals
        r = sympy.Rational(exponents.integers[i][j], exponents.denominator)
        return sympy.exp(r / sympy.sqrt(values.exponents.root))

    def entry(i, c):
        top = sum(sympy.Rational(a.numerator, a.denominator) * e(i, j)
                  for j, a in values.terms(i, c))
        keys = values.exponents.open_keys(i)
        bottom = sum(e(i, j) for j in keys) if values.normalised and keys else 1
        digits = sympy.Float(sympy.N(top / bottom, places + 1))
        return Rounded(int(sympy.floor(digits * 10**places + sympy.Rational(1, 2))), places)

    return tuple(tuple(entry(i, c) for c in range(values.shape[1]))
                 for i in range(values.shape[0]))
'''

MUTANTS = (
    Mutant(
        "softmax in float32", "derivations/numeric.py",
        "    powers = np.exp(logits - shifts(logits))\n",
        "    powers = np.exp(np.float32(logits - shifts(logits))).astype(float)\n",
        (AGREEMENT,),
    ),
    Mutant(
        "sqrt(2) to float32", "derivations/numeric.py",
        "float(np.sqrt(keys.shape[1]))", "float(np.sqrt(np.float32(keys.shape[1])))",
        (AGREEMENT,),
    ),
    Mutant(
        "sqrt(d_model) for sqrt(d_k)", "derivations/example/choices.py",
        'Divisor("sqrt_dk", d_k, 1, 1)', 'Divisor("sqrt_dk", len(data["x"][0]), 1, 1)',
        (AGREEMENT,),
    ),
    Mutant(
        "K used for V", "derivations/attention.py",
        "(x, example.w_q, example.w_k, example.w_v)", "(x, example.w_q, example.w_k, example.w_k)",
        (ENTRIES, AGREEMENT),
    ),
    Mutant(
        "softmax down the columns", "derivations/numeric.py",
        "    sums = normalisers(powers)\n    return", "    sums = powers.sum(axis=0)\n    return",
        (AGREEMENT,),
    ),
    Mutant(
        "W transposed when square", "derivations/exact.py",
        "left * _integers(b),",
        "left * (_integers(b).transpose() if len(set(b.shape)) == 1 else _integers(b)),",
        ("tests/test_exact.py::test_both_routes_agree_on_the_cube",),
    ),
    Mutant(
        "one product dropped", "derivations/formula.py",
        "inner = keys(i) if masked else range(width)",
        "inner = keys(i) if masked else range(1, width)",
        (ENTRIES,),
    ),
    Mutant(
        "weights rounded before the last step", "derivations/numeric.py",
        'output(steps["weights"], steps["values"])',
        'output(steps["weights"].round(4), steps["values"])',
        (AGREEMENT,),
    ),
    Mutant(
        "one sign flipped in a printed formula", "derivations/render/exact.py",
        'f"- {term[1:]}" if', 'f"+ {term[1:]}" if',
        ("tests/test_built_page.py::test_worked_pages_against_the_engine[tests/fractions]",),
    ),
    Mutant(
        "one <mn> changed in the built page", "scripts/hooks.py",
        "    return fill(output)\n",
        '    return fill(output).replace("<mn>0.5760</mn>", "<mn>0.5761</mn>", 1)\n',
        (HOME,),
    ),
    Mutant(
        "the formula of (3,2) under the name of (2,3)", "derivations/render/forms.py",
        "name=step.quantity.entry(i + 1, j + 1)", "name=step.quantity.entry(j + 1, i + 1)",
        (HOME,),
    ),
    Mutant(
        "N() for the certified decimal", "derivations/decimals.py", "", BY_N,
        (f"{DECIMALS}::test_decimals_are_correctly_rounded",
         f"{DECIMALS}::test_a_hidden_tie_goes_to_the_even_digit"),
    ),
)
