"""The lesson follows its example: every number, and no sentence that could go stale."""

import re
from pathlib import Path

import pytest
from lxml import html

from derivations.example import Example, load
from tests import sites
from tests.reader import read_page
from tests.truths.whole import SUPPOSED, truth_of

LESSON = sites.ROOT / "docs" / "lesson"
SOURCES = sorted(LESSON.glob("*.md"))
MARKER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
NOT_PROSE = re.compile(  # front matter, code, formulas, addresses, powers, tags, numbers of lists
    r"^---\n.*?\n---\n|```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|^\[\w+\]: .*?$"
    r"|<sup>.*?</sup>|<[^>]*>|^ *\d+\. |^# \d+\w?\. |\{:[^}]*\}", re.DOTALL | re.MULTILINE)
CITED = re.compile(  # a part of a paper, its year, its number
    r"(?:section|equation|table|figure|footnote|chapter|appendix|algorithm|page|version)s?"
    r"\s\(?[A-Z.]*\d[\d.]*\)?(?:(?:,| and| to) \d[\d.]*)*"
    r"|\b(?:19|20)\d\d\b|arXiv:[\d.]+|Nature \d+", re.IGNORECASE)
NUMERAL = re.compile(r"(?<!\w)[−-]?\d+(?:[.,/]\d+)*")
SENTENCE_END = re.compile(r"(?<=[.?!:])\s+|\n\n|\|")
COMPARISON = re.compile(
    r"\b(?:most|least|equal(?:ly)?|(?:larg|small|high|low|few|great)(?:er|est)|more|less|same|alike|"
    r"twice|half|doubled?)\b", re.IGNORECASE)
PLACE = "§"  # where a marker stood
TRUE_OF_ANY = {"0", "1", "−1"}
ALLOWED_NUMERALS = {  # numbers of the text itself: of a case that it supposes, of a paper
    "scaling.md": {"64", "8", "2"},
    "softmax.md": {"800", "799", "1/2", "2", "10"},
    "shape-mistakes.md": {"800", "799"},
    "code.md": {"3.11", "64", "754", "2.5"},  # Python, bits, IEEE, PyTorch
    "conventions.md": {"2", "2.1"},  # GPT-2, FlashAttention
}
ALLOWED_COMPARISONS = {  # true of any example
    "output.md": {"The row of § is the same as above:"},
    "rounding.md": {"§ Rounding moves each weight by up to half a unit of its last decimal, up "
                    "or down."},
    "softmax.md": {"Every § is above 0, and a larger score gives a larger one.",
                   "largest taken away",
                   "Divide the scaled scores by one more number before softmax, the §."},
    "words.md": {"All rows have the same width, , which is § here."},
}


def prose(source: str) -> str:
    """The words that were typed: PLACE where a marker stands, no formulas, addresses or code."""
    return NOT_PROSE.sub(" ", MARKER.sub(PLACE, source))


def numerals(name: str, source: str) -> list[str]:
    """The numbers that were typed and may go stale."""
    allowed = TRUE_OF_ANY | ALLOWED_NUMERALS.get(name, set())
    return [found for found in NUMERAL.findall(CITED.sub(" ", prose(source)))
            if found not in allowed]


def comparisons(name: str, source: str) -> list[str]:
    """The sentences that compare and hold a marker: they may be true of this example only."""
    allowed = ALLOWED_COMPARISONS.get(name, set())
    sentences = (" ".join(one.split()) for one in SENTENCE_END.split(prose(source)))
    return [one for one in sentences
            if PLACE in one and COMPARISON.search(one) and one not in allowed]


def names(source: str, tokens: tuple[str, ...]) -> list[str]:
    """The tokens of an example that were typed into the prose."""
    words = re.findall(r"\w+", prose(source))
    return [token for token in tokens if token in words]


def faults_of(site: Path, example: Example) -> dict[str, list[str]]:
    truth = truth_of(example)
    found = {page.parent.name: read_page(page.read_text(encoding="utf-8"), truth, SUPPOSED).faults
             for page in sorted((site / "lesson").rglob("index.html"))}
    assert found
    return {name: faults for name, faults in found.items() if faults}


@pytest.mark.own
def test_every_number_of_the_lesson(site: Path) -> None:
    assert faults_of(site, load(sites.OWN_LESSON)) == {}


def test_no_number_was_typed() -> None:
    assert {path.name: found for path in SOURCES
            if (found := numerals(path.name, path.read_text(encoding="utf-8")))} == {}


def test_no_comparison_was_typed_about_the_example() -> None:
    assert {path.name: found for path in SOURCES
            if (found := comparisons(path.name, path.read_text(encoding="utf-8")))} == {}


def test_no_token_was_typed() -> None:
    tokens = load(sites.LESSON).tokens
    assert {path.name: found for path in SOURCES
            if (found := names(path.read_text(encoding="utf-8"), tokens))} == {}


@pytest.mark.parametrize(("planted", "finds"), [
    ("The score is 3.", lambda text: numerals("scores.md", text)),
    ("{{ name(asker) }} listens most to {{ name(heard) }}.",
     lambda text: comparisons("scores.md", text)),
    ("Here love looks at the others.", lambda text: names(text, ("I", "love", "cats"))),
])
def test_what_is_planted_is_found(planted: str, finds) -> None:
    source = (LESSON / "scores.md").read_text(encoding="utf-8")
    assert finds(source) == []
    assert len(finds(f"{source}\n\n{planted}\n")) == 1


SEVEN = """
title = "The cat saw the cat"
tokens = ["The", "cat", "saw", "the", "cat", "and", "ran"]
x = [[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1], [0, 2, 1]]
w_q = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]
w_k = [[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 1, 0]]
w_v = [[1, -1], [0, 2], [1, 0]]
"""
NARROW = """
tokens = ["Snow", "falls"]
x = [[1, -1], [2, "1/2"]]
w_q = [[1], [2]]
w_k = [["-1/3"], [1]]
w_v = [[1, 0, 2], [-1, 1, 1]]
places = 5
"""
ALL_ALIKE = """
tokens = ["tick", "tock", "tick"]
x = [[1, 0], [0, 1], [1, 1]]
w_q = [[0, 0], [0, 0]]
w_k = [[1, 0], [0, 1]]
w_v = [[1], [3]]
scale = "none"
"""
OTHERS = {"seven.toml": SEVEN, "narrow.toml": NARROW, "all-alike.toml": ALL_ALIKE} | sites.texts(
    *(sites.EXAMPLES / name for name in (
        "one.toml", "ties.json", "fractions.toml", "hidden-row.toml", "causal.toml")))


@pytest.mark.parametrize("name", OTHERS)
def test_the_lesson_of_another_example(other_site, tmp_path: Path, name: str) -> None:
    """Its numbers are that example's, and nothing of the default one is left."""
    site = other_site(name, OTHERS[name])
    (tmp_path / name).write_text(OTHERS[name], encoding="utf-8")
    example = load(tmp_path / name)
    assert faults_of(site, example) == {}
    gone = [token for token in load(sites.LESSON).tokens
            if token != "I" and token not in example.tokens]
    assert {page.parent.name: found for page in (site / "lesson").rglob("index.html")
            if (found := words_of(page) & set(gone))} == {}


def words_of(page: Path) -> set[str]:
    """The words that a reader sees."""
    return set(re.findall(r"\w+", html.parse(page).find(".//article").text_content()))
