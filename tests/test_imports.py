"""Who may know whom: imports go one way, and the mathematics knows nothing of the pages."""

import ast
from pathlib import Path

import pytest

from tests.sites import ROOT

PACKAGE = ROOT / "derivations"
BASE = {"values", "notation", "formula", "joined", "step"}
ROUNDING = {"rounded", "enclosures", "decimals"}
MATHEMATICS = {path.stem for path in PACKAGE.glob("*.py")} | {"enclosures", "example"}
ALLOWED = {
    "values": set(),
    "notation": set(),
    "formula": set(),
    "rounded": set(),
    "faults": set(),
    "numeric": set(),
    "step": {"values", "notation", "formula", "joined"},
    "exact": {"values"},
    "quotients": {"values"},
    "enclosures": {"values", "enclosures", "quotients"},
    "joined": {"values", "quotients"},
    "decimals": {"values", "rounded", "enclosures", "quotients", "joined"},
    "roots": {"values", "rounded", "decimals"},
    "numbers": {"values"},
    "slug": set(),
    "example": {"faults", "numbers", "step", "values", "slug", "example"},
    "attention": BASE | {"exact", "example", "faults"},
    "heads": BASE | {"attention", "exact", "example", "faults", "joined"},
    "second_route": BASE,
    "generic": set(),
    "bounds": BASE | {"exact"},
    "running_bounds": BASE | {"bounds", "decimals", "exact"},
    "agreement": BASE | {"bounds", "running_bounds", "numeric"},
    "checks": BASE | ROUNDING | {"second_route", "agreement"},
    "trace": BASE,
    "lesson": MATHEMATICS | {"lesson"},
    "audit": MATHEMATICS | {"lesson", "audit"},
    "render": BASE | {"rounded", "decimals", "roots", "trace", "render"},
    "citing": MATHEMATICS | {"lesson", "citing"},
    "pages": MATHEMATICS | {"lesson", "audit", "render", "citing", "pages"},
    "floats": {"values", "joined", "decimals"},
    "invent": set(),
    "commands": {"example", "faults", "audit", "floats", "invent", "slug", "decimals", "heads",
                 "citing", "pages", "render",
                 "commands"},
    "__main__": {"pages", "commands"},
    "__init__": set(),
}
MAY_USE = {  # libraries from elsewhere, beyond the standard one
    "numeric": {"numpy"},
    "agreement": {"numpy"},
    "exact": {"sympy"},
    "formula": {"sympy"},
    "step": {"sympy"},
    "second_route": {"sympy"},
    "generic": {"sympy"},
    "enclosures": {"flint"},
    "render": {"sympy", "markupsafe", "math_core"},
    "lesson": {"numpy"},
    "audit": {"numpy"},
    "citing": {"rispy", "bibtexparser", "pylatexenc", "yaml", "numpy", "numeric", "datetime"},
    "commands": {"click", "numpy"},
    "pages": {"jinja2", "markupsafe", "markdown", "pymdownx", "fontTools"},
    "__main__": {"click"},
}
STANDARD = {"collections", "copy", "dataclasses", "fractions", "functools", "math", "decimal",
            "json", "csv", "io", "html", "re", "tomllib", "difflib", "pathlib", "typing",
            "importlib", "xml", "shutil", "posixpath", "itertools", "operator",
            "types", "sys", "unicodedata", "ast", "os", "subprocess", "tempfile", "string",
            "random", "hashlib", "contextlib", "zipfile", "base64"}


def part(path: Path) -> str:
    """The module, or the sub-package, that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> list[str]:
    """The dotted names that a file imports, those inside functions too."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: say the whole name"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def problems(path: Path) -> list[str]:
    """The imports of a file that are not allowed."""
    here = part(path)
    found = []
    for name in imported(path):
        first, *rest = name.split(".")
        allowed = rest[0] in ALLOWED[here] if first == "derivations" \
            else first in STANDARD | MAY_USE.get(here, set())
        if not allowed:
            found.append(f"{path.relative_to(ROOT)} imports {name}")
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.stem))
def test_imports_are_allowed(path: Path) -> None:
    assert problems(path) == []


def test_an_import_the_wrong_way_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_imports.PACKAGE", tmp_path)
    monkeypatch.setattr("tests.test_imports.ROOT", tmp_path)
    (tmp_path / "numeric.py").write_text("import sympy\nfrom derivations.exact import multiply\n")
    assert len(problems(tmp_path / "numeric.py")) == 2


def test_nothing_imports_scripts_and_only_gen_pages_knows_its_plugin() -> None:
    for path in [*PACKAGE.rglob("*.py"), *(ROOT / "scripts").glob("*.py")]:
        names = imported(path)
        if path.parent.name != "scripts":
            assert not any(name.startswith("scripts") for name in names), path
        if path.name != "gen_pages.py":
            assert not any(name.startswith("mkdocs_gen_files") for name in names), path
