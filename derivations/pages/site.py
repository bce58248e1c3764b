"""The page set: every file of the site that is not copied as it is, from docs/ alone."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateSyntaxError,
)
from markupsafe import Markup

from derivations.checks import CheckError
from derivations.faults import ExampleError
from derivations.pages import font, libraries, reference
from derivations.pages.context import spoken
from derivations.pages.example_pages import example_pages
from derivations.pages.examples import (
    Checked,
    SiteError,
    Source,
    Tell,
    checked,
    is_large,
    silent,
    worked_examples,
)
from derivations.pages.lesson import chapters, programs
from derivations.pages.lesson.markers import lesson_markers
from derivations.pages.linking import Links, linked
from derivations.pages.markers import markers
from derivations.pages.stages import STAGE_OF
from derivations.pages.worked import Worked
from derivations.render.markup import text
from derivations.render.mathml import FormulaError

TEMPLATES = Path(__file__).parent / "templates"
MARKER_ERRORS = (TemplateError, LookupError, TypeError, ArithmeticError, AttributeError)
Keep = Callable[[str, Callable[[], bytes]], bytes]


def made(_: str, part: Callable[[], bytes]) -> bytes:
    """Keeps nothing."""
    return part()


def pages(source: Source, keep: Keep = made, tell: Tell = silent) -> dict[str, bytes]:
    """Every generated file: its path within the site's sources -> its bytes.

    `keep(name, part)` gives the bytes of a slow part that depends on the code alone; `tell` is
    told what is being done.
    Raises SiteError with everything that is wrong in any example file, check or marker.
    """
    examples = worked_examples(source, tell)
    lesson = examples[source.lesson]
    checks = [check for worked in examples.values() for check in checked(worked, tell)]
    written, links = _example_pages(source, examples, tell)
    context = _context(lesson, examples, checks) | {"identities": lambda: _identities(keep)}
    context |= libraries.markers(source.docs, lesson)
    prose = dict(_prose_pages(source, lesson, context, links))
    return written | prose | programs.files(lesson) | {font.PLACE: keep("font", font.stix)}


def _identities(keep: Keep) -> Markup:
    return Markup(keep("identities", lambda: reference.identities().encode()).decode())


def _context(
    lesson: Worked, examples: dict[str, Worked],
    checks: list[Checked],
) -> dict[str, Any]:
    """The markers that prose pages may use."""
    def verification() -> Markup:
        parts = [Markup("## {} {{: #example-{} }}\n\n{}\n\n").format(
                    _title(worked), Markup(worked.example.slug.replace("/", "-")),
                    reference.checks_table(worked, rows))
                 for worked, rows in checks]
        return Markup("").join(parts)

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
        "verification": verification,
        "numbers_checked": sum(c.by_twin for _, rows in checks for c in rows),
        "examples_table": lambda: reference.examples_table(
            [worked.example for worked in examples.values()]),
    }


def _title(worked: Worked) -> Markup:
    """What is checked: an example, one of its heads, or what they make together."""
    return text(worked.example.title) + (Markup(": all heads") if worked.heads else "")


def _prose_pages(
    source: Source, lesson: Worked, context: dict[str, Any], links: Links
) -> Iterator[tuple[str, bytes]]:
    environment = _environment(source.docs)
    for path in sorted(source.docs.rglob("[!.]*.md")):
        name = path.relative_to(source.docs).as_posix()
        page = spoken(_filled(environment, name, context), lesson)
        yield name, linked(page, name, links).encode()


def _example_pages(
    source: Source, examples: dict[str, Worked], tell: Tell
) -> tuple[dict[str, bytes], Links]:
    """The pages of all examples, and the links to the numbers of the lesson's."""
    templates = _environment(TEMPLATES)
    made = {}
    for slug, worked in examples.items():
        tell(f"{worked.example.file}: writing its pages", is_large(worked.example))
        made[slug] = example_pages(worked, templates, source.directory_urls)
    files = {name: page for written, _ in made.values() for name, page in written.items()}
    return files, made[source.lesson][1]


def _filled(environment: Environment, name: str, context: dict[str, Any]) -> str:
    """A page with its markers filled in; one that matches nothing stops the build."""
    try:
        page = environment.get_template(name)
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


def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        finalize=_safe,
        comment_start_string="{##",
        comment_end_string="##}",
        keep_trailing_newline=True,
        autoescape=True,
    )


def _safe(value: Any) -> Markup:
    """What a marker gives, if it is not Markup, is text: it is shown as it is."""
    return value if isinstance(value, Markup) else text(value)
