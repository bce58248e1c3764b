"""The project's own files: what they must and must not say."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.conftest import OF_NUMBERS
from tests.sites import ROOT


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, capture_output=True,
                          check=False)
    return done.stdout.splitlines()


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    secret = re.compile(r"/(?:work|root|home)/|https?://(?:files\.|registry\.|pypi\.|deb\.)")
    names = tracked()
    if not names:
        pytest.skip("not a git checkout")
    for name in names:
        path = ROOT / name
        if path.suffix != ".png" and name != "tests/test_repository.py":
            found = secret.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{name}: {found and found[0]}"


def test_the_frozen_list_has_names_and_versions_only_and_fits_the_pins() -> None:
    from packaging.requirements import Requirement

    lines, apart = ((ROOT / name).read_text().splitlines()
                    for name in ("requirements.txt", "requirements-cff.txt"))
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in apart)
    frozen = dict(line.split("==") for line in lines)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)
    versions = {name.lower().replace("_", "-"): version for name, version in frozen.items()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for wanted in map(Requirement, project["dependencies"]
                      + project["optional-dependencies"]["test"]):
        assert wanted.specifier.contains(versions[wanted.name.lower().replace("_", "-")]), wanted


def test_the_citation_file_has_what_its_format_asks_for() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["cff-version"] == "1.2.0"
    assert cited["type"] in {"software", "dataset"}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert cited["version"] == version


def test_the_tests_of_numbers_are_there() -> None:
    """A module that is renamed must not drop out of the second run without a word."""
    assert {name for name in OF_NUMBERS if not (ROOT / "tests" / f"{name}.py").exists()} == set()


def test_every_library_says_why_it_is_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    why = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {re.split(r"[=><]", wanted)[0] for wanted in
             project["dependencies"] + project["optional-dependencies"]["test"]}
    assert {name for name in named if name not in why} == set()


def test_the_help_imports_neither_sympy_nor_numpy() -> None:
    import sys

    code = ("import sys; from click.testing import CliRunner;"
            "from derivations.__main__ import main;"
            "print(CliRunner().invoke(main, ['--help']).output);"
            "sys.exit(bool({'sympy', 'numpy', 'jinja2'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True,
                          check=False)
    assert done.returncode == 0
    assert "pages" in done.stdout


def validated(path: Path) -> subprocess.CompletedProcess[str]:
    """cffconvert, which holds a citation file against the schema of its version."""
    program = "from cffconvert.cli.cli import cli; cli()"
    return subprocess.run([sys.executable, "-W", "ignore", "-c", program, "--validate", "-i", path],
                          text=True, capture_output=True, check=False,
                          env=os.environ | {"PYTHONPATH": str(Path(sys.prefix) / "cff")})


def test_the_citation_file_is_valid(tmp_path: Path) -> None:
    done = validated(ROOT / "CITATION.cff")
    assert "valid according to schema version 1.2.0" in done.stdout, done.stderr
    wrong = tmp_path / "CITATION.cff"
    wrong.write_text((ROOT / "CITATION.cff").read_text().replace("type: software", "type: book"))
    assert validated(wrong).returncode != 0
