"""What a site has of an example: its pages and data, and what was checked of it.

Of examples that are not the lesson's it is kept between builds, as long as nothing changed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from markupsafe import Markup

from derivations.checks import CheckError, StepChecks, check
from derivations.decimals import Undecided
from derivations.example import Example
from derivations.faults import ExampleError
from derivations.pages.citing import Citing
from derivations.pages.example_pages import example_pages
from derivations.pages.examples import SiteError, Source
from derivations.pages.linking import Links
from derivations.pages.reference import checks_table
from derivations.pages.templating import own_templates
from derivations.pages.worked import Worked, work_out
from derivations.render.markup import link, text
from derivations.render.tables import worked_entries

Files = dict[str, bytes]
Keep = Callable[[str, Callable[[], Files], bytes], Files]
Tell = Callable[[str, bool], None]  # what is being done, and whether that takes seconds
LARGE = 1000  # pairs of tokens
TABLE = Markup("### {} {{: #example-{} }}\n\n{}\n\n")
CHECKS, NUMBERS = "checks", "numbers"  # names beside those of the files that are kept


@dataclass(frozen=True)
class Shown:
    """The files of an example; a table of what was checked, and of how many numbers."""

    files: Files
    checks: Markup
    numbers: int


def made(_: str, make: Callable[[], Files], __: bytes) -> Files:
    """Keeps nothing."""
    return make()


def silent(_: str, __: bool) -> None:
    """Tells nobody."""


def shown_examples(
    source: Source, citing: Citing, examples: dict[str, Example], keep: Keep, tell: Tell
) -> tuple[Worked, list[Shown], list[Links]]:
    """The lesson's example worked out; what is shown of it and of the others; links to its numbers.

    Raises SiteError with all that cannot be worked out, or with a check that failed.
    """
    lesson, *others = examples.values()
    faults: list[str] = []
    kept = []
    with _noted(lesson, faults):
        worked, own, links = _show(source, citing, lesson, tell)
    for example in others:
        with _noted(example, faults):
            kept.append(_kept(source, citing, example, keep, tell))
    if faults:
        raise SiteError("\n".join(faults))
    return worked, [own, *kept], links


@contextmanager
def _noted(example: Example, faults: list[str]) -> Iterator[None]:
    """What cannot be worked out is noted, so that the others are told too."""
    try:
        yield
    except ExampleError as error:
        faults.append(str(error))
    except Undecided as error:
        faults.append(f"{example.file}: {error}")


def _kept(
    source: Source, citing: Citing, example: Example, keep: Keep, tell: Tell
) -> Shown:
    """An example as it was shown before, if its file is the same."""
    def make() -> Files:
        _, shown, _ = _show(source, citing, example, tell)
        return shown.files | {CHECKS: shown.checks.encode(), NUMBERS: b"%d" % shown.numbers}

    inputs = repr((example.file, example.typed, source.directory_urls, citing)).encode()
    files = keep(f"{example.slug}.example", make, inputs)
    return Shown({name: file for name, file in files.items() if name not in (CHECKS, NUMBERS)},
                 Markup(files[CHECKS].decode()), int(files[NUMBERS]))


def _show(
    source: Source, citing: Citing, example: Example, tell: Tell
) -> tuple[Worked, Shown, list[Links]]:
    """An example worked out and checked, with its files, and the links to its numbers."""
    def telling(doing: str) -> None:
        tell(f"{example.file}: {doing}", len(example.tokens) * len(example.key_tokens) >= LARGE)

    telling("working it out")
    worked = work_out(example)
    telling("checking it")
    checks = [(part, _checked(part)) for part in worked.parts]
    telling("writing its pages")
    files, links = example_pages(worked, own_templates(), citing, source.directory_urls)
    tables = Markup("").join(_table(part, rows) for part, rows in checks)
    numbers = sum(row.by_twin for _, rows in checks for row in rows)
    return worked, Shown(files, tables, numbers), links


def _checked(worked: Worked) -> tuple[StepChecks, ...]:
    shown = {step.key: worked_entries(step) for step in worked.derivation.own_steps}
    try:
        return check(worked.derivation, worked.decimals, worked.example.places, shown)
    except CheckError as error:
        raise SiteError(f"{worked.example.slug}: {error}") from None


def _table(worked: Worked, rows: tuple[StepChecks, ...]) -> Markup:
    """What was checked of an example, of one of its heads, or of all of them.

    No name of an example has two hyphens in a row, so no address here is given twice.
    """
    slug = Markup(worked.example.slug)
    page = Markup("../examples/{}/{}").format(slug, "together.md" if worked.heads else "index.md")
    title = text(worked.example.title) + (Markup(": all heads") if worked.heads else "")
    return TABLE.format(link(title, page), slug.replace("/", "--"), checks_table(worked, rows))
