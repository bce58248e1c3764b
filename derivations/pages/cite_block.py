"""How a page is cited: a block with every format, and what its head says to machines."""

import json
import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from derivations.citing import formats
from derivations.citing.work import LICENCE_ADDRESS, Work
from derivations.render.markup import in_tag

Encoding = Sequence[dict[str, str]]  # downloads, as schema.org has them
HEADING = re.compile(r"^# (?:\d+[a-z]?\. )?(.*?)(?: \{:.*)?$", re.MULTILINE)
BLOCK = Markup('<section class="cite" id="cite" aria-label="Cite this" data-search-exclude>'
               '<h2 id="cite-title">Cite this<a class="headerlink" href="#cite-title" '
               'title="Link to this section">#</a></h2>{}{}</section>\n\n'
               "[Your number differs, or one is wrong?]({}reference/citing.md#corrections)\n"
               "{{: .source .doubt }}\n")
FORMAT = Markup('<details class="format"{}><summary>{}</summary>'
                '<pre class="typed" role="group" tabindex="0" aria-label="{}">'
                '<code id="{}">{}</code></pre><button type="button" data-copy="{}" '
                'class="md-button copy scripted">Copy {}</button></details>')
RIGHTS = Markup('<p>Text and data may be used under <a href="{}" rel="license">CC BY 4.0</a>: say '
                "where they are from.</p>")


def block(work: Work, formula: str = "") -> Markup:
    """The block: the reference is open, the other formats are folded.

    `formula` is MathML, or a place for it, that the quotation for other pages shows.
    """
    shown = [_format(name, label, write(work)) for name, label, write in formats.FORMATS]
    shown.append(_format("html", "HTML", formats.html(work, formula)))
    up = Markup("../" * (work.path.rstrip("/").count("/")))
    return BLOCK.format(Markup("").join(shown), RIGHTS.format(Markup(LICENCE_ADDRESS)), up)


def cited(page: str, work: Work) -> str:
    """A page's Markdown with its citation, at its end and in its head."""
    return f"{with_head(page, work)}\n{block(work)}"


def title_of(page: str) -> str:
    """The title of a page, from its Markdown: the first heading, as text, without its number."""
    found = HEADING.search(page)
    assert found, page[:200]
    return Markup(found[1]).striptags()


def _format(name: str, label: str, written: str) -> Markup:
    return to_copy(f"cite-{name}", label, written, is_open=name == "reference")


def to_copy(name: str, label: str, written: str, is_open: bool = False) -> Markup:
    """A text that folds, with a button that copies it; `name` is its address."""
    return FORMAT.format(Markup(" open" if is_open else ""), Markup(label), Markup(label),
                         Markup(name), in_tag(written.rstrip("\n")), Markup(name), Markup(label))


def with_head(page: str, work: Work, encoding: Encoding = ()) -> str:
    """A page's Markdown, with what the theme puts into its head: JSON, which is YAML."""
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in
                    (("citation", meta(work)), ("jsonld", json_ld(work, encoding))))
    start, mark, rest = page.partition("---\n")
    return f"---\n{lines}{rest}" if mark and not start else f"---\n{lines}---\n\n{page}"


def meta(work: Work) -> list[tuple[str, str]]:
    """(name, content) of the `citation_` tags that reference managers read.

    A title in a book: a title alone would make it an article of a journal (Zotero).
    """
    site = work.site
    found = [("citation_title", work.title),
             *(("citation_author", author.reversed) for author in site.authors),
             ("citation_publication_date", site.date.replace("-", "/")),
             ("citation_book_title", site.title), ("citation_language", "en")]
    return [*found, ("citation_public_url", work.url)] if work.url else found


def json_ld(work: Work, encoding: Encoding = ()) -> dict[str, Any]:
    """The page as schema.org has it: an article, and a resource for learning."""
    site = work.site
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": ["Article", "LearningResource"],
        "headline": work.title,
        "name": work.title,
        "author": [{"@type": "Person" if author.given else "Organization", "name": author.name}
                   for author in site.authors],
        "datePublished": site.date,
        "version": site.version,
        "license": LICENCE_ADDRESS,
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "learningResourceType": "derivation",
        "accessMode": ["textual", "visual"],
        "accessibilityFeature": ["MathML", "structuralNavigation", "alternativeText",
                                 "describedMath"],
        "accessibilityHazard": "none",
        "isPartOf": {"@type": "WebSite", "name": site.title} | (
            {"url": site.address} if site.address else {}),
    }
    if work.tag:
        found["identifier"] = {"@type": "PropertyValue", "propertyID": "tag", "value": work.tag}
    if work.digest:
        found["isBasedOn"] = {"@type": "Dataset", "name": work.example, "identifier": work.digest,
                              "license": LICENCE_ADDRESS}
    if work.url:
        found |= {"url": work.url, "mainEntityOfPage": work.url}
    return found | ({"encoding": list(encoding)} if encoding else {})


