"""As a teacher would: from a number to its tag, its citation, its LaTeX, its data, by keyboard."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from pybtex.database import parse_string

from tests import sites

pytestmark = pytest.mark.browser
WEIGHTS = sites.CITING.step_tags["weights"]


@pytest.fixture(scope="module")
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A browser that lets a page write to its clipboard, as one does after a click."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    page.goto(f"{address}tag/{WEIGHTS}/")
    yield page
    page.close()


def copied(page: Page, name: str) -> str:
    """What a button copies, pressed by keyboard."""
    button = page.get_by_role("button", name=name, exact=True)
    button.focus()
    page.keyboard.press("Enter")
    page.locator("[role=status]", has_text="Copied").wait_for(state="attached")
    found: str = page.evaluate("navigator.clipboard.readText()")
    return found


def opened(page: Page, name: str) -> None:
    """Unfolds a text, by keyboard."""
    page.locator("summary", has_text=name).first.focus()
    page.keyboard.press("Enter")


def test_from_the_stage_to_the_tag(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}examples/i-love-cats/softmax/")
    page.locator(".source a", has_text=WEIGHTS).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/examples/i-love-cats/tag/{WEIGHTS}/")
    assert page.locator("#cite").is_visible()
    page.close()


def test_the_latex_of_one_number(page: Page) -> None:
    latex = copied(page, "Copy the LaTeX of love for cats")
    assert latex.startswith(r"a_{2,3} = \frac{u_{2,3}}{Z_{2}} = \frac{e^{2/\sqrt{2}}}")
    assert latex.endswith(r"\approx 0.5760")


def test_the_latex_of_one_row(page: Page) -> None:
    latex = copied(page, "Copy the LaTeX of the row of love")
    assert latex == r"\begin{bmatrix} 0.1400 & 0.2840 & 0.5760 \end{bmatrix}"


@pytest.mark.parametrize(("older_way", "said"), [(True, "Copied"), (False, "Not copied")])
def test_where_the_clipboard_is_refused_the_text_is_given_all_the_same(
    page: Page, older_way: bool, said: str
) -> None:
    page.evaluate("""older_way => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
      const way = document.execCommand.bind(document);
      document.execCommand = name => {
        window.selected = document.activeElement.value;
        return older_way && way(name);
      };
    }""", older_way)
    button = page.get_by_role("button", name="Copy the LaTeX of the row of love", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    page.locator("[role=status]", has_text=said).wait_for(state="attached")
    assert page.evaluate("window.selected") == (
        r"\begin{bmatrix} 0.1400 & 0.2840 & 0.5760 \end{bmatrix}")
    assert page.locator("textarea").count() == (not older_way)
    if older_way:
        assert "0.2840" in page.evaluate("navigator.clipboard.readText()")


def test_a_row_has_an_address_that_lights_its_numbers(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    for name, row in (("tag/000J/", "r2"), ("examples/i-love-cats/softmax/", "weights-r2")):
        colours = "id => [...document.getElementById(id).closest('tr').querySelectorAll('td')]" \
                  ".map(cell => getComputedStyle(cell).backgroundColor)"
        page.goto(address + name)
        before = page.evaluate(colours, row)
        page.goto(f"{address}{name}#{row}")
        after = page.evaluate(colours, row)
        assert len(after) == 3
        assert not set(after) & set(before)
    page.close()


def test_the_bibtex_entry(page: Page) -> None:
    opened(page, "BibTeX")
    (entry,) = parse_string(copied(page, "Copy BibTeX"), "bibtex").entries.values()
    assert entry.fields["url"].endswith(f"/tag/{WEIGHTS}/")


def test_the_numbers_for_a_spreadsheet(page: Page) -> None:
    opened(page, "Matrix for a spreadsheet")
    rows = [line.split("\t") for line in copied(page, "Copy Matrix for a spreadsheet").splitlines()]
    assert rows[1] == ["0.1400", "0.2840", "0.5760"]
    assert len(rows) == 3


def test_a_citation_for_a_program(page: Page) -> None:
    opened(page, "CSL-JSON")
    (item,) = json.loads(copied(page, "Copy CSL-JSON"))
    assert item["type"] == "webpage"


def test_a_button_says_its_name_again_after_a_while(page: Page) -> None:
    copied(page, "Copy Reference")
    page.get_by_role("button", name="Copy Reference", exact=True).wait_for(timeout=5000)


@pytest.mark.parametrize("anchor", ["r2c3", "weights-r2c3", "weights-formula", "weights-matrices"])
def test_what_an_address_leads_to_is_lit(
    context: BrowserContext, address: str, anchor: str
) -> None:
    page = context.new_page()
    colour = "id => { const found = document.getElementById(id); return getComputedStyle(" \
             "found.querySelector('.equation-number') ?? found.closest('tr').cells[0]" \
             ").backgroundColor; }"
    page.goto(f"{address}tag/{WEIGHTS}/")
    before = page.evaluate(colour, anchor)
    page.goto(f"{address}tag/{WEIGHTS}/#{anchor}")
    assert page.evaluate(colour, anchor) != before
    page.close()


def test_without_scripts_the_texts_are_there_and_no_button_that_does_nothing(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{address}tag/{WEIGHTS}/")
    assert page.locator("button.copy:visible").count() == 0
    assert "digest" in page.locator("#cite-reference").inner_text()
    page.close()
