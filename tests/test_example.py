"""Example files: read exactly, and every fault of a file told at once, with its place."""

import json
import re
import textwrap
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.audit.grades import audit
from derivations.example import build, load
from derivations.example.syntax import KEYS
from derivations.faults import ExampleError
from derivations.numbers import NotANumber, read_number
from tests.sites import LESSON, ROOT

GOOD = {"tokens": ["a", "b"], "x": [[1, 2], [3, 4]], "w_q": [[1], [0]], "w_k": [[0], [1]],
        "w_v": [[1, 0, 2], [0, 1, 3]]}


def faults(**changes: object) -> list[str]:
    """What is wrong with the good example, once changed; `None` takes a key away."""
    data = {key: value for key, value in (GOOD | changes).items() if value is not None}
    try:
        build(Path("t.toml"), data)
    except ExampleError as error:
        return [str(fault) for fault in error.faults]
    return []


def written(tmp_path: Path, text: str | bytes, name: str = "t.toml") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_good_example_is_good() -> None:
    assert faults() == []


@pytest.mark.parametrize(("number", "value"), [
    (3, 3), ("0.1", Fraction(1, 10)), ("1/3", Fraction(1, 3)), ("-1/2", Fraction(-1, 2)),
    ("1e3", 1000), ("2.5E-3", Fraction(1, 400)), ("+7", 7), (" 4 ", 4), (".5", Fraction(1, 2)),
    ("5.", 5), (-0, 0), ("-0.0", 0),
])
def test_numbers_are_exact(number: object, value: Fraction) -> None:
    assert read_number(number) == value


@pytest.mark.parametrize("number", [
    "0.1.2", "nan", "inf", "-inf", "1/0", "1/-2", "0x10", "", " ", "1e400", "1e-400", "1 2", "½",
    "\N{ARABIC-INDIC DIGIT ONE}", "1_000", True, None, 1.5, [1], {}, 10**41, "9" * 41,
    pytest.param(10**5000, id="huge"), "1e99", "1/3.5",
])
def test_what_is_not_a_number_is_refused_in_one_line(number: object) -> None:
    with pytest.raises(NotANumber) as caught:
        read_number(number)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@given(st.fractions(max_denominator=10**15).filter(lambda f: abs(f) < 10**15))
def test_fractions_are_read_back(value: Fraction) -> None:
    assert read_number(f"{value.numerator}/{value.denominator}") == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-10**20,
                   max_value=10**20))
def test_decimals_are_read_back(value) -> None:
    assert read_number(f"{value:f}") == Fraction(value)


def test_toml_decimals_do_not_pass_through_floats(tmp_path: Path) -> None:
    text = 'tokens=["a"]\nx=[[0.1]]\nw_q=[[1e-7]]\nw_k=[["1/3"]]\nw_v=[[123456789.123456789123456]]'
    example = load(written(tmp_path, text))
    assert example.x.entry(0, 0) == Fraction(1, 10)
    assert example.w_q.entry(0, 0) == Fraction(1, 10**7)
    assert example.w_v.entry(0, 0) == Fraction("123456789.123456789123456")


def test_json_is_the_same(tmp_path: Path) -> None:
    text = '{"tokens": ["a"], "x": [[0.1]], "w_q": [[1e-7]], "w_k": [["1/3"]], "w_v": [[2]]}'
    assert load(written(tmp_path, text, "t.json")).x.entry(0, 0) == Fraction(1, 10)


@pytest.mark.parametrize(("changes", "expected"), [
    ({"w_k": [[0, 1], [1]]}, "w_k row 2: has 1 number, expected 2 because row 1 has as many"),
    ({"w_k": [[0]]}, "w_k: has 1 row, expected 2 because x has 2 columns"),
    ({"w_k": [[0, 1], [1, 0]]},
     "w_k: has 2 columns, expected 1 because w_q has as many: queries and keys share d_k"),
    ({"x": [[1, 2]]}, "x: has 1 row, expected 2: one for each token"),
    ({"x": [[1, "q"], [3, 4]]}, "x row 1 column 2: 'q' is not a number; write 2, 0.5 or \"1/2\""),
    ({"x": [[1, "0.1.2"], [3, 4]]}, "x row 1 column 2: '0.1.2' is not a number"),
    ({"x": [[1, "nan"], [3, 4]]}, "x row 1 column 2: 'nan' is not a number"),
    ({"x": [[1, "\u22120.5"], [3, 4]]},
     "x row 1 column 2: '\u22120.5' has a typographic minus sign; write a plain -"),
    ({"x": [[1, "0,5"], [3, 4]]},
     "x row 1 column 2: '0,5' has a comma; write a point before the decimals"),
    ({"x": [[1, "5.1e-131"], [3, 4]]}, "x row 1 column 2: '5.1e-131' is too large or too small"),
    ({"x": 3}, "x: found 3, expected a matrix: a list of rows"),
    ({"x": [1, [2, 3]]}, "x row 1: found 1, expected a row of numbers"),
    ({"x": []}, "x: found an empty list, expected a matrix"),
    ({"x": [[], [1, 2]]}, "x row 1: found an empty list, expected a row of numbers"),
    ({"w_v": None}, "w_v: is missing; give a matrix such as [[1, 0], [0, 1]]"),
    ({"wq": [[1]]}, "wq: unknown key; did you mean w_q?"),
    ({"zzz": 1}, "zzz: unknown key; known keys are title, tokens"),
    ({"heads": []}, "heads: found an empty list, expected a table for each head"),
    ({"tokens": []}, "tokens: found an empty list, expected one or more tokens"),
    ({"tokens": "ab"}, "tokens: found 'ab', expected one or more tokens"),
    ({"tokens": ["a", ""]}, "tokens row 2: found '', expected text that can be seen"),
    ({"tokens": ["a", 3]}, "tokens row 2: found 3, expected text"),
    ({"tokens": ["a", "b" * 301]}, "tokens row 2: has 301 characters, expected at most 300"),
    ({"tokens": ["a", "b\0"]}, "tokens row 2: holds the character U+0000"),
    ({"tokens": ["a", "\ud800"]}, "tokens row 2: holds the character U+D800"),
    ({"sentence": "a b"}, "sentence: give either tokens or sentence, not both"),
    ({"mask": "diagonal"}, 'mask: found \'diagonal\', expected "none", "causal" or a matrix'),
    ({"mask": [[1, 0]]}, "mask: is 1 by 2, expected 2 by 2"),
    ({"mask": [[1, 2], [1, 1]]}, "mask row 1 column 2: found 2, expected 1 (may attend) or 0"),
    ({"mask": [[True, 1], [1, 1]]}, "mask row 1 column 1: found true, expected 1"),
    ({"scale": 0}, 'scale: found 0, expected "sqrt_dk", "none" or the positive number'),
    ({"scale": "root"}, "scale: found 'root', expected"),
    ({"places": 0}, "places: found 0, expected a whole number from 1 to 30"),
    ({"places": True}, "places: found true, expected a whole number"),
    ({"title": {"a": 1}}, "title: found a table, expected text in quotes"),
    ({"title": 3}, "title: found 3, expected text in quotes"),
    ({"language": "?!"}, "language: found '?!', expected a tag such as en or pt-BR"),
])
def test_a_fault_says_where_what_and_how(changes: dict[str, object], expected: str) -> None:
    found = faults(**changes)
    assert len(found) == 1, found
    assert found[0].startswith(expected)


DIRECT = {"q": [[1, 2]], "k": [[1, 0], [0, 1]], "v": [[1], [2]]}
HEAD = {"w_q": [[1], [0]], "w_k": [[0], [1]], "w_v": [[1, 0], [0, 1]]}
HEADS = {"tokens": ["a", "b"], "x": [[1, 2], [3, 4]], "heads": [HEAD, HEAD],
         "w_o": [[1], [0], [2], [0]], "b_o": [5]}


def faults_of(data: dict[str, object]) -> list[str]:
    """What is wrong with an example."""
    try:
        build(Path("t.toml"), data)
    except ExampleError as error:
        return [str(fault) for fault in error.faults]
    return []


@pytest.mark.parametrize(("data", "expected"), [
    (GOOD | {"b_q": [1, 2]}, "b_q: has 2 columns, expected 1 because w_q has as many"),
    (GOOD | {"b_v": [1, "x", 3]}, "b_v row 1 column 2: 'x' is not a number"),
    (GOOD | {"b_k": [[1], [2]]}, "b_k: has 2 rows, expected one row of numbers, such as [1, 0]"),
    (GOOD | {"b_k": 3}, "b_k: found 3, expected a row of numbers, such as [1, 0]"),
    (GOOD | {"q": [[1]], "k": [[1]], "v": [[1]]}, "x: give either x with w_q, w_k and w_v, or q"),
    ({"q": [[1]], "k": [[1]]}, "v: is missing; give a matrix"),
    (DIRECT | {"k": [[1], [2]]}, "k: has 1 column, expected 2 because q has as many: queries and"),
    (DIRECT | {"v": [[1]]}, "v: has 1 row, expected 2 because k has as many"),
    (DIRECT | {"tokens": ["a", "b"], "context_tokens": ["c", "d"]},
     "q: has 1 row, expected 2: one for each token"),
    (DIRECT | {"tokens": ["a"], "context_tokens": ["c"]},
     "k: has 2 rows, expected 1: one for each token of the context"),
    (DIRECT | {"title": "x" * 301}, "title: has 301 characters, expected at most 300; shorten it"),
    (DIRECT | {"note": "x" * 4001}, "note: has 4001 characters, expected at most 4000"),
    (DIRECT | {"b_q": [1, 2]}, "b_q: is added to what w_q, w_k and w_v make; add it yourself"),
    (HEADS | {"heads": [HEAD, HEAD | {"scale": "none"}]},
     "heads 2 scale: belongs to the whole example: write it at the top"),
    (HEADS | {"heads": [HEAD, DIRECT | {"q": [[1, 2], [0, 1]]}]}, "heads 2: give either x with"),
    ({"heads": [DIRECT | {"k": [[1, 0]], "v": [[1]]}, DIRECT | {"q": [[1, 2], [0, 1]]}]},
     "heads 2 q: has 2 rows, expected 1 because heads 1 q has as many"),
    (GOOD | {"context_tokens": ["c"]}, "context_x: is missing: keys and values are made of its"),
    (GOOD | {"context_tokens": ["c"], "context_x": [[1, 2, 3]]},
     "context_x: has 3 columns, expected 2 because w_k has 2 rows"),
    (GOOD | {"context_tokens": ["c"], "context_x": [[1, 2]], "w_k": [[1], [0], [1]]},
     "w_k: has 3 rows, expected 2 because context_x has 2 columns"),
    (GOOD | {"context_tokens": "c", "context_x": [[1, 2]]}, "context_tokens: found 'c', expected"),
    (GOOD | {"context_tokens": ["c", "d"], "context_x": [[1, 2]]},
     "context_x: has 1 row, expected 2: one for each token of the context"),
    (GOOD | {"mask": "causal", "cache_length": -1}, "cache_length: found -1, expected a whole"),
    (GOOD | {"cache_length": 1}, 'cache_length: only moves a causal mask; add mask = "causal"'),
    (HEADS | {"heads": 3}, "heads: found 3, expected a table for each head"),
    (HEADS | {"heads": [HEAD, 3]}, "heads 2: found 3, expected a table for each head"),
    (HEADS | {"heads": [HEAD, HEAD | {"wq": [[1]]}]}, "heads 2 wq: unknown key; did you mean w_q?"),
    (HEADS | {"heads": [HEAD, HEAD | {"w_k": [[1], ["x"]]}]},
     "heads 2 w_k row 2 column 1: 'x' is not a number"),
    (HEADS | {"heads": [HEAD, HEAD | {"w_k": [[1]]}]},
     "heads 2 w_k: has 1 row, expected 2 because x has 2 columns"),
    (HEADS | {"x": [[1, 2]]}, "x: has 1 row, expected 2: one for each token"),
    (HEADS | {"w_q": [[1], [0]]}, "w_q: give it in each head, or at the top without heads"),
    (HEADS | {"w_o": [[1], [0], [2]]},
     "w_o: has 3 rows, expected 4: the outputs of 2 heads have as many columns together"),
    (HEADS | {"b_o": [1, 2]}, "b_o: has 2 numbers, expected 1 because w_o has as many columns"),
    (GOOD | {"w_o": [[1]]}, "w_o: projects the outputs of heads; give heads, or take it away"),
    ({key: value for key, value in HEADS.items() if key != "w_o"}, "w_o: is missing: b_o is added"),
])
def test_what_does_not_belong_together_is_told(data: dict[str, object], expected: str) -> None:
    found = faults_of(data)
    assert [fault[:len(expected)] for fault in found[:1]] == [expected], found


def test_what_heads_share_is_told_once() -> None:
    assert faults_of(HEADS | {"x": [[1, 2]]}) == ["x: has 1 row, expected 2: one for each token"]
    assert len(faults_of(HEADS | {"x": [[1, "q"], [3, 4]]})) == 1


def test_tokens_without_names_are_numbered() -> None:
    direct = build(Path("t.toml"), DIRECT)
    assert (direct.tokens, direct.key_tokens) == (("query 1",), ("key 1", "key 2"))
    assert direct.crosses
    alike = build(Path("t.toml"), DIRECT | {"q": [[1, 2], [0, 1]]})
    assert alike.tokens == alike.key_tokens == ("token 1", "token 2")
    assert not alike.crosses
    words = build(Path("t.toml"), {key: GOOD[key] for key in ("x", "w_q", "w_k", "w_v")})
    assert words.tokens == ("token 1", "token 2")


def test_a_causal_mask_is_aligned_at_the_top_left_or_after_a_cache() -> None:
    data = DIRECT | {"q": [[1, 2]], "k": [[1, 0]] * 3, "v": [[1]] * 3, "mask": "causal"}
    assert build(Path("t.toml"), data).mask == ((True, False, False),)
    assert build(Path("t.toml"), data | {"cache_length": 1}).mask == ((True, True, False),)


def test_heads_share_the_words_and_have_matrices_of_their_own() -> None:
    example = build(Path("t.toml"), HEADS | {"heads": [HEAD, HEAD | {"w_q": [[1, 2], [0, 1]],
                                                                       "w_k": [[1, 1], [0, 1]]}]})
    assert faults_of(HEADS) == []
    assert [head.w_q.shape for head in example.heads] == [(2, 1), (2, 2)]
    assert [head.divisor.root for head in example.heads] == [1, 2]
    assert all(head.x == example.x and head.tokens == example.tokens for head in example.heads)
    assert (example.w_o.shape, example.b_o.shape) == ((4, 1), (1, 1))
    assert not example.w_q.is_given


def test_all_faults_are_told_at_once() -> None:
    found = faults(x=[[1, "q"], ["r", 4]], wk=[[1]], mask="no", places=99, w_v=[[1], [2, 3]])
    assert [fault.split(":")[0] for fault in found] == [
        "wk", "x row 1 column 2", "x row 2 column 1", "w_v row 2", "mask", "places"]


@pytest.mark.parametrize(("text", "expected"), [
    ("x = [[1, 2", "syntax: Unclosed array"),
    ("x = 1\nx = 2\n", "line 2"),
    ("x = 0.1.2\n", "syntax: Expected newline or end of document after a statement (at line 1"),
])
def test_toml_syntax_keeps_its_place(tmp_path: Path, text: str | bytes, expected: str) -> None:
    with pytest.raises(ExampleError, match=r"t\.toml: syntax") as caught:
        load(written(tmp_path, text))
    assert expected in str(caught.value)


@pytest.mark.parametrize("text", ['{"x": [[1,]]}', "[]", '{"x": 1, "x": 2}', "[" * 100_000, ""])
def test_json_syntax_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(ExampleError, match=r"t\.json: syntax"):
        load(written(tmp_path, text, "t.json"))


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path: Path) -> None:
    text = '\ufefftokens=["a"]\r\nx=[[1]]\r\nw_q=[[1]]\r\nw_k=[[1]]\r\nw_v=[[1]]\r\n'
    assert load(written(tmp_path, text)).tokens == ("a",)


@pytest.mark.parametrize("stem", ["A", "a b", "a__b", "_a", "-a", "a--b", "ä", "a.b"])
def test_a_file_name_must_be_an_address(stem: str) -> None:
    with pytest.raises(ExampleError, match="becomes the address"):
        build(Path(f"{stem}.toml"), GOOD)


def test_a_sentence_is_split_at_spaces() -> None:
    data = {key: value for key, value in GOOD.items() if key != "tokens"}
    example = build(Path("t.toml"), data | {"sentence": " I  love "})
    assert example.tokens == ("I", "love")
    assert example.title == "I love"


def test_causal_lets_each_token_hear_itself_and_those_before() -> None:
    example = build(Path("t.toml"), GOOD | {"mask": "causal"})
    assert example.mask == ((True, False), (True, True))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner,
                                                                max_size=2),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "mask", "scale", "places", "title", "sentence",
                                        "language", "q"]) | st.text(max_size=5), anything))
def test_whatever_a_file_holds_it_is_read_or_refused(changes: dict[str, object]) -> None:
    for fault in faults(**changes):
        assert "\n" not in fault
        assert len(fault) < 400


def test_heads_keep_the_text_of_their_file(tmp_path: Path) -> None:
    text = json.dumps(HEADS)
    example = load(written(tmp_path, text, "t.json"))
    assert [example.typed, *(head.typed for head in example.heads)] == [text] * 3


def told_of(tmp_path: Path, text: str | bytes, name: str = "t.toml") -> list[str]:
    """What is told of a file."""
    with pytest.raises(ExampleError) as caught:
        load(written(tmp_path, text, name))
    return str(caught.value).replace(f"{name}: ", "").splitlines()


@pytest.mark.parametrize(("text", "place", "hint"), [
    ("x = [[1/3, 0]]", "(at line 1, column 8), in x", '1/3 goes in quotes: "1/3"'),
    ("x = [[0.1.2]]", "(at line 1, column 10), in x",
     "'0.1.2' is not a number; write 2, 0.5 or \"1/2\""),
    ("x = 0.1.2", "(at line 1, column 8), in x",
     "'0.1.2' is not a number; write 2, 0.5 or \"1/2\""),
    ("x = [[01]]", "(at line 1, column 8), in x", '01 goes in quotes: "01"'),
    ("x = [[.5]]", "(at line 1, column 7), in x", '.5 goes in quotes: ".5"'),
    ("x = [[\u22121]]", "(at line 1, column 7), in x",
     "'\u22121' has a typographic minus sign; write a plain -"),
    ("x = [[1 0]]", "(at line 1, column 9), in x", "a comma is missing before it"),
    ("x = [[1, 0] [0, 1]]", "(at line 1, column 13), in x", "a comma is missing before it"),
    ("x = [[1, 0]]]", "(at line 1, column 13), in x", "one ] too many"),
    ("x = [[1, 0],, [0, 1]]", "(at line 1, column 13), in x", "one comma too many"),
    ("x = [[1, 0]\nw_q = [[1]]", "(at line 2, column 1), in x from line 1",
     "a ] is missing before it"),
    ("x = [\n [1, 0],\n [0, 1]\n\n[published]", "(at line 5, column 1), in x from line 1",
     "a ] is missing before it"),
    ("x = [[1, 0]", "(at line 1, column 12), in x",
     "the file ends too early; a ], a } or a value is missing"),
    ("x = ((1, 0))", "(at line 1, column 5), in x", "write a list between [ and ], such as [1, 0]"),
    ("x = np.array([1])", "(at line 1, column 5), in x",
     "write a list between [ and ], such as [1, 0]"),
    ("x = {[1, 0]}", "(at line 1, column 6), in x",
     "write a list of rows between [ and ], not { and }"),
    ("tokens = [I]", "(at line 1, column 11), in tokens", 'text goes in quotes, such as "I"'),
    ("title = We like tea  # or coffee", "(at line 1, column 9), in title",
     'text goes in quotes, such as "We like tea"'),
    ("x = [[1]] y = 2", "(at line 1, column 11), in x", "begin a new line before it"),
    ("x = [[1]] for now", "(at line 1, column 11), in x", "take it away, or write # before it"),
    ("[heads]\n[heads]", "(at line 2, column 7)",
     "write it in double brackets, above each head"),
    ('tokens = ["I", am", "a"]', "(at line 1, column 16), in tokens",
     "a quote is missing before am"),
    ('tokens = ["I", "am, "a"]', "(at line 1, column 22), in tokens",
     "a comma is missing before it, or a quote"),
    ("tokens = [\u201cI\u201d]", "(at line 1, column 11), in tokens",
     'write straight quotes, such as "word"'),
    ("\ntokens = ['I]\nx = 1", "(at line 3, column 6)", "a text lacks its ' at the end, on line 2"
     " perhaps"),
    ('title = "two\nlines"', "(at line 1, column 13), in title",
     "a text in quotes ends on its line; a quote is missing"),
    ('source = "C:\\users"', "(at line 1, column 15), in source",
     "in double quotes a \\ is written \\\\"),
    ("float32 = True", "(at line 1, column 11), in float32", "write true"),
    ("title: 'ours'", "(at line 1, column 6)", "write = after a key, in place of :"),
    ("title == 'ours'", "(at line 1, column 8), in title", "one = too many"),
    ("w q = 1", "(at line 1, column 3)", "a key is one word with = after it, such as w_q = [[1,"
     " 0]]"),
    ("x", "(at line 1, column 2)", "a key needs a value, such as x = [[1, 0]]"),
    ("x = 1 // one", "(at line 1, column 7), in x", "a comment begins with #"),
    ("x = [[1]]\r\n\r\nx = [[2]]", "(at line 3, column 10)",
     "x is given on lines 1 and 3; keep one"),
    ("published = {q = 1, q = 2}", "(at line 1, column 26)", "keep one"),
    ("[published]\nq = 1\n[published]\nk = 1", "(at line 3, column 11)",
     "keep one heading, with all its keys below it"),
])
def test_a_fault_of_toml_says_how_to_mend_it(
    tmp_path: Path, text: str, place: str, hint: str
) -> None:
    (told,) = told_of(tmp_path, text)
    assert told.startswith("syntax: ")
    assert told.endswith(f" {place}: {hint}"), told


@pytest.mark.parametrize(("text", "place", "hint"), [
    ('{"x": [[1, 0],\n [0, 1]],\n}', "(at line 2, column 9), in x from line 1",
     "take away the comma before }"),
    ('{"x": [[1, 0],]}', "(at line 1, column 14), in x", "take away the comma before ]"),
    ('{"x": [[1,, 0]]}', "(at line 1, column 11), in x", "one comma too many"),
    ('{"x": [[1 0]]}', "(at line 1, column 11), in x", "a comma is missing before it"),
    ('{"x": [[1]]\n "k": 1}', "(at line 2, column 2), in x from line 1",
     "a comma is missing before it"),
    ('{"x": [[1/3]]}', "(at line 1, column 10), in x", '1/3 goes in quotes: "1/3"'),
    ('{"x": [[.5]]}', "(at line 1, column 9), in x", '.5 goes in quotes: ".5"'),
    ('{"x": [[1]]', "(at line 1, column 12), in x",
     "the file ends too early; a ], a } or a value is missing"),
    ('{"x": [[1]]}}', "(at line 1, column 13), in x", "one } too many"),
    ("{'x': [[1]]}", "(at line 1, column 2)", "JSON has double quotes only"),
    ('{// one\n"x": 1}', "(at line 1, column 2)",
     "JSON has no comments; take it away, or write TOML"),
    ('{"x" = 1}', "(at line 1, column 6)", "write : after a key, in place of ="),
    ('{"mask": causal}', "(at line 1, column 10), in mask",
     'text goes in quotes, such as "causal"'),
    ('{"float32": True}', "(at line 1, column 13), in float32", "write true"),
    ("{x: 1}", "(at line 1, column 2)", 'text goes in quotes, such as "x"'),
])
def test_a_fault_of_json_says_how_to_mend_it(
    tmp_path: Path, text: str, place: str, hint: str
) -> None:
    (told,) = told_of(tmp_path, text, "t.json")
    assert told.startswith("syntax: ")
    assert told.endswith(f" {place}: {hint}"), told


@pytest.mark.parametrize(("text", "expected"), [
    ('title = "a"\nnote = "caf\u00e9"'.encode("latin-1"),
     "encoding: line 2, column 12: the byte 0xE9 is not UTF-8 (in Windows-1252 it is '\u00e9'); "
     "save the file as UTF-8"),
    ('\ufeffnote = "\u732b'.encode() + b'\x93"',
     "encoding: line 1, column 10: the byte 0x93 is not UTF-8 (in Windows-1252 it is '\u201c'); "
     "save the file as UTF-8"),
    ("x = 1".encode("utf-16"), "encoding: the file is in UTF-16; save it as UTF-8"),
    ("x = 1".encode("utf-16-le"), "encoding: the file is in UTF-16; save it as UTF-8"),
    ("x = 1".encode("utf-16-be"), "encoding: the file is in UTF-16; save it as UTF-8"),
])
def test_a_file_that_is_not_utf8_says_so(tmp_path: Path, text: bytes, expected: str) -> None:
    for name in ("t.toml", "t.json"):
        assert told_of(tmp_path, text, name) == [expected]


@pytest.mark.parametrize(("data", "expected"), [
    # A key that surely means another is read as it was meant.
    ({"wq": [[1], [0]], "w_q": None}, ["wq: unknown key; did you mean w_q?"]),
    ({"WQ": [[1]], "w_q": None},
     ["WQ: unknown key; did you mean w_q?", "w_q: has 1 row, expected 2 because x has 2 columns"]),
    ({"d_k": 2}, ["d_k: unknown key; follows from the matrices; take it away"]),
    # One that stands too low is read where it belongs.
    ({"published": {"mask": [[1]]}},
     ["published.mask: belongs to the whole example: write it at the top, before [published]",
      "mask: is 1 by 1, expected 2 by 2: one row for each query and one column for each key"]),
    ({"published_places": {"float32": 3}},
     ["published_places.float32: belongs to the whole example: write it at the top, before "
      "[published_places]", "float32: found 3, expected true or false"]),
    # One mistake, one line.
    ({"x": [1, 2]}, ["x: found a list without rows in it, expected a list of rows, such as "
                     "[[1, 0], [0, 1]]"]),
    ({"w_v": [[[1], [0]]]}, ["w_v row 1: found lists in a row, expected numbers; take a pair of "
                             "brackets away"]),
    ({"x": [[1, "q"], ["q", "q"]]},
     ["x row 1 column 2: 'q' is not a number; write 2, 0.5 or \"1/2\"; also row 2 column 1 and "
      "row 2 column 2"]),
    ({"mask": [[False, True], [1, False]]},
     ["mask row 1 column 1: found false, expected 1 (may attend) or 0; also row 2 column 2",
      "mask row 1 column 2: found true, expected 1 (may attend) or 0"]),
    ({"mask": [[0, "-inf"], [0, 0]]},
     ["mask row 1 column 2: found '-inf', expected 1 (may attend) or 0 (may not): a mask is not "
      "added to scores here"]),
    ({"x": None, "w_q": None},
     ["x: is missing; give a matrix such as [[1, 0], [0, 1]]",
      "w_q: is missing; give a matrix such as [[1, 0], [0, 1]]"]),
    ({"q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]], "w_q": None},
     ["x: give either x with w_q, w_k and w_v, or q, k and v, not both: take x, w_k and w_v away, "
      "or q, k and v"]),
    # The one that stands alone is told.
    ({"x": [[1, 2, 0], [3, 4, 0]]}, ["x: has 3 columns, expected 2 because w_q has 2 rows"]),
    ({"w_v": [[1, 0, 2], [0, 1], [1, 1]]},
     ["w_v row 1: has 3 numbers, expected 2 because row 2 has as many",
      "w_v: has 3 rows, expected 2 because x has 2 columns"]),
    # Words for a choice.
    ({"mask": "Causal", "cache_length": 1},
     ["mask: found 'Causal', expected \"none\", \"causal\" or a matrix of 1 (may attend) and 0; "
      "did you mean \"causal\"?"]),
    ({"scale": "sqrt_k"}, ["scale: found 'sqrt_k', expected \"sqrt_dk\", \"none\" or the positive "
                           "number to divide by; did you mean \"sqrt_dk\"?"]),
    ({"places": "4"}, ["places: found '4', expected a whole number from 1 to 30: the decimals to "
                       "show; take the quotes away"]),
    ({"cache_length": -1, "mask": "causal"},
     ["cache_length: found -1, expected a whole number from 0: how many keys come before the first "
      "query"]),
    ({"x": [[1, "1 /2"], [3, "\u00bd"]]},
     ["x row 1 column 2: '1 /2' has blanks; take them away",
      "x row 2 column 2: '\u00bd' is not a number; write 2, 0.5 or \"1/2\""]),
])
def test_every_fault_is_told_once(data: dict[str, object], expected: list[str]) -> None:
    assert faults(**data) == expected


@pytest.mark.parametrize(("data", "expected"), [
    (HEADS | {"heads": HEAD, "w_o": [[1], [0]]},
     ["heads: found a table, expected a list of tables: write [[heads]], in double brackets, above "
      "each head"]),
    (HEADS | {"heads": {"1": HEAD, "2": HEAD | {"wk": [[0]], "w_k": [[1], [1]]}}},
     ["heads: found a table, expected a list of tables: write [[heads]], in double brackets, above "
      "each head", "heads 2 wk: unknown key; did you mean w_k?"]),
    (HEADS | {"heads": []}, ["heads: found an empty list, expected a table for each head, with "
                             "w_q, w_k and w_v of its own, each below [[heads]]"]),
    ({"tokens": ["a", "b"], "x": [[1, 2], [3, 4]], "heads": [HEAD, HEAD | {
        "w_o": [[1], [2]], "mask": "no"}]},
     ["heads 2 w_o: belongs to the whole example: write it at the top, before the first [[heads]]",
      "heads 2 mask: belongs to the whole example: write it at the top, before the first [[heads]]",
      "w_o: has 2 rows, expected 4: the outputs of 2 heads have as many columns together",
      "mask: found 'no', expected \"none\", \"causal\" or a matrix of 1 (may attend) and 0; did "
      "you mean \"none\"?"]),
    ({"tokens": ["a"], "x": [[1]], "heads": 2, "published": {"heads": [{"q": [[1]]}]}},
     ["heads: found 2, expected a table for each head, with w_q, w_k and w_v of its own, each "
      "below [[heads]]"]),
    (HEADS | {"heads": [HEAD, HEAD | {"w_v": [[1, 0], [0]]}], "w_o": [[1]] * 4,
              "published": {"concat": [[1, 2, 3]] * 2}, "published_places": {"concat": 0}},
     ["heads 2 w_v row 2: has 1 number, expected 2 because row 1 has as many"]),
    (HEADS | {"x": [[1, 2, 0], [3, 4, 0]]},
     ["x: has 3 columns, expected 2 because w_q has 2 rows"]),
])
def test_every_fault_of_heads_is_told_once(data: dict[str, object], expected: list[str]) -> None:
    assert faults_of(data) == expected


PRINTED = {"scores": [[1, 0], [0, 1]], "output": [[1, 2, 3], [4, 5, 6]]}
NO_PLACES = 'a number of decimals, "5sig" for significant digits, or "exact"'


@pytest.mark.parametrize(("data", "expected"), [
    ({"published_places": {"scores": 0, "output": 0}, "places": 0, "w_k": [[0], ["x"]]},
     ["w_k row 2 column 1: 'x' is not a number; write 2, 0.5 or \"1/2\"",
      "places: found 0, expected a whole number from 1 to 30: the decimals to show"]),
    ({"published_places": {"scores": 0, "output": 0}, "places": 0,
      "published": PRINTED | {"output": [1, 2, 3, 4, 5, 6]}},
     ["places: found 0, expected a whole number from 1 to 30: the decimals to show",
      "published.output: found a list without rows in it, expected a list of rows, such as "
      "[[1, 0], [0, 1]]"]),
    ({"published_places": {"scores": 0, "output": 0}, "published": PRINTED | {"output": [[1, 2]]}},
     ["published.output: has 1 row, expected 2: output is 2 by 3 here",
      "published.output row 1: has 2 numbers, expected 3: output is 2 by 3 here"]),
    ({"published_places": {"w_k": 0}, "published": {"w_k": [[0], [1], [1]]},
      "context_tokens": ["c"], "context_x": [[1, 2, 3, 4]], "w_k": [[0]] * 4,
      "w_v": [[0]] * 4, "places": 0},
     ["places: found 0, expected a whole number from 1 to 30: the decimals to show",
      "published.w_k: has 3 rows, expected 4: w_k is 4 by 1 here"]),
    # What the matrices do not agree on is no measure for the source; the rest is.
    ({"published_places": {"scores": 0, "output": 0}, "x": [[1, 2]] * 3,
      "published": {"scores": [[1, 0, 0]] * 3, "output": [[1, 2]] * 3}},
     ["x: has 3 rows, expected 2: one for each token",
      "published.output row 1: has 2 numbers, expected 3: output has 3 columns here; also row 2 "
      "and row 3"]),
    ({"published_places": {"score": 0, "output": "0"}},
     ["published_places.score: no such step; did you mean scores?",
      "published_places.output: found '0', expected how far published.output is printed: "
      f"{NO_PLACES}"]),
    ({"published_places": {"scores": 0, "output": 0, "zzz": 1}},
     ["published_places.zzz: no such step; known keys are k, output, q, scaled, scores, v, "
      "w_k, w_q, w_v, weights"]),
    ({}, [f"published_places: scores and output are missing, expected how far each is printed: "
          f"{NO_PLACES}"]),
    ({"published_places": 2},
     ["published_places: found 2, expected a table of steps: write [published_places], and below "
      "it a line for each step"]),
    ({"published_places": {"scores": 0, "output": 0}, "published": PRINTED | {
        "outputs": [[1, 2], [1, 2], [3, "x", 4]]}},
     ["published.outputs: this example has no such step; it has w_q, w_k, w_v, q, k, v, output, "
      "scores, scaled, weights; did you mean output?",
      "published.outputs row 3 column 2: 'x' is not a number; write 2, 0.5 or \"1/2\"",
      "published.outputs row 3: has 3 numbers, expected 2 because row 1 has as many"]),
])
def test_what_is_published_is_told_with_the_rest(
    data: dict[str, object], expected: list[str]
) -> None:
    assert faults(**{"published": PRINTED} | data) == expected


def test_places_of_rows_and_of_steps_that_are_not_printed_are_no_faults() -> None:
    data = GOOD | {"published": {"scores_row1": [1, 0], "weights_row0": [1, 0]},
                   "published_places": {"scores": 0, "weights_row0": 1, "q": 3, "output_row1": 2}}
    assert faults_of(data) == []
    assert [step.precision.places for step in build(Path("t.toml"), data).published] == [0, 1]


def test_json_may_say_that_a_source_rounded_nothing() -> None:
    assert build(Path("t.json"), GOOD | {"input_decimals": None}).input_decimals is None


def test_only_text_in_quotes_is_text(tmp_path: Path) -> None:
    text = 'title = 2.5\ntokens = ["a", 0.5]\nplaces = 2.5\nmask = [[1.0, 0.0], [1, "1"]]\n' \
           "x = [[1], [1]]\nw_q = [[1]]\nw_k = [[1]]\nw_v = [[1]]\n"
    assert told_of(tmp_path, text) == [
        "tokens row 2: found 0.5, expected text in quotes",
        "mask row 2 column 2: found '1', expected 1 (may attend) or 0",
        "title: found 2.5, expected text in quotes",
        "places: found 2.5, expected a whole number from 1 to 30: the decimals to show"]


def test_many_places_of_one_fault_are_one_line() -> None:
    found = faults(x=[["?"] * 9, [1, 2]], mask=[["?"] * 9] * 9)
    assert found[0].endswith("; also row 1 column 2, row 1 column 3, row 1 column 4, row 1 column "
                             "5 and 4 more")
    assert len(found) == 4


def test_a_file_name_is_mended_too() -> None:
    for name, expected in (("My File.toml", "; rename it, perhaps to my-file.toml"),
                           ("\u732b.toml", "it becomes the address of the page"),
                           ("ours.txt", "file name: ends in '.txt', expected .toml or .json")):
        with pytest.raises(ExampleError) as caught:
            build(Path(name), GOOD)
        assert str(caught.value).endswith(expected)
        assert build(Path(name), GOOD, any_name=True).tokens == ("a", "b")


def test_a_file_that_breaks_off_in_many_places_says_so_at_once(tmp_path: Path) -> None:
    toml = "x = [[1/3, 0], [0.1.2, .5],, [1 2]]\nmask = causal\nfloat32 = True\ntokens: [a, b]\n"
    assert [fault.split("; ")[0].split(": ", 2)[1:] for fault in told_of(tmp_path, toml)] == [
        ["Unclosed array (at line 1, column 8), in x", '1/3 goes in quotes: "1/3"'],
        ["Unclosed array (at line 1, column 20), in x", "'0.1.2' is not a number"],
        ["Invalid value (at line 1, column 24), in x", '.5 goes in quotes: ".5"'],
        ["Invalid value (at line 1, column 28), in x", "one comma too many"],
        ["Unclosed array (at line 1, column 33), in x", "a comma is missing before it"],
        ["Invalid value (at line 2, column 8), in mask", 'text goes in quotes, such as "causal"'],
        ["Invalid value (at line 3, column 11), in float32", "write true"],
        ["Expected '=' after a key in a key/value pair (at line 4, column 7)",
         "write = after a key, in place of :"],
        ["Invalid value (at line 4, column 10), in tokens", 'text goes in quotes, such as "a"'],
        ["Invalid value (at line 4, column 13), in tokens", 'text goes in quotes, such as "b"']]
    text = '{"q": [[.5, 1.], [0, 1],],\n # one\n"mask": [[True]],\n "scale" = None}'
    found = told_of(tmp_path, text, "t.json")
    assert [re.sub(r".*\(at line (\d+), column (\d+)\).*", r"\1.\2", fault) for fault in found] == [
        "1.9", "1.14", "1.24", "2.2", "3.11", "4.10", "4.12"]


def test_what_breaks_off_without_end_is_told_in_a_few_lines(tmp_path: Path) -> None:
    assert len(told_of(tmp_path, "x = [" + ".5, " * 1000 + "]")) == 20


def test_the_page_for_authors_shows_what_is_told(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "authoring.md").read_text(encoding="utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n)+", page, re.MULTILINE)]
    told = [number for number, block in enumerate(blocks) if block.startswith("our-words.toml: ")]
    assert len(told) == 2
    for number in told:
        with pytest.raises(ExampleError) as caught:
            load(written(tmp_path, blocks[number - 1], "our-words.toml"))
        assert str(caught.value) == blocks[number].rstrip("\n")


def test_the_page_for_authors_publishes_what_is_read() -> None:
    page = (ROOT / "docs" / "reference" / "authoring.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"    \[published\]\n(?:(?:    .*)?\n)+", page)
    text = LESSON.read_text(encoding="utf-8") + textwrap.dedent(block)
    example = build(Path("t.toml"), tomllib.loads(text, parse_float=str))
    assert [step.name for step in example.published] == ["scores", "weights_row1"]
    assert audit(example).overall == "right"


def test_a_strange_key_of_what_is_published_is_told_in_one_line() -> None:
    odd = "sco\ud800\nres"
    assert faults(**{"": 1}) == [f"'': unknown key; known keys are {', '.join(KEYS)}"]
    for data in ({"published": {odd: [[1]]}}, {"published_places": {odd: 1, "zzz": 2}},
                 {"published": {"heads": [{odd: [[1]]}]}, "published_places": {odd: "?"}}):
        for fault in faults(**data):
            assert fault.isprintable()
            assert re.fullmatch(".+: .+", fault)
            assert r"sco\ud800\nres" in fault or "zzz" in fault


def test_a_title_made_of_many_words_is_cut_short() -> None:
    words = {"tokens": ["wordy"] * 100} | dict.fromkeys("qkv", [[1]] * 100)
    title = build(Path("t.toml"), words).title
    assert title.startswith("wordy wordy")
    assert title.endswith("…")
    assert len(title) == 300
