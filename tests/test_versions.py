"""Two versions side by side, published with mike: the older one keeps every address and byte."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import sites

BASE = "https://example.org/attention/"
TAG = sites.CITING.step_tags["weights"]


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=folder, text=True, capture_output=True,
                          check=True).stdout


def publish(folder: Path, version: str) -> None:
    """What `make publish` does."""
    names = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
             for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"))}
    scripts = Path(sys.executable).parent
    for command in (["deploy", "--update-aliases", "--alias-type=copy", version, "latest"],
                    ["set-default", "--allow-empty", "latest"]):
        done = subprocess.run(
            [scripts / "mike", *command], cwd=folder, text=True, capture_output=True, check=False,
            env=os.environ | sites.ENVIRONMENT | names | {
                "SITE_URL": BASE, "NO_CACHE": "", "PYTHONPATH": ".",
                "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"})
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with versions 1.0 and 1.1, which has another number and another version."""
    folder = tmp_path_factory.mktemp("versions") / "project"
    sites.project(folder, sites.texts(sites.LESSON))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "The project")
    publish(folder, "1.0")
    git(folder, "tag", "first", "gh-pages")
    example, citation = folder / "docs" / "examples" / "i-love-cats.toml", folder / "CITATION.cff"
    example.write_text(example.read_text().replace("w_k = [[0, 1]", "w_k = [[0, 2]"))
    text = citation.read_text()
    citation.unlink()
    citation.write_text(text.replace("version: 0.1.0", "version: 1.1.0"))
    publish(folder, "1.1")
    return folder


def page(folder: Path, version: str) -> str:
    return git(folder, "show", f"gh-pages:{version}/tag/{TAG}/index.html")


def test_the_older_version_stays_to_the_byte(published: Path) -> None:
    before, after = (git(published, "rev-parse", f"{commit}:1.0")
                     for commit in ("first", "gh-pages"))
    assert before == after


def test_every_address_of_the_older_version_is_there_in_the_newer(published: Path) -> None:
    older, newer = (set(git(published, "ls-tree", "-r", "--name-only", f"gh-pages:{version}", "tag")
                        .splitlines()) for version in ("1.0", "1.1"))
    assert older == newer
    assert len(older) == len(sites.CITING.ledger.tags)


def test_the_latest_is_the_newer_one(published: Path) -> None:
    latest, newer, older = (page(published, version) for version in ("latest", "1.1", "1.0"))
    assert latest == newer != older


@pytest.mark.parametrize(("version", "said"), [("1.0", "version 0.1.0"), ("1.1", "version 1.1.0")])
def test_a_citation_names_its_own_version(published: Path, version: str, said: str) -> None:
    found = page(published, version)
    assert f'<meta name="citation_public_url" content="{BASE}{version}/tag/{TAG}/">' in found
    assert f'<link rel="canonical" href="{BASE}{version}/tag/{TAG}/">' in found
    assert said in found


def test_the_address_of_the_whole_leads_to_the_latest(published: Path) -> None:
    assert 'url=latest/"' in git(published, "show", "gh-pages:index.html")
