"""Every planted fault is caught by the tests named for it: these can fail."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.mutants import MUTANTS, Mutant
from tests.sites import ROOT

pytestmark = pytest.mark.mutants
COPIED = ("derivations", "scripts", "overrides", "docs", "tests", "mkdocs.yml", "pyproject.toml",
          "CITATION.cff", "CHANGELOG.md")
FAILED = re.compile(r"^FAILED (tests/[\w/]+\.py::\w+)", re.MULTILINE)


def copied(folder: Path) -> Path:
    """A copy of the project to plant a fault in."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name,
                            ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def plant(folder: Path, mutant: Mutant) -> None:
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    if mutant.old:
        assert text.count(mutant.old) == 1, f"{mutant.name}: look again where to plant it"
        text = text.replace(mutant.old, mutant.new)
    else:
        text += mutant.new
    path.write_text(text, encoding="utf-8")


def run(folder: Path, tests: Iterable[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("PYTEST")}
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False,
                          env=environment)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_caught(tmp_path: Path, mutant: Mutant) -> None:
    folder = copied(tmp_path)
    plant(folder, mutant)
    done = run(folder, mutant.tests)
    assert done.returncode == 1, done.stdout
    noticed = set(FAILED.findall(done.stdout))
    assert noticed == {re.sub(r"\[.*", "", test) for test in mutant.tests}, done.stdout


def test_without_a_mutant_all_these_tests_pass(tmp_path: Path) -> None:
    tests = {test for mutant in MUTANTS for test in mutant.tests}
    done = run(copied(tmp_path), sorted(tests))
    assert done.returncode == 0, done.stdout
