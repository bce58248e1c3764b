"""A citation in the formats that people paste: BibTeX, RIS, CSL-JSON, LaTeX, Markdown, HTML."""

import json
import re
from collections.abc import Callable
from html import escape

import rispy
from bibtexparser.entrypoint import write_string
from bibtexparser.library import Library
from bibtexparser.middlewares import MonthAbbreviationMiddleware
from bibtexparser.model import Entry, Field
from pylatexenc.latexencode import (
    RULE_DICT,
    UnicodeToLatexConversionRule,
    UnicodeToLatexEncoder,
)

from derivations.citing.work import Author, Work

READ_INTO = re.compile(r"\band\b|,", re.IGNORECASE)
BRACES = {ord("{"): r"\textbraceleft", ord("}"): r"\textbraceright"}  # BibTeX counts them all
LATEX = UnicodeToLatexEncoder(
    conversion_rules=[UnicodeToLatexConversionRule(RULE_DICT, BRACES), "defaults"],
    unknown_char_policy="keep", unknown_char_warning=False)
# What is read in a link: a backslash before it, or where not every Markdown has that, its number.
MARKDOWN = str.maketrans({char: "\\" + char for char in "\\`*_[]#"}
                         | {char: f"&#{ord(char)};" for char in "<>&|$~^"})


class Unnumbered(rispy.RisWriter): # type: ignore[misc]
    """RIS without a number before each entry, which not every reader takes."""

    def set_header(self, count: int) -> str:
        """Nothing."""
        return ""


def reference(work: Work) -> str:
    """As a line of a list of references."""
    site = work.site
    authors = ", ".join(author.reversed for author in site.authors)
    told = f"{authors} ({site.date[:4]}). {work.title}. In: {site.title}, {work.note}."
    return f"{told} {work.url}".rstrip()


def bibtex(work: Work) -> str:
    """As an entry of BibTeX; an address stands there as it is, everything else is escaped."""
    year, month, _ = work.site.date.split("-")
    fields = {"author": " and ".join(map(_bibtex_author, work.site.authors)),
              "title": f"{{{_latex(work.title)}}}", "howpublished": _latex(work.site.title),
              "year": year, "month": month, "note": _latex(work.note), "url": work.url}
    entry = Entry("misc", work.key, [Field(key, value) for key, value in fields.items() if value])
    months = [MonthAbbreviationMiddleware()]  # every style knows nov, and few know 11
    return write_string(Library([entry]), prepend_middleware=months).strip() + "\n"


def _bibtex_author(author: Author) -> str:
    """Family, suffix, given; a name is in braces where BibTeX would read more into it."""
    if not author.given:
        return f"{{{_latex(author.name)}}}"
    return ", ".join(f"{{{_latex(name)}}}" if READ_INTO.search(name) else _latex(name)
                     for name in (author.family, author.suffix, author.given) if name)


def _latex(written: str) -> str:
    return str(LATEX.unicode_to_latex(written))


def ris(work: Work) -> str:
    """As RIS: a web page."""
    entry = {"type_of_reference": "ELEC", "title": work.title,
             "authors": [author.reversed for author in work.site.authors],
             "year": work.site.date[:4], "date": work.site.date.replace("-", "/"),
             "secondary_title": work.site.title, "edition": work.site.version,
             "notes": [work.note]} | ({"urls": [work.url]} if work.url else {})
    return str(rispy.dumps([entry], implementation=Unnumbered)).strip() + "\n"


def csl(work: Work) -> str:
    """As CSL-JSON (citeproc-js, CSL 1.0.2): a list of one item."""
    item = {"id": work.key, "type": "webpage", "title": work.title,
            "container-title": work.site.title, "author": list(map(_csl_author, work.site.authors)),
            "issued": {"date-parts": [[int(part) for part in work.site.date.split("-")]]},
            "version": work.site.version, "note": work.note} | (
                {"URL": work.url} if work.url else {})
    return json.dumps([item], ensure_ascii=False, indent=1) + "\n"


def _csl_author(author: Author) -> dict[str, str]:
    if author.given:
        return {"family": author.family, "given": author.given} | (
            {"suffix": author.suffix} if author.suffix else {})
    return {"literal": author.family}


def latex(work: Work) -> str:
    r"""As \cite with the tag, which links to the page (hyperref); the key is that of `bibtex`."""
    label = f"Tag {work.tag}" if work.tag else _latex(work.title)
    url = re.sub(r"[%#]", r"\\\g<0>", work.url)  # each would end the line, or be a parameter
    linked = rf"\href{{{url}}}{{{label}}}" if url else f"{{{label}}}"
    return rf"\cite[{linked}]{{{work.key}}}" + "\n"


def markdown(work: Work) -> str:
    """As a link in Markdown."""
    label = _named(work).translate(MARKDOWN)
    return (f"[{label}]({work.url})" if work.url else label) + "\n"


def html(work: Work, formula: str = "") -> str:
    """As a quotation to put into a page: the formula as MathML, and a link."""
    source = escape(reference(work).removesuffix(work.url).strip())
    link = f' <a href="{escape(work.url)}">{escape(work.url)}</a>' if work.url else ""
    cite = f' cite="{escape(work.url)}"' if work.url else ""
    return f"<blockquote{cite}>{formula}<p>{source}{link}</p></blockquote>\n"


def _named(work: Work) -> str:
    return f"{work.title} (tag {work.tag})" if work.tag else work.title


# What a page offers: (name, what it is called, its text); the embedding needs a formula besides.
FORMATS: tuple[tuple[str, str, Callable[[Work], str]], ...] = (
    ("reference", "Reference", reference),
    ("bibtex", "BibTeX", bibtex), ("ris", "RIS", ris), ("csl", "CSL-JSON", csl),
    ("latex", "LaTeX citation", latex), ("markdown", "Markdown", markdown))
