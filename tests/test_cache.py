"""What is kept between builds: nothing that any change of its inputs could have altered."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import cache
from tests import sites

FILES = {"index.md": b"# Cats\n", "assets/font.woff2": bytes(range(256))}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders of inputs, and a library, of one's own to change; and caching switched on."""
    monkeypatch.delenv("NO_CACHE", raising=False)
    for name in ("docs/index.md", "docs/examples/one.toml", "code/derivations/exact.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"what {path.name} holds", encoding="utf-8")
    (tmp_path / "lib" / "sympy-1.14.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "lib")
    place = type("Spec", (), {"submodule_search_locations": [str(tmp_path / "code/derivations")]})
    monkeypatch.setattr(cache, "find_spec", lambda name: place)
    return tmp_path


def key(project: Path, *arguments: object) -> str:
    return cache.key_of_pages(project / "docs", arguments)


def page_set(project: Path, make: Callable[[cache.Keep], cache.Files]) -> cache.Files:
    return cache.page_set(project / "build" / "cache", project / "docs", ("one", True), make)


def never(keep: cache.Keep) -> cache.Files:
    raise AssertionError("made anew")


def entry(project: Path) -> Path:
    (path,) = (project / "build" / "cache").glob("pages-*")
    return path


def test_what_was_kept_is_given_again(project: Path) -> None:
    assert page_set(project, lambda keep: FILES) == FILES
    assert page_set(project, never) == FILES
    assert list(page_set(project, never)) == list(FILES)


def one_byte(path: Path) -> None:
    written = path.read_bytes()
    path.write_bytes(written[:-1] + bytes([written[-1] ^ 1]))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a page": lambda p: one_byte(p / "docs/index.md"),
    "an example": lambda p: one_byte(p / "docs/examples/one.toml"),
    "our code": lambda p: one_byte(p / "code/derivations/exact.py"),
    "a new file": lambda p: (p / "docs/examples/two.toml").write_bytes(b""),
    "a new template": lambda p: (p / "code/derivations/page.md").write_bytes(b""),
    "a file less": lambda p: (p / "docs/examples/one.toml").unlink(),
    "a file renamed": lambda p: (p / "docs/index.md").rename(p / "docs/home.md"),
    "a file moved": lambda p: (p / "docs/index.md").rename(p / "docs/examples/index.md"),
    "a version": lambda p: (p / "lib/sympy-1.14.0.dist-info").rename(p / "lib/sympy-2.dist-info"),
    "a library": lambda p: (p / "lib/python_flint-0.9.0.dist-info").mkdir(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_makes_a_new_key(project: Path, change: Callable[[Path], object]) -> None:
    before = key(project)
    assert key(project) == before
    change(project)
    assert key(project) != before


@pytest.mark.parametrize("thing, value", [
    ("sys.version", "3.99"), ("platform.machine", lambda: "abacus"),
])
def test_another_machine_makes_a_new_key(
    project: Path, monkeypatch: pytest.MonkeyPatch, thing: str, value: object
) -> None:
    before = key(project)
    monkeypatch.setattr(thing, value)
    assert key(project) != before


def test_another_argument_or_integer_type_makes_a_new_key(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SYMPY_GROUND_TYPES", raising=False)
    keys = {key(project), key(project, "one"), key(project, "two"), key(project, "two", True)}
    for kind in ("python", "flint"):
        monkeypatch.setenv("SYMPY_GROUND_TYPES", kind)
        keys.add(key(project))
    assert len(keys) == 6


def test_what_moves_between_a_file_and_the_next_makes_a_new_key(project: Path) -> None:
    first, second = project / "docs/a.md", project / "docs/b.md"
    first.write_bytes(b"1b.md2")
    before = key(project)
    first.write_bytes(b"1")
    second.write_bytes(b"2")
    assert key(project) != before


def test_an_entry_cut_short_or_altered_anywhere_is_made_anew(project: Path) -> None:
    page_set(project, lambda keep: FILES)
    path, other = entry(project), {"index.md": b"made anew"}
    whole = path.read_bytes()
    cut = [whole[:length] for length in range(0, len(whole), 7)]
    altered = [whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1:] for i in range(0, len(whole), 7)]
    for broken in [*cut, *altered, whole + b"0"]:
        path.write_bytes(broken)
        assert page_set(project, lambda keep: other) == other
        assert page_set(project, never) == other


def test_a_fault_is_raised_each_time_and_nothing_is_kept(project: Path) -> None:
    for _ in range(2):
        with pytest.raises(AssertionError, match="made anew"):
            page_set(project, never)
    assert not list(project.glob("build/**/*"))


def test_a_file_saved_while_pages_are_made_leaves_nothing_behind(project: Path) -> None:
    def make(keep: cache.Keep) -> cache.Files:
        one_byte(project / "docs" / "index.md")
        return FILES

    assert page_set(project, make) == FILES
    assert not list(project.glob("build/**/*"))


def test_only_the_last_few_are_kept(project: Path) -> None:
    folder = project / "build" / "cache"
    folder.mkdir(parents=True)
    for day, name in enumerate(["pages-1.half-written", *(f"pages-{n}" for n in "abcdef")]):
        (folder / name).touch()
        os.utime(folder / name, (day, day))
    page_set(project, lambda keep: FILES)
    left = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    assert [path.name for path in left[:-1]] == ["pages-d", "pages-e", "pages-f"]
    assert page_set(project, never) == FILES


def test_a_part_outlives_a_change_of_a_page_but_not_of_the_code(project: Path) -> None:
    made = []

    def make(keep: cache.Keep) -> cache.Files:
        return keep("font", lambda: made.append("font") or {"font": b"font"}, b"")

    for path, times in (("docs/index.md", 1), ("docs/examples/one.toml", 1),
                        ("code/derivations/exact.py", 2)):
        one_byte(project / path)
        assert page_set(project, make) == {"font": b"font"}
        assert len(made) == times, path


def test_a_part_is_made_anew_where_its_inputs_are_others(project: Path) -> None:
    made = []

    def make(keep: cache.Keep) -> cache.Files:
        def part() -> cache.Files:
            made.append(inputs)
            return {"part": inputs}

        return keep("one.example", part, inputs)

    for inputs in (b"1", b"2", b"1"):
        one_byte(project / "docs/index.md")
        assert page_set(project, make) == {"part": inputs}
    assert made == [b"1", b"2"]


def test_nothing_is_kept_where_that_is_asked(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_set(project, lambda keep: FILES)
    monkeypatch.setenv("NO_CACHE", "1")
    assert page_set(project, lambda keep: keep("part", lambda: {"part": b"new"}, b"")) \
        == {"part": b"new"}
    monkeypatch.delenv("NO_CACHE")
    assert page_set(project, never) == FILES


def test_a_disk_that_takes_nothing_is_no_fault(project: Path) -> None:
    (project / "build").write_text("a file where the folder should be")
    assert page_set(project, lambda keep: FILES) == FILES


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return sites.project(tmp_path / "project", sites.texts(sites.LESSON))


def contents(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes()
            for path in site.rglob("*") if path.is_file()}


def built(copy: Path, name: str, **environment: str) -> dict[str, bytes]:
    site = copy.parent / name
    done = sites.build(copy, site, **environment)
    assert done.returncode == 0, done.stderr
    return contents(site)


def test_a_build_is_the_same_with_and_without_a_cache(copy: Path) -> None:
    without = built(copy, "without", NO_CACHE="1")
    assert not (copy / "build").exists()
    assert built(copy, "cold", NO_CACHE="") == without
    assert {path.name.split("-")[0] for path in (copy / "build/cache").iterdir()} \
        == {"pages", "font", "identities"}
    assert built(copy, "warm", NO_CACHE="") == without
    with (copy / "docs" / "index.md").open("a") as page:
        page.write("\n")
    assert built(copy, "edited", NO_CACHE="") == without


def test_an_unchanged_build_imports_none_of_the_mathematics(copy: Path, kept: Path) -> None:
    (copy / "build").symlink_to(kept)
    built(copy, "cold", NO_CACHE="")
    command = [sys.executable, "-X", "importtime", "-m", "mkdocs", "build", "-d", "../warm"]
    environment = {**os.environ, **sites.ENVIRONMENT, "NO_CACHE": ""}
    done = subprocess.run(command, cwd=copy, env=environment, text=True, capture_output=True,
                          check=True)
    imported = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert "mkdocs" in imported
    assert not {"sympy", "numpy", "flint", "fontTools", "derivations.attention"} & imported


def test_a_fault_in_an_example_is_reported_though_pages_were_kept(
    copy: Path, kept: Path
) -> None:
    (copy / "build").symlink_to(kept)
    before = built(copy, "site", NO_CACHE="")
    example = copy / "docs" / "examples" / "i-love-cats.toml"
    right = example.read_text(encoding="utf-8")
    example.write_text("x = 3\n", encoding="utf-8")
    for _ in range(2):
        done = sites.build(copy, copy.parent / "site", NO_CACHE="")
        assert done.returncode == 1
        assert "i-love-cats.toml: x: found 3, expected a matrix" in done.stderr
    example.write_text(right, encoding="utf-8")
    assert built(copy, "site", NO_CACHE="") == before


def test_make_clean_clears_the_cache() -> None:
    done = subprocess.run(["make", "-n", "clean"], cwd=sites.ROOT, text=True, capture_output=True,
                          check=True)
    assert "build" in done.stdout.split()
    assert "/build/" in (sites.ROOT / ".gitignore").read_text().split()
