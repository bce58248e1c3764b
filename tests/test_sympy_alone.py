"""The exact side needs SymPy and nothing else: the same bytes without NumPy and python-flint.

One process runs with every package but SymPy and its mpmath forbidden, another as it is installed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from derivations import decimals
from derivations.attention import derive
from derivations.example import load
from derivations.render.forms import forms
from derivations.render.matrices import equation, general

ROOT = Path(__file__).parent.parent
CATS = ROOT / "tests" / "examples" / "cats.toml"
EXACT_SIDE = (  # these import the rest of it
    "attention", "decimals", "example", "generic", "render.forms", "render.matrices",
    "second_route",
)

FORBID = """
import sys

ALLOWED = {"sympy", "mpmath", "derivations"}
FORBIDDEN = {"numpy", "flint"}
refused = []


class Forbid:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in ALLOWED or (top in sys.stdlib_module_names and top not in FORBIDDEN):
            return None
        refused.append(top)
        raise ImportError(f"{name} is forbidden here")


sys.meta_path.insert(0, Forbid())
"""

WORK_OUT = """
import json
import sys
from pathlib import Path

from derivations import decimals
from derivations.attention import derive
from derivations.enclosures import standard
from derivations.example import load
from derivations.render.forms import forms
from derivations.render.matrices import equation, general
from derivations.second_route import disagreements

example = load(Path(sys.argv[1]))
derivation = derive(example)
tables = {step.key: decimals.table(step.values, example.places) for step in derivation.steps}
entries = {
    f"{step.key} {i} {j}": [
        repr(tables[step.key][i][j]), forms(derivation, tables, step, i, j).row,
        forms(derivation, tables, step, i, j).aligned,
    ]
    for step in derivation.steps for i, j in step.places
}
print(json.dumps({
    "entries": entries,
    "matrices": {step.key: [general(step, derivation), equation(step, derivation, tables)]
                 for step in derivation.steps},
    "disagreements": [name for step in derivation.steps
                      for name in disagreements(derivation, step, step.places)],
    "standard": decimals.fastest() is standard.enclosures,
    "ground": __import__("sympy").external.gmpy.GROUND_TYPES,
    "modules": sorted({name.partition(".")[0] for name in sys.modules}),
}))
"""


def run(program, *arguments, ground=None):
    """What a fresh Python prints, with SymPy's ground types left to themselves unless named."""
    env = {name: value for name, value in os.environ.items() if name != "SYMPY_GROUND_TYPES"}
    env |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    if ground is not None:
        env["SYMPY_GROUND_TYPES"] = ground
    done = subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, env=env,
                          capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def alone():
    return run(FORBID + WORK_OUT, str(CATS))


@pytest.fixture(scope="module")
def here():
    """The same, in this process."""
    example = load(CATS)
    derivation = derive(example)
    tables = {step.key: decimals.table(step.values, example.places) for step in derivation.steps}
    entries = {}
    for step in derivation.steps:
        for i, j in step.places:
            written = forms(derivation, tables, step, i, j)
            entries[f"{step.key} {i} {j}"] = [
                repr(tables[step.key][i][j]), written.row, written.aligned]
    matrices = {step.key: [general(step, derivation), equation(step, derivation, tables)]
                for step in derivation.steps}
    return {"entries": entries, "matrices": matrices}


def test_numpy_and_flint_were_really_forbidden(alone):
    assert not {"numpy", "flint", "markupsafe", "math_core", "mkdocs"} & set(alone["modules"])


def test_sympy_used_pythons_integers(alone):
    assert alone["ground"] == "python"


def test_the_standard_enclosures_are_the_fastest_there(alone):
    assert alone["standard"] is True


def test_every_entry_is_the_same(alone, here):
    assert len(alone["entries"]) == 15 + 3 * 10 + 3 * 6 + 2 * 9 + 9 + 3 + 9 + 6
    assert alone["entries"] == here["entries"]


def test_every_matrix_is_the_same(alone, here):
    assert alone["matrices"] == here["matrices"]


def test_the_second_route_agrees_there(alone):
    assert alone["disagreements"] == []


@pytest.mark.parametrize("ground", ["python", "flint"])
def test_every_entry_is_the_same_with_either_ground_type(ground, here):
    if ground == "flint":
        pytest.importorskip("flint")
    other = run(WORK_OUT, str(CATS), ground=ground)
    assert other["ground"] == ground
    assert other["entries"] == here["entries"]
    assert other["matrices"] == here["matrices"]


def test_nothing_of_the_exact_side_reaches_numpy():
    """With nothing forbidden: NumPy is installed, and yet not imported."""
    program = "\n".join([
        "import json, sys",
        *(f"import derivations.{module}" for module in EXACT_SIDE),
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))",
    ])
    modules = run(program)
    assert "sympy" in modules
    assert not {"numpy", "mkdocs", "markupsafe", "markdown", "math_core", "jinja2"} & set(modules)


def test_working_out_an_example_does_not_reach_numpy():
    """Nor while it computes: SymPy imports some of its own parts late."""
    assert "numpy" not in run(WORK_OUT, str(CATS))["modules"]
