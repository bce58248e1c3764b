"""The parts of an example, its heads and what they make together: what each shows, and where."""

from collections.abc import Iterable
from dataclasses import dataclass

from derivations.pages.linking import Links, step_key
from derivations.pages.sections import Section
from derivations.pages.stages import stages_of
from derivations.pages.worked import Worked
from derivations.render import tables
from derivations.render.corner import corner
from derivations.render.markup import address
from derivations.step import Step


@dataclass(frozen=True)
class Part:
    """An example, or one of its heads, and the sections that the pages of its stages have."""

    worked: Worked
    sections: list[Section]

    @property
    def folder(self) -> str:
        """Where its pages are."""
        return folder_of(self.worked)


def folder_of(worked: Worked) -> str:
    """Where the pages of an example or a head are."""
    return f"examples/{worked.example.slug}"


def sections_of(worked: Worked, steps: Iterable[Step], most: int) -> list[Section]:
    """A section for each step, with at most so many entries worked out."""
    return [Section(worked, step, tables.worked_entries(step, most)) for step in steps]


def widest(worked: Worked, most: int) -> Part:
    """A part with as many entries as it can have."""
    stages = stages_of(worked.derivation)
    return Part(worked, [section for stage in stages for section in
                         sections_of(worked, stage.steps(worked.derivation), most)])


def links_of(parts: list[Part], directory_urls: bool) -> list[Links]:
    """The links of each part: a head leads to the whole, and the whole to each head's output."""
    *heads, whole = parts
    shown, folder = _addresses(whole.sections), whole.folder if heads else ""
    found = [Links(part.folder, _addresses(part.sections) | shown, directory_urls,
                   stages_of(part.worked.derivation)[0], folder) for part in heads]
    seen = {f"head_{number}" + address.removeprefix("output") for number, part in
            enumerate(found, 1) for address in part.addresses if step_key(address) == "output"}
    first = stages_of(whole.worked.derivation)[0]
    return [*found, Links(whole.folder, shown | seen, directory_urls, first)]


def _addresses(sections: list[Section]) -> frozenset[str]:
    """All addresses of the stages' pages: entries with a card, rows and columns."""
    found: set[str] = set()
    for section in sections:
        key, (rows, cols) = section.step.key, corner(section.step.shape)
        found |= {address(key, i, j) for i, j in section.entries}
        found |= {f"{key}-r{i + 1}" for i in range(rows)}
        found |= {f"{key}-c{j + 1}" for j in range(cols)}
    return frozenset(found)
