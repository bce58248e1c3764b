"""Sentences that depend on values are true for every case that can happen."""

import re
from pathlib import Path

import pytest
from hypothesis import given

from derivations.example import build
from derivations.pages import sentences
from derivations.pages.notes import notes
from derivations.pages.sections import Section
from derivations.pages.worked import Worked, work_out
from tests.strategies import examples

ONE = {"x": [[1], [2], [3]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}


def of(tokens: list[str], **changes: object) -> Worked:
    x = [[entry] for entry in range(1, len(tokens) + 1)]
    return work_out(build(Path("t.toml"), ONE | {"tokens": tokens, "x": x} | changes))


def plain(markup: str) -> str:
    from html import unescape

    return unescape(re.sub(r"<[^>]*>", "", markup))


def test_the_story() -> None:
    worked = of(["I", "love", "cats"])
    assert plain(sentences.question(worked)) == \
        "In “I love cats”, how much does love listen to I and to cats?"
    assert plain(sentences.most_heard(worked, 1)) == "love listens most to cats."
    assert plain(sentences.row_of_weights(worked, 1)) == (
        "love gives cats the weight 0.8668, itself the weight 0.1173 and I the weight 0.0159.")


def test_ties_are_told_as_ties() -> None:
    worked = of(["a", "b", "c"], x=[[2], [1], [2]])
    assert plain(sentences.most_heard(worked, 1)) == "b listens most, and equally, to a and c."


def test_all_equal() -> None:
    worked = of(["a", "b", "c"], w_k=[[0]])
    assert plain(sentences.most_heard(worked, 1)) == "b listens equally to all 3 tokens."


def test_equally_to_those_it_may_listen_to() -> None:
    worked = of(["a", "b", "c"], w_k=[[0]], mask="causal")
    assert plain(sentences.most_heard(worked, 1)) == \
        "b listens equally to all 2 tokens that it may hear."


def test_one_token() -> None:
    worked = of(["Hi"])
    assert plain(sentences.question(worked)) == \
        "In “Hi”, whom does Hi listen to, with no other token to hear?"
    assert plain(sentences.most_heard(worked, 0)) == "Hi can listen only to itself."


def test_a_masked_row() -> None:
    worked = of(["a", "b"], mask=[[1, 1], [0, 0]])
    assert "b may listen to nobody" in plain(sentences.row_of_weights(worked, 1))
    assert plain(sentences.most_heard(worked, 1)) == "b listens to nobody."


def test_only_one_key_is_open() -> None:
    worked = of(["a", "b"], mask="causal")
    assert plain(sentences.most_heard(worked, 0)) == "a can listen only to itself."


def test_a_token_that_occurs_twice_says_which() -> None:
    worked = of(["the", "cat", "saw", "the"])
    assert plain(sentences.question(worked)) == (
        "In “the cat saw the”, how much does cat listen to the (token 1), to saw and "
        "to the (token 4)?")


def test_many_tokens_are_counted() -> None:
    worked = of([f"t{i}" for i in range(12)])
    assert plain(sentences.question(worked)) == (
        "In “t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11”, how much does t1 listen to each of 11 other "
        "tokens?")
    assert plain(sentences.row_of_weights(worked, 1)).endswith(
        "The other 4 get no larger weight.")


def test_equal_weights_that_are_not_named_are_no_larger() -> None:
    worked = of([f"t{i}" for i in range(12)], w_k=[[0]])
    assert plain(sentences.row_of_weights(worked, 1)).endswith(
        "The other 4 get no larger weight.")


@given(examples(most=4))
def test_a_sentence_of_most_is_true_in_decimals(example) -> None:
    worked = work_out(example)
    for i in range(len(example.tokens)):
        said = plain(sentences.most_heard(worked, i))
        weights = [rounded.value for rounded in worked.decimals["weights"][i]]
        if " most to " in said and " itself" not in said:
            named = said.split(" most to ")[1].rstrip(".")
            largest = {plain(sentences.name(worked, j)) for j, w in enumerate(weights)
                       if w == max(weights)}
            assert named in largest
        assert said.endswith(".")


@pytest.mark.parametrize(("places", "sums"), [(4, "1.0001"), (1, "0.9")])
def test_rounded_rows_that_do_not_add_up_say_so(places: int, sums: str) -> None:
    worked = of(["I", "love", "cats"], x=[[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 0, 0]],
                w_q=[[1, 0], [0, 0], [1, 1], [0, 0], [0, 1]],
                w_k=[[0, 1], [1, 1], [0, 0], [1, 0], [0, 0]], w_v=[[1]] * 5, places=places)
    shown = plain(notes(worked, worked.derivation["weights"]))
    totals = [sum(rounded.value for rounded in row) for row in worked.decimals["weights"]]
    assert ("they add up to" in shown) == any(total != 1 for total in totals)
    if any(float(total) == float(sums) for total in totals):
        assert sums in shown


def test_an_output_that_hears_nobody_is_no_mean() -> None:
    hidden = of(["a", "b"], x=[[1], [2]], w_q=[[1]], w_k=[[1]], w_v=[[1, 2]],
                mask=[[0, 0], [0, 0]])
    step = hidden.derivation["output"]
    section = Section(hidden, step, step.places)
    assert section.explanation == "The mask hides every key from every token, so each output is 0."
    assert section.pictures == ""
