"""The pages of an example: an overview, a page for each stage, the whole, and the data files."""

from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.pages import heads_overview, prose, published
from derivations.pages.context import context, file_as_typed, spoken, walk
from derivations.pages.linking import Links, linked, step_key
from derivations.pages.sections import Section, numbered_formulas
from derivations.pages.stages import Stage, stages_of
from derivations.pages.worked import Worked
from derivations.render import records, tables
from derivations.render.corner import corner
from derivations.render.markup import address

LONGEST_PAGE = 92_600  # bytes of Markdown before its links, at most 100 kB with them
MOST_CARDS = 80  # displayed formulas, beside those of the steps themselves
LADDER = (tables.MOST_ENTRIES, tables.MOST_ENTRIES // 2, 1)


@dataclass(frozen=True)
class Written:
    """A page before its links: its Markdown, and the sections it holds."""

    text: str
    sections: list[Section]


@dataclass(frozen=True)
class Part:
    """An example, or one of its heads: its folder, and the pages of its stages."""

    worked: Worked
    folder: str
    stages: dict[str, Written]

    @property
    def sections(self) -> list[Section]:
        """All that its stages show."""
        return [section for page in self.stages.values() for section in page.sections]


def example_pages(
    worked: Worked, templates: Environment, directory_urls: bool
) -> tuple[dict[str, bytes], Links]:
    """Every file of an example, and where its numbers are derived, for links from elsewhere."""
    parts = [_part(part, templates) for part in worked.parts]
    links = _links(parts, directory_urls)
    files: dict[str, bytes] = {}
    for part, own in zip(parts, links, strict=True):
        pages = part_pages(part, templates, links)
        files |= {name: linked(spoken(page, worked), name, own).encode()
                  for name, page in pages.items()}
        files |= {f"{part.folder}/{name}": file.encode()
                  for name, file in _data_files(part.worked).items()}
    return files, links[-1]


def part_pages(part: Part, templates: Environment, links: list[Links]) -> dict[str, str]:
    """The pages of an example or a head, before its own links; `links` are those of all parts."""
    worked, folder = part.worked, part.folder
    here = f"{folder}/index.md"
    every = all(section.is_whole and not section.is_cut for section in part.sections)
    overview = heads_overview.page(worked, templates, here, links) if worked.heads else \
        templates.get_template("overview.md").render(context(worked) | {"every": every})
    pages = {here: overview} | {name: page.text for name, page in part.stages.items()}
    if not worked.heads:
        pages[f"{folder}/whole.md"] = _whole(worked, templates)
    return pages | _published(worked, templates, folder)


def _part(worked: Worked, templates: Environment) -> Part:
    folder = f"examples/{worked.example.slug}"
    return Part(worked, folder, {f"{folder}/{stage.name}.md": _shortened(worked, templates, stage)
                                 for stage in stages_of(worked.derivation)})


def _links(parts: list[Part], directory_urls: bool) -> list[Links]:
    """The links of each part: a head leads to the whole, and the whole to each head's output."""
    *heads, whole = parts
    shown, folder = _addresses(whole.sections), whole.folder if heads else ""
    found = [Links(part.folder, _addresses(part.sections) | shown, directory_urls,
                   stages_of(part.worked.derivation)[0], folder) for part in heads]
    seen = {f"head_{number}" + address.removeprefix("output") for number, part in
            enumerate(found, 1) for address in part.addresses if step_key(address) == "output"}
    first = stages_of(whole.worked.derivation)[0]
    return [*found, Links(whole.folder, shown | seen, directory_urls, first)]


def _shortened(worked: Worked, templates: Environment, stage: Stage) -> Written:
    """The page of a stage with as many cards as the budget of a page allows."""
    for most in LADDER:
        page = _stage_page(worked, templates, stage, most)
        cards = sum(len(section.entries) for section in page.sections)
        if len(page.text.encode()) <= LONGEST_PAGE and cards <= MOST_CARDS:
            break
    return page


def _stage_page(worked: Worked, templates: Environment, stage: Stage, most: int) -> Written:
    sections = _sections(worked, stage.steps(worked.derivation), most)
    number = stages_of(worked.derivation).index(stage) + 1
    found = context(worked) | {
        "stage": stage,
        "walk": walk(worked, stage),
        "sections": sections,
        "formulas": numbered_formulas(sections, number),
        "file_as_typed": file_as_typed(worked) if number == 1 else "",
    }
    return Written(templates.get_template("stage.md").render(found), sections)


def _whole(worked: Worked, templates: Environment) -> str:
    """Every step on one page, in tables, for printing."""
    for most in LADDER:
        sections = _sections(worked, worked.derivation.steps, most)
        found = context(worked) | {"sections": sections, "extent": _extent(sections)}
        page = templates.get_template("whole.md").render(found)
        if len(page.encode()) <= LONGEST_PAGE:
            break
    return page


def _published(worked: Worked, templates: Environment, folder: str) -> dict[str, str]:
    """The page of what a source prints, where the example says it."""
    if not worked.example.published:
        return {}
    found = context(worked) | published.graded(worked)
    return {f"{folder}/published.md": templates.get_template("published.md").render(found)}


def _sections(worked: Worked, steps: tuple[Any, ...], most: int) -> list[Section]:
    return [Section(worked, step, tables.worked_entries(step, most)) for step in steps]


def _extent(sections: list[Section]) -> Markup:
    """Says whether the page holds every entry of every step, in every form."""
    whole = all(section.is_whole and not section.is_cut for section in sections)
    complete = all(section.is_complete for section in sections)
    return Markup(prose.EVERY_NUMBER if whole and complete else prose.NOT_EVERY_NUMBER)


def _addresses(sections: list[Section]) -> frozenset[str]:
    """All addresses of the stages' pages: entries with a card, rows and columns."""
    found: set[str] = set()
    for section in sections:
        key, (rows, cols) = section.step.key, corner(section.step.shape)
        found |= {address(key, i, j) for i, j in section.entries}
        found |= {f"{key}-r{i + 1}" for i in range(rows)}
        found |= {f"{key}-c{j + 1}" for j in range(cols)}
    return frozenset(found)


def _data_files(worked: Worked) -> dict[str, str]:
    """Each step as LaTeX, CSV and JSON: file name -> contents."""
    files = {}
    derivation, decimals, places = worked.derivation, worked.decimals, worked.example.places
    for step in derivation.own_steps:
        files[f"{step.key}.tex"] = records.as_tex(step, derivation, decimals)
        files[f"{step.key}.csv"] = records.as_csv(step, derivation, decimals)
        files[f"{step.key}.json"] = records.as_json(step, derivation, decimals, places)
    return files
