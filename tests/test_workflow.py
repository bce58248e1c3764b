"""The workflow that tests and publishes a fork: valid, and made of commands that there are."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sites import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "publish.yml"


def checked(path: Path) -> subprocess.CompletedProcess[str]:
    """check-jsonschema, which holds a workflow against the schema of GitHub's."""
    return subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows",
         str(path)], text=True, capture_output=True, check=False)


def test_the_workflow_is_valid() -> None:
    done = checked(WORKFLOW)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("old", "new"), [
    ("runs-on:", "runs-at:"), ("steps:", "step:"), ("contents: write", "contents: all"),
    ('tags: ["v[0-9]*"]', "tags: 1"),
])
def test_a_broken_workflow_is_found(tmp_path: Path, old: str, new: str) -> None:
    broken = tmp_path / "publish.yml"
    assert old in WORKFLOW.read_text()
    broken.write_text(WORKFLOW.read_text().replace(old, new))
    assert checked(broken).returncode == 1


def steps() -> list[dict[str, Any]]:
    jobs = yaml.safe_load(WORKFLOW.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_what_it_runs_of_the_makefile_is_there() -> None:
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    lines = [shlex.split(line) for step in steps() for line in step.get("run", "").splitlines()]
    asked = [word for line in lines if line[:1] == ["make"] for word in line[1:] if "=" not in word]
    assert "publish" in asked
    assert set(asked) <= rules


def test_what_others_wrote_is_of_github_itself_and_no_text_of_others_is_run() -> None:
    """An expression within a script is text from anyone, run as it is: such as a branch's name."""
    for step in steps():
        assert step.get("uses", "actions/").startswith("actions/")
        assert "${{" not in step.get("run", "")
        assert "secrets" not in str(step)
