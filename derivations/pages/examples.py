"""The example files of a site: each read, and every fault of all of them told."""

from dataclasses import dataclass
from pathlib import Path

from derivations import example as example_file
from derivations.example import Example
from derivations.faults import ExampleError
from derivations.slug import example_files_in


class SiteError(Exception):
    """The site cannot be built: one line for each thing that is wrong."""


@dataclass(frozen=True)
class Source:
    """Where the site comes from: the docs folder, and the slug of the lesson's example.

    `directory_urls`: does page.md become page/, or page.html (as from a disk)? `address` is where
    the site will be, '' where that is not known.
    """

    docs: Path
    lesson: str
    directory_urls: bool = True
    address: str = ""


def example_files(folder: Path) -> list[Path]:
    """The example files, in order of their names; not those that an editor hides."""
    if not folder.is_dir():
        raise SiteError(f"there is no folder {folder.name} for the example files")
    return example_files_in(folder)


def read_examples(source: Source) -> dict[str, Example]:
    """The example files read, by slug: first that of the lesson.

    Raises SiteError with every fault of every file.
    """
    paths, found = example_files(source.docs / "examples"), {}
    faults = _same_names(paths)
    for path in paths:
        try:
            found[path.stem] = example_file.load(path)
        except ExampleError as error:
            faults.append(str(error))
    if faults:
        raise SiteError("\n".join(faults))
    return {source.lesson: _lesson(source, found)} | found


def _same_names(paths: list[Path]) -> list[str]:
    stems = [path.stem for path in paths]
    return [f"{path.name}: file name: another example has the same name; rename one"
            for path in paths if stems.count(path.stem) > 1]


def _lesson(source: Source, examples: dict[str, Example]) -> Example:
    if source.lesson not in examples:
        found = ", ".join(examples) or "none"
        raise SiteError(f"the lesson's example {source.lesson!r} is not in docs/examples: "
                        f"found {found}; mend extra.example in mkdocs.yml")
    lesson = examples[source.lesson]
    if not lesson.is_plain:
        raise SiteError(f"{lesson.file}: it is the lesson's example (extra.example in "
                        "mkdocs.yml), and the lesson needs x, w_q, w_k and w_v, without biases and "
                        "without a context; choose another")
    return lesson
