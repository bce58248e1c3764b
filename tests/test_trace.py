"""Where numbers come from and go: the trace, the links and the cards made of it."""

import re

import pytest

from derivations.formula import Given, address
from derivations.pages.linking import Links, href, linked
from derivations.pages.worked import Worked
from derivations.render.cards import card
from derivations.render.layout import layout
from derivations.render.words import entry_name, entry_text, line_name, matrix_text
from derivations.trace import Line, line_sources, sources, trail, uses
from tests import sites

SMALL = [path for path in sorted([sites.LESSON, *sites.EXAMPLES.iterdir()])
         if path.stem != "wide"]
CATS = sites.worked(sites.LESSON)
MASKED = sites.worked(sites.EXAMPLES / "hidden-row.toml")


def entries(worked: Worked) -> list[tuple[str, int, int]]:
    return [(step.key, i, j) for step in worked.derivation.steps for i, j in step.places]


def made_of(worked: Worked, key: str, i: int, j: int) -> set[tuple[str, int, int]]:
    return {(line.key, *place)
            for line in sources(worked.derivation[key], i, j) for place in line.places}


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_sources_are_what_the_formula_names(path) -> None:
    worked = sites.worked(path)
    for key, i, j in entries(worked):
        expression = worked.derivation[key].expression(i, j)
        symbols = set() if expression is None else expression.free_symbols
        named = {address(symbol) for symbol in symbols if symbol.name != "divisor"}
        found = made_of(worked, key, i, j)
        assert named <= found
        if named:  # a hidden pair names nothing: it is 0 or minus infinity because of its mask
            assert {entry for entry in found if entry[0] != "mask"} == named


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_uses_lead_back_to_sources_and_miss_none(path) -> None:
    worked = sites.worked(path)
    used_in: dict[tuple[str, int, int], set[tuple[str, int, int]]] = {
        entry: set() for entry in entries(worked)}
    for entry in entries(worked):
        for source in made_of(worked, *entry):
            used_in[source].add(entry)
    for key, i, j in entries(worked):
        found = {(line.key, *place)
                 for line in uses(worked.derivation, key, i, j) for place in line.places}
        assert found == used_in[key, i, j]


def test_every_number_goes_back_to_given_ones() -> None:
    for entry in entries(CATS):
        here = {entry}
        while any(not isinstance(CATS.derivation[key].formula, Given) for key, _, _ in here):
            here = {source for key, i, j in here
                    for source in made_of(CATS, key, i, j) or {(key, i, j)}}
        assert {key for key, _, _ in here} <= {"embeddings", "w_q", "w_k", "w_v"}


def test_the_trail_of_a_weight() -> None:
    levels = trail(CATS.derivation, CATS.derivation["weights"], 1, 2)
    told = [[plain(line_name(CATS.derivation, line)) for line in lines] for lines in levels]
    assert told == [["exponential (love, cats)", "row sum (love)"],
                    ["scaled score (love, cats)"], ["score (love, cats)"],
                    ["query (love)", "key (cats)"],
                    ["embedding (love)", "query matrix", "embedding (cats)", "key matrix"]]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_every_trail_ends_at_typed_numbers(path) -> None:
    worked = sites.worked(path)
    given = {step.key for step in worked.derivation.steps if isinstance(step.formula, Given)}
    for key, i, j in entries(worked):
        levels = trail(worked.derivation, worked.derivation[key], i, j)
        assert not levels or {line.key for line in levels[-1]} & given or not any(
            line.places for line in levels[-1])


def test_a_line_is_made_of_all_that_its_entries_are_made_of() -> None:
    row = Line("scores", 1, None, ((1, 0), (1, 1), (1, 2)))
    query, keys = line_sources(CATS.derivation["scores"], row)
    assert (query.key, query.row, query.col) == ("queries", 1, None)
    assert (keys.key, keys.row, keys.col, len(keys.places)) == ("keys", None, None, 6)
    one = sites.worked(sites.EXAMPLES / "one.toml").derivation["scores"]
    query, _ = line_sources(one, Line("scores", 0, None, ((0, 0),)))
    assert (query.row, query.col) == (0, None)  # a row, be it of one number


def test_a_card_says_where_its_number_comes_from_and_goes() -> None:
    step = CATS.derivation["scores"]
    shown = plain(card(step, CATS.derivation, CATS.decimals, 1, 2))
    assert "score of love for cats" in shown
    assert "From query (love) = (0, 1) and key (cats) = (1, 2)." in shown
    assert "Goes into scaled score (love, cats)." in shown


def test_a_hidden_key_is_no_source() -> None:
    output = MASKED.derivation["output"]
    open_rows = {i for i in range(output.shape[0]) if i not in MASKED.derivation.closed_rows}
    for i in range(output.shape[0]):
        found = {row for key, row, _ in made_of(MASKED, "output", i, 0) if key == "values"}
        assert found == set(output.keys(i))
        assert bool(found) == (i in open_rows)


def from_line(worked: Worked, key: str, i: int, j: int) -> str:
    shown = card(worked.derivation[key], worked.derivation, worked.decimals, i, j)
    found = re.search(r'<p class="from"[^>]*>(.*?)</p>', shown)
    assert found
    return plain(re.sub(r'<span class="math"[^>]*></span>', "(formula)", found[1]))


def test_a_card_says_what_is_rounded_what_divides_and_what_is_hidden() -> None:
    assert from_line(CATS, "weights", 1, 2) == \
        "From exponential (love, cats) ≈ 4.1133 and row sum (love) ≈ 7.1414."
    assert from_line(CATS, "scaled_scores", 1, 2) == \
        "From score (love, cats) = 2, divided by (formula)."
    assert from_line(CATS, "normalisers", 1, 0).startswith("From exponentials (love) ≈ (1, 2.0281")
    (closed, *_) = MASKED.derivation.closed_rows
    for key in ("normalisers", "weights", "output"):
        assert "The mask hides every key" in from_line(MASKED, key, closed, 0)
    partly = sites.worked(sites.EXAMPLES / "causal.toml")
    assert ", where the mask is 1, = (" in from_line(partly, "output", 0, 0)
    assert from_line(partly, "mask", 0, 0) == "Follows from the example file: key mask."


def test_all_sources_are_named_for_lighting_even_those_of_a_long_line() -> None:
    wide = sites.worked(sites.EXAMPLES / "wide.toml")
    shown = card(wide.derivation["scores"], wide.derivation, wide.decimals, 1, 2)
    refs = re.search(r'data-refs="([^"]*)"', shown)
    assert refs
    assert len(refs[1].split()) == 2 * wide.derivation.size("d_k")


def test_given_numbers_name_their_key_in_the_file() -> None:
    shown = plain(card(CATS.derivation["w_q"], CATS.derivation, CATS.decimals, 2, 1))
    assert "Typed in the example file: key w_q, row 3, number 2." in shown
    assert "Goes into queries, column 2." in shown


@pytest.mark.parametrize(("key", "name"), [
    ("scores", "score of love for cats"), ("output", "output of love, number 2"),
    ("normalisers", "row sum of love"), ("w_v", "value matrix in row 2, column 2")])
def test_names_of_entries(key: str, name: str) -> None:
    step = CATS.derivation[key]
    col = min(2 if key == "scores" else 1, step.shape[1] - 1)
    assert plain(entry_name(step, 1, col)) == name


def test_what_a_screen_reader_says_of_a_matrix() -> None:
    step = CATS.derivation["weights"]
    assert matrix_text(step, CATS.decimals["weights"]).startswith(
        "attention weights, 3 by 3; I: I 0.0381, love 0.3177, cats 0.6443; love: I 0.1400, ")
    masked = MASKED.derivation["masked_scores"]
    assert entry_text(step, CATS.decimals["weights"], 1, 2) == \
        "attention weight of love for cats: 0.5760"
    assert "minus infinity" in matrix_text(masked, MASKED.decimals["masked_scores"])


def test_a_product_shows_the_right_factor_turned_where_it_is() -> None:
    shown = layout(CATS.derivation["scores"], CATS.derivation, CATS.decimals)
    tables = re.findall(r'<table class="([^"]*)"[^>]*>(.*?)</table>', shown)
    assert [kind for kind, _ in tables] == [
        "factor role-q cells-2", "factor turned role-k cells-4", "matrix main role-s cells-4"]
    refs = re.findall(r'data-ref="([^"]*)"', tables[1][1])
    assert refs == ["keys-r1c1", "keys-r2c1", "keys-r3c1", "keys-r1c2", "keys-r2c2", "keys-r3c2"]
    assert 'data-ref="keys-r3c2" data-exact>2<' in tables[1][1]
    assert 'id="scores-r2"' in tables[2][1]
    assert 'id="' not in tables[0][1]


HERE = "examples/cats/scores.md"


@pytest.mark.parametrize(("here", "there", "as_folders", "as_files"), [
    (HERE, HERE, "", ""),
    (HERE, "examples/cats/output.md", "../output/", "output.html"),
    (HERE, "examples/cats/index.md", "../", "index.html"),
    ("index.md", HERE, "examples/cats/scores/", "examples/cats/scores.html"),
    ("lesson/one.md", HERE, "../../examples/cats/scores/", "../examples/cats/scores.html"),
    ("examples/cats/index.md", HERE, "scores/", "scores.html"),
    (HERE, "index.md", "../../../", "../../index.html"),
])
def test_relative_addresses(here: str, there: str, as_folders: str, as_files: str) -> None:
    assert href(here, there, True) == as_folders
    assert href(here, there, False) == as_files


def test_a_number_without_a_card_is_no_link() -> None:
    links = Links("examples/cats", frozenset({"scores-r1c1"}), True)
    one = '<span class="number" data-ref="scores-r1c{}" data-exact>1</span>'
    assert linked(one.format(1), "index.md", links) == (
        '<a class="number role-s" data-ref="scores-r1c1" data-exact '
        'href="examples/cats/scores/#scores-r1c1">1</a>')
    assert linked(one.format(2), "index.md", links) == one.format(2)
    assert linked('<a data-to="scores-r9">x</a>', HERE, links) == '<a href="#scores">x</a>'
