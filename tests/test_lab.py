"""The lab: its arithmetic against the engine, its controls, and what it says, in Chromium."""

import math
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from lxml import html
from markdown import markdown
from markupsafe import Markup
from playwright.sync_api import Browser, Page

from derivations import decimals
from derivations.attention import attended, derive, ones
from derivations.example import build, load
from derivations.numbers import common_denominator
from derivations.pages.lesson import lab
from derivations.pages.worked import work_out
from derivations.values import Rooted
from scripts.offline import build as build_offline
from tests import looks, sites
from tests.browser import CHROMIUM, CONTRAST, EVERYTHING, LOOKED_AT, opened, served, violations
from tests.reader import Truth, read_page, truth_from_exact
from tests.truths import lab as truths

in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")
PAGE, PAUSE = "lesson/lab/", 400
EXAMPLES = [sites.LESSON, *sorted(sites.EXAMPLES.iterdir())]
OPENED = [path for path in EXAMPLES  # make check-all opens all
          if EVERYTHING or path.stem in ("hidden-row", "hostile", "wide")]
LAST_PLACE = Fraction(1, 2**52)  # of a float64 from 1 up to 2
NO_NUMBER = re.compile("NaN|undefined|Infinity|∞|null")
UNITS, PLACES = 4, 40
EXTENSIONS = ["tables", "md_in_html", "attr_list", "derivations.pages.labelled_tables"]
LOOKS = (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS, looks.FONT, looks.FORMULAS)
CALL = """rows => rows.map(({scores, divisor, open}) =>
  window.attentionLab.worked(scores, divisor, open))"""
TOLD = """row => window.attentionLab.told(...row).map(
  part => typeof part === 'number' ? 'token ' + part : part.textContent ?? part).join('')"""
STATE = """() => {
  const texts = (root, selector) => [...root.querySelectorAll(selector)].map(e => e.textContent);
  return {fields: [...document.querySelectorAll('.lab [type=number]')].map(e => e.value),
    sliders: [...document.querySelectorAll('.lab [type=range]')].map(e => e.value),
    rows: [...document.querySelectorAll('.lab-table tbody tr')].map(row => texts(row, 'td')),
    bars: [...document.querySelectorAll('.lab-fill')].map(e => e.style.width),
    divided: document.querySelector('.lab-divided').textContent,
    told: document.querySelector('.lab-told').textContent};
}"""
SHIFT = """() => new Promise(done => {
  new PerformanceObserver(list => done(list.getEntries().reduce((sum, e) => sum + e.value, 0)))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(0), 500);
})"""
LONG_ROW = {"tokens": list("abcdefghij"), "x": [[n] for n in range(10)],
            "w_q": [[1]], "w_k": [["1/4"]], "w_v": [[1]]}
SENTENCES = [  # scores, divisor, who is open, what is said
    ([1, 2], 1, "00", "The mask hides every key, so every weight is 0."),
    ([7], 1, "1", "There is one key to listen to, token 0: its weight is 1, whatever its score."),
    ([9, 3, 9], 1, "010",
     "There is one key to listen to, token 1: its weight is 1, whatever its score."),
    ([5, 5, 9], 1, "110",
     "All 2 scores are alike, so all weights are alike: each is 1/2, shown as 0.5000."),
    ([0, 30], 1, "11", "The score of token 1 is so far above the rest that its weight is shown as "
     "1.0000; the other weight is 9.3576·10−14."),
    ([0, 900, 0], 1, "111", "The score of token 1 is so far above the rest that its weight is "
     "shown as 1.0000; the other 2 weights add up to less than a float can hold."),
    ([0, 1, 0], 10, "111", "Divided, the largest and the smallest score are only 0.1000 apart, so "
     "the weights are close together: from 0.3220 to 0.3559, where equal weights would be 0.3333."),
    ([2, 0, 1], 1, "111", "token 0 has the largest score and gets the largest weight, 0.6652; "
     "token 1 gets the smallest, 0.0900."),
    ([2, 0, 2, 0], 1, "1111", "token 0 and token 2 share the largest score and the largest weight, "
     "0.4404 each; token 1 and token 3 get the smallest, 0.0596 each."),
    ([2, 0, 0, 0, 0], 1, "11111", "token 0 has the largest score and gets the largest weight, "
     "0.6488; 4 keys get the smallest, 0.0878 each."),
    ([-1, -3, -1, -1], 1, "1111", "token 0, token 2 and token 3 share the largest score and the "
     "largest weight, 0.3189 each; token 1 gets the smallest, 0.0432."),
]


@pytest.fixture
def at_lab(browser: Browser, address: str) -> Iterator[Page]:
    """The lab of the project's own site; at the end, nothing went wrong in it."""
    page, problems = opened(browser, address + PAGE)
    yield page
    page.context.close()
    assert problems == []


# Arithmetic

def random_rows(count: int) -> list[dict]:
    """Rows of 1 to 12 scores up to 800, as floats; a d_k; who is open, sometimes nobody."""
    rng, rows = random.Random(4), []
    for _ in range(count):
        reach = rng.choice([1, 5, 40, 800])
        kinds = [lambda reach=reach: rng.choice([rng.randint(-reach, reach), reach]),
                 lambda reach=reach: rng.randint(-9 * reach, 9 * reach) / 9 / rng.choice([1, 4, 7]),
                 lambda reach=reach: rng.uniform(-reach, reach)]
        of = rng.choice([kinds[:1], kinds[1:2], kinds])
        scores = [rng.choice(of)() for _ in range(rng.randint(1, 12))]
        masked = rng.random() < 0.4
        rows.append({"scores": scores, "d_k": rng.choice([1, 2, 3, 4, 8, 16, 64, 100, 512, 4096]),
                     "open": [not masked or rng.random() < 0.7 for _ in scores]})
    return rows


def exactly(row: dict) -> dict[str, list[Fraction | None]]:
    """The same by the engine, from the scores as the floats that they are."""
    fractions = [[Fraction(score) for score in row["scores"]]]
    scaled = Rooted(common_denominator(fractions), row["d_k"], (tuple(row["open"]),))
    steps = attended(lab.row_maxima_removed(scaled), ones(len(row["scores"])))
    found = {"scaled": scaled, "shifted": lab.row_maxima_removed(scaled)} \
        | {key: steps[key] for key in ("exponentials", "normalisers", "weights")}
    return {key: [entry and entry.value for entry in decimals.table(values, PLACES)[0]]
            for key, values in found.items()}


def units(found: float, true: Fraction, exponent: Fraction) -> float:
    """How far off, in units of the last place of the true value.

    e^x of a rounded x is off by as many units as |x| besides: x itself is off by its last place.
    """
    off = abs(Fraction(found) - true) - Fraction(1, 10**30)
    return float(off / (LAST_PLACE * abs(true) * (1 + abs(exponent)))) if off > 0 else 0.0


def errors(row: dict, found: dict) -> Iterator[float]:
    """The errors of all numbers of a row, in such units."""
    true = exactly(row)
    for j, is_open in enumerate(row["open"]):
        if not is_open:
            assert (found["scaled"][j], found["exponentials"][j], found["weights"][j]) \
                == (-math.inf, 0, 0)
            continue
        exponent = true["shifted"][j]
        yield units(found["scaled"][j], true["scaled"][j], Fraction(0))
        yield units(found["exponentials"][j], true["exponentials"][j], exponent)
        yield units(found["weights"][j], true["weights"][j], exponent)
        # of a weight as a share of 1: within units of the last place of 1, whatever its exponent
        yield float(abs(Fraction(found["weights"][j]) - true["weights"][j]) / LAST_PLACE)
    yield units(found["sum"], true["normalisers"][0], Fraction(0))


@in_chromium
@pytest.mark.browser
def test_a_thousand_rows_are_those_of_the_engine(at_lab: Page) -> None:
    rows = random_rows(1000)
    found = at_lab.evaluate(CALL, [
        {"scores": row["scores"], "divisor": math.sqrt(row["d_k"]), "open": row["open"]}
        for row in rows])
    worst = max(max(errors(row, one)) for row, one in zip(rows, found, strict=True))
    assert 0 < worst < UNITS
    assert any(not any(row["open"]) for row in rows)
    assert {len(row["scores"]) for row in rows} == set(range(1, 13))
    assert max(max(row["scores"]) for row in rows) == 800


@in_chromium
@pytest.mark.browser
def test_what_is_too_large_for_an_exponential_does_no_harm(at_lab: Page) -> None:
    (found,) = at_lab.evaluate(CALL, [
        {"scores": [800, 799, -1e6], "divisor": 1, "open": [True] * 3}])
    assert found["exponentials"] == [1, math.exp(-1), 0]
    assert found["scaled"] == [800, 799, -1e6]
    assert sum(found["weights"]) == 1


# What the page says without scripts

def truth_of(path: Path) -> Truth:
    example = load(path)
    variants = {name: Truth(*found) for name, found in truths.truths(example).items()}
    return replace(truth_from_exact(derive(example)), variants=variants)


def html_of(made: Markup) -> str:
    """The numbers of a Markdown table, as a page."""
    return "<p>" + " ".join(re.findall(r"<span class=\"number\".*?</span>", str(made)))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_row_without_scripts_is_certified(path: Path) -> None:
    row = lab.row_of(work_out(load(path)))
    report = read_page(html_of(lab.row_table(row)), truth_of(path))
    assert report.faults == []
    assert report.counts["refs"] == 5 * len(row.keys) + 1


def test_every_number_of_the_page_is_certified(site: Path) -> None:
    page = (site / PAGE / "index.html").read_text(encoding="utf-8")
    assert read_page(page, truth_of(sites.LESSON)).faults == []


@pytest.mark.parametrize(("mask", "told", "keys"), [
    ("none", "The row has 10 keys. The lab takes the first 8 and leaves", range(8)),
    ([0] + [1] * 9, "the mask leaves 9 of them open. The lab takes the first 8 of these",
     range(1, 9)),
    ([1, 0] * 5, "the mask leaves 5 of them open. The lab shows these.", range(0, 10, 2)),
    ([0] * 9 + [1], "the mask leaves 1 of them open. The lab shows this one.", [9]),
    ([0] * 10, "The row has 10 keys, and the mask hides all of them. The lab shows the first 8.",
     range(8)),
])
def test_of_a_long_row_the_first_open_keys_are_taken(mask, told: str, keys) -> None:
    mask = mask if isinstance(mask, str) else [mask] * 10
    worked = work_out(build(Path("long.toml"), LONG_ROW | {"mask": mask}))
    row = lab.row_of(worked)
    assert row.keys == tuple(keys)
    assert told in " ".join(Markup(lab.keys_told(row)).striptags().split())


@pytest.mark.parametrize(("name", "told"), [
    ("one.toml", "The row has one key."),
    ("cats.toml", "The row has 3 keys, one for each token."),
    ("causal.toml", "The mask hides cats from love. A hidden key stays out of the sums."),
])
def test_the_keys_are_counted_and_the_hidden_ones_named(name: str, told: str) -> None:
    row = lab.row_of(sites.worked(sites.EXAMPLES / name))
    assert told in Markup(lab.keys_told(row)).striptags()


def test_the_weights_that_are_told_are_those_of_the_lab() -> None:
    row = lab.row_of(work_out(build(Path("long.toml"), LONG_ROW)))
    told = lab.weights_told(row)
    variants = {"lab": Truth(*truths.truths(row.worked.example)["lab"])}
    truth = replace(truth_from_exact(row.worked.derivation), variants=variants)
    assert read_page(html_of(told), truth).faults == []
    shown = re.findall(r'data-ref="lab\.weights-r2c(\d+)"[^>]*>([^<]+)<', told)
    assert sorted((int(j) - 1, written) for j, written in shown) == [
        (j, weight.text) for j, weight in zip(row.keys, row.decimals["weights"][0], strict=True)]
    assert told.striptags().startswith("Of the 8 keys in the lab, b gives h the weight")


def test_of_a_row_that_is_whole_the_weights_are_those_of_the_example() -> None:
    row = lab.row_of(sites.worked(sites.LESSON))
    assert 'data-ref="weights-r2c3"' in lab.weights_told(row)


def test_one_decimal_is_one() -> None:
    few = work_out(build(Path("long.toml"), LONG_ROW | {"places": 1}))
    assert lab.markers(few)["lab_places"]().striptags() == "1 decimal"


@in_chromium
@pytest.mark.browser
def test_without_scripts_the_row_stands_there_and_the_rest_is_announced(
    browser: Browser, address: str
) -> None:
    page, problems = opened(browser, address + PAGE, scripts=False)
    assert page.locator(".lab-row tbody tr").count() == 4
    assert "With scripts, you can change" in page.locator(".lab").inner_text()
    assert page.locator(".lab input, .lab button").count() == 0
    assert problems == []
    page.context.close()


# Controls

def settled(page: Page) -> dict:
    """What the lab shows, once it has said what happens."""
    page.wait_for_timeout(PAUSE)
    return page.evaluate(STATE)


def press(page: Page, label: str) -> dict:
    page.get_by_role("button", name=label).click()
    return settled(page)


def weights(state: dict) -> list[str]:
    return [row[-1] for row in state["rows"]]


@in_chromium
@pytest.mark.browser
def test_it_starts_from_the_certified_row(at_lab: Page) -> None:
    row, found = lab.row_of(work_out(load(sites.LESSON))), settled(at_lab)["rows"]
    places = row.worked.example.places
    for column, key in enumerate(("scaled_scores", "exponentials", "weights"), 1):
        certified = [entry.value for entry in row.decimals[key][0]]
        shown = [cells[column] for cells in found[:-1]]
        assert [Fraction(text.replace("−", "-")) for text in shown] == certified
        assert all(len(text.partition(".")[2]) == places for text in shown)


@in_chromium
@pytest.mark.browser
def test_slider_and_field_follow_each_other_by_keyboard(at_lab: Page) -> None:
    before = settled(at_lab)
    at_lab.locator(".lab [type=range]").first.focus()
    at_lab.keyboard.press("ArrowRight")
    by_slider = settled(at_lab)
    assert by_slider["fields"][0] == by_slider["sliders"][0] != before["fields"][0]
    assert weights(by_slider) != weights(before)
    at_lab.keyboard.press("Tab")
    assert at_lab.evaluate("document.activeElement.type") == "number"
    at_lab.keyboard.press("ArrowUp")
    by_arrow = settled(at_lab)
    assert by_arrow["fields"][0] == by_arrow["sliders"][0] != by_slider["fields"][0]
    at_lab.keyboard.press("Control+a")
    at_lab.keyboard.type("-2.5")
    typed = settled(at_lab)
    assert (typed["fields"][0], typed["sliders"][0]) == ("-2.5", "-2.5")
    assert weights(typed) != weights(by_arrow)
    assert typed["fields"][1:] == before["fields"][1:]


@in_chromium
@pytest.mark.browser
def test_bars_are_the_numbers(at_lab: Page) -> None:
    at_lab.locator(".lab [type=number]").first.fill("2.5")
    state = settled(at_lab)
    shown = [value for row in state["rows"][:-1] for value in row[2:]]
    wide = [float(width.removesuffix("%")) / 100 for width in state["bars"]]
    assert wide == pytest.approx(list(map(float, shown)), abs=1e-4)
    assert float(state["rows"][-1][2]) == pytest.approx(sum(map(float, shown[::2])), abs=3e-4)
    assert sum(map(float, shown[1::2])) == pytest.approx(1, abs=3e-4)


@in_chromium
@pytest.mark.browser
def test_a_slider_reaches_what_was_typed(at_lab: Page) -> None:
    at_lab.locator(".lab [type=number]").first.fill("800")
    assert settled(at_lab)["sliders"][0] == "800"
    at_lab.locator(".lab [type=number]").first.fill("0.33")
    slider = at_lab.locator(".lab [type=range]").first
    assert slider.get_attribute("aria-valuetext") == "0.33"


@in_chromium
@pytest.mark.browser
@pytest.mark.parametrize(("field", "typed"), [(0, ""), (0, "1e9"), (3, "0"), (3, "2.5"), (3, "-1")])
def test_what_cannot_be_worked_with_is_refused(at_lab: Page, field: int, typed: str) -> None:
    before = settled(at_lab)
    box = at_lab.locator(".lab [type=number]").nth(field)
    box.fill(typed)
    asked = settled(at_lab)
    assert box.get_attribute("aria-invalid") == "true"
    assert asked["told"].startswith("Type a ")
    assert weights(asked) == weights(before)
    box.press("Tab")
    assert settled(at_lab) == before
    assert box.get_attribute("aria-invalid") == "false"


@in_chromium
@pytest.mark.browser
def test_d_k_divides_by_its_root(at_lab: Page) -> None:
    at_lab.locator(".lab [type=number]").last.fill("64")
    state = settled(at_lab)
    assert state["divided"] == "Every score is divided by √64 = 8."
    assert [float(row[0].replace("−", "-")) for row in state["rows"][:-1]] \
        == [float(score) / 8 for score in state["fields"][:-1]]


@in_chromium
@pytest.mark.browser
def test_presets_do_what_they_say(at_lab: Page) -> None:
    own = settled(at_lab)
    ties = press(at_lab, "Ties")
    assert len(set(ties["fields"][:-1])) == 1
    assert len(set(weights(ties)[:-1])) == 1
    assert "all weights are alike" in ties["told"]
    saturated = press(at_lab, "Saturation")
    assert sorted(weights(saturated)[:-1])[-1] == "1.0000"
    assert "is so far above the rest" in saturated["told"]
    large = press(at_lab, "Large")
    assert large["fields"][:-1] == own["fields"][:-1]
    assert int(large["fields"][-1]) >= 512
    spread = [float(max(weights(one)[:-1])) - float(min(weights(one)[:-1])) for one in (large, own)]
    assert spread[0] < spread[1] / 4
    assert press(at_lab, "Reset") == own


# What it says

@in_chromium
@pytest.mark.browser
def test_the_sentences_are_true(at_lab: Page) -> None:
    for scores, divisor, is_open, says in SENTENCES:
        marks = [mark == "1" for mark in is_open]
        assert at_lab.evaluate(TOLD, [scores, divisor, marks, 4]) == says


@in_chromium
@pytest.mark.browser
def test_what_the_others_share_is_a_share(at_lab: Page) -> None:
    assert "shown as 1.0; the other weight is 3.9·10−2." in at_lab.evaluate(
        TOLD, [[0, 3.2], 1, [True, True], 1])  # e^-3.2 is 0.041


@in_chromium
@pytest.mark.browser
def test_weights_that_are_shown_alike_are_said_to_be(at_lab: Page) -> None:
    assert at_lab.evaluate(TOLD, [[0, 0.1], 1, [True, True], 1]) == (
        "Divided, the largest and the smallest score are 1.0·10−1 apart. That is too little to "
        "show: all weights are shown as 0.5.")


# Every kind of example

@contextmanager
def other_page(
    browser: Browser, site: Path, folder: Path, row: lab.Row
) -> Iterator[Page]:
    """The lab as it is built with another example; at the end, nothing went wrong in it."""
    tree = html.parse(site / PAGE / "index.html", html.HTMLParser(encoding="utf-8"))
    made = html.fragment_fromstring(markdown(
        f"{lab.mount(row)}\n\n{lab.row_table(row)}", extensions=EXTENSIONS), create_parent="div")
    for one in ("lab", "lab-row"):
        query = f"//div[contains(concat(' ', @class, ' '), ' {one} ')]"
        (old,), (new,) = tree.xpath(query), made.xpath(query)
        old.getparent().replace(old, new)
    path = folder / PAGE / "index.html"
    path.parent.mkdir(parents=True)
    path.write_bytes(html.tostring(tree, encoding="utf-8", doctype="<!doctype html>"))
    for name in ("assets", "search"):
        (folder / name).symlink_to(site / name)
    with served(folder) as root:
        page, problems = opened(browser, root + PAGE, width=375)
        yield page
        page.context.close()
    assert problems == []


@in_chromium
@pytest.mark.browser
@pytest.mark.parametrize("path", OPENED, ids=lambda path: path.stem)
def test_with_every_example_it_starts_from_the_certified_row(
    browser: Browser, site: Path, tmp_path: Path, path: Path
) -> None:
    row = lab.row_of(sites.worked(path))
    exact = attended(row.shifted, ones(len(row.keys)))["weights"]
    (certified,) = decimals.table(exact, lab.places_shown(row.worked))
    with other_page(browser, site, tmp_path, row) as page:
        shown = [Fraction(text) for text in weights(settled(page))]
        assert shown == [entry.value for entry in certified] + [any(row.open)]
        for button in page.locator(".lab-presets button").all():
            button.click()
            assert settled(page)["told"].endswith(".")
            assert not NO_NUMBER.search(page.locator(".lab").inner_text())
            assert page.evaluate(looks.OVERFLOW) == []
        assert page.locator(".lab [type=range]").count() == sum(row.open) + 1


@in_chromium
@pytest.mark.browser
def test_hostile_tokens_do_no_harm(browser: Browser, site: Path, tmp_path: Path) -> None:
    hostile = {"tokens": ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "`a|b` $5"],
               "x": [[1], [2], [3]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}
    row = lab.row_of(work_out(build(Path("hostile.toml"), hostile)))
    with other_page(browser, site, tmp_path, row) as page:
        told = [press(page, label)["told"] for label in ("Ties", "Saturation", "Reset")]
        assert page.locator(".lab-table tbody th").all_inner_texts() == [*hostile["tokens"], "sum"]
        assert page.locator(".lab-key label bdi").all_inner_texts() == hostile["tokens"]
        assert hostile["tokens"][2] in told[1]
        assert hostile["tokens"][0] in told[2]
        assert page.locator(".lab :is(script, img, a, b)").count() == 0


# How it looks, for those who see it and those who do not

@in_chromium
@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), LOOKED_AT)
def test_it_is_sound_with_every_preset(
    browser: Browser, address: str, scheme: str, width: int
) -> None:
    page, problems = opened(browser, address + PAGE, scheme, width)
    for n, button in enumerate(page.locator(".lab-presets button").all()):
        button.click()
        page.wait_for_timeout(PAUSE)
        found = [problem for look in LOOKS for problem in page.evaluate(look)]
        assert found == []
        assert violations(page, rules={CONTRAST: EVERYTHING or n == 0}) == []
    assert problems == []
    page.context.close()


@in_chromium
@pytest.mark.browser
@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_moves_while_it_is_built(browser: Browser, address: str, width: int) -> None:
    page, problems = opened(browser, address + PAGE, width=width)
    assert page.evaluate(SHIFT) == 0
    assert problems == []
    page.context.close()


@in_chromium
@pytest.mark.browser
def test_what_is_said_is_a_live_region_and_controls_have_names(at_lab: Page) -> None:
    assert at_lab.locator(".lab-told[role=status]").count() == 1
    for name in load(sites.LESSON).tokens:
        for role in ("slider", "spinbutton"):
            assert at_lab.get_by_role(role, name=f"{name} score", exact=True).count() == 1


@in_chromium
@pytest.mark.browser
def test_from_a_disk_it_works(browser: Browser, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build_offline(site)
    page, problems = opened(browser, (site / "lesson" / "lab.html").as_uri())
    assert "all weights are alike" in press(page, "Ties")["told"]
    assert problems == []
    page.context.close()
