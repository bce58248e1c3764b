"""The checks of every build can fail: each is shown a fault that only it sees."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from derivations.checks import (
    CheckError,
    check,
    check_entry,
    is_rounding,
    is_rounding_of_root,
)
from derivations.example import build, load
from derivations.pages.worked import Worked, work_out
from derivations.render.tables import worked_entries
from derivations.rounded import Rounded, round_rational
from tests.sites import EXAMPLES
from tests.test_heads import DATA


def checked(worked: Worked, **decimals: object):
    shown = {step.key: worked_entries(step) for step in worked.derivation.own_steps}
    return check(worked.derivation, worked.decimals | decimals, worked.example.places, shown)


def fractions() -> Worked:
    return work_out(load(EXAMPLES / "fractions.toml"))


def test_every_number_of_every_step_is_covered() -> None:
    worked = fractions()
    for done in checked(worked):
        rows, cols = done.step.shape
        assert done.by_twin == done.rounded_twice == rows * cols
        assert done.by_second_route == len(worked_entries(done.step))
        assert done.bound > 0


def test_a_rational_rounded_wrongly_is_found() -> None:
    worked = fractions()
    rows = [list(row) for row in worked.decimals["values"]]
    rows[0][1] = replace(rows[0][1], digits=rows[0][1].digits + 1)
    with pytest.raises(CheckError, match=r"values: v_\{1,2\} is not correctly rounded"):
        checked(worked, values=tuple(map(tuple, rows)))


@pytest.mark.parametrize("change", [1, -1])
def test_a_root_rounded_wrongly_is_found(change: int) -> None:
    worked = work_out(load(EXAMPLES / "cats.toml"))
    rows = [list(row) for row in worked.decimals["scaled_scores"]]
    rows[1][2] = replace(rows[1][2], digits=rows[1][2].digits + change)
    with pytest.raises(CheckError, match=r"scaled_scores: t_\{2,3\} is not correctly rounded"):
        checked(worked, scaled_scores=tuple(map(tuple, rows)))


def test_a_hidden_score_that_has_a_decimal_is_found() -> None:
    worked = work_out(load(EXAMPLES / "causal.toml"))
    rows = [list(row) for row in worked.decimals["masked_scores"]]
    rows[0][1] = Rounded(0, 4, exact=True)
    with pytest.raises(CheckError, match=r"masked_scores: t\^\{M\}_\{1,2\} is not correctly"):
        checked(worked, masked_scores=tuple(map(tuple, rows)))


@pytest.mark.parametrize(("r", "root", "digits", "right"), [
    (1, 2, 71, True), (1, 2, 70, False), (1, 2, 72, False), (1, 2, -71, False),
    (-1, 2, -71, True), (-1, 2, 71, False), (-1, 2, -70, False),
    (1, 10**6 + 1, 0, True), (-1, 10**6 + 1, 0, True), (1, 10**6 + 1, 1, False),
])
def test_what_a_rounding_of_a_root_is(r: int, root: int, digits: int, right: bool) -> None:
    assert is_rounding_of_root(Fraction(r), root, Rounded(digits, 2), 2) == right
    assert not is_rounding_of_root(Fraction(r), root, Rounded(digits, 2, exact=True), 2)


def test_a_proof_that_fails_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from derivations.pages import reference

    reference.identities.cache_clear()
    monkeypatch.setattr(reference, "IDENTITIES", {"All is one.": lambda g: False})
    with pytest.raises(CheckError, match="not proved for n = 2, d_k = 2: All is one"):
        reference.identities()


def test_an_irrational_rounded_wrongly_is_found() -> None:
    worked = fractions()
    rows = [list(row) for row in worked.decimals["weights"]]
    rows[2][0] = replace(rows[2][0], digits=rows[2][0].digits + 1)
    with pytest.raises(CheckError, match="weights: the two implementations"):
        checked(worked, weights=tuple(map(tuple, rows)))


@pytest.mark.parametrize("heads", [1, 2])
def test_a_rational_that_an_entry_is_not_is_found(
    monkeypatch: pytest.MonkeyPatch, heads: int
) -> None:
    """Of what is shown as a fraction no decimal is worked out in another way."""
    if heads > 1:
        worked = work_out(build(Path("t.toml"), DATA))
        monkeypatch.setattr("derivations.joined._together", lambda *_: Fraction(1, 2))
    else:
        worked = fractions()
        monkeypatch.setattr("derivations.values._rational_quotient", lambda *_: Fraction(1, 2))
    again = work_out(worked.example)
    with pytest.raises(CheckError, match="is not 1/2" if heads == 1 else "projected: .* is not"):
        checked(again)


def test_an_entry_equation_that_does_not_hold_is_found() -> None:
    derivation = fractions().derivation
    wrong = replace(derivation["scores"], values=derivation["weights"].values)
    with pytest.raises(CheckError, match=r"scores: the entry equation of s_\{1,1\}"):
        check_entry(derivation, wrong, 0, 0)


def test_scores_that_cancel_are_not_called_wrong() -> None:
    keys = {"tokens": ["a", "b"], "x": [[30000000, 30000000], [1, 1]], "w_q": [[1, 0], [0, 1]],
            "w_k": [[1, 0], [0, -1]], "w_v": [[1], [2]]}
    done = {one.step.key: one for one in checked(work_out(build(Path("t.toml"), keys)))}
    assert done["weights"].unbounded == 2
    assert done["scores"].unbounded == 0


@pytest.mark.parametrize(("value", "rounded", "right"), [
    (Fraction(1, 8), Rounded(12, 2, tie=True), True),
    (Fraction(1, 8), Rounded(13, 2, tie=True), False),
    (Fraction(3, 8), Rounded(38, 2, tie=True), True),
    (Fraction(1, 3), Rounded(33, 2), True),
    (Fraction(1, 3), Rounded(34, 2), False),
    (Fraction(1, 2), Rounded(50, 2, exact=True), True),
    (Fraction(1, 2), Rounded(50, 2), False),
    (Fraction(1, 3), Rounded(33, 2, exact=True), False),
    (Fraction(1, 3), Rounded(333, 3), False),
    (Fraction(1, 3), None, False),
    (Fraction(10**10 + 1, 3), Rounded(333, 2, exponent=9), True),
    (Fraction(10**10 + 1, 3), Rounded(334, 2, exponent=9), False),
])
def test_what_a_rounding_is(value: Fraction, rounded: Rounded | None, right: bool) -> None:
    assert is_rounding(value, rounded, 2) == right


@pytest.mark.parametrize("number", ["9999999999.95", "-9999999999.95", "123456789012.5", "0",
                                    "-1/3", "1/8", "99999/10000"])
def test_what_rounds_passes_what_checks(number: str) -> None:
    for places in (1, 2, 4, 10):
        value = Fraction(number)
        assert is_rounding(value, round_rational(value, places), places)
