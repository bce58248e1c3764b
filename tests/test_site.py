"""The page set and the site made of it: pure, reproducible, strict about markers and files."""

import hashlib
import itertools
import json
import re
import shutil
import time
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from derivations import numeric
from derivations.__main__ import main
from derivations.pages.examples import SiteError, Source
from derivations.pages.site import pages
from scripts import cache
from scripts.progress import Progress
from tests import sites

OWN_NUMBER = re.compile(r'<span class="number[^"]*" data-ref="[a-z_]+-r\d')  # of the example itself
BUDGET_FORMULAS, BUDGET_FORMULA, BUDGET_MARKDOWN = 100, 1000, 100_000


def source(folder: Path) -> Source:
    return Source(folder / "docs", "i-love-cats")


@pytest.fixture
def copy(tmp_path: Path, kept: Path) -> Path:
    """A project of one's own to break."""
    return sites.project(tmp_path / "project", sites.texts(sites.LESSON), kept=kept)


def digests(site: Path) -> dict[str, str]:
    return {
        path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(site.rglob("*")) if path.is_file()
    }


def test_two_builds_on_two_days_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    time.sleep(1.1)  # a clock that got in would show
    again = tmp_path / "again"
    assert sites.build(sites.ROOT, again, PYTHONHASHSEED="7").returncode == 0
    assert digests(again) == digests(site)


def test_the_day_of_a_build_is_the_one_it_is_told(copy: Path, tmp_path: Path) -> None:
    later = tmp_path / "later"
    assert sites.build(copy, later, SOURCE_DATE_EPOCH="1900000000", NO_CACHE="").returncode == 0
    assert "2030-03-17" in (later / "sitemap.xml").read_text()


def test_the_page_set_is_a_pure_function(copy: Path) -> None:
    before = digests(copy / "docs")
    assert pages(source(copy)) == pages(source(copy))
    assert digests(copy / "docs") == before


def test_the_command_writes_the_same_bytes(copy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["pages", str(out), "--docs", str(copy / "docs")])
    assert done.exit_code == 0, done.output
    for name, contents in pages(source(copy)).items():
        assert (out / name).read_bytes() == contents
    assert (out / "assets" / "site.css").is_file()


def test_the_command_says_what_is_wrong_and_writes_nothing(copy: Path, tmp_path: Path) -> None:
    (copy / "docs" / "examples" / "bad.toml").write_text("tokens = []\n")
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["pages", str(out), "--docs", str(copy / "docs")])
    assert done.exit_code == 1
    assert "bad.toml: w_q: is missing" in done.output
    assert "Traceback" not in done.output
    assert not out.exists()


def test_the_budgets_hold(gallery: Path) -> None:
    for path in gallery.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert page.count('display="block"') <= BUDGET_FORMULAS, path
        latex = [unescape(found) for found in re.findall(
            r'<annotation encoding="application/x-tex">(.*?)</annotation>', page)]
        assert max(map(len, latex), default=0) <= BUDGET_FORMULA, path


def test_markdown_stays_within_its_budget(tmp_path: Path) -> None:
    others = [*sites.EXAMPLES.iterdir(), *sites.KINDS.iterdir()]
    files = sites.texts(*sites.SHOWN.glob("*.toml")) | {
        f"tests-{path.name}": path.read_text(encoding="utf-8") for path in others}
    folder = sites.project(tmp_path / "project", files)
    for name, contents in pages(source(folder)).items():
        if name.endswith(".md"):
            assert len(contents) <= BUDGET_MARKDOWN, name


@pytest.mark.parametrize("marker", [
    "{{ nothing }}", "{{ number('scores', 9, 9) }}", "{{ number('scors', 1, 1) }}",
    "{{ number('scores', 0, 1) }}", "{{ name(99) }}", "{{ name(0) }}", "{{ size('d_q') }}",
    "{{ question", "{{ matrix() }}", "{% if x %}",
])
def test_a_marker_that_matches_nothing_stops_the_build(copy: Path, marker: str) -> None:
    page = copy / "docs" / "reference" / "notation.md"
    page.write_text(page.read_text() + f"\nA number: {marker}\n")
    with pytest.raises(SiteError, match=r"reference/notation\.md"):
        pages(source(copy))


def test_all_broken_examples_are_named_at_once(copy: Path) -> None:
    for name in ("one", "two"):
        (copy / "docs" / "examples" / f"{name}.toml").write_text("tokens = ['a']\nx = [[1, 'q']]\n")
    with pytest.raises(SiteError) as caught:
        pages(source(copy))
    text = str(caught.value)
    assert "one.toml: x row 1 column 2" in text
    assert "two.toml: w_v: is missing" in text


def test_two_examples_may_not_share_a_name(copy: Path) -> None:
    (copy / "docs" / "examples" / "i-love-cats.json").write_text("{}")
    with pytest.raises(SiteError, match="same name"):
        pages(source(copy))


def test_a_missing_lesson_is_named(copy: Path) -> None:
    with pytest.raises(SiteError, match="'nobody' is not in docs/examples"):
        pages(Source(copy / "docs", "nobody"))


def test_mkdocs_stops_with_the_message_alone_and_keeps_the_last_site(
    copy: Path, tmp_path: Path, site: Path
) -> None:
    last = shutil.copytree(site, tmp_path / "site")
    before = digests(last)
    (copy / "docs" / "examples" / "i-love-cats.toml").write_text("x = 3\n")
    done = sites.build(copy, last)
    assert done.returncode == 1
    assert "i-love-cats.toml: x: found 3, expected a matrix" in done.stderr
    assert "Traceback" not in done.stderr
    assert digests(last) == before


def test_a_failed_check_stops_the_build(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = numeric.attention

    def liar(*args, **kwargs):
        arrays = honest(*args, **kwargs)
        arrays["weights"] = arrays["weights"] * 1.0000001
        return arrays

    monkeypatch.setattr(numeric, "attention", liar)
    with pytest.raises(SiteError, match="weights: 9 entries of the NumPy twin"):
        pages(source(copy))


def test_changing_one_number_changes_every_place_where_it_matters(
    copy: Path, tmp_path: Path
) -> None:
    path = copy / "docs" / "examples" / "i-love-cats.toml"
    cats = (sites.EXAMPLES / "cats.toml").read_text()
    site, changed = tmp_path / "site", tmp_path / "changed"
    path.write_text(cats)
    assert sites.build(copy, site, NO_CACHE="").returncode == 0
    path.write_text(cats.replace("w_k = [[0, 1], [1, 1]", "w_k = [[0, 1], [1, 2]"))
    assert sites.build(copy, changed, NO_CACHE="").returncode == 0
    before, after = digests(site), digests(changed)
    moved = {name for name in before if before[name] != after[name]}
    for step in ("w_k", "keys", "scores", "scaled_scores", "exponentials", "weights", "output"):
        assert f"examples/i-love-cats/{step}.json" in moved
    assert {"index.html", "examples/i-love-cats/index.html"} <= moved
    for step in ("embeddings", "w_q", "queries", "values"):
        assert f"examples/i-love-cats/{step}.csv" not in moved
        assert f"examples/i-love-cats/{step}.json" in moved  # it says of which example it is
    assert ">0.5760<" not in (changed / "index.html").read_text()


class Outline(HTMLParser):
    """Ids, headings and everything that would be dangerous if a token had made it."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]


def outline(page: Path) -> Outline:
    parser = Outline()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def test_hostile_tokens_stand_as_text(gallery: Path) -> None:
    page = gallery / "examples" / "hostile" / "whole" / "index.html"
    plain, hostile = outline(gallery / "examples/causal/whole/index.html"), outline(page)
    assert hostile.tags.count("script") == plain.tags.count("script")
    assert not {"b", "s", "em"} & set(hostile.tags) - set(plain.tags)
    ours = {name for name in hostile.ids if not name.startswith("__nav")}
    assert ours - set(plain.ids) <= {f"{step}-r{i}c{j}" for step in (
        "queries", "keys", "values", "output", "normalisers", "scores", "scaled_scores",
        "masked_scores", "exponentials", "weights") for i in range(1, 11) for j in range(1, 11)}
    assert "alert(1)" in unescape(page.read_text())


def test_ids_are_unique(gallery: Path) -> None:
    for page in gallery.rglob("*.html"):
        ids = outline(page).ids
        assert len(ids) == len(set(ids)), page


def test_every_entry_of_a_small_example_has_an_address(site: Path) -> None:
    example = site / "examples" / "i-love-cats"
    ids = set(outline(example / "scores" / "index.html").ids)
    assert {f"scores-r{i}c{j}" for i in (1, 2, 3) for j in (1, 2, 3)} <= ids
    assert {"scores-r3", "scores-c2", "scores-all", "scores-formula"} <= ids
    whole = set(outline(example / "whole" / "index.html").ids)
    assert {"output-r3c2", "normalisers-r2c1", "weights-r2c3"} <= whole


def test_every_number_of_a_small_example_is_a_link(site: Path) -> None:
    links = 0
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        assert not OWN_NUMBER.search(html), page
        assert 'data-to="' not in html, page
        links += html.count('<a class="number')
    assert links > 400


def test_a_page_has_at_most_twenty_matrices_unless_it_is_the_whole(gallery: Path) -> None:
    for page in gallery.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        kinds = ('<table class="matrix', '<table class="factor', "heat", "<mo>[</mo><mtable")
        count = sum(html.count(kind) for kind in kinds)
        is_one_file = page.parent.name == "whole" or page.name == "slides.html"
        assert count <= 20 or is_one_file, (page, count)


def test_search_holds_words_and_no_markup(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text()
    assert "attention weight" in index
    for markup in ("\\\\frac", "<math", "annotation", "data-tex", "\\\\begin"):
        assert markup not in index


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loading = re.compile(r'<(?:script|link|img|iframe|source)[^>]*(?:src|href)="(https?:)?//[^"]*"')
    for page in site.rglob("*.html"):
        found = [m[0] for m in loading.finditer(page.read_text()) if 'rel="canonical"' not in m[0]]
        assert [tag for tag in found if "127.0.0.1:8000" not in tag] == [], page


def test_no_page_names_a_path_of_the_machine(site: Path) -> None:
    for path in site.rglob("*"):
        if path.suffix in {".html", ".json", ".csv", ".tex", ".xml"}:
            assert str(sites.ROOT) not in path.read_text(encoding="utf-8"), path


def test_the_example_can_be_replaced(other_site) -> None:
    built = other_site("hidden-row.toml", (sites.EXAMPLES / "hidden-row.toml").read_text())
    home = (built / "index.html").read_text()
    assert "may listen to nobody" in home
    shutil.rmtree(built)


def test_a_long_build_says_what_it_does(copy: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "mkdocs.examples")
    (copy / "docs" / "examples" / "long.json").write_text(json.dumps(
        {"x": [[1]] * 40, "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}))
    steps = ("working it out", "checking it", "writing its pages")
    short, long = ([f"{name}: {step}" for step in steps]
                   for name in ("i-love-cats.toml", "long.json"))
    pages(source(copy), tell=Progress(lambda: 0))  # no time goes by
    assert caplog.messages == long
    caplog.clear()
    pages(source(copy), tell=Progress(itertools.count(step=5).__next__))
    assert caplog.messages == short + long


def test_what_an_editor_hides_is_no_file_of_the_site(copy: Path, tmp_path: Path) -> None:
    for name in ("examples/.#i-love-cats.toml", "lesson/.#scores.md", ".hidden"):
        (copy / "docs" / name).symlink_to("someone@somewhere.1234")  # as Emacs locks a file
    (copy / "docs" / "examples" / "._i-love-cats.toml").write_bytes(b"\0\5\x16\7")
    done = sites.build(copy, tmp_path / "site", NO_CACHE="")
    assert done.returncode == 0, done.stderr


def test_only_the_example_that_changed_is_worked_out_anew(copy: Path, tmp_path: Path) -> None:
    other = copy / "docs" / "examples" / "other.json"
    data = {"x": [[1], [2]], "w_q": [[1]], "w_k": [[1]], "w_v": [[3]]}
    other.write_text(json.dumps(data))
    done: list[str] = []

    def built() -> dict[str, bytes]:
        done.clear()
        return cache.page_set(tmp_path / "cache", copy / "docs", ("i-love-cats", True), make)

    def make(keep: cache.Keep) -> cache.Files:
        return pages(source(copy), keep, lambda doing, _: done.append(doing))

    first = built()
    (copy / "docs" / "index.md").write_text("# Home\n")
    assert built() == first | {"index.md": b"# Home\n"}
    assert done == [f"i-love-cats.toml: {doing}" for doing in (
        "working it out", "checking it", "writing its pages")]
    other.write_text(json.dumps(data | {"w_v": [[4]]}))
    assert built() == pages(source(copy))
    assert "other.json: working it out" in done
