"""The page set: every file of the site that is not copied as it is, from docs/ alone."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, Template, TemplateError, TemplateSyntaxError
from markupsafe import Markup

from derivations.checks import CheckError
from derivations.example import Example
from derivations.faults import ExampleError
from derivations.pages import font, libraries, reference
from derivations.pages.cite_block import cited, title_of
from derivations.pages.citing import Citing, NotCitable, read_citing
from derivations.pages.context import spoken
from derivations.pages.deck import dressed
from derivations.pages.example_pages import finished, finisher
from derivations.pages.examples import SiteError, Source, read_examples
from derivations.pages.lesson import chapters, programs
from derivations.pages.lesson.markers import lesson_markers
from derivations.pages.linking import Links, linked
from derivations.pages.markers import markers
from derivations.pages.other_tags import Ground, other_tag_pages
from derivations.pages.permalinks import addressed
from derivations.pages.shown import Files, Keep, Shown, Tell, made, shown_examples, silent
from derivations.pages.stages import STAGE_OF
from derivations.pages.tag_pages import tag_pages
from derivations.pages.tags_index import citing_markers, tags_json
from derivations.pages.templating import environment, own_templates
from derivations.pages.worked import Worked
from derivations.render.markup import link, listed, text
from derivations.render.mathml import FormulaError

CHAPTER = re.compile(r"lesson/(?!index\.md).*|reference/generic\.md")  # pages that are cited
MARKER_ERRORS = (TemplateError, LookupError, TypeError, ArithmeticError, AttributeError)


def pages(source: Source, keep: Keep = made, tell: Tell = silent) -> Files:
    """Every generated file: its path within the site's sources -> its bytes.

    `keep(name, make, inputs)` gives files that are slow to make, and that depend on the code and
    on these inputs alone; `tell` is told what is being done.
    Raises SiteError with everything that is wrong in any example file, check or marker.
    """
    examples, citing = read_examples(source), _citing(source)
    lesson, shown, links = shown_examples(source, citing, examples, keep, tell)
    context = _context(lesson, examples, shown) | {"identities": lambda: _identities(keep)}
    context |= libraries.markers(source.docs, lesson) | citing_markers(citing, lesson)
    files = {name: page for one in shown for name, page in one.files.items()}
    files |= _tags(citing, Ground(lesson, context, examples, files), links)
    files["tags.json"] = tags_json(citing, files)
    prose = dict(_prose_pages(source, citing, lesson, context, links[-1]))
    font_file = keep("font", lambda: {font.PLACE: font.stix()}, b"")
    return dressed(files | prose | programs.files(lesson) | font_file, source.docs)


def _tags(citing: Citing, ground: Ground, links: list[Links]) -> Files:
    """The page of each tag: the steps of the lesson's example, and all else that has one."""
    finish = finisher(ground.lesson, links[-1])
    steps = finished(tag_pages(ground.lesson, citing, own_templates(), links, ""), finish)
    others = other_tag_pages(citing, own_templates(), ground, steps)
    return steps | {name: finish(name, page) for name, page in others.items()}


def _citing(source: Source) -> Citing:
    try:
        return read_citing(source.docs, source.address, source.directory_urls)
    except NotCitable as error:
        raise SiteError(str(error)) from None


def _identities(keep: Keep) -> Markup:
    found = keep("identities", lambda: {"list": reference.identities().encode()}, b"")
    return Markup(found["list"].decode())


def _context(
    lesson: Worked, examples: dict[str, Example], shown: list[Shown]
) -> dict[str, Any]:
    """The markers that prose pages may use."""
    return markers(lesson) | lesson_markers(lesson) | {
        "lesson_page": lambda key="": Markup("examples/{}/{}").format(
            Markup(lesson.example.slug), STAGE_OF[key].file if key else Markup("index.md")),
        "lesson_link": lambda key: Markup("../examples/{}/{}#{}").format(
            Markup(lesson.example.slug), STAGE_OF[key].file, Markup(key)),
        "lesson_whole": Markup("../examples/{}/whole.md").format(Markup(lesson.example.slug)),
        "notation_table": reference.notation_table,
        "sizes_table": reference.sizes_table,
        "generic_equations": reference.generic_equations,
        "format_table": reference.format_table,
        "identity_sizes": reference.identity_sizes,
        "several_heads": _several_heads(examples),
        "verification": Markup("").join(one.checks for one in shown),
        "numbers_checked": sum(one.numbers for one in shown),
        "examples_table": lambda: reference.examples_table([*examples.values()]),
    }


def _several_heads(examples: dict[str, Example]) -> Markup:
    """Where an example with several heads is, as seen from a chapter; '' where there is none."""
    found = [link(text(example.title), f"../examples/{slug}/index.md")
             for slug, example in examples.items() if len(example.heads) > 1]
    return Markup(" Examples with more: {}.").format(listed(found)) if found else Markup("")


def _prose_pages(
    source: Source, citing: Citing, lesson: Worked, context: dict[str, Any], links: Links
) -> Iterator[tuple[str, bytes]]:
    templates = environment(source.docs)
    for path in sorted(source.docs.rglob("[!.]*.md")):
        name = path.relative_to(source.docs).as_posix()
        page = spoken(_filled(templates, name, context), lesson)
        if CHAPTER.fullmatch(name):
            page = cited(page, citing.work(title_of(page), name, example=lesson.example))
        yield name, linked(addressed(page), name, links).encode()


def _filled(templates: Environment, name: str, context: dict[str, Any]) -> str:
    """A page with its markers filled in; one that matches nothing stops the build."""
    try:
        page = templates.get_template(name)
        return page.render(context | {"chapter": partial(_chapter, page)})
    except MARKER_ERRORS as error:
        line = f" line {error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
        raise SiteError(f"{name}{line}: a marker matches nothing: {error}") from error
    except (CheckError, ExampleError, FormulaError, UnicodeDecodeError) as error:
        raise SiteError(f"{name}: {error}") from error


def _chapter(page: Template, number: int, pace: str = "") -> Markup:
    """The head of a chapter, from the file it stands in."""
    assert page.filename is not None
    return chapters.head(number, Path(page.filename).read_text(encoding="utf-8"), pace)
