"""The slides: every deck is read against the engine, and walked through in a browser."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, Page

from derivations.pages import font
from derivations.pages.deck import FILE, dressed
from derivations.pages.examples import SiteError
from derivations.pages.hashes import digest
from derivations.pages.slides import decks
from derivations.pages.worked import Worked
from tests import sites
from tests.browser import CHROMIUM, EVERYTHING, TWO_FRAMES, violations
from tests.reader import Report, read_page, truth_from_exact

PATHS = {path.relative_to(sites.ROOT).as_posix(): path for folder in
         (sites.SHOWN, sites.EXAMPLES, sites.KINDS) for path in sorted(folder.iterdir())
         if path.suffix in {".toml", ".json"}}
LOOKED_AT = (
    "docs/examples/i-love-cats.toml", "docs/examples/hebrew.toml", "tests/examples/hostile.toml",
    "tests/examples/wide.toml", "tests/examples/hidden-row.toml", "tests/kinds/heads.toml",
    "tests/kinds/biases.toml", "tests/kinds/side-by-side.json")
LOOKS = [(scheme, size) for scheme in ("light", "dark") for size in ((1280, 720), (375, 667))
         if EVERYTHING or (scheme == "light") == (size == (1280, 720))]
SEVEN = """
title = "The cat sat on the warm mat"
language = "en"
tokens = ["The", "cat", "sat", "on", "the", "warm", "mat"]
mask = "causal"
x = [[0.5, 1, 0, -1], [1, 0.25, 1, 0], [0, 1, 1, 0.5], [1, 0, -0.5, 1], [0.5, 1, 0, 1],
     [0, -1, 1, 1], [1, 0.75, 1, 0]]
w_q = [[1, 0, 0.5], [0, 1, 0], [1, 0, -1], [0, 1, 1]]
w_k = [[0, 1, 0], [1, 0, 0.5], [0.25, 1, 0], [1, 0, 1]]
w_v = [[1, 0, 0.1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
"""
in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")


@cache
def worked(name: str) -> Worked:
    return sites.worked(PATHS[name])


@cache
def made(name: str) -> dict[str, str]:
    """The finished decks of an example, in the order of its parts."""
    found = decks(worked(name), sites.CITING)
    files = dressed(found | {font.PLACE: font.stix()}, sites.ROOT / "docs")
    return {path: files[path].decode() for path in found}


def lesson() -> str:
    (deck,) = made(f"docs/examples/{sites.LESSON.name}").values()
    return deck


def read(deck: str, part: Worked) -> Report:
    return read_page(deck, truth_from_exact(part.derivation))


@pytest.mark.parametrize("name", PATHS)
def test_every_deck_against_the_engine(name: str) -> None:
    parts = worked(name).parts
    assert len(made(name)) == len(parts)
    for part, (path, deck) in zip(parts, made(name).items(), strict=True):
        report = read(deck, part)
        assert report.faults == [], path
        steps = part.derivation.own_steps
        corners = sum(min(len(step.rows), 6) * min(len(step.cols), 8) for step in steps)
        assert report.counts["refs"] >= corners
        assert report.counts["cells"] >= corners
        computed = [step for step in steps if type(step.formula).__name__ != "Given"]
        assert report.counts["formulas"] >= len(computed)


@pytest.mark.parametrize("pattern, planted", [
    (r'(data-ref="weights-r2c3"[^>]*>)0\.5760<', r"\g<1>0.5761<"),  # in a matrix, in a sentence
    (r"<mn>7\.1414</mn>", "<mn>7.1415</mn>"),  # in the work of a slide
    (r"≈ 7\.1414|\\approx 7\.1414", r"\\approx 7.1415"),  # in the LaTeX of it
    (r'(data-ref="queries-r2c2"[^>]*>)1<', r"\g<1>2<"),
])
def test_a_wrong_number_is_found(pattern: str, planted: str) -> None:
    part, deck = worked(f"docs/examples/{sites.LESSON.name}"), lesson()
    places = [*re.finditer(pattern, deck)]
    assert places
    for place in places:
        wrong = deck[:place.start()] + place.expand(planted) + deck[place.end():]
        assert read(wrong, part).faults, place[0]


@pytest.mark.parametrize("name", LOOKED_AT)
def test_two_makings_give_the_same_bytes(name: str) -> None:
    again = decks(sites.worked(PATHS[name]), sites.CITING)
    assert again == decks(sites.worked(PATHS[name]), sites.CITING)
    assert again.keys() == made(name).keys()


@pytest.mark.parametrize("name", PATHS)
def test_a_deck_has_a_slide_for_each_step_with_notes(name: str) -> None:
    for part, (path, deck) in zip(worked(name).parts, made(name).items(), strict=True):
        assert path == f"examples/{part.example.slug}/{FILE}"
        tree = html.fromstring(deck)
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids))
        slides = tree.xpath("//section/@id")
        answer = [] if part.heads else ["answer"]
        assert slides == ["start", *(step.key for step in part.derivation.own_steps), *answer,
                          "cite"]
        for slide in tree.iter("section"):
            assert len(slide.xpath(".//h1 | .//h2")) == 1
            (notes,) = slide.xpath("./aside")
            assert notes.text_content().strip()
        assert {link for link in tree.xpath("//a/@href") if link.startswith("#")} <= {
            f"#{one}" for one in ids}
        assert not tree.xpath("//*[@data-to]")


@pytest.mark.parametrize("name", PATHS)
def test_a_deck_allows_its_own_style_and_script_alone(name: str) -> None:
    for deck in made(name).values():
        tree = html.fromstring(deck)
        first = tree.find("head")[0]
        rules = first.get("content")
        assert first.get("http-equiv") == "Content-Security-Policy"
        assert rules.startswith("default-src 'none'; ")
        assert "unsafe" not in rules and "http" not in rules and "*" not in rules
        (style,), (script,) = tree.iter("style"), tree.iter("script")
        assert f"style-src '{digest(style.text)}'" in rules
        assert f"script-src '{digest(script.text)}'" in rules
        assert [name for element in tree.iter() for name in element.attrib
                if name == "style" or name.startswith("on")] == []
        assert not tree.xpath("//@src | //link | //iframe | //object | //embed | //form | //base")
        assert "url(" not in style.text.replace('url("data:font/woff2;base64,', "")


def test_text_from_anyone_stands_as_text() -> None:
    (deck,) = made("tests/examples/hostile.toml").values()
    tree = html.fromstring(deck)
    names = {element.tag for element in tree.iter() if isinstance(element.tag, str)}
    (plain,) = made("tests/examples/causal.toml").values()
    assert names == {element.tag for element in html.fromstring(plain).iter()
                     if isinstance(element.tag, str)}
    assert "<script>alert(1)" in tree.findtext(".//title")
    assert "<script>alert(1)" in tree.find(".//h1").text_content()


def test_the_story_is_that_of_the_pages_and_the_exact_value_is_in_the_notes() -> None:
    tree = html.fromstring(lesson())
    assert "the weight 0.5760" in tree.get_element_by_id("answer").text_content()
    for key, name in (("keys", "r3c1"), ("scores", "r2c3"), ("weights", "r2c3")):
        (card,) = tree.xpath(f"//section[@id='{key}']//article/@id")
        assert card == f"{key}-{name}"
    (exact,) = tree.xpath("//section[@id='scaled_scores']/aside//annotation[contains(., '=')]")
    assert exact.text == r"t_{2,3} = \sqrt{2}"


def test_sentences_follow_the_example() -> None:
    def text(name: str, slide: str) -> str:
        *_, deck = made(name).values()
        return html.fromstring(deck).get_element_by_id(slide).text_content()

    assert "may listen to nobody" in text("tests/examples/hidden-row.toml", "answer")
    assert "can listen only to itself" in text("tests/examples/one.toml", "answer")
    assert "set side by side" in text("tests/kinds/heads.toml", "start")
    assert "another text" in text("docs/examples/cross.toml", "context")
    assert "is added" in text("tests/kinds/biases.toml", "b_q")


def test_tags_have_addresses_where_the_site_has_one() -> None:
    part = worked(f"docs/examples/{sites.LESSON.name}")
    links = html.fromstring(lesson()).xpath("//section[@id='cite']//li/a/@href")
    base = f"{sites.CITING.site.address}examples/i-love-cats/tag/"
    tags = [sites.CITING.step_tags[step.key] for step in part.derivation.own_steps]
    assert links == [f"{base}{tag}/" for tag in tags]
    nowhere = replace(sites.CITING, site=replace(sites.CITING.site, address=""))
    ((_, deck),) = decks(part, nowhere).items()
    last = html.fromstring(deck.decode()).get_element_by_id("cite")
    assert [item.text_content().rpartition(" tag ")[2] for item in last.iter("li")] == tags
    assert "CC BY 4.0" in last.text_content()


def test_the_look_is_that_of_the_site(tmp_path: Path) -> None:
    assets = tmp_path / "assets"
    assets.mkdir()
    for name in ("palette.css", "site.css", "mathematics.css"):
        (assets / name).write_text((sites.ROOT / "docs/assets" / name).read_text())
    files = {**decks(worked("tests/examples/one.toml"), sites.CITING), font.PLACE: font.stix()}
    palette = assets / "palette.css"
    palette.write_text(re.sub(r"--q: #\w+", "--q: #123456", palette.read_text(), count=1))
    assert b"--q: #123456" in dressed(files, tmp_path)[f"examples/one/{FILE}"]
    palette.write_text("")
    with pytest.raises(SiteError, match="the slides look for"):
        dressed(files, tmp_path)
    palette.unlink()
    with pytest.raises(SiteError, match=r"need a style sheet.*palette\.css"):
        dressed(files, tmp_path)


def opened(browser: Browser, path: Path, scheme: str = "light", width: int = 1280,
           height: int = 720, **more: bool) -> tuple[Page, list[str]]:
    """A deck from a disk, and all it asks for or complains of."""
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce",
                                  viewport={"width": width, "height": height}, **more)
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: problems.append(f"a request: {request.url[:99]}")
            if not request.url.startswith("data:font") and request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    if more.get("java_script_enabled", True):
        page.evaluate("() => document.fonts.ready")
        page.evaluate(TWO_FRAMES)
    return page, problems


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the decks that are looked at."""
    folder = tmp_path_factory.mktemp("a disk, 100%")
    for name in LOOKED_AT:
        for path, deck in made(name).items():
            (folder / f"{path.replace('/', '-')}").write_text(deck, encoding="utf-8")
    seven = folder / "seven.toml"
    seven.write_text(SEVEN)
    files = decks(sites.worked(seven), sites.CITING)
    files = dressed(files | {font.PLACE: font.stix()}, sites.ROOT / "docs")
    seven.with_suffix(".html").write_bytes(files[f"examples/seven/{FILE}"])
    seven.unlink()
    return folder


def each(disk: Path) -> Iterator[Path]:
    """A deck of each sort; `make check-all` opens all."""
    names = "*.html" if EVERYTHING else "examples-[ih]*.html"  # love, hidden row, hostile, heads
    found = sorted(disk.glob(names))
    assert len(found) > 4
    yield from found


CUT = """() => {
  const page = document.documentElement, found = [];
  const narrow = getComputedStyle(page).scrollSnapType === 'none';
  if (page.scrollWidth > page.clientWidth) found.push('the page is wider than the window');
  for (const slide of document.querySelectorAll('.slide')) {
    const sheet = slide.querySelector('.sheet').getBoundingClientRect();
    const body = slide.querySelector('.body');
    if (!narrow && !body.matches('.fits')) found.push(`${slide.id}: it does not fit`);
    if (!narrow && slide.offsetHeight > innerHeight + 1) found.push(`${slide.id}: too high`);
    for (const e of body.querySelectorAll('p, li, h1, h3, td, th, caption, math')) {
      if (!e.checkVisibility() || e.closest('.unseen')) continue;
      if (narrow && e.closest('.place, .equation')) continue; // they scroll
      const {left, right, bottom} = e.getBoundingClientRect();
      if (right > sheet.right + 1 || left < sheet.left - 1
          || bottom > sheet.bottom + 8) // below that it would be cut
        found.push(`${slide.id}: outside: ${e.textContent.slice(0, 30)}`);
    }
  }
  return found;
}"""
FONT = "() => [...document.fonts].filter(font => font.status !== 'loaded').map(font => font.family)"
HERE = "() => location.hash.slice(1)"
SEEN = """() => { const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  return at.closest('.slide')?.id; }"""


@pytest.mark.browser
@in_chromium
@pytest.mark.parametrize("scheme, size", LOOKS)
def test_decks_open_from_a_disk_whole_and_without_a_request(
    disk: Path, browser: Browser, scheme: str, size: tuple[int, int]
) -> None:
    for path in each(disk):
        page, problems = opened(browser, path, scheme, *size)
        assert page.evaluate(CUT) == [], path.name
        assert page.evaluate(FONT) == [], path.name
        page.keyboard.press("n")
        assert page.locator("aside:visible").count() == page.locator(".slide").count()
        assert page.evaluate(CUT) == [], path.name
        assert violations(page) == [], path.name
        assert problems == [], path.name
        page.context.close()


@pytest.mark.browser
@in_chromium
def test_keys_walk_through_all_slides_and_back(disk: Path, browser: Browser) -> None:
    path = disk / f"examples-i-love-cats-{FILE}"
    page, problems = opened(browser, path)
    ids = page.evaluate("() => [...document.querySelectorAll('.slide')].map(e => e.id)")
    assert page.evaluate(SEEN) == ids[0]
    for key, back in (("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp"), (" ", "Shift+ "),
                      ("ArrowDown", "ArrowUp")):
        for walk, press in ((ids[1:], key), (ids[-2::-1], back)):
            for one in walk:
                page.keyboard.press(press)
                page.evaluate(TWO_FRAMES)
                assert (page.evaluate(SEEN), page.evaluate(HERE)) == (one, one), press
    page.keyboard.press("End")
    assert page.evaluate(SEEN) == ids[-1]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(SEEN) == ids[-1]
    assert page.locator(".count").inner_text() == f"{len(ids)} / {len(ids)}"
    page.keyboard.press("Home")
    assert page.evaluate(SEEN) == ids[0]
    page.get_by_role("button", name="Next slide").click()
    assert page.evaluate(SEEN) == ids[1]
    page.get_by_role("button", name="Notes").click()
    assert page.get_by_role("button", name="Notes").get_attribute("aria-pressed") == "true"
    assert page.locator("#embeddings aside").is_visible()
    page.keyboard.press("n")
    assert not page.locator("#embeddings aside").is_visible()
    page.mouse.wheel(0, 720)
    page.wait_for_function(f"() => location.hash === '#{ids[2]}'")
    assert problems == []
    page.context.close()


@pytest.mark.browser
@in_chromium
def test_an_address_leads_to_its_slide_and_a_number_to_its_step(
    disk: Path, browser: Browser
) -> None:
    path = disk / f"examples-i-love-cats-{FILE}"
    page, problems = opened(browser, path)
    page.goto(f"{path.as_uri()}#weights")
    page.reload()
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(SEEN) == "weights"
    page.locator("#weights .place a[data-ref='exponentials-r2c1']").click()
    page.evaluate(TWO_FRAMES)
    assert (page.evaluate(SEEN), page.evaluate(HERE)) == ("exponentials", "exponentials-r2c1")
    assert problems == [f"a request: {path.as_uri()}#weights"[:110]] or all(
        problem.startswith(f"a request: {path.as_uri()[:60]}") for problem in problems)
    page.context.close()


@pytest.mark.browser
@in_chromium
def test_without_scripts_all_slides_and_notes_are_there(disk: Path, browser: Browser) -> None:
    for width in (1280, 375):
        page, problems = opened(browser, disk / f"examples-i-love-cats-{FILE}", width=width,
                                java_script_enabled=False)
        slides = page.locator(".slide").count()
        assert page.locator(".slide h1:visible, .slide h2:visible").count() == slides
        assert page.locator("aside:visible").count() == slides
        assert page.locator(".controls:visible").count() == 0
        boxes = [slide.bounding_box() for slide in page.locator(".sheet").all()]
        assert all(one["y"] + one["height"] <= two["y"] + 1
                   for one, two in pairwise(boxes))
        assert problems == []
        page.context.close()


@pytest.mark.browser
@in_chromium
@pytest.mark.parametrize("notes", [False, True])
def test_a_slide_is_a_page_on_paper(disk: Path, browser: Browser, notes: bool) -> None:
    for path in each(disk):
        page, _ = opened(browser, path)
        if notes:
            page.keyboard.press("n")
        slides = page.locator(".slide").count()
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
        assert len(re.findall(rb"/Type /Page\b", printed)) == slides, path.name
        page.context.close()


@pytest.mark.browser
@in_chromium
def test_a_planted_script_does_not_run(disk: Path, tmp_path: Path, browser: Browser) -> None:
    deck = (disk / f"examples-i-love-cats-{FILE}").read_text(encoding="utf-8")
    planted = tmp_path / "planted.html"
    planted.write_text(deck.replace("<main>", "<main><script>alert(1)</script><img src=x "
                                    "onerror=alert(2)><style>main{display:none}</style>"),
                       encoding="utf-8")
    page, problems = opened(browser, planted)
    assert page.locator("h1").is_visible()
    assert problems
    assert all("Content Security Policy" in problem for problem in problems
               if not problem.startswith("a request"))
    page.context.close()
