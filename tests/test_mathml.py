"""Formulas as they stand on a page: roles, links, the font they are set in, and plain text."""

import base64
import html
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from xml.etree import ElementTree

import html5lib
import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Page, sync_playwright

from derivations.notation import BY_KEY, QUANTITIES, SIZES
from derivations.pages import font
from derivations.pages.examples import Source
from derivations.pages.site import pages
from derivations.render.markup import address
from derivations.render.mathml import FormulaError, fill, mathml
from derivations.render.plain import plain
from tests.browser import ARGUMENTS, CHROMIUM
from tests.sites import LESSON, ROOT

MATHML, HTML = "{http://www.w3.org/1998/Math/MathML}", "{http://www.w3.org/1999/xhtml}"
PRODUCT = (r"S = Q K^{\top} = \begin{bmatrix} 1 & -2 \\ 0 & 1 \\ \frac{1}{2} & 3 \end{bmatrix}"
           r"\begin{bmatrix} 1 & 2 & 1 \\ 0 & 1 & 2 \end{bmatrix} = \begin{bmatrix} 1 & 4 & 5 \\"
           r"0 & 1 & 2 \\ 2 & 5 & e^{1/\sqrt{2}} \end{bmatrix}")


def roles(latex: str) -> dict[str, str]:
    """The symbols of a formula that have a role -> their role."""
    root = ElementTree.fromstring(mathml(latex))
    return {"".join(symbol.itertext()): symbol.get("class", "").removeprefix("role-")
            for symbol in root.iter() if symbol.get("class")}


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.key)
def test_a_quantity_and_its_entries_have_its_role(quantity) -> None:
    expected = [quantity.role] if quantity.role else []
    for latex in (quantity.matrix, quantity.entry(1, 2), quantity.entry("i", "j"),
                  f"= -{quantity.entry(1, 'n_k')} + 1", rf"\frac{{{quantity.matrix}}}{{2}}"):
        assert list(roles(latex).values()) == expected, latex


def test_sizes_and_indices_have_no_role() -> None:
    for size in SIZES:
        assert roles(rf"\sum_{{l=1}}^{{{size.latex}}} \sqrt{{{size.latex}}} + {size.latex}") == {}
    assert roles(r"x_{i,k} + o_{k} + x_{v} w_{1,1} + \text{a q} + \exp(X)^{T} + \max_{k} x") == {}
    assert roles(r"w^{V}_{d_{\text{model}},1} e^{t_{1,2}} K^{\top} q") \
        == {"wdmodel,1V": "v", "t1,2": "s", "K⊤": "k", "q": "q"}


def cells(page: str) -> list[list[list[tuple[str, str]]]]:
    """The matrices of a page as a browser reads it: (text, data-ref) of each entry."""
    grids = html5lib.parse(page).iter(MATHML + "mtable")
    return [[[("".join(cell.itertext()), cell.get("data-ref", "")) for cell in row] for row in grid]
            for grid in grids]


def place(latex: str, of: str) -> str:
    return f'<p><span class="math display" data-tex="{html.escape(latex)}" data-of="{of}"></span>'


def test_every_entry_of_a_matrix_has_its_own_name() -> None:
    queries, keys, scores = cells(fill(place(PRODUCT, "queries keys' scores")))
    assert [[shown for shown, _ in row] for row in queries] == [
        ["1", "−2"], ["0", "1"], ["12", "3"]]
    for key, grid in (("queries", queries), ("scores", scores)):
        assert [[ref for _, ref in row] for row in grid] \
            == [[address(key, i, j) for j in range(len(row))] for i, row in enumerate(grid)]
    assert [[ref for _, ref in row] for row in keys] \
        == [[address("keys", j, i) for j in range(3)] for i in range(2)]


def test_a_matrix_has_the_role_of_its_step() -> None:
    page = mathml(PRODUCT, display=True, of="embeddings - scores")
    tags = re.findall(r"<mtable[^>]*>", page)
    assert [re.findall('class="(.*?)"', tag) for tag in tags] == [[], [], ["role-s"]]
    assert mathml(PRODUCT, of="- - -") == mathml(PRODUCT)


def test_other_tables_are_no_matrices() -> None:
    chain = r"\begin{aligned} t^{M}_{i,j} &= \begin{cases} 1 & q \\ 0 & k \end{cases} \\ " \
            r"S &= \begin{bmatrix} 1 & 4 \\ 0 & 1 \end{bmatrix} \end{aligned}"
    assert mathml(chain, of="scores").count("data-ref") == 4


@pytest.mark.parametrize("of", ["scores", "scores keys", "- - - -", "queries nothing scores"])
def test_matrices_that_are_not_named_one_by_one_stop_the_build(of: str) -> None:
    with pytest.raises(FormulaError):
        fill(place(PRODUCT, of))


def test_no_formula_has_styles_of_its_own() -> None:
    """The policy of the site forbids them."""
    assert "style=" not in mathml(r"\begin{aligned} a &= b \\ &= c \end{aligned}").replace(
        "displaystyle=", "")
    with pytest.raises(FormulaError, match="which has no class"):
        mathml(r"\begin{array}{r} 1 \end{array}")


def test_text_in_the_place_of_a_formula_gives_way() -> None:
    page = '<p>a <span class="math" data-tex="W^{Q}">W^Q &lt; 1</span> <span>b</span></p>'
    assert fill(page) == f"<p>a {mathml('W^{Q}')} <span>b</span></p>"


@pytest.mark.parametrize("latex, text", {
    r"W^{Q}": "W^Q", r"w^{Q}_{1,2}": "w^Q(1,2)", r"n_q \times d_{\text{model}}": "n_q × d_model",
    r"s_{2,3} = q_{2,1} k_{3,1} = 0 \cdot 1 = -2": "s(2,3) = q(2,1) k(3,1) = 0 · 1 = −2",
    r"\approx 0.5760": "≈ 0.5760", r"1 - 2 - (-3)": "1 − 2 − (−3)",
    r"t_{1,2} = \frac{s_{1,2}}{\sqrt{d_k}} = 2 \sqrt{2}": "t(1,2) = s(1,2)/√d_k = 2√2",
    r"\frac{1 + e^{-1/\sqrt{2}}}{e^{t_{1,2}} + 1}": "(1 + e^(−1/√2))/(e^(t(1,2)) + 1)",
    r"A = \operatorname{softmax}(Q K^{\top} / \sqrt{d_k}) V": "A = softmax(Q K^T/√d_k) V",
    r"\sum_{l=1}^{d_k} q_{i,l}": "∑(l = 1 to d_k) q(i,l)",
    r"S = \begin{bmatrix} 1 & -2 \\ 0 & 1 \end{bmatrix}": "S = [1, −2; 0, 1]",
    r"\begin{aligned} Z_{2} &= 1 + 2 \\ &= 3 \end{aligned}": "Z_2 = 1 + 2 = 3",
    r"a_{i,1} + \cdots + a_{i,n_k} = 1, \quad a < b": "a(i,1) + … + a(i,n_k) = 1, a < b",
}.items())
def test_plain_text(latex: str, text: str) -> None:
    assert plain(latex) == text


@pytest.fixture(scope="module")
def formulas() -> list[str]:
    """Every formula of the site, as LaTeX."""
    files = pages(Source(ROOT / "docs", LESSON.stem))
    text = "\n".join(page.decode() for name, page in files.items() if name.endswith(".md"))
    found = re.findall(r'data-tex="([^"]*)"', text) + re.findall(r"\$([^$\n]+)\$", text)
    return sorted({html.unescape(latex) for latex in found})


def test_plain_text_of_every_formula_has_no_latex_in_it(formulas: list[str]) -> None:
    assert len(formulas) > 100
    left = [latex for latex in formulas if re.search(r"[\\}&<\s]{2}|\\|\}|[\u2061-\u2064]",
                                                     plain(latex))]
    assert left == []


def stix() -> TTFont:
    return TTFont(BytesIO(font.stix()))


def test_every_character_of_the_formulas_is_in_the_font(formulas: list[str]) -> None:
    seen = set()
    for latex in formulas:
        root = ElementTree.fromstring(mathml(latex))
        for leaf in (leaf for leaf in root.iter() if not len(leaf) and leaf.tag != "annotation"):
            text = (leaf.text or "").replace("h", "ℎ") if leaf.tag == "mi" else leaf.text or ""
            italic = leaf.tag == "mi" and len(text) == 1 and text.isascii()
            base = 0x1D434 - 65 if text.isupper() else 0x1D44E - 97
            seen |= {base + ord(text)} if italic else set(map(ord, text))
    missing = seen - set(stix().getBestCmap())
    assert "".join(map(chr, sorted(missing))).strip("\N{INVISIBLE SEPARATOR}") == ""


def test_root_signs_are_of_one_width_and_as_tall_as_they_say() -> None:
    face = stix()
    root = face.getBestCmap()[0x221A]
    variants = face["MATH"].table.MathVariants
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    assert signs.GlyphAssembly is None
    records = signs.MathGlyphVariantRecord
    assert len(records) == 4
    assert len({face["hmtx"][record.VariantGlyph] for record in records}) == 1
    for record in records:
        glyph = face["glyf"][record.VariantGlyph]
        assert record.AdvanceMeasurement == glyph.yMax - glyph.yMin + 1
    assert len(font.stix()) < 42_000
    assert font.stix.__wrapped__() == font.stix()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    """A page with the site's own style and font, and nothing in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser.new_page()
        browser.close()


def shown(page: Page, body: str) -> Page:
    face = base64.b64encode(font.stix()).decode()
    style = "".join((ROOT / "docs" / "assets" / name).read_text(encoding="utf-8")
                    for name in ("palette.css", "site.css", "mathematics.css"))
    style = style.replace("fonts/stix-two-math.woff2", f"data:font/woff2;base64,{face}")
    page.set_content(f'<!doctype html><style>{style}</style><body data-md-color-scheme="default">'
                     f'<div class="md-typeset">{body}</div>')
    page.evaluate("document.fonts.ready")
    return page


def in_chromium(test: Callable[[Page], None]) -> Callable[[Page], None]:
    """A test in the browser, left out where there is none."""
    missing = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found")
    return pytest.mark.browser(missing(test))


@in_chromium
def test_nothing_is_left_free_after_a_root(chromium: Page) -> None:
    latex = r"\sqrt{2} + \sqrt{d_k} + e^{1/\sqrt{8}} + \sqrt{\frac{1}{2}} + \frac{1}{\sqrt{2}}"
    page = shown(chromium, f'<div class="equation">{mathml(latex, display=True)}</div>')
    free = page.evaluate("""[...document.querySelectorAll('msqrt')].map(e =>
        e.getBoundingClientRect().right - e.lastElementChild.getBoundingClientRect().right)""")
    assert len(free) == 5
    assert max(free) < 0.5


@in_chromium
def test_indices_of_all_letters_stand_on_one_line(chromium: Page) -> None:
    latex = r"q_{1,2} k_{1,2} x_{1,2} Z_{1,2} + K^{2} q^{2} e^{2} d^{2}"
    page = shown(chromium, mathml(latex, display=True))
    sunk, raised = (page.evaluate(f"""[...document.querySelectorAll('{kind}')].map(e =>
        e.lastElementChild.getBoundingClientRect().top)""") for kind in ("msub", "msup"))
    assert len(sunk) == len(raised) == 4
    assert max(sunk) - min(sunk) < 0.1
    assert max(raised) - min(raised) < 0.1


def test_roles_come_from_the_notation() -> None:
    assert {quantity.role for quantity in BY_KEY.values()} == {"", "q", "k", "v", "s", "w"}
