"""Citations: each format is read back by a reader that shares no code with what wrote it."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle
from citeproc import formatter as formatters
from citeproc.source.json import CiteProcJSON
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from pybtex.database import parse_string
from pylatexenc.latex2text import LatexNodes2Text

from derivations.citing import formats
from derivations.citing.digest import canonical, digest
from derivations.citing.work import Author, CitationError, Site, Work, one_line, read_site
from derivations.example import build
from tests import sites
from tests.test_heads import DATA as HEADS

SITE = Site("Attention, derived", (Author("The authors"), Author("Núñez", "Ana María")), "1.2.0",
            "2026-03-07", "https://example.org/site/")
HOSTILE = (r"""50% of <s> & {x} _a_ `b` $c$ \d #e ~ ^ | [f](g) "h" 'i' 猫 שלום — @j """
           r"""% \end{document} {{ }""")
WORK = Work(SITE, HOSTILE, "tag/0012/", "0012", "I love cats", "i-love_cats", "5e6ec7f5b8e8")
texts = st.text(st.characters(blacklist_categories=("C", "Z")) | st.just(" "), min_size=1).map(
    one_line).filter(bool)


def test_bibtex_is_read_by_pybtex() -> None:
    (key, entry), = parse_string(formats.bibtex(WORK), "bibtex").entries.items()
    assert key == "attention-derived-0012"
    assert entry.type == "misc"
    assert [LatexNodes2Text().latex_to_text(str(person)) for person in entry.persons["author"]] == [
        "The authors", "Núñez, Ana María"]
    assert entry.fields["url"] == WORK.url
    assert (entry.fields["year"], entry.fields["month"]) == ("2026", "March")
    assert LatexNodes2Text().latex_to_text(entry.fields["note"]) == WORK.note


@given(texts)
def test_any_title_comes_out_of_bibtex_as_it_went_in(title: str) -> None:
    """Balanced, and with nothing that LaTeX would take for more than a letter."""
    written = formats.bibtex(Work(SITE, title, "tag/0001/"))
    (entry,) = parse_string(written, "bibtex").entries.values()
    found = re.search(r"title = \{(.*)\},\n", written)
    assert found is not None
    bare = re.sub(r"\\[a-zA-Z]+|\\[^a-zA-Z]|\{[^{}]*\}", "", found[1])
    assert not set(bare) & set("\\%$#&_^~")
    # (The reader does not know LaTeX's names of some of these, and joins others.)
    if title.isascii() and not set(title) & set("`'-\"<>|^~\\{}"):
        assert LatexNodes2Text().latex_to_text(entry.fields["title"]) == title


def test_ris_is_read_line_by_line() -> None:
    """RIS: a tag of two, two spaces, a hyphen and a space; TY comes first and ER last."""
    lines = formats.ris(WORK).splitlines()
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  -( .*)?", line) for line in lines)
    found = [(line[:2], line[6:]) for line in lines]
    assert found[0] == ("TY", "ELEC")
    assert found[-1] == ("ER", "")
    assert dict(found)["TI"] == HOSTILE
    assert [value for tag, value in found if tag == "AU"] == ["The authors", "Núñez, Ana María"]
    assert dict(found)["UR"] == WORK.url
    assert dict(found)["DA"] == "2026/03/07"
    assert dict(found)["N1"] == WORK.note


def test_csl_is_read_by_citeproc() -> None:
    data = json.loads(formats.csl(WORK))
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = CitationStylesBibliography(style, CiteProcJSON(data), formatters.plain)
    bibliography.register(Citation([CitationItem(WORK.key)]))
    (said,) = map(str, bibliography.bibliography())
    for part in ("The authors", "Núñez", "2026", "Available at: " + WORK.url):
        assert part in said
    assert data[0]["title"] == HOSTILE
    assert data[0]["issued"] == {"date-parts": [[2026, 3, 7]]}


def test_the_html_is_one_quotation_whatever_the_title() -> None:
    quotation = lxml_html.fragment_fromstring(formats.html(WORK, "<math><mi>a</mi></math>"))
    assert quotation.tag == "blockquote"
    assert quotation.get("cite") == WORK.url
    assert [child.tag for child in quotation] == ["math", "p"]
    assert quotation.xpath("p/a/@href") == [WORK.url]
    assert quotation.xpath("string(p)") == formats.reference(WORK)


def test_the_markdown_is_one_link_whatever_the_title() -> None:
    made = sites.converter().convert(formats.markdown(WORK))
    page = lxml_html.fragment_fromstring(made)
    (link,) = page.xpath("//a")
    assert link.get("href") == WORK.url
    assert page.text_content() == link.text_content() == f"{HOSTILE} (tag 0012)"


def test_the_latex_names_the_tag_and_the_key_of_the_bibtex() -> None:
    key = next(iter(parse_string(formats.bibtex(WORK), "bibtex").entries))
    assert formats.latex(WORK) == rf"\cite[\href{{{WORK.url}}}{{Tag 0012}}]{{{key}}}" + "\n"


def test_the_reference_has_all_that_tells_versions_apart() -> None:
    assert formats.reference(WORK) == (
        f"The authors, Núñez, Ana María (2026). {HOSTILE}. In: Attention, derived, Tag 0012; "
        f"version 1.2.0; example i-love_cats, digest 5e6ec7f5b8e8. {WORK.url}")


def test_without_an_address_none_is_made_up() -> None:
    bare = Work(Site("T", (Author("A"),), "1", "2026-03-07"), "Scores", "tag/0001/", "0001")
    for _, _, write in formats.FORMATS:
        assert "tag/0001" not in write(bare)
        assert "://" not in write(bare)
    assert unescape(formats.html(bare)) == "<blockquote><p>A (2026). Scores. In: T, Tag 0001; " \
        "version 1.</p></blockquote>\n"


# The same example, typed in another way, is the same; another number makes another.

PLAIN = {"tokens": ["a", "b"], "x": [[1, "0.5"], [0, 2]], "w_q": [[1], [0]], "w_k": [[0], [1]],
         "w_v": [[1], [1]]}


def of(data: dict[str, object]) -> str:
    return digest(build(Path("t.toml"), data))


@pytest.mark.parametrize("same", [
    {"x": [[1, "1/2"], ["0.0", "4/2"]]}, {"scale": "sqrt_dk"}, {"mask": "none"}, {"places": 4},
    {"title": "Another"}, {"note": "n", "source": "s", "author": "me", "language": "de"},
    {"published": {"scores": [[1, 2], [3, 4]]}, "published_places": {"scores": 0}},
    {"tokens": None, "sentence": "a b"},
])
def test_what_changes_no_number_changes_no_digest(same: dict[str, object]) -> None:
    changed = {key: value for key, value in (PLAIN | same).items() if value is not None}
    assert of(changed) == of(PLAIN)


@pytest.mark.parametrize("other", [
    {"x": [[1, "0.5"], [0, "2.0001"]]}, {"scale": 3}, {"mask": "causal"}, {"places": 5},
    {"tokens": ["a", "c"]}, {"b_q": [0]}, {"w_k": [[1], [0]], "w_q": [[0], [1]]},
    {"context_tokens": ["a", "b"], "context_x": [[1, "0.5"], [0, 2]]},
])
def test_what_changes_a_number_or_a_label_changes_the_digest(other: dict[str, object]) -> None:
    assert of(PLAIN | other) != of(PLAIN)


def test_every_head_counts() -> None:
    swapped = HEADS | {"heads": HEADS["heads"][::-1]}
    found = {of(data) for data in (HEADS, swapped, HEADS | {"b_o": ["1/2", 1]})}
    assert len(found) == 3


def test_the_canonical_form_is_what_is_written_about_it() -> None:
    assert canonical(build(Path("t.toml"), PLAIN)).decode() == (
        '{"divisor":[1,1,1],"places":4,"tokens":["a","b"],"w_k":[["0"],["1"]],"w_q":[["1"],["0"]],'
        '"w_v":[["1"],["1"]],"x":[["1","1/2"],["0","2"]]}')
    assert re.fullmatch("[0-9a-f]{12}", of(PLAIN))


@pytest.mark.parametrize(("text", "told"), [
    ("title: T\n", "authors: is missing"), ("- a\n", "title: is missing"),
    ("title: [", "cannot be read"),
    ("title: T\nauthors: [{name: A}]\nversion: 1\n", "date-released: is missing"),
    ("repository-code: 'javascript:x'\n", "repository-code: found 'javascript:x', expected"),
    ("repository-code: 'https://a.b/) [x](y'\n", "repository-code: found"),
])
def test_what_the_citation_file_does_not_say_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "CITATION.cff"
    path.write_text(text)
    with pytest.raises(CitationError, match=told):
        read_site(path, "")


@pytest.mark.parametrize(("more", "told"), [
    ("date-released: 2026\n", "date-released: found '2026', expected a day such as"),
    ("date-released: 2026-13-45\n", "cannot be read: month must be"),
    ("date-released: 7 March\n", "date-released: found '7 March'"),
    ("authors: Me\n", "authors: found 'Me', expected a list"),
    ("authors: [Me, {name: A}]\n", "authors: number 1 has neither name"),
    ("authors: [{website: 'https://a.b'}]\n", "authors: number 1 has neither name"),
])
def test_a_wrong_citation_file_is_told_in_a_line(tmp_path: Path, more: str, told: str) -> None:
    path = tmp_path / "CITATION.cff"
    lines = {"title": "T", "version": "1", "date-released": "2026-03-07", "authors": "[{name: A}]"}
    key, _, value = more.partition(": ")
    path.write_text("".join(f"{name}: {one}\n" for name, one in
                            (lines | {key: value.strip()}).items()))
    with pytest.raises(CitationError, match=told):
        read_site(path, "")


@pytest.mark.parametrize(("data", "author"), [
    ("{family-names: Beethoven, given-names: Ludwig, name-particle: van, name-suffix: Jr.}",
     Author("van Beethoven", "Ludwig", "Jr.")),
    ("{given-names: Ana}", Author("Ana")), ("{alias: Ana}", Author("Ana")),
    ("{name: null, family-names: B}", Author("B")),
])
def test_names_of_every_kind(tmp_path: Path, data: str, author: Author) -> None:
    path = tmp_path / "CITATION.cff"
    path.write_text(f"title: T\nversion: 1\ndate-released: 2026-03-07\nauthors: [{data}]\n")
    assert read_site(path, "").authors == (author,)


def test_a_name_that_bibtex_would_read_more_into_is_one_name() -> None:
    authors = (Author("Smith and Sons", "A"), Author("van Beethoven", "Ludwig", "Jr."))
    ((_, entry),) = parse_string(formats.bibtex(Work(Site("T", authors, "1", "2026-03-07"), "x",
                                                     "tag/0001/")), "bibtex").entries.items()
    smith, beethoven = entry.persons["author"]
    assert smith.last_names == ["{Smith and Sons}"]
    assert (beethoven.prelast_names, beethoven.last_names) == (["van"], ["Beethoven"])
    assert (beethoven.first_names, beethoven.lineage_names) == (["Ludwig"], ["Jr."])


def test_an_address_with_a_percent_sign_does_not_end_the_line_of_latex() -> None:
    site = Site("T", (Author("A"),), "1", "2026-03-07", "https://a.b/my%20site/")
    told = formats.latex(Work(site, "x", "tag/0001/", "0001"))
    assert r"\href{https://a.b/my\%20site/tag/0001/}" in told


def test_what_the_citation_file_says_of_persons(tmp_path: Path) -> None:
    path = tmp_path / "CITATION.cff"
    path.write_text("title: T\nversion: 0.1\ndate-released: 2026-03-07\nauthors:\n"
                    "  - {family-names: Núñez, given-names: Ana}\n  - {name: A group}\n")
    site = read_site(path, "https://a.b/c")
    assert site == Site("T", (Author("Núñez", "Ana"), Author("A group")), "0.1", "2026-03-07",
                        "https://a.b/c/")
    assert [author.reversed for author in site.authors] == ["Núñez, Ana", "A group"]


@pytest.mark.parametrize(("title", "slug"), [
    ("Attention, derived", "attention-derived"), ("L'attention dérivée", "l-attention-derivee"),
    ("注意力", "attention")])
def test_names_of_references_and_files_follow_the_title(title: str, slug: str) -> None:
    assert replace(SITE, title=title).slug == slug
