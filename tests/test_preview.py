"""`make serve`: what is saved shows in the open page, built once; a fault leaves the pages."""

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from mkdocs.exceptions import Abort, PluginError
from playwright.sync_api import Browser, Page

from scripts import hooks
from tests import sites
from tests.browser import CHROMIUM
from tests.preview import LONGEST, Preview, editable, previewed

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: not tested in it"),
]
EXAMPLE = "docs/examples/cats.toml"
SCORES = "examples/cats/scores/"
QUIET = 2  # seconds: files are looked at twice a second
SHOWS = "text => document.documentElement.outerHTML.includes(text)"


class Edit(NamedTuple):
    """In a file, what becomes what (nothing: all of a new file); which page shows what then."""

    file: str
    old: str
    new: str
    page: str
    text: str


# The last token is (1, 1, 1, 0, 0). Its query is (2, 1), and then (5, 1); its key is (1, 2).
EDITS = {
    "an example": Edit(EXAMPLE, "w_q = [[1, 0]", "w_q = [[4, 0]", SCORES,
                       'data-ref="scores-r3c3"><mn>7</mn>'),
    "a new example": Edit("docs/examples/saved.toml", "", (sites.EXAMPLES / "one.toml").read_text(),
                          "examples/", 'href="saved/'),
    "a chapter": Edit("docs/lesson/scores.md", "Rows ask, columns are asked.",
                      "Rows ask, and columns were asked.", "lesson/scores/",
                      "Rows ask, and columns were asked."),
    "a module": Edit("derivations/pages/prose.py", '"Queries: what each token looks for"',
                     '"Queries, in words that were saved"', "examples/cats/queries-keys-values/",
                     "Queries, in words that were saved"),
    "the template": Edit("overrides/main.html", "- {{ config.site_name }}</title>",
                         "- saved</title>", SCORES, "- saved</title>"),
    "the copying": Edit("scripts/gen_pages.py", "page.write(contents)",
                        'page.write(contents.replace(b"# Key terms", b"# Saved terms"))',
                        "lesson/glossary/", "Saved terms"),
}


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """The project with an example of the tests, served."""
    folder = tmp_path_factory.mktemp("preview") / "project"
    example = sites.texts(sites.EXAMPLES / "cats.toml")
    with previewed(editable(sites.project(folder, example, "cats"))) as preview:
        yield preview


@pytest.fixture
def opened(browser: Browser, preview: Preview) -> Iterator[Callable[[str], Page]]:
    """Opens a page that reloads itself."""
    context = browser.new_context()
    context.set_default_timeout(LONGEST * 1000)

    def open_page(name: str) -> Page:
        page = context.new_page()
        page.goto(preview.address + name)
        return page

    yield open_page
    context.close()
    print(preview.said())


def edit(preview: Preview, file: str, old: str, new: str) -> None:
    text = preview.read(file) if old else ""
    assert text.count(old) == 1, f"{file}: look again what to edit"
    preview.save(file, text.replace(old, new))


def built_once(preview: Preview, before: int) -> None:
    """One build since then, and no other follows by itself."""
    time.sleep(QUIET)
    assert preview.builds() == before + 1, preview.said()


@pytest.mark.parametrize("saved", EDITS.values(), ids=EDITS)
def test_what_is_saved_shows_in_the_open_page(
    preview: Preview, opened: Callable[[str], Page], saved: Edit
) -> None:
    page, before = opened(saved.page), preview.builds()
    assert not page.evaluate(SHOWS, saved.text)
    edit(preview, saved.file, saved.old, saved.new)
    page.wait_for_function(SHOWS, arg=saved.text)
    built_once(preview, before)


def test_a_fault_keeps_the_last_good_pages_until_it_is_mended(
    preview: Preview, opened: Callable[[str], Page]
) -> None:
    page, before, said = opened(SCORES), preview.builds(), len(preview.said())
    # The second token's query is (0, 1); its key is (2, 1), and (2, 2) when the file is mended.
    good, mended = (f'data-ref="scores-r2c2"><mn>{score}</mn>' for score in (1, 2))
    assert page.evaluate(SHOWS, good)
    edit(preview, EXAMPLE, "w_k = [[0, 1], [1, 1]", "w_k = [[0, 1], [1]")
    preview.wait(lambda: "cats.toml" in preview.said()[said:])
    built_once(preview, before)
    errors = preview.said()[said:]
    assert "Traceback" not in errors
    (error,) = (line for line in errors.splitlines() if "cats.toml" in line)
    assert "w_k row 2" in error
    page.wait_for_function(SHOWS, arg=good)
    assert opened("reference/authoring/").title().startswith("Make an example")  # others as well
    edit(preview, EXAMPLE, "w_k = [[0, 1], [1]", "w_k = [[0, 1], [1, 2]")
    page.wait_for_function(SHOWS, arg=mended)
    built_once(preview, before + 1)


def test_a_fault_that_leaves_half_a_site_is_for_mkdocs_to_handle() -> None:
    def build() -> None:
        abort = Abort("MkDocs aborts while it handles a fault")
        abort.__context__ = PluginError("in the last page, after the site was cleared")
        raise abort

    with pytest.raises(Abort):
        hooks.on_serve(SimpleNamespace(), build).builder()
