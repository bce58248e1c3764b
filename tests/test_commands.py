"""The command line: what it writes, and how it says that something is wrong."""

import io
import json
import math
import os
import re
import resource
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations.__main__ import main
from derivations.attention import derive
from derivations.commands.files import TERMINAL, write
from derivations.example import build, load
from derivations.floats import nearest
from derivations.invent import NotFound, Sizes, invent, merits_of
from derivations.pages.worked import work_out
from derivations.render.layout import columns
from derivations.render.terminal import aligned, derivation_text
from derivations.values import ExpSums, Rationals, Rooted
from tests.sites import EXAMPLES, KINDS, LESSON, ROOT

TWO_HEADS = str(ROOT / "tests" / "cases" / "yangshiteng_i_love_mha.json")
BROKEN = "tokens = ['a']\nx = [[1, 2]]\nw_q = [[1], ['0.1.2']]\nwk = [[1], [1]]\nw_v = [[1]]\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_check_says_what_is_right_and_every_fault(tmp_path: Path) -> None:
    done = run("check", str(LESSON), str(KINDS))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line.split(": right, ")[0] for line in lines] == [
        LESSON.name, *sorted(path.name for path in KINDS.iterdir())]
    assert {"i-love-cats.toml: right, 3 by 3", "cached.json: right, 2 by 4"} < set(lines)
    (tmp_path / "broken.toml").write_text(BROKEN)
    done = run("check", str(tmp_path / "broken.toml"), str(LESSON))
    assert done.exit_code == 1
    assert done.stdout.splitlines() == ["i-love-cats.toml: right, 3 by 3"]
    assert done.stderr.splitlines() == [
        "broken.toml: wk: unknown key; did you mean w_k?",
        "broken.toml: w_q row 2 column 1: '0.1.2' is not a number; write 2, 0.5 or \"1/2\"",
        "broken.toml: w_v: has 1 row, expected 2 because x has 2 columns"]


@pytest.mark.parametrize("arguments", [
    ("check", "none.toml"), ("show", "none.toml"), ("check",),
    ("export", str(LESSON), "--format", "csv", "--step", "wieghts"),
    ("export", str(LESSON), "--format", "pdf"),
    ("export", str(LESSON), "--format", "csv", "--head", "2"),
])
def test_what_cannot_be_asked_ends_with_a_line_and_no_traceback(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr


def test_show_gives_every_number(tmp_path: Path) -> None:
    shown = run("show", str(LESSON)).stdout
    worked = work_out(load(LESSON))
    for step in worked.derivation.steps:
        assert f"{step.quantity.name} ({step.shape[0]} x {step.shape[1]})" in shown
        for row in worked.decimals[step.key]:
            assert re.search(r"\s+".join(re.escape(entry.text) for entry in row) + "\n", shown)
    assert "-inf" in run("show", str(EXAMPLES / "causal.toml")).stdout
    heads = run("show", TWO_HEADS).stdout
    assert heads.index("head 1") < heads.index("head 2") \
        < heads.index("concatenated outputs (2 x 4)") < heads.index("projected output (2 x 2)")
    (tmp_path / "broken.toml").write_text(BROKEN)
    done = run("show", str(tmp_path / "broken.toml"))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.count("broken.toml: ") == 3


def tied() -> dict[str, object]:
    """Two heads whose outputs add up to 0 in too long a way, and a bias that is a tie.

    With t = e and sums over j < 46, the first gives v_j t^2j / t^2j, and the second, whose keys
    count one by one, (1 + t) v_j t^2j / (1 + t) t^2j with the sign changed.
    """
    keys = range(92)
    def head(key: Callable[[int], int], sign: int) -> dict[str, object]:
        return {"q": [[1]], "k": [[key(i)] for i in keys],
                "v": [[sign * (i // 2 % 3)] for i in keys]}

    return {"heads": [head(lambda i: i // 2 * 2, 1), head(lambda i: i, -1)], "places": 1,
            "tokens": ["a"], "context_tokens": [f"k{i}" for i in keys],
            "w_o": [[1], [1]], "b_o": ["0.05"]}


@pytest.mark.parametrize("arguments", [("show",), ("export", "--format", "csv")])
def test_a_rounding_that_is_not_decided_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    file = tmp_path / "tied.json"
    command, *options = arguments
    file.write_text(json.dumps(tied() | {"places": 2}))
    assert run(command, str(file), *options).exit_code == 0
    file.write_text(json.dumps(tied()))
    done = run(command, str(file), *options)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {file}: no rounding to 1 places was decided")


def test_columns_are_aligned_whatever_the_script() -> None:
    lines = aligned([["", "猫", "ab"], ["犬が", "1", "2.5"], ["x", "100", "3"]])
    assert len({columns(line) for line in lines}) == 1
    hostile = work_out(load(EXAMPLES / "hostile.toml"))
    shown = derivation_text(hostile.derivation, hostile.decimals)
    assert all(char.isprintable() or char == "\n" for char in shown)


@pytest.mark.parametrize("kind", ["csv", "json", "tex"])
def test_export_gives_what_the_site_has(kind: str) -> None:
    from derivations.render import records

    worked = work_out(load(LESSON))
    step, parts = worked.derivation["weights"], (worked.derivation, worked.decimals)
    expected = {"csv": lambda: records.as_csv(step, *parts), "tex": lambda: records.as_tex(
        step, *parts), "json": lambda: records.as_json(step, *parts, 4)}[kind]()
    assert run("export", str(LESSON), "--format", kind, "--step", "weights").stdout == expected
    every = run("export", str(LESSON), "--format", kind).stdout
    assert expected.strip() in every
    if kind == "json":
        assert [one["step"] for one in json.loads(every)] == [
            one.key for one in worked.derivation.steps]


def test_export_gives_what_heads_make_together_and_each_alone() -> None:
    def steps(*more: str) -> list[str]:
        found = json.loads(run("export", TWO_HEADS, "--format", "json", *more).stdout)
        return [one["step"] for one in found]

    assert steps() == ["concatenated", "w_o", "projected"]
    assert steps("--head", "1")[-2:] == ["weights", "output"]


def test_export_as_arrays(tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    assert run("export", str(LESSON), "--format", "npz", "--output", str(out)).exit_code == 0
    arrays = np.load(out)
    assert arrays["weights"].shape == (3, 3)
    assert arrays["weights"][1, 2] == pytest.approx(0.575975345, abs=1e-9)
    assert arrays["queries"].tolist() == [[1, 2], [0, 1], [2, 1]]
    first = out.read_bytes()
    run("export", str(LESSON), "--format", "npz", "--output", str(out))
    assert out.read_bytes() == first
    head = CliRunner().invoke(main, ["export", TWO_HEADS, "--format", "npz", "--head", "2"])
    assert np.load(io.BytesIO(head.stdout_bytes))["weights"].shape == (2, 2)


def test_a_step_that_is_refused_leaves_the_file_alone(tmp_path: Path) -> None:
    out = tmp_path / "kept.csv"
    out.write_text("kept")
    run("export", str(LESSON), "--format", "csv", "--step", "none", "--output", str(out))
    assert out.read_text() == "kept"


def test_floats_are_the_nearest() -> None:
    worked = derive(load(LESSON))
    for step in worked.steps:
        for row, exact in zip(nearest(step.values), _finely(step.values), strict=True):
            assert row == [float(value) for value in exact]
    huge = ExpSums(Rooted(Rationals(((800, 0, -800),)), 1), None, normalised=False)
    assert nearest(huge) == [[float("inf"), 1.0, 0.0]]
    small = ExpSums(Rooted(Rationals(((-60, -700),)), 1), None, normalised=False)
    assert nearest(small) == [[pytest.approx(math.exp(-60), rel=1e-15, abs=0),
                               pytest.approx(math.exp(-700), rel=1e-15, abs=0)]]
    hidden = Rooted(Rationals(((1, 2),)), 2, ((True, False),))
    assert nearest(hidden) == [[0.5**0.5, float("-inf")]]


def _finely(values: object) -> list[list[Fraction]]:
    from derivations import decimals

    return [[Fraction(sum(ends), 2 * 10**60) for ends in row]
            for row in decimals.enclosures(values, 60)]


def new(tmp_path: Path, *more: str, name: str = "ours", sentence: str = "We like tea") -> Result:
    return run("new", name, "--sentence", sentence, "--folder", str(tmp_path), *more)


def test_new_writes_a_lesson_that_passes_its_own_test(tmp_path: Path) -> None:
    assert new(tmp_path, "--d-v", "3").exit_code == 0
    example = load(tmp_path / "ours.toml")
    assert (example.title, example.tokens) == ("We like tea", ("We", "like", "tea"))
    assert (example.w_q.shape, example.w_v.shape) == ((4, 2), (4, 3))
    assert all(merits_of({key: [list(row) for row in example.matrix(key).integers]
                          for key in ("x", "w_q", "w_k", "w_v")}))
    assert run("show", str(tmp_path / "ours.toml")).exit_code == 0


def test_new_is_the_same_each_time_and_another_with_another_seed(tmp_path: Path) -> None:
    texts = []
    for number, seed in enumerate(("0", "0", "1")):
        new(tmp_path, "--seed", seed, name=f"n{number}")
        texts.append((tmp_path / f"n{number}.toml").read_text())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(("name", "sentence", "expected"), [
    ("A b", "a b", "may hold only a-z"), ("../x", "a b", "may hold only a-z"),
    ("ours", "  ", "the sentence has no words"), ("n" * 300, "a b", "cannot be written"),
    ("ours", "a\x7fb c", "holds the character U+007F"), ("ours", "\u200b b", "can be seen"),
    ("ours", "x" * 400, "has 400 characters"), ("ours", "caf\udce9", "holds the character U+DCE9"),
    ("ours", " ".join("abcdefghijklmnop"), "no good lesson was found for 16 tokens"),
])
def test_new_refuses_what_makes_no_lesson(
    tmp_path: Path, name: str, sentence: str, expected: str
) -> None:
    done = new(tmp_path, name=name, sentence=sentence)
    assert (done.exit_code, expected in done.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_new_does_not_write_over_another(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("kept")
    assert "is there already" in new(tmp_path).stderr
    assert (tmp_path / "ours.toml").read_text() == "kept"


@pytest.mark.parametrize("sentence", ['say "hi" now', "a\\b c", "<script> <|end|> $5", "שלום לך",
                                      "猫 が 好き", "{{ x }} `y`"])
def test_new_takes_any_words(tmp_path: Path, sentence: str) -> None:
    assert new(tmp_path, sentence=sentence).exit_code == 0
    assert tomllib.loads((tmp_path / "ours.toml").read_text())["tokens"] == sentence.split()
    assert run("check", str(tmp_path / "ours.toml")).exit_code == 0


@given(st.integers(1, 4), st.integers(2, 6), st.integers(1, 3), st.integers(0, 3))
@settings(max_examples=25)
def test_what_is_invented_for_a_short_sentence_is_good_or_says_how_far(
    n: int, d_model: int, d_k: int, seed: int
) -> None:
    try:
        found = invent(["t"] * n, Sizes(d_model, d_k, 2), seed)
    except NotFound:
        return
    if not all(merits_of(found)):
        assert n * d_k > 3 or d_model < 3
        return
    derivation = derive(build(Path("t.toml"), found))
    scores = derivation.rationals("scores").integers
    assert all(len(set(row)) == n for row in scores)
    assert n == 1 or [*map(list, scores)] != [*map(list, zip(*scores, strict=True))]
    for key in ("queries", "keys", "values"):
        rows = derivation.rationals(key).integers
        assert all(map(any, rows)) and len(set(rows)) == n


@pytest.mark.parametrize("n", [5, 7, 12])
def test_a_longer_sentence_has_an_example_too(tmp_path: Path, n: int) -> None:
    """Not every row can have scores of which no two are alike; that of the story has a largest."""
    assert new(tmp_path, sentence=" ".join("abcdefghijkl"[:n])).exit_code == 0
    scores = derive(load(tmp_path / "ours.toml")).rationals("scores").integers
    assert len(scores) == n
    assert scores[1].count(max(scores[1])) == 1
    assert [*map(list, scores)] != [*map(list, zip(*scores, strict=True))]


def confined(tmp_path: Path, *arguments: str, bytes_left: int = 0,
             **more: object) -> subprocess.CompletedProcess[str]:
    """A command whose files may hold only so many bytes, as where a disk is full."""
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))

    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, text=True, check=False,
                          env=environment, stderr=subprocess.PIPE,
                          **{"stdout": subprocess.PIPE, "preexec_fn": limit} | more)


def test_a_full_disk_is_told_in_a_line_and_leaves_nothing(tmp_path: Path) -> None:
    done = confined(tmp_path, "derivations", "new", "ours", "--sentence", "We like tea",
                    "--folder", str(tmp_path), bytes_left=100)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"Error: \S+ours\.toml cannot be written: [^\n]+\n", done.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [
    ("audit", "--json", TWO_HEADS), ("audit", TWO_HEADS),
    ("new", "ours", "--sentence", "We like tea", "--folder", "."),
])
def test_an_output_that_is_full_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = confined(tmp_path, "derivations", *arguments, stdout=full, preexec_fn=None)
    assert done.returncode == 1
    assert re.fullmatch(r"Error: the output cannot be written: [^\n]+\n", done.stderr)


def test_a_file_is_written_whole_or_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, link = tmp_path / "kept.csv", tmp_path / "link.csv"
    write(path, "kept")
    path.chmod(0o640)
    link.symlink_to(path)
    with path.open() as before:
        write(link, b"more")
        assert before.read() == "kept"  # another file took its place
    assert (path.read_text(), path.stat().st_mode & 0o777, link.is_symlink()) == (
        "more", 0o640, True)

    def half(beside: Path, contents: bytes) -> None:
        with beside.open("wb") as file:
            file.write(contents[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(click.ClickException, match=r"kept\.csv cannot be written: No space left"):
        write(path, "again")
    assert (path.read_text(), sorted(tmp_path.iterdir())) == ("more", [path, link])


def test_a_pipe_is_written_to_and_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"  # never a device: whoever may replace it would break the machine
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe, "told")
    assert pipe.is_fifo()
    assert os.read(reader, 9) == b"told"
    os.close(reader)
    write(TERMINAL, "told\n")
    assert capsys.readouterr().out == "told\n"


def test_the_audit_of_a_broken_file_is_its_faults(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("q = [[1]]\nk = [[1]]\nv = [['x']]\nplaces = 0\n")
    done = run("audit", "--json", str(tmp_path / "broken.toml"))
    told = ["v row 1 column 1: 'x' is not a number; write 2, 0.5 or \"1/2\"",
            "places: found 0, expected a whole number from 1 to 30: the decimals to show"]
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"broken.toml: {one}" for one in told]
    assert json.loads(done.stdout) == {"file": "broken.toml", "faults": [
        {"key": "v", "row": 1, "column": 1, "message": told[0].split(": ", 1)[1]},
        {"key": "places", "row": None, "column": None, "message": told[1].split(": ", 1)[1]}]}
    done = run("audit", "--json", str(tmp_path), TWO_HEADS)
    assert [sorted(one) for one in json.loads(done.stdout)] == [
        ["faults", "file"], ["causes", "file", "overall", "source", "title", "verdict"]]
    assert done.exit_code == 1
    assert run("audit", str(tmp_path)).stdout == ""


def test_json_is_utf8_whatever_the_terminal_has(tmp_path: Path) -> None:
    (tmp_path / "cat.toml").write_text('title = "猫"\nq = [[1]]\nk = [[1]]\nv = [[1]]\n')
    done = subprocess.run([sys.executable, "-m", "derivations", "audit", "--json",
                           str(tmp_path / "cat.toml")], capture_output=True, check=True, cwd=ROOT,
                          env=os.environ | {"PYTHONIOENCODING": "latin-1"})
    assert json.loads(done.stdout.decode())["title"] == "猫"
