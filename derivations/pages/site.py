"""The page set: every file of the site that is not copied as it is, from docs/ alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from markupsafe import Markup

from derivations import example as example_file
from derivations.checks import CheckError, StepChecks, check
from derivations.decimals import Undecided
from derivations.faults import ExampleError
from derivations.pages import font, reference, worked_page
from derivations.pages.markers import markers
from derivations.pages.worked import Worked, work_out
from derivations.render.markup import text
from derivations.render.mathml import FormulaError
from derivations.render.tables import MOST_ENTRIES, worked_entries

TEMPLATES = Path(__file__).parent / "templates"
EXTENSIONS = (".toml", ".json")
MARKER_ERRORS = (TemplateError, LookupError, TypeError, ArithmeticError, AttributeError)
LONGEST_PAGE = 100_000  # bytes of Markdown; a longer page shows fewer worked entries


class SiteError(Exception):
    """The site cannot be built: one line for each thing that is wrong."""


@dataclass(frozen=True)
class Source:
    """Where the site comes from: the docs folder, and the slug of the lesson's example."""

    docs: Path
    lesson: str


def pages(source: Source) -> dict[str, bytes]:
    """Every generated file: its path within the site's sources -> its bytes.

    Raises SiteError with everything that is wrong in any example file, check or marker.
    """
    examples = _examples(source.docs / "examples")
    lesson = _lesson(source, examples)
    checks = {slug: _checked(worked) for slug, worked in examples.items()}
    written = dict(_prose_pages(source, _context(lesson, examples, checks)))
    for slug, worked in examples.items():
        written |= _worked_page(slug, worked)
    return written | font.files()


def example_files(folder: Path) -> list[Path]:
    """The example files, in order of their names."""
    if not folder.is_dir():
        raise SiteError(f"there is no folder {folder.name} for the example files")
    return sorted(path for path in folder.iterdir() if path.suffix in EXTENSIONS)


def _examples(folder: Path) -> dict[str, Worked]:
    """Each example worked out, by slug."""
    found: dict[str, Worked] = {}
    faults = _same_names(example_files(folder))
    for path in example_files(folder):
        try:
            found[path.stem] = work_out(example_file.load(path))
        except ExampleError as error:
            faults.append(str(error))
        except Undecided as error:
            faults.append(f"{path.name}: {error}")
    if faults:
        raise SiteError("\n".join(faults))
    return found


def _same_names(paths: list[Path]) -> list[str]:
    stems = [path.stem for path in paths]
    return [f"{path.name}: file name: another example has the same name; rename one"
            for path in paths if stems.count(path.stem) > 1]


def _lesson(source: Source, examples: dict[str, Worked]) -> Worked:
    if source.lesson not in examples:
        found = ", ".join(examples) or "none"
        raise SiteError(f"the lesson's example {source.lesson!r} is not in docs/examples: "
                        f"found {found}; mend extra.example in mkdocs.yml")
    return examples[source.lesson]


def _checked(worked: Worked) -> tuple[StepChecks, ...]:
    shown = {step.key: worked_entries(step) for step in worked.derivation.steps}
    try:
        return check(worked.derivation, worked.decimals, worked.example.places, shown)
    except CheckError as error:
        raise SiteError(f"{worked.example.slug}: {error}") from None


def _context(
    lesson: Worked, examples: dict[str, Worked],
    checks: dict[str, tuple[StepChecks, ...]],
) -> dict[str, Any]:
    """The markers that prose pages may use."""
    def verification() -> Markup:
        parts = [Markup("## {} {{: #example-{} }}\n\n{}\n\n").format(
                    text(worked.example.title), Markup(slug),
                    reference.checks_table(worked, checks[slug]))
                 for slug, worked in examples.items()]
        return Markup("").join(parts)

    return markers(lesson) | {
        "lesson_page": Markup(f"examples/{lesson.example.slug}/index.md"),
        "notation_table": reference.notation_table,
        "sizes_table": reference.sizes_table,
        "generic_equations": reference.generic_equations,
        "identities": reference.identities,
        "identity_sizes": reference.identity_sizes,
        "verification": verification,
        "numbers_checked": sum(c.by_twin for rows in checks.values() for c in rows),
        "examples_table": lambda: reference.examples_table(
            [worked.example for worked in examples.values()]),
    }


def _prose_pages(source: Source, context: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    environment = _environment(source.docs)
    for path in sorted(source.docs.rglob("*.md")):
        name = path.relative_to(source.docs).as_posix()
        yield name, _filled(environment, name, context)


def _worked_page(slug: str, worked: Worked) -> dict[str, bytes]:
    folder, environment = f"examples/{slug}", _environment(TEMPLATES)
    for most in (MOST_ENTRIES, MOST_ENTRIES // 2, 1):
        context = worked_page.context(worked, most)
        page = _filled(environment, "worked.md", context)
        if len(page) <= LONGEST_PAGE:
            break
    data = worked_page.data_files(worked).items()
    return {f"{folder}/index.md": page} | {f"{folder}/{name}": file.encode() for name, file in data}


def _filled(environment: Environment, name: str, context: dict[str, Any]) -> bytes:
    """A page with its markers filled in; one that matches nothing stops the build."""
    try:
        return str(environment.get_template(name).render(context)).encode()
    except MARKER_ERRORS as error:
        line = f" line {error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
        raise SiteError(f"{name}{line}: a marker matches nothing: {error}") from error
    except (CheckError, FormulaError, UnicodeDecodeError) as error:
        raise SiteError(f"{name}: {error}") from error


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
