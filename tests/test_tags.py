"""The tags: given in order, never twice, never taken away; what is wrong in their file is told."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from derivations.__main__ import main
from derivations.citing.kinds import citable
from derivations.citing.ledger import (
    ALPHABET,
    Ledger,
    LedgerError,
    Tag,
    read,
    retired,
    tag_of,
    written,
)
from tests.sites import ROOT

TAGS = ROOT / "docs" / "tags.csv"
PUBLISHED = ROOT / "tests" / "tags.csv"  # those of the last version that was published
HEAD = "tag,kind,name,instead\n"
TWO = HEAD + "0001,step,scores,\n0002,step,weights,\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tags", *arguments])


def ledger(tmp_path: Path, text: str) -> Ledger:
    path = tmp_path / "tags.csv"
    path.write_text(text)
    return read(path)


def test_a_file_without_an_end_of_line_is_added_to_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "tags.csv"
    path.write_text((ROOT / "docs" / "tags.csv").read_text().rstrip("\n"))
    before = len(read(path).tags)
    done = CliRunner().invoke(main, ["tags", "--file", str(path), "--retire", "0001", "--why", "x",
                                     "--write"])
    assert done.exit_code == 0, done.output
    assert len(read(path).tags) == before
    assert read(path).tags[0].why == "x"


def test_no_tag_that_was_published_is_ever_taken_away_or_changed() -> None:
    """A tag is retired by a line at the end. When a version is published, its tags are copied."""
    assert TAGS.read_text().startswith(PUBLISHED.read_text())


def test_everything_that_can_be_cited_has_a_tag_and_every_tag_something() -> None:
    found = read(TAGS)
    assert found.missing(citable()) == ()
    assert found.lost(citable()) == []


def test_tags_are_counted_without_letters_that_look_like_digits() -> None:
    assert [tag_of(n) for n in (1, 10, 17, 18, 19, 22, 23, 34, 35)] == [
        "0001", "000A", "000H", "000J", "000K", "000N", "000P", "0010", "0011"]
    assert tag_of(34**4 - 1) == "ZZZZ"
    with pytest.raises(LedgerError, match="all tags of 4 characters are given"):
        tag_of(34**4)
    assert set(ALPHABET) == set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") - set("IO")


def test_new_tags_go_on_where_the_last_one_ended(tmp_path: Path) -> None:
    found = ledger(tmp_path, TWO)
    new = found.missing([("step", "weights"), ("mistake", "unscaled"), ("step", "output")])
    assert new == (Tag("0003", "mistake", "unscaled"), Tag("0004", "step", "output"))
    again = ledger(tmp_path, TWO + written(new))
    assert again.tags == (*found.tags, *new)
    assert again.missing([("step", "output")]) == ()
    assert [tag.tag for tag in again.lost([("step", "output")])] == ["0001", "0002", "0003"]


def test_a_retired_tag_stays_and_its_name_may_have_another(tmp_path: Path) -> None:
    found = ledger(tmp_path, TWO)
    gone = retired(found, "0001", 'Now it is "raw, scores".', "0002")
    again = ledger(tmp_path, TWO + written([gone]))
    assert again.tags == (gone, found.tags[1])
    assert gone == Tag("0001", "step", "scores", 'Now it is "raw, scores".', "0002")
    assert again.missing([("step", "scores")]) == (Tag("0003", "step", "scores"),)
    assert again.lost([("step", "weights")]) == []


@pytest.mark.parametrize(("text", "told"), [
    ("", "line 1: expected tag,kind,name,instead"),
    (TWO + "0004,step,output,\n", "line 4: found the tag '0004', expected '0003'"),
    (TWO + "0002,step,output,\n", "line 4: found the tag '0002', expected '0003'"),
    (HEAD + "0002,step,weights,\n", "line 2: found the tag '0002', expected '0001'"),
    (TWO + "0003,step,scores,\n", "line 4: step scores has a tag already"),
    (TWO + "0003,step,<b>,\n", "line 4: '<b>' is no name"),
    (TWO + "0003,step,output,0001\n", "line 4: 0003 is not retired"),
    (TWO + "0003,step\n", "line 4: found 2 fields, expected 4"),
    (TWO + "0005,retired,why,\n", "line 4: the tag '0005' was not given before this line"),
    (TWO + "0001,retired,why,0009\n", "line 4: the tag '0009' was not given before this line"),
    (TWO + "0001,retired,,\n", "line 4: a retired tag says why"),
    (TWO + "0001,retired,why,0001\n", "line 4: 0001 cannot stand for itself"),
    (TWO + "0001,retired,why,\n0001,retired,again,\n", "line 5: 0001 is retired already"),
    (HEAD + "0002,step,a,\n\n0001,step,?,\n", "line 3: found 0 fields, expected 4"),
])
def test_what_is_wrong_in_the_file_is_told_with_its_line(
    tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(LedgerError) as raised:
        ledger(tmp_path, text)
    assert f"tags.csv {told}" in str(raised.value)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(LedgerError) as raised:
        ledger(tmp_path, HEAD + "0002,step,a,\n0001,Step,b\n0002,step,c,0001\n")
    assert len(str(raised.value).splitlines()) == 3


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"none\.csv: cannot be read"):
        read(tmp_path / "none.csv")


def test_the_command_lists_what_it_would_add_and_adds_it_when_told(tmp_path: Path) -> None:
    path = tmp_path / "tags.csv"
    path.write_text(TWO)
    listed = run("--file", str(path))
    assert listed.exit_code == 0
    assert listed.stdout.startswith("0003,step,embeddings,\n")
    assert "step,scores" not in listed.stdout
    assert "add --write" in listed.stderr
    assert path.read_text() == TWO
    added = run("--file", str(path), "--write")
    assert path.read_text() == TWO + added.stdout
    assert run("--file", str(path)).stdout == "Every derivation has its tag.\n"


def test_the_command_retires_a_tag(tmp_path: Path) -> None:
    path = tmp_path / "tags.csv"
    path.write_text(TWO)
    run("--file", str(path), "--retire", "0001", "--why", "It moved.", "--instead", "0002",
        "--write")
    assert path.read_text() == TWO + "0001,retired,It moved.,0002\n"


@pytest.mark.parametrize(("arguments", "told", "code"), [
    (("--retire", "0009", "--why", "gone"), "the tag '0009' was not given", 1),
    (("--retire", "0001"), "--retire takes --why", 2), (("--why", "gone"), "--retire takes", 2),
    (("--instead", "0001"), "--retire takes --why", 2),
])
def test_what_cannot_be_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], told: str, code: int
) -> None:
    path = tmp_path / "tags.csv"
    path.write_text(TWO)
    done = run("--file", str(path), *arguments, "--write")
    assert (done.exit_code, path.read_text()) == (code, TWO)
    assert told in done.stderr
