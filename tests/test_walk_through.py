"""The walk-through: every number true, every scene complete, the player in a reader's hand."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import html5lib
import pytest
from lxml import etree
from playwright.sync_api import Browser, Page

from derivations.pages.lesson import walk_through
from derivations.pages.linking import Links, linked
from derivations.pages.worked import Worked
from derivations.render.mathml import fill
from tests import looks
from tests.browser import CHROMIUM, EVERYTHING, LOOKED_AT, opened, violations
from tests.reader import Truth, read_page, truth_from_exact
from tests.sites import LESSON, ROOT, converter, worked
from tests.test_figures import ALL, OUTSIDE, OVERLAPPING, SCHEMES, SMALL, made, many
from tests.truths import walk_through as truths

FAR = made(tokens=[f"t{i}" for i in range(20)], x=[[i, 1] for i in range(20)],
           w_q=[[0, 0], [1, 1]], w_k=[[1, 0], [0, 1]], w_v=[[0], ["0.5"]])
SEVEN = many(7)
WIDTHS = made(w_q=[[n % 3 for n in range(64)]] * 5, w_k=[[1 - n % 2 for n in range(64)]] * 5,
              w_v=[[n for n in range(16)]] * 5)
MADE = ALL | {"far": FAR, "seven": SEVEN, "widths": WIDTHS}
EVERY = pytest.mark.parametrize("slug", MADE)
OPENED = MADE if EVERYTHING else ("hostile", "hidden-row", "widths")  # make check-all opens all
PLACE = "lesson/walk-through/"
PLAIN = ["Queries meet keys", "One score: a row times a column", "All scores",
         "The scores, divided", "Exponentials, and their sum", "The weights",
         "Each value, times its weight", "Added up: the output", "All outputs"]
MASKED = [*PLAIN[:4], "The mask", *PLAIN[4:]]
NUMBER = re.compile(r"−?(?:\d+(?:\.\d+)?(?:·10\^−?\d+)?|∞)")


@cache
def player(slug: str) -> str:
    return str(walk_through.player(MADE[slug]))


def truth_of(example: Worked) -> Truth:
    return replace(truth_from_exact(example.derivation), variants={
        name: Truth(*found) for name, found in truths.truths(example.example).items()})


@cache
def scenes(slug: str) -> list[etree._Element]:
    tree = html5lib.parse(fill(player(slug)), treebuilder="lxml", namespaceHTMLElements=False)
    return tree.xpath("//ol[@class='scenes']/li")


def text_of(element: etree._Element, path: str) -> str:
    return " ".join("".join(found.itertext()) for found in element.xpath(path))


def refs(element: etree._Element, path: str) -> list[tuple[str, str]]:
    """(address, what is written) of the numbers below a path."""
    return [(one.get("data-ref"), "".join(one.xpath(".//text()[not(ancestor::*[local-name() = "
             "'title'])]"))) for one in element.xpath(f"{path}//*[@data-ref]")]


@EVERY
def test_every_number_is_the_entry_that_it_names(slug: str) -> None:
    shown = f'<div data-places="{MADE[slug].example.places}">{player(slug)}</div>'
    report = read_page(fill(shown), truth_of(MADE[slug]))
    assert report.faults == []
    assert report.counts["refs"] == shown.count(" data-ref=") > 40
    assert report.counts["formulas"] >= 3


def test_a_wrong_number_is_noticed() -> None:
    shown = fill(player("cats"))
    for right, wrong in ((">0.5760</text>", ">0.5761</text>"), (">(1.1520, ", ">(1.1521, "),
                         ('weighted_values-r3c1"', 'weighted_values-r2c1"')):
        page = shown.replace(right, wrong, 1) if right in shown else shown.replace(
            ">1.1520</span>", ">1.1521</span>", 1)
        assert page != shown
        assert read_page(page, truth_of(ALL["cats"])).faults != []


@EVERY
def test_the_scenes_come_in_order(slug: str) -> None:
    found = scenes(slug)
    masked = MADE[slug].derivation.open is not None
    names = [text_of(scene, "p[@class='scene-name']") for scene in found]
    assert names == (MASKED if masked else PLAIN)
    assert [scene.get("value") for scene in found] == [str(n + 1) for n in range(len(names))]
    assert all(int(scene.get("data-beats")) >= 2 for scene in found)


@EVERY
def test_the_text_of_a_scene_tells_every_number_of_its_picture(slug: str) -> None:
    for scene in scenes(slug):
        drawn = Counter({number: 1 for _, number in refs(scene, ".//*[local-name() = 'svg']")})
        told = Counter(NUMBER.findall(text_of(scene, ".//span[@class='unseen']")))
        assert drawn
        assert drawn - told == Counter()


@EVERY
def test_a_caption_tells_the_row_that_is_followed(slug: str) -> None:
    walk, found = MADE[slug], scenes(slug)
    i = min(1, len(walk.example.tokens) - 1)
    told = {"All scores": "scores", "The scores, divided": "scaled_scores",
            "The mask": "masked_scores", "Exponentials, and their sum": "exponentials",
            "Added up: the output": "output"}
    for scene in found:
        captions = [ref for ref, _ in refs(scene, ".//figcaption")]
        drawn = {ref for ref, _ in refs(scene, ".//*[local-name() = 'svg']")}
        key = told.get(text_of(scene, "p[@class='scene-name']"))
        row = [ref for ref in captions if key and ref.startswith(f"{key}-r{i + 1}c")]
        assert set(captions) <= drawn
        assert not key or row == [f"{key}-r{i + 1}c{c + 1}" for c in range(*_ends(row))]
        assert not key or len(row) == len(set(row)) == len(
            [ref for ref in drawn if ref.startswith(f"{key}-r{i + 1}c")])


def _ends(row: list[str]) -> tuple[int, int]:
    first = int(row[0].rpartition("c")[2]) - 1
    return first, first + len(row)


@EVERY
def test_the_player_is_safe_and_well_formed(slug: str) -> None:
    shown = player(slug)
    assert "\n\n" not in shown
    assert " style=" not in shown
    for drawing in re.findall(r"<svg.*?</svg>", shown, re.DOTALL):
        for element in etree.fromstring(drawing).iter():
            assert element.tag in {"svg", "g", "rect", "path", "text", "tspan", "title"}
            assert not [name for name in element.attrib if name in ("id", "style", "href")
                        or name.startswith("on")]
            assert float(element.get("font-size", 12)) >= 11
    names = {element.tag for scene in scenes(slug) for element in scene.iter()}
    assert not names & {"script", "img", "style", "iframe"}


def test_hostile_tokens_are_text() -> None:
    found = scenes("hostile")
    told = " ".join("".join(scene.itertext()) for scene in found)
    assert "<script>alert(1)</script>" in told
    assert "<|endoftext|>" in told


@EVERY
def test_markdown_leaves_the_player_as_it_is(slug: str) -> None:
    page = converter().convert(f"Before *it*.\n\n{player(slug)}\n\nAfter.")
    assert fill(player(slug)) in fill(page)
    assert page.endswith("<p>After.</p>")


def test_the_products_are_those_of_the_example() -> None:
    scene = scenes("cats")[6]
    assert refs(scene, ".//figcaption")[-2:] == [
        ("walk.weighted_values-r3c1", "1.1520"), ("walk.weighted_values-r3c2", "0.5760")]
    assert text_of(scene, ".//span[@class='unseen']").endswith(
        "cats: weight 0.5760, value 2, 1, weight times value 1.1520, 0.5760")


def test_the_dot_product_is_written_out() -> None:
    def written(slug: str) -> str:
        drawing = scenes(slug)[1].xpath(".//*[local-name() = 'svg']")[1]
        shown = [one for one in drawing.iter("{*}text") if not one.get("font-size")
                 and one.get("text-anchor") == "middle" and one.get("class") != "word"]
        return " ".join("".join(one.itertext()).strip() for one in shown)

    assert written("cats") == "0 · 1 + 1 · 2 = 2"
    assert written("many") == "0 · 2 + 2 · ( −2 ) = −4"
    assert written("fractions") == "1 · 1.071429 ≈ 1.071429"
    assert written("widths").endswith("+ … = " + walk_number(WIDTHS, "scores", 1))


def walk_number(example: Worked, key: str, i: int) -> str:
    j = int(refs(scenes("widths")[1], ".//figcaption")[0][0].rpartition("c")[2]) - 1
    rounded = example.decimals[key][i][j]
    assert rounded
    return rounded.text


def test_of_many_tokens_those_are_drawn_that_the_walk_follows() -> None:
    found = scenes("far")
    drawn = {ref for ref, _ in refs(found[1], ".//*[local-name() = 'svg']")}
    assert {"scores-r2c20", "queries-r2c1", "keys-r20c1", "keys-r13c1"} <= drawn
    assert "keys-r12c1" not in drawn
    assert "Of 20 queries, numbers 1 to 8 are drawn. Of 20 keys, numbers 13 to 20 are drawn." \
        in text_of(found[1], ".//figcaption")
    assert "The sum counts all 20 keys." in text_of(found[4], ".//figcaption")
    assert "are drawn" not in "".join(text_of(scene, ".//figcaption") for scene in scenes("seven"))
    assert "Of 64 numbers in each, the first 8 are drawn." in text_of(
        scenes("widths")[0], ".//figcaption")


def test_a_row_that_may_hear_nobody_says_so() -> None:
    found = scenes("hidden-row")
    told = [text_of(scene, ".//figcaption") for scene in found]
    assert "The mask hides I, itself and cats from love." in told[4]
    assert "Every key is hidden from love, so every exponential is 0, and so is their sum." in \
        told[5]
    assert "a division by 0 has no result" in told[6]
    assert "add up to exactly 1" not in told[6]
    assert "nothing to share out" in walk_through.shares(ALL["hidden-row"])
    assert "one token only" in walk_through.shares(ALL["one"])
    assert "one sum" in walk_through.shares(ALL["cats"])


@pytest.mark.parametrize(("slug", "may_differ"), [
    ("cats", True), ("one", False), ("hidden-row", False)])
def test_only_rounded_products_may_add_up_to_something_else(slug: str, may_differ: bool) -> None:
    told = text_of(scenes(slug)[-2], ".//figcaption")
    assert ("from what the rounded products add up to" in told) is may_differ
    assert "rounded from the exact sum" not in told


@pytest.mark.parametrize(("slug", "told"), [
    ("cats", "Before rounding, the weights of love add up to exactly 1."),
    ("one", "The weights of Hi add up to 1.")])
def test_rounding_is_told_only_of_what_is_rounded(slug: str, told: str) -> None:
    weights = next(scene for scene in scenes(slug)
                   if text_of(scene, "p[@class='scene-name']") == "The weights")
    assert told in text_of(weights, ".//figcaption")
    assert ("Before rounding" in text_of(weights, ".//figcaption")) is told.startswith("Before")


def test_how_to_play_is_told_where_something_plays() -> None:
    """It is there with the buttons, where scripts are; what less motion leaves out says so."""
    tree = html5lib.parse(player("cats"), treebuilder="lxml", namespaceHTMLElements=False)
    (how,) = tree.xpath("//p[@class='how scripted']")
    assert "Press Play" in text_of(how, "span[@class='motion']")
    assert "After that" in text_of(how, "span[@class='motion']")
    assert "Play" not in text_of(how, "span[@class='less-motion']")
    typed = (ROOT / "docs" / PLACE.rstrip("/")).with_suffix(".md").read_text()
    assert "Play" not in typed
    assert "arrow keys" not in typed
    assert ".motion" in (ROOT / "docs" / "assets" / "walk-through.css").read_text()


def test_a_token_that_hears_itself_most() -> None:
    assert "score of Hi for itself" in text_of(scenes("one")[1], ".//figcaption")


def test_a_mask_that_hides_nobody_from_the_asker() -> None:
    two = made(tokens=["a", "b"], x=[[0, 0, 1, 1, 1], [0, 1, 0, 1, 1]], mask="causal")
    shown = str(walk_through.player(two))
    assert "The mask hides nobody from" in shown


def test_the_same_example_gives_the_same_bytes() -> None:
    assert str(walk_through.player(worked(LESSON))) == str(walk_through.player(worked(LESSON)))


# In a browser. A fake clock runs the timers; pictures move by CSS, in real time.

browsing = [pytest.mark.browser, pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found: browser tests left out")]
COLLECT = """() => {
  window.told = [];
  const position = document.querySelector('.position');
  new MutationObserver(() => window.told.push(position.textContent))
    .observe(position, {childList: true});
}"""
SEEN = """() => [...document.querySelectorAll('.scene')].filter(scene =>
  scene.checkVisibility({visibilityProperty: true})).map(scene => scene.value)"""
ONE = """() => document.querySelector('.walk-through').matches('.one')
  && matchMedia('(prefers-reduced-motion: no-preference)').matches"""
MOVING = """() => document.querySelector('.walk-through').getAnimations({subtree: true})
  .filter(one => one.animationName).map(one => one.playState)"""
BOXES = "() => [...document.querySelectorAll('.scene-picture .scroller')].filter(" \
        "box => box.scrollWidth > box.clientWidth + 1 && box.tabIndex !== 0).length"
LONGEST = 120_000


@contextmanager
def walking(browser: Browser, root: str, **options: object) -> Iterator[Page]:
    """The walk-through of the built site, motion allowed, under a clock that stands."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900},
                                     "reduced_motion": "no-preference", **options})
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text)
            if message.type in {"error", "warning"} else None)
    page.clock.install()
    page.goto(root + PLACE)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    yield page
    context.close()
    assert problems == []


def at(page: Page) -> int:
    """The step that the player says it is at, which is the one that is shown."""
    found = re.match(r"Step (\d+) of (\d+): ", page.locator(".position").inner_text())
    assert found
    if page.evaluate(ONE):
        assert page.evaluate(SEEN) == [int(found[1])]
    return int(found[1])


def press(page: Page, what: str) -> None:
    page.locator(f"[data-do={what}]").click(force=True)  # also one that says it is disabled


def until_next(page: Page) -> int:
    """How long until the next step comes, in milliseconds."""
    here = at(page)
    for passed in range(250, LONGEST, 250):
        page.clock.run_for(250)
        if at(page) != here:
            return passed
    raise AssertionError("nothing came")


@pytest.fixture(scope="module")
def names(address: str, browser: Browser) -> list[str]:
    with walking(browser, address) as page:
        return page.locator(".scene-name").all_text_contents()


class TestPlayer:
    pytestmark = browsing

    def test_nothing_moves_before_play(self, browser: Browser, address: str) -> None:
        with walking(browser, address) as page:
            page.clock.run_for(LONGEST)
            assert at(page) == 1
            assert page.evaluate(MOVING) == []

    def test_play_runs_through_all_steps_and_ends(
        self, browser: Browser, address: str, names: list[str]
    ) -> None:
        with walking(browser, address) as page:
            page.evaluate(COLLECT)
            page.get_by_label("Speed").select_option("fast")
            press(page, "play")
            assert page.evaluate(MOVING) != []
            assert set(page.evaluate(MOVING)) == {"running"}
            assert page.locator("[data-do=play]").inner_text() == "Pause"
            page.clock.run_for(10 * LONGEST)
            told = [f"Step {n} of {len(names)}: {name}" for n, name in enumerate(names, 1)]
            assert page.evaluate("window.told") == [
                *told[1:], told[-1] + ". That was the last step."]
            assert page.locator("[data-do=play]").inner_text() == "Play"
            assert page.evaluate(MOVING) == []
            press(page, "play")
            assert at(page) == 1

    def test_pause_holds_and_play_goes_on_from_there(self, browser: Browser, address: str) -> None:
        with walking(browser, address) as page:
            press(page, "play")
            long = until_next(page)
            page.clock.run_for(1000)
            page.reload()
            press(page, "play")
            page.clock.run_for(long - 500)
            press(page, "play")
            page.clock.run_for(LONGEST)
            assert at(page) == 1
            assert set(page.evaluate(MOVING)) <= {"paused", "finished"}
            press(page, "play")
            page.clock.run_for(750)
            assert at(page) == 2

    def test_speeds(self, browser: Browser, address: str) -> None:
        with walking(browser, address) as page:
            found = {}
            for speed in ("slow", "normal", "fast"):
                page.reload()
                page.get_by_label("Speed").select_option(speed)
                press(page, "play")
                found[speed] = until_next(page)
            assert found["fast"] == pytest.approx(found["normal"] / 2, abs=500)
            assert found["slow"] == pytest.approx(found["normal"] / 0.6, abs=500)
            page.reload()
            page.get_by_label("Speed").select_option("slow")
            press(page, "play")
            page.clock.run_for(found["slow"] // 2)
            page.get_by_label("Speed").select_option("fast")
            assert until_next(page) == pytest.approx(found["fast"] / 2, abs=750)

    def test_steps(self, browser: Browser, address: str, names: list[str]) -> None:
        with walking(browser, address) as page:
            assert page.locator("[data-do=previous]").get_attribute("aria-disabled") == "true"
            press(page, "previous")
            assert at(page) == 1
            for n in range(2, len(names) + 1):
                press(page, "next")
                assert at(page) == n
                assert page.evaluate(MOVING) == []
            press(page, "next")
            assert at(page) == len(names)
            assert page.locator("[data-do=next]").get_attribute("aria-disabled") == "true"
            press(page, "previous")
            assert at(page) == len(names) - 1
            page.clock.run_for(LONGEST)
            assert at(page) == len(names) - 1

    def test_a_step_while_it_plays_plays_on(self, browser: Browser, address: str) -> None:
        with walking(browser, address) as page:
            press(page, "play")
            long = until_next(page)
            page.reload()
            press(page, "play")
            page.clock.run_for(long - 500)
            press(page, "next")
            page.clock.run_for(2000)  # the new step has a time of its own
            assert at(page) == 2
            until_next(page)
            assert at(page) == 3

    def test_the_keyboard(self, browser: Browser, address: str, names: list[str]) -> None:
        with walking(browser, address) as page:
            page.locator("[data-do=play]").focus()
            for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2),
                              ("End", len(names)), ("ArrowRight", len(names)), ("Home", 1),
                              ("Shift+ArrowRight", 1)):
                page.keyboard.press(key)
                assert at(page) == step, key
            page.keyboard.press("Space")  # on the button
            assert page.locator("[data-do=play]").inner_text() == "Pause"
            page.keyboard.press("Space")
            assert page.locator("[data-do=play]").inner_text() == "Play"
            page.locator("[data-do=next]").focus()
            page.keyboard.press("Space")
            assert at(page) == 2
            assert page.locator("[data-do=play]").inner_text() == "Play"
            page.keyboard.press("Home")
            page.locator(".scene.current a").first.focus()
            page.keyboard.press("Space")  # on a link: the player's
            assert page.locator("[data-do=play]").inner_text() == "Pause"
            top = page.evaluate("scrollY")
            page.keyboard.press("Space")
            page.keyboard.press("Space")
            page.wait_for_timeout(300)
            assert page.evaluate("scrollY") == top
            page.keyboard.press("ArrowRight")
            assert at(page) == 2
            assert page.evaluate("document.activeElement.className").startswith("walk-through")
            page.keyboard.press("ArrowRight")
            assert at(page) == 3
            page.get_by_label("Speed").focus()
            page.keyboard.press("ArrowRight")
            assert at(page) == 3
            page.locator("h1").click()
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("ArrowLeft")
            assert at(page) == 3

    def test_a_box_that_scrolls_keeps_its_arrows(self, browser: Browser) -> None:
        page = shown(browser, MADE["seven"], 375, motion="no-preference")
        page.locator(".scene.current .scroller").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('.current .scroller').scrollLeft > 0")
        assert at(page) == 1
        page.context.close()

    def test_all_steps_at_once(self, browser: Browser, address: str, names: list[str]) -> None:
        with walking(browser, address) as page:
            press(page, "all")
            assert page.evaluate(SEEN) == [*range(1, len(names) + 1)]
            assert page.locator("[data-do=all]").get_attribute("aria-pressed") == "true"
            for _ in range(3):
                press(page, "next")
            assert at(page) == 4
            assert in_view(page, 4)
            press(page, "play")
            assert page.evaluate(SEEN) == [4]

    def test_less_motion(self, browser: Browser, address: str, names: list[str]) -> None:
        with walking(browser, address, reduced_motion="reduce") as page:
            assert page.evaluate(SEEN) == [*range(1, len(names) + 1)]
            assert not page.locator("[data-do=play]").is_visible()
            assert "less motion" in page.locator(".less-motion").inner_text()
            page.locator("[data-do=next]").focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowRight")
            assert at(page) == 3
            assert in_view(page, 3)
            page.locator(".scene.current a").first.focus()
            page.keyboard.press("Space")
            page.clock.run_for(LONGEST)
            assert at(page) == 3
            assert page.evaluate(MOVING) == []

    def test_motion_that_is_switched_off_while_it_plays_stops(
        self, browser: Browser, address: str, names: list[str]
    ) -> None:
        with walking(browser, address) as page:
            press(page, "play")
            page.emulate_media(reduced_motion="reduce")
            assert page.evaluate(SEEN) == [*range(1, len(names) + 1)]
            page.clock.run_for(LONGEST)
            assert at(page) == 1

    def test_without_scripts(self, browser: Browser, address: str) -> None:
        page, problems = opened(browser, address + PLACE, width=375, scripts=False)
        count = page.locator("ol.scenes > li.scene > figure").count()
        assert count >= 9
        assert page.evaluate(SEEN) == [*range(1, count + 1)]
        assert not page.locator(".controls").is_visible()
        assert not page.locator(".options").is_visible()
        for look in (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS, looks.HIDDEN):
            assert page.evaluate(look) == []
        assert problems == []
        page.context.close()

    def test_on_paper_all_steps_stand(self, browser: Browser, address: str) -> None:
        with walking(browser, address) as page:
            page.emulate_media(media="print")
            assert len(page.evaluate(SEEN)) >= 9
            assert not page.locator(".controls").is_visible()

    @pytest.mark.parametrize(("scheme", "width"), LOOKED_AT)
    def test_the_page_is_sound(
        self, browser: Browser, address: str, scheme: str, width: int
    ) -> None:
        """With motion; every page is tested without."""
        with walking(browser, address, color_scheme=scheme, reduced_motion="no-preference",
                     viewport={"width": width, "height": 900}) as page:
            page.clock.resume()
            for step in (1, 2, 6):
                while at(page) < step:
                    press(page, "next")
                for look in (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS):
                    assert page.evaluate(look) == []
            assert violations(page) == []

    def test_the_built_page_is_read_back(self, site, address: str) -> None:
        page = (site / PLACE / "index.html").read_text(encoding="utf-8")
        report = read_page(page, truth_of(worked(LESSON)))
        assert report.faults == []
        assert report.counts["refs"] > 100
        assert 'href="../../examples/i-love-cats/' in page


def in_view(page: Page, step: int) -> bool:
    page.wait_for_timeout(100)
    top = page.locator(f".scene[value='{step}']").evaluate("e => e.getBoundingClientRect().top")
    return 80 <= top <= 300


def page_of(example: Worked, scheme: str) -> str:
    assets = ROOT / "docs" / "assets"
    styles = "".join((assets / name).read_text() for name in (
        "palette.css", "site.css", "mathematics.css", "pictures.css", "walk-through.css"))
    entries = {f"{step.key}-r{i + 1}c{j + 1}" for step in example.derivation.steps
               for i, j in step.places}
    body = fill(linked(str(walk_through.player(example)), "made/index.md",
                       Links("made", frozenset(entries), directory_urls=True)))
    return (f'<!doctype html><html lang="en" class="js"><head><title>Walk</title>'
            f'<meta charset="utf-8">'
            f"<style>:root {{ --md-default-bg-color: #fff }} body {{ margin: 16px; font: 16px "
            f"sans-serif; background: var(--md-default-bg-color); "
            f"color: var(--md-default-fg-color) }}{styles}</style></head>"
            f'<body data-md-color-scheme="{SCHEMES[scheme]}"><main class="md-typeset md-content">'
            f"<h1>Walk</h1>{body}</main><script>{(assets / 'walk-through.js').read_text()}"
            f"</script></body></html>")


def shown(
    browser: Browser, example: Worked, width: int, scheme: str = "light", motion: str = "reduce"
) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 900},
                               reduced_motion=motion).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.set_content(page_of(example, scheme))
    return page


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: browser tests left out")
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("slug", OPENED)
def test_every_example_in_a_browser(browser: Browser, slug: str, width: int) -> None:
    page = shown(browser, MADE[slug], width, "light" if width == 375 else "dark")
    for look in (looks.OVERFLOW, looks.TEXT_OUTSIDE, looks.OVERLAPS, OUTSIDE, OVERLAPPING, SMALL):
        assert page.evaluate(look) == []
    assert page.evaluate(BOXES) == 0
    assert violations(page, rules={"target-size": True}) == []
    page.context.close()
