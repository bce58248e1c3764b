"""The pages of tags: addresses that stay, citations on them, and what machines read there."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from derivations.citing.digest import digest
from derivations.citing.ledger import read, retired, written
from derivations.example import build, load
from derivations.formula import made_of
from derivations.pages.citing import Citing, NotCitable, read_citing
from derivations.pages.examples import SiteError, Source
from derivations.pages.sections import FORMATS
from derivations.pages.site import pages
from derivations.pages.worked import work_out
from tests import sites
from tests.test_heads import DATA

ADDRESS = "https://example.org/"
CITING = read_citing(sites.ROOT / "docs", ADDRESS)
TAGS = [tag.tag for tag in CITING.ledger.tags]
STEPS = CITING.step_tags
LESSON_DIGEST = digest(load(sites.LESSON))


@pytest.fixture(scope="module")
def tag_pages(site: Path) -> dict[str, html.HtmlElement]:
    return {path.name: html.parse(path / "index.html").getroot()
            for path in (site / "tag").iterdir()}


def meta(page: html.HtmlElement, name: str) -> list[str]:
    found = page.xpath(f"//meta[@name='{name}' or @property='{name}']/@content")
    return list(map(str, found))


def json_ld(page: html.HtmlElement) -> dict[str, Any]:
    (script,) = page.xpath("//script[@type='application/ld+json']/text()")
    found: dict[str, Any] = json.loads(script)
    return found


def test_every_tag_ever_given_has_a_page_and_no_other_is_there(
    tag_pages: dict[str, html.HtmlElement]
) -> None:
    assert sorted(tag_pages) == TAGS
    for tag, page in tag_pages.items():
        assert f"Tag {tag} ·" in page.xpath("string(//h1)")


def test_a_page_says_to_machines_what_it_is(tag_pages: dict[str, html.HtmlElement]) -> None:
    for tag, page in tag_pages.items():
        if not page.xpath("//section[@id='cite']"):  # a stub: nothing to cite
            assert page.xpath("//meta[starts-with(@name, 'citation_')]") == []
            assert tag not in {STEPS["weights"], STEPS["output"]}
            continue
        url = f"{sites.ENVIRONMENT['SITE_URL']}tag/{tag}/"
        (title,) = meta(page, "citation_title")
        assert meta(page, "citation_public_url") == meta(page, "og:url") == [url]
        assert page.xpath("//link[@rel='canonical']/@href") == [url]
        assert meta(page, "citation_book_title") == ["Attention, derived"]
        assert meta(page, "citation_author") == ["The Attention, derived authors"]
        assert meta(page, "citation_journal_title") == []
        assert re.fullmatch(r"\d{4}/\d{2}/\d{2}", meta(page, "citation_publication_date")[0])
        assert meta(page, "og:title") == [title]
        data = json_ld(page)
        assert data["@type"] == ["Article", "LearningResource"]
        assert data["headline"] == title
        assert data["url"] == url
        assert data["identifier"]["value"] == tag
        assert data["license"].startswith("https://creativecommons.org/")
        assert {"author", "datePublished", "version", "accessibilityFeature"} < data.keys()


def test_a_step_of_the_lesson_has_its_example_and_its_files_in_its_data(
    tag_pages: dict[str, html.HtmlElement], site: Path
) -> None:
    base = sites.ENVIRONMENT["SITE_URL"]
    data = json_ld(tag_pages[STEPS["weights"]])
    assert data["isBasedOn"]["identifier"] == LESSON_DIGEST
    files = [one["contentUrl"].removeprefix(base) for one in data["encoding"]]
    assert [Path(name).suffix for name in files] == [
        ".tex", ".mml", ".csv", ".json", ".npz"]
    assert all((site / name).is_file() for name in files)
    assert tag_pages[STEPS["mask"]].xpath("//script[@type='application/ld+json']") == []


def test_chapters_are_cited_and_stubs_and_lists_are_not(site: Path) -> None:
    def cites(name: str) -> bool:
        page = html.parse(site / name / "index.html").getroot()
        assert bool(meta(page, "citation_title")) is bool(page.xpath("//section[@id='cite']"))
        return bool(meta(page, "citation_title"))

    assert all(map(cites, ("lesson/softmax", "lesson/practice", "reference/generic",
                           "examples/causal/tag/000J")))
    assert not any(map(cites, ("lesson", "reference", "examples", "examples/causal", "")))


def test_each_format_of_a_page_names_its_address_and_digest(
    tag_pages: dict[str, html.HtmlElement]
) -> None:
    page = tag_pages[STEPS["weights"]]
    blocks = {code.get("id"): code.text_content()
              for code in page.xpath("//section[@id='cite']//code")}
    assert list(blocks) == [f"cite-{name}" for name in (
        "reference", "bibtex", "ris", "csl", "latex", "markdown", "html")]
    for name, written_ in blocks.items():
        assert f"tag/{STEPS['weights']}/" in written_, name
    for name in ("reference", "bibtex", "ris", "csl", "html"):
        assert LESSON_DIGEST in blocks[f"cite-{name}"]
    assert "<math" in blocks["cite-html"]
    buttons = page.xpath("//section[@id='cite']//button/@data-copy")
    assert buttons == list(blocks)


def test_every_entry_has_its_short_address_once(tag_pages: dict[str, html.HtmlElement]) -> None:
    for key, shape in (("weights", (3, 3)), ("embeddings", (3, 5)), ("normalisers", (3, 1))):
        ids = tag_pages[STEPS[key]].xpath("//@id")
        wanted = {f"r{i + 1}c{j + 1}" for i in range(shape[0]) for j in range(shape[1])}
        assert wanted <= set(ids)
        assert len(ids) == len(set(ids))


@cache
def of(slug: str, **more: object) -> dict[str, str]:
    data = DATA | more
    files = sites.files_of(work_out(build(Path(f"{slug}.toml"), data)), CITING)
    return {name.removeprefix(f"examples/{slug}/tag/").removesuffix(".md"): text.decode()
            for name, text in files.items() if "/tag/" in name}


def test_entries_of_heads_say_of_which() -> None:
    page = of("t")[STEPS["weights"]]
    found = re.findall(r'id="(h\d-r\d+c\d+)"', page)
    assert found == [f"h{h}-r{i}c{j}" for h in (1, 2) for i in (1, 2, 3) for j in (1, 2, 3)]
    assert 'href="../../head-2/softmax/#weights-r3c1"' in page
    assert page.count("softmax.md#weights") == 2
    assert 'id="r1c1"' in of("t")[STEPS["projected"]]


def test_what_a_step_uses_and_what_uses_it_are_links_to_their_tags() -> None:
    page = of("t")[STEPS["output"]]
    uses, used = (re.search(rf"{word} (.*)\.$", page, re.MULTILINE)
                  for word in ("It uses", "It goes into"))
    assert uses is not None
    assert used is not None
    steps = made_of(work_out(build(Path("t.toml"), DATA)).heads[0].derivation["output"].formula)
    assert re.findall(r"\]\((\w{4})\.md\)", uses[1]) == [STEPS[key] for key in steps]
    assert re.findall(r"\]\((\w{4})\.md\)", used[1]) == [STEPS["concatenated"]]


def lesson(tmp_path: Path, name: str) -> dict[str, bytes]:
    """The page set of a site whose lesson has another example."""
    example = sites.EXAMPLES / name
    folder = sites.project(tmp_path / "project", sites.texts(sites.LESSON, example), example.stem)
    return pages(Source(folder / "docs", example.stem, address=ADDRESS))


def test_another_example_changes_numbers_and_digest_and_no_tag_and_no_address(
    tmp_path: Path, site: Path
) -> None:
    files = lesson(tmp_path, "fractions.toml")
    assert sorted(Path(name).stem for name in files if name.startswith("tag/")) == TAGS
    weights = files[f"tag/{STEPS['weights']}.md"].decode()
    other = digest(load(sites.EXAMPLES / "fractions.toml"))
    assert other != LESSON_DIGEST
    assert other in weights
    assert LESSON_DIGEST not in weights
    before = {path.name for path in (site / "examples" / "i-love-cats" / "tag").iterdir()}
    assert {Path(name).stem for name in files
            if name.startswith("examples/i-love-cats/tag/")} == before
    index = json.loads(files["tags.json"])
    assert [tag["tag"] for tag in index["tags"]] == TAGS


def test_the_index_of_all_tags_leads_to_pages_and_files(site: Path) -> None:
    index = json.loads((site / "tags.json").read_text())
    base = sites.ENVIRONMENT["SITE_URL"]
    assert [tag["tag"] for tag in index["tags"]] == TAGS
    addresses = [tag["address"] for tag in index["tags"]]
    formats = []
    for tag in index["tags"]:
        assert tag["title"]
        for example in tag.get("examples", []):
            addresses.append(example["address"])
            formats += example["formats"]
    assert all((site / one.removeprefix(base) / "index.html").is_file() for one in addresses)
    assert all((site / one.removeprefix(base)).is_file() for one in formats)
    assert len(formats) == len(FORMATS) * len(list(site.rglob("*.tex")))


def test_all_addresses_are_in_the_map_of_the_site(site: Path) -> None:
    found = (site / "sitemap.xml").read_text()
    assert all(f"/tag/{tag}/</loc>" in found for tag in TAGS)


def changed(tmp_path: Path, text: str) -> Path:
    folder = sites.project(tmp_path / "project", sites.texts(sites.LESSON))
    (folder / "docs" / "tags.csv").write_text(text)
    return folder


def test_a_retired_tag_keeps_a_page_that_says_why_and_where_to_go(tmp_path: Path) -> None:
    text = (sites.ROOT / "docs" / "tags.csv").read_text()
    text += "001R,mistake,old,\n"
    folder = changed(tmp_path, text)
    gone = retired(read(folder / "docs" / "tags.csv"), "001R", "It was <b>twice</b> here.", "000V")
    (folder / "docs" / "tags.csv").write_text(text + written([gone]))
    files = pages(Source(folder / "docs", "i-love-cats"))
    page = files["tag/001R.md"].decode()
    assert "This tag is retired. It named: mistake old." in page
    assert "&#60;b&#62;twice" in page
    assert "[tag 000V](000V.md)" in page
    assert "citation" not in page
    assert 'id="cite"' not in page
    assert b"[001R](../tag/001R.md)" in files["reference/citing.md"]
    (entry,) = [tag for tag in json.loads(files["tags.json"])["tags"] if tag["tag"] == "001R"]
    assert (entry["retired"], entry["instead"]) == ("It was <b>twice</b> here.", "000V")


@pytest.mark.parametrize(("old", "new", "told"), [
    ("0009,step,queries,\n", "0009,step,querries,\n",
     "step queries has no tag yet; `python -m derivations tags --write` adds 1"),
    ("0009,step,queries,\n", "0009,step,querries,\n",
     "0009 names what is no more: step querries; rename it back, or retire it"),
    ("0009,step,queries,\n", "", "line 10: found the tag '000A', expected '0009'"),
])
def test_a_tag_that_is_taken_away_or_renamed_stops_the_build(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    text = (sites.ROOT / "docs" / "tags.csv").read_text()
    folder = changed(tmp_path, text.replace(old, new))
    with pytest.raises(SiteError, match=re.escape(told)):
        pages(Source(folder / "docs", "i-love-cats"))


def test_all_that_is_missing_for_citations_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    with pytest.raises(NotCitable) as raised:
        read_citing(tmp_path / "docs", "")
    assert "tags.csv: cannot be read" in str(raised.value)
    assert "CITATION.cff: cannot be read" in str(raised.value)


def test_without_an_address_pages_have_none(tmp_path: Path) -> None:
    citing = Citing(read_citing(sites.ROOT / "docs", "").site, CITING.ledger)
    files = sites.files_of(work_out(build(Path("t.toml"), DATA)), citing)
    page = files[f"examples/t/tag/{STEPS['weights']}.md"].decode()
    head = page.partition("\n---\n")[0]
    assert "citation_public_url" not in head
    assert "contentUrl" not in head
    assert "//tag" not in page


def test_from_a_disk_addresses_are_those_of_files(tmp_path: Path) -> None:
    folder = sites.project(tmp_path / "project", sites.texts(sites.LESSON))
    files = pages(Source(folder / "docs", "i-love-cats", False, ADDRESS))
    index = json.loads(files["tags.json"])
    assert index["tags"][0]["address"] == f"{ADDRESS}tag/0001.html"
    page = files[f"tag/{STEPS['weights']}.md"].decode()
    assert f"{ADDRESS}tag/{STEPS['weights']}.html" in page
    assert f"tag/{STEPS['weights']}/" not in page
    assert "(../reference/citing.md#corrections)" in page


def test_a_longer_sentence_has_an_address_for_each_number_and_row() -> None:
    found = of.__wrapped__("ten", tokens=list("abcdefghij"), x=[[k, 1] for k in range(10)])
    page = found[STEPS["embeddings"]]
    assert 'id="h1-r10c2"' in page
    assert 'id="h2-r10"' in page


def test_a_wrong_number_is_told_to_the_project_where_it_has_an_address(tmp_path: Path) -> None:
    folder = sites.project(tmp_path / "project", sites.texts(sites.LESSON))
    source = Source(folder / "docs", "i-love-cats")
    assert b"Say so to whoever publishes this site" in pages(source)["reference/citing.md"]
    cff = (folder / "CITATION.cff").read_text()
    (folder / "CITATION.cff").unlink()
    (folder / "CITATION.cff").write_text(f"{cff}repository-code: https://example.org/a/\n")
    page = pages(source)["reference/citing.md"]
    assert b"[issues of the project](https://example.org/a/issues)" in page


def test_the_changes_are_those_of_the_change_log(site: Path) -> None:
    shown = html.parse(site / "reference" / "changes" / "index.html").getroot()
    log = (sites.ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(r"^## \[?(.*?)\]?$", log, re.MULTILINE)
    found = [heading.text for heading in shown.xpath("//article//h2")]
    assert [one.strip("[]") for one in found] == versions
    assert len(shown.xpath("//article//li")) == len(re.findall(r"^- ", log, re.MULTILINE))
