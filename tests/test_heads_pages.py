"""The pages of several heads: what they say, where their numbers lead, and how they are listed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from derivations.example import build
from derivations.faults import ExampleError
from derivations.formula import Given
from derivations.heads import derive_all
from derivations.pages.examples import Source
from derivations.pages.shown import made, shown_examples, silent
from derivations.pages.site import pages
from derivations.pages.worked import work_out
from scripts import hooks
from tests import sites
from tests.test_heads import DATA, ONE, TWO

Pages = dict[str, html.HtmlElement]
TYPED = {"q": [[1], [2], [0]], "k": [[1], [0], [1]], "v": [[1], [2], [3]]}
CONTEXT = {"context_tokens": ["u", "v"], "context_x": [[1, 0], [2, 1]]}


def pages_of(data: dict[str, Any]) -> Pages:
    """The pages of an example, by path below its folder."""
    files = sites.files_of(work_out(build(Path("t.toml"), data)))
    return {name.removeprefix("examples/t/").removesuffix(".md"): html.fromstring(text.decode())
            for name, text in files.items() if name.endswith(".md")}


def told(data: dict[str, Any], page: str = "index") -> str:
    """What a page says, in one line."""
    return re.sub(r"\s+", " ", pages_of(data)[page].text_content())


@pytest.fixture(scope="module")
def two() -> Pages:
    return pages_of(DATA)


def card(page: html.HtmlElement, address: str, kind: str) -> html.HtmlElement:
    return page.xpath(f"//article[@id='{address}']/p[@class='{kind}']")[0]


@pytest.mark.parametrize(("head", "entry", "to"), [
    (1, "output-r2c2", "concatenated-r2c2"), (2, "output-r3c1", "concatenated-r3c3")])
def test_an_output_leads_to_the_same_number_beside_the_others(
    two: Pages, head: int, entry: str, to: str
) -> None:
    (link,) = card(two[f"head-{head}/output"], entry, "used").xpath("a")
    assert link.get("href") == f"../../together/#{to}"
    row, col = re.findall(r"\d", to)
    assert link.text_content() == f"concatenated output ({'abc'[int(row) - 1]}, {col})"
    (back,) = card(two["together"], to, "from").xpath("a[not(contains(@class, 'number'))]")
    assert back.get("href") == f"../head-{head}/output/#{entry}"


def test_the_way_back_ends_at_the_heads_there_and_at_the_file_here(two: Pages) -> None:
    way = card(two["together"], "projected-r1c2", "trail")
    assert way.text_content().startswith("The way back to the heads: ← ")
    assert [link.get("href") for link in way.xpath("a")] == [
        "../head-1/output/#output-r1", "../head-2/output/#output-r1c1"]
    assert card(two["head-2/output"], "output-r1c1", "trail").text_content().startswith(
        "The way back: ← ")


def test_a_typed_number_says_of_which_head_it_is(two: Pages) -> None:
    for head in (1, 2):
        page = two[f"head-{head}/words"]
        assert f"key w_k of head {head}, row 1" in card(page, "w_k-r1c1", "from").text_content()
        assert "key x, row 1" in card(page, "embeddings-r1c1", "from").text_content()
    assert "key w_o, row 1" in card(two["together"], "w_o-r1c1", "from").text_content()


HALVES = {"weights": [["0.5"] * 3] * 3}
PUBLISHED = DATA | {"published": {"heads": [HALVES, HALVES], "output": [["0.5"] * 2] * 3},
                    "published_places": {"weights": 1, "output": 1}}


FLAT = PUBLISHED | {"published": {"head1.weights": HALVES["weights"],
                                  "head2.weights": HALVES["weights"],
                                  "output": [["0.5"] * 2] * 3},
                    "published_places": {"head1.weights": 1, "head2.weights": 1, "output": 1}}
BY_ROWS = FLAT | {"published": {"head1.weights": HALVES["weights"], "output": [["0.5"] * 2] * 3}
                  | {f"head2.weights_row{i}": ["0.5"] * 3 for i in range(3)}}


@pytest.mark.parametrize("data", [PUBLISHED, FLAT, BY_ROWS],
                         ids=["in tables", "by names", "by rows"])
def test_a_printed_number_of_a_head_has_the_right_one_of_that_head(data: dict[str, Any]) -> None:
    page = pages_of(data)["published"]
    for head in (1, 2):
        found = page.xpath(f"//a[starts-with(@data-ref, 'head-{head}.')]")
        assert found
        for link in found:
            _, place = link.get("data-ref").split("weights-")
            assert link.get("href") == f"../head-{head}/softmax/#weights-{place}"
    refs = page.xpath("//*[@data-ref]/@data-ref")
    assert {ref.rpartition("-r")[0] for ref in refs} == {
        "head-1.weights", "head-2.weights", "projected"}


@pytest.mark.parametrize(("data", "sentence"), [
    (DATA, "queries, keys and values from the same tokens, with matrices of its own. At the end "
           "the outputs of all heads are set side by side and mixed by one more matrix."),
    ({key: DATA[key] for key in ("tokens", "x", "heads")},
     "At the end the outputs of all heads are set side by side. "),
    (DATA | CONTEXT, "and its own keys and values from those of the other text, with matrices"),
    ({"heads": [TYPED, TYPED]}, "Its queries, keys and values are its own: they are typed"),
    (DATA | {"heads": [ONE], "w_o": [[1, 0]] * 2},
     "The head is attention of its own. It makes its own queries, keys and values from the same "
     "tokens, with matrices of its own. At the end its output is multiplied by one more matrix."),
    ({"tokens": ["a"], "x": [[1, 2]], "heads": [ONE]},
     "with matrices of its own. Its output is the end."),
])
def test_what_is_said_of_the_heads_is_true_of_them(data: dict[str, Any], sentence: str) -> None:
    assert sentence in told(data)


@pytest.mark.parametrize(("data", "is_one"), [
    (DATA, False), (DATA | {"heads": [ONE], "w_o": [[1, 0]] * 2}, True)])
def test_of_one_head_nothing_is_said_of_others(data: dict[str, Any], is_one: bool) -> None:
    overview, head, together = (told(data, name) for name in ("index", "head-1/index", "together"))
    for page, of_several, of_one in (
        (overview, "The heads together", "What comes of the head"),
        (head, "This is head 1 of [2]", "This is the only head of"),
        (together, "set side by side, in the order", "There is no other to stand beside it."),
        (together, "mixes the outputs of the heads", "turns the output of the head into"),
        (together, "The projected output: all heads, mixed", "The projected output {"),
    ):
        assert (of_one in page) is is_one
        assert (of_several in page) is not is_one


def test_a_bias_is_added_before_anything_else_is_said() -> None:
    assert "something of every head. Then add to each row. If you go on from the rounded" \
        in told(DATA, "together")


def test_nothing_is_said_of_a_quotient_where_a_projected_output_is_rational() -> None:
    flat = {key: [[0, 0], [0, 0]] for key in ("w_q", "w_k", "w_v")}
    assert "quotient" not in told(DATA | {"heads": [flat], "w_o": [[1, 0]] * 2}, "together")


def test_too_large_a_score_says_of_which_head_and_all_are_told() -> None:
    large = TWO | {"w_q": [[9000, 0], [0, 0]], "w_k": [[1, 0], [0, 0]]}
    typed = TYPED | {"q": [[9000]] * 3}
    for heads, keys in (([ONE, large, large], {"heads 2", "heads 3"}),
                        ([typed, TYPED, typed], {"heads 1 q", "heads 3 q"})):
        data = {"heads": heads} | ({} if typed in heads else {"x": DATA["x"]})
        with pytest.raises(ExampleError) as raised:
            derive_all(build(Path("t.toml"), data))
        assert {fault.key for fault in raised.value.faults} == keys
    assert str(raised.value).startswith("t.toml: heads 1 q: the scaled score of token 1 for token")


@pytest.mark.parametrize(("data", "told"), [
    (PUBLISHED | {"published": PUBLISHED["published"] | {"head1.weights": HALVES["weights"]},
                  "published_places": PUBLISHED["published_places"] | {"head1.weights": 1}},
     "published.heads 1 weights: is given already, as published.head1.weights; take one away"),
    (DATA | {"heads": [ONE, TYPED]}, "heads 2: give either x with w_q, w_k and w_v, or q, k and v"),
])
def test_what_is_wrong_in_a_head_says_in_which(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ExampleError) as raised:
        build(Path("t.toml"), data)
    assert f"t.toml: {told}" in str(raised.value)


def test_the_addresses_of_what_was_checked_are_all_different(tmp_path: Path) -> None:
    """A file may have the name that a head of another has."""
    plain = {"tokens": ["a"], "x": [[1]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}
    one = {key: [[1]] for key in ("w_q", "w_k", "w_v")}
    heads = {"tokens": ["a"], "x": [[1]], "heads": [one, one]}
    examples = {name: build(Path(f"{name}.json"), data)
                for name, data in (("t-head-1", plain), ("t", heads))}
    _, shown, _ = shown_examples(Source(tmp_path, "t-head-1"), sites.CITING, examples, made, silent)
    checks = "".join(one.checks for one in shown)
    found = re.findall(r"\{: #(\S+) \}", checks)
    assert found == ["example-t-head-1", "example-t--head-1", "example-t--head-2", "example-t"]


def test_every_part_is_checked_and_counted(tmp_path: Path) -> None:
    example = build(Path("t.json"), DATA)
    _, (shown,), _ = shown_examples(
        Source(tmp_path, "t"), sites.CITING, {"t": example}, made, silent)
    derivation = derive_all(example)
    computed = [step for part in (*derivation.heads, derivation) for step in part.own_steps
                if not isinstance(step.formula, Given)]
    names = re.findall(r"^\| ([a-z ]+) \|", shown.checks, re.MULTILINE)
    assert len([name for name in names if name != "step"]) == len(computed)
    assert shown.numbers == sum(len(step.places) for step in computed)


def test_heads_are_listed_before_what_they_make_together(tmp_path: Path) -> None:
    folder = sites.project(tmp_path / "project", sites.texts(sites.LESSON) | {
        "t.json": json.dumps(DATA)})
    files = pages(Source(folder / "docs", sites.LESSON.stem))
    nav = hooks._with_examples([{"Examples": []}], files, sites.LESSON.stem)
    ((_, sections),) = nav[0].items()
    (several,) = [found["a b c"] for found in sections if "a b c" in found]
    assert [title for page in several for title in page] == [
        "Overview", "Head 1", "Head 2", "The heads together", "Hand-out", "Key"]
