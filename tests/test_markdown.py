"""The Markdown extensions and what is safe in them: formulas, tables, and text from anyone."""

from html.parser import HTMLParser

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from derivations.render.markup import math, table, text, token
from derivations.render.mathml import FormulaError, fill, mathml

EXTENSIONS = ["admonition", "attr_list", "md_in_html", "tables", "toc",
              "derivations.pages.labelled_tables"]


def html(source: str, late: bool = False) -> str:
    return markdown.markdown(
        source, extensions=[*EXTENSIONS, "derivations.pages.mathematics"],
        extension_configs={"derivations.pages.mathematics": {"late": late}})


class Words(HTMLParser):
    """The visible text and the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.tags = "", []

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


def read(page: str) -> Words:
    words = Words()
    words.feed(page)
    words.close()
    return words


def test_typed_formulas_become_mathml() -> None:
    page = html("The divisor is $\\sqrt{d_k}$, and $a < b$.\n\n$$\nS = Q K^{\\top}\n$$\n")
    assert page.count("<math>") == 2
    assert page.count('<math display="block">') == 1
    assert "<msqrt>" in page
    assert '<annotation encoding="application/x-tex">a &lt; b</annotation>' in page
    assert "data-tex" not in page


def test_late_formulas_are_places_that_filling_fills() -> None:
    source = "The divisor is $\\sqrt{d_k}$."
    late = html(source, late=True)
    assert "<math" not in late
    assert 'data-tex="' in late
    assert fill(late) == html(source)


def test_a_cell_that_is_stacked_says_all_of_its_column_s_name() -> None:
    table = ('<div class="table stacks" markdown="1">\n\n| entry | A: [No scaling](x.md) |\n'
             "| --- | --- |\n| s | 3 |\n\n</div>")
    assert '<td data-label="A: No scaling" role="cell">3</td>' in html(table)


@pytest.mark.parametrize("mark", [".", ",", "):", "?"])
def test_a_mark_after_a_formula_stays_on_its_line(mark: str) -> None:
    page = html(f"Divide by $c${mark} Then go on from $d$ and on.")
    assert f"</math>{mark}</span> Then" in page
    assert page.count('class="together"') == 1


def test_prices_and_code_are_not_formulas() -> None:
    page = html("It costs $5 or $6. Code: `$x$`.")
    assert "<math" not in page
    assert "<code>$x$</code>" in page


def test_a_formula_that_cannot_be_typeset_stops_the_build() -> None:
    with pytest.raises(FormulaError, match=r"the formula '\\\\nosuch' cannot be typeset"):
        mathml(r"\nosuch")


def test_function_application_is_a_character() -> None:
    assert "&ApplyFunction;" not in mathml(r"\operatorname{softmax}(T)")
    assert "\N{FUNCTION APPLICATION}" in mathml(r"\operatorname{softmax}(T)")


latex = st.text(st.sampled_from("ab12_^{}\\ &|$<>\"'`*[]!#:~=+-.,()/\n"), max_size=30)


@given(latex)
def test_the_place_of_a_formula_keeps_its_latex_wherever_it_stands(formula: str) -> None:
    from html import unescape
    from re import findall

    place = math(formula)
    for source in (f"a {place} b", f"# {place}", f"- *x* {place} `y`", f"**{place}**",
                   f"| a | b |\n|---|---|\n| {place} | {place} |"):
        found = findall(r'<span class="math" data-tex="([^"]*)"></span>', html(source, late=True))
        assert [unescape(one) for one in found] == [formula] * (2 if "|---" in source else 1)


anything = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40) \
    | st.sampled_from(["<script>alert(1)</script>", "<|endoftext|>", "a|b", "$5", "$x$", "50%",
                       "_x_", "`x`", "{{ x }}", "{% x %}", '--8<-- "x"', "\\n", "[a](b)", "&amp;",
                       "<s>", "**b**", "&#60;", "a\nb", "    code", "# h", "- l", "1. x", "\\|"])


@given(anything)
def test_a_token_stands_as_text_wherever_it_stands(written: str) -> None:
    shown = token(written)
    for source in (f"# {shown} {{: #id }}", f"a {shown} b", f"*a* {shown}",
                   f"{shown}", f"[{text(written)}](x.md)"):
        words = read(html(source))
        short = written if len(written) <= 40 else written[:39] + "…"
        assert short.split() == words.text.replace("a ", "", 1).split()[: len(short.split())] \
            or " ".join(short.split()) in " ".join(words.text.split())
        assert not {"script", "s", "strong", "code", "math"} & set(words.tags)


@given(st.lists(anything, min_size=1, max_size=4))
def test_no_token_splits_a_table(tokens: list[str]) -> None:
    labels = [token(one) for one in tokens]
    source = table([Markup(""), *labels], [[one, *labels] for one in labels], "matrix", "m")
    tags = read(html(source)).tags
    assert tags.count("table") == 1
    assert tags.count("tr") == len(tokens) + 1
    assert tags.count("td") == len(tokens) ** 2
    assert tags.count("th") == 2 * len(tokens) + 1


def test_rows_and_columns_have_headers() -> None:
    source = table([text("s"), text("x")], [[text("a"), text("1")]], "matrix corner", "m")
    page = html(source)
    assert '<table class="matrix corner">' in page
    assert '<th scope="col">x</th>' in page
    assert '<th scope="row">a</th>' in page
    assert 'tabindex="0"' in page
    assert 'aria-label="m"' in page


def test_other_tables_are_left_alone() -> None:
    assert 'scope="row"' not in html("| a | b |\n|---|---|\n| 1 | 2 |")


def test_text_is_escaped_once() -> None:
    assert text("<b>") == "&#60;b&#62;"
    assert token("x" * 50) == f'<bdi>{"x" * 39}&#8230;</bdi>'
