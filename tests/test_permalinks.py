"""Every equation, table and entry of every page has an address, and a link to it that is seen."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser

from derivations.pages.permalinks import addressed
from tests import sites
from tests.browser import CHROMIUM, opened

# What a reader may point at; an answer that is folded away, and a sum within a picture's words,
# belong to their exercise and their picture.
POINTED_AT = {
    "equation": "//*[@class='equation'][not(ancestor::*[contains(@class, 'quiz-why')])]"
                "[not(ancestor::figcaption)]",
    "table": "//div[starts-with(@class, 'table ')]",
    "place": "//div[starts-with(@class, 'place ')]//table[contains(@class, 'main')]",
    "card": "//article[starts-with(@class, 'card')]",
    "entry": "//*[starts-with(@class, 'entry')]",
    "heading": "//article//*[self::h2 or self::h3][@id]",
}
LIT = """address => {
  const target = document.getElementById(address);
  const lit = [target, target.closest('td, th'), ...target.querySelectorAll('a')].filter(Boolean);
  return lit.map(e => getComputedStyle(e)).map(s => [s.backgroundColor, s.outlineStyle,
    s.boxShadow, s.borderColor, s.display].join());
}"""


def unlinked(page: html.HtmlElement) -> Counter[str]:
    """How many of each kind have no address, or no link to it."""
    links = {link for link in page.xpath("//article//a/@href") if link.startswith("#")}
    return Counter(kind for kind, path in POINTED_AT.items() for found in page.xpath(path)
                   if not any(f"#{address}" in links for address in addresses(found)))


def addresses(found: html.HtmlElement) -> Iterator[str]:
    """Its own, and of an equation that of its card, its row or what numbers it."""
    yield found.get("id") or ""
    for around in found.iterancestors("div", "article", "tr"):
        if around.get("class", "").startswith(("numbered", "card", "table ", "working", "room")):
            yield around.get("id") or ""


def test_nothing_that_one_may_point_at_is_without_an_address(site: Path, gallery: Path) -> None:
    seen: Counter[str] = Counter()
    for path in [*site.rglob("index.html"), *gallery.glob("examples/**/index.html")]:
        page = html.parse(path).getroot()
        assert unlinked(page) == Counter(), path
        seen += Counter({kind: len(page.xpath(one)) for kind, one in POINTED_AT.items()})
    assert all(seen[kind] > 40 for kind in POINTED_AT)


def test_what_has_no_link_is_noticed() -> None:
    page = html.fromstring(
        '<article><div class="equation"></div><div class="table matrix" id="a"></div>'
        '<h2 id="b">B<a href="#b">#</a></h2><a href="#c">c</a></article>')
    assert unlinked(page) == Counter(equation=1, table=1)


def test_equations_and_tables_are_numbered_in_their_order() -> None:
    box = '<div class="equation" role="group">{}</div>'
    table = '<div class="table t" role="group" tabindex="0" aria-label="{}" markdown="1">'
    page = "\n\n".join(["A", box.format(1), table.format("x"), "| a |", "</div>", "$$2$$",
                        f'<div class="card">{box.format(3)}</div>', "    " + table.format("y")])
    shown = sites.converter().convert(addressed(page))
    found = html.fragment_fromstring(shown, create_parent=True)
    assert found.xpath("//div[@class='numbered']/@id") == ["equation-1", "equation-2"]
    assert found.xpath("//a[@class='equation-number']/@href") == ["#equation-1", "#equation-2"]
    assert found.xpath("//p[@class='permalink']/a/@aria-label") == ["Link to the table: x"]
    assert addressed(page).count('id="table-') == 2


def test_code_that_shows_how_to_write_them_is_left_alone() -> None:
    code = '```html\n<div class="equation" role="group">x</div>\n\n$$a = b$$\n```\n'
    assert addressed(f"A\n\n{code}\nB\n") == f"A\n\n{code}\nB\n"
    assert "equation-1" in addressed(f"{code}\n$$a$$\n\n~~~\n$$b$$\n~~~\n")
    assert "equation-2" not in addressed(f"{code}\n$$a$$\n\n~~~\n$$b$$\n~~~\n")


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it")
@pytest.mark.parametrize(("name", "to"), [
    ("tag/000J/", "r2c3"), ("tag/0001/", "r2c3"), ("tag/000J/", "table-1"),
    ("tag/000J/", "weights-matrices"), ("examples/i-love-cats/whole/", "weights-r2c3"),
    ("examples/i-love-cats/whole/", "equation-2"), ("lesson/scaling/", "table-2"),
    ("examples/i-love-cats/softmax/", "weights-r1c1"), ("reference/generic/", "equation-1"),
    ("examples/i-love-cats/softmax/", "weights-matrix"),
])
def test_following_a_link_by_keyboard_lights_what_it_leads_to(
    browser: Browser, address: str, name: str, to: str
) -> None:
    page, problems = opened(browser, address + name)
    before = page.evaluate(LIT, to)
    page.locator(f'article a[href$="#{to}"]:visible').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/#{to}")
    assert page.evaluate(LIT, to) != before
    assert page.evaluate("to => document.querySelector(':target').id === to", to)
    assert problems == []
    page.context.close()
