"""The example files of a site: each read, worked out and checked; every fault of all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from derivations import example as example_file
from derivations.checks import CheckError, StepChecks, check
from derivations.decimals import Undecided
from derivations.example import Example
from derivations.faults import ExampleError
from derivations.pages.worked import Worked, work_out
from derivations.render.tables import worked_entries
from derivations.slug import EXTENSIONS

LARGE = 1000  # pairs of tokens
Tell = Callable[[str, bool], None]  # what is being done, and whether that takes seconds


class SiteError(Exception):
    """The site cannot be built: one line for each thing that is wrong."""


@dataclass(frozen=True)
class Source:
    """Where the site comes from: the docs folder, and the slug of the lesson's example.

    `directory_urls`: does page.md become page/, or page.html (as from a disk)?
    """

    docs: Path
    lesson: str
    directory_urls: bool = True


Checked = tuple[Worked, tuple[StepChecks, ...]]


def silent(_: str, __: bool) -> None:
    """Tells nobody."""


def example_files(folder: Path) -> list[Path]:
    """The example files, in order of their names; not those that an editor hides."""
    if not folder.is_dir():
        raise SiteError(f"there is no folder {folder.name} for the example files")
    return sorted(path for path in folder.iterdir()
                  if path.suffix in EXTENSIONS and not path.name.startswith("."))


def worked_examples(source: Source, tell: Tell = silent) -> dict[str, Worked]:
    """Each example worked out, by slug: first that of the lesson.

    Raises SiteError with every fault of every file.
    """
    paths, found = example_files(source.docs / "examples"), {}
    faults = _same_names(paths)
    for number, path in enumerate(paths, 1):
        try:
            example = example_file.load(path)
            tell(f"{path.name}: working it out, {number} of {len(paths)}", is_large(example))
            found[path.stem] = work_out(example)
        except ExampleError as error:
            faults.append(str(error))
        except Undecided as error:
            faults.append(f"{path.name}: {error}")
    if faults:
        raise SiteError("\n".join(faults))
    return {source.lesson: _lesson(source, found)} | found


def is_large(example: Example) -> bool:
    """Does it take seconds?"""
    return len(example.tokens) * len(example.key_tokens) >= LARGE


def _same_names(paths: list[Path]) -> list[str]:
    stems = [path.stem for path in paths]
    return [f"{path.name}: file name: another example has the same name; rename one"
            for path in paths if stems.count(path.stem) > 1]


def _lesson(source: Source, examples: dict[str, Worked]) -> Worked:
    if source.lesson not in examples:
        found = ", ".join(examples) or "none"
        raise SiteError(f"the lesson's example {source.lesson!r} is not in docs/examples: "
                        f"found {found}; mend extra.example in mkdocs.yml")
    lesson = examples[source.lesson]
    if not lesson.example.is_plain:
        raise SiteError(f"{lesson.example.file}: it is the lesson's example (extra.example in "
                        "mkdocs.yml), and the lesson needs x, w_q, w_k and w_v, without biases and "
                        "without a context; choose another")
    return lesson


def checked(worked: Worked, tell: Tell = silent) -> list[Checked]:
    """The checks of an example, of each head and of all of them.

    Raises SiteError where one fails.
    """
    tell(f"{worked.example.file}: checking it", is_large(worked.example))
    return [(part, _checked(part)) for part in worked.parts]


def _checked(worked: Worked) -> tuple[StepChecks, ...]:
    shown = {step.key: worked_entries(step) for step in worked.derivation.own_steps}
    try:
        return check(worked.derivation, worked.decimals, worked.example.places, shown)
    except CheckError as error:
        raise SiteError(f"{worked.example.slug}: {error}") from None
