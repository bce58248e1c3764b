"""The pages of an example: an overview, a page for each stage, the whole, and the data files."""

from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.pages import prose, published
from derivations.pages.linking import Links, linked
from derivations.pages.markers import markers
from derivations.pages.sections import Section, numbered_formulas
from derivations.pages.stages import Stage, stages_of
from derivations.pages.worked import Worked
from derivations.render import records, tables
from derivations.render.corner import corner
from derivations.render.markup import address, link, text

LONGEST_PAGE = 80_000  # bytes of Markdown before its links, at most 100 kB with them
MOST_CARDS = 80  # displayed formulas, beside those of the steps themselves
LONGEST_FILE = 6_000  # characters
TYPED = ('<pre class="typed" role="group" tabindex="0" aria-label="{}" data-search-exclude><code>'
         "{}</code></pre>")
COUNTED = {5: Markup("Five"), 6: Markup("Six")}  # stages
LADDER = (tables.MOST_ENTRIES, tables.MOST_ENTRIES // 2, 1)


@dataclass(frozen=True)
class Written:
    """A page before its links: its Markdown, and the sections it holds."""

    text: str
    sections: list[Section]


def example_pages(
    worked: Worked, templates: Environment, directory_urls: bool
) -> tuple[dict[str, bytes], Links]:
    """Every file of an example, and where its numbers are derived, for links from elsewhere."""
    folder = f"examples/{worked.example.slug}"
    order = stages_of(worked.derivation)
    stages = {f"{folder}/{stage.name}.md": _shortened(worked, templates, stage) for stage in order}
    links = Links(folder, _addresses(stages.values()), directory_urls, order[0])
    every = all(section.is_whole and not section.is_cut
                for page in stages.values() for section in page.sections)
    overview = templates.get_template("overview.md").render(_common(worked) | {"every": every})
    pages = {f"{folder}/index.md": overview} \
        | {name: page.text for name, page in stages.items()} \
        | {f"{folder}/whole.md": _whole(worked, templates)} | _published(worked, templates, folder)
    files = {name: linked(page, name, links).encode() for name, page in pages.items()}
    data = {f"{folder}/{name}": file.encode() for name, file in _data_files(worked).items()}
    return files | data, links


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
    context = _common(worked) | {
        "stage": stage,
        "walk": walk(worked, stage),
        "sections": sections,
        "formulas": numbered_formulas(sections, number),
        "file_as_typed": _typed(worked) if number == 1 else "",
    }
    return Written(templates.get_template("stage.md").render(context), sections)


def _typed(worked: Worked) -> Markup:
    """The example file as it was typed, if it is not too long."""
    name, typed = worked.example.file, worked.example.typed
    shown = Markup(TYPED).format(text(name), text(typed)) if len(typed) <= LONGEST_FILE \
        else Markup("")
    return Markup(prose.EXAMPLE_FILE).format(
        name=text(name), file=Markup(f"../{name}"), shown=shown)


def _whole(worked: Worked, templates: Environment) -> str:
    """Every step on one page, in tables, for printing."""
    for most in LADDER:
        sections = _sections(worked, worked.derivation.steps, most)
        context = _common(worked) | {"sections": sections, "extent": _extent(sections)}
        page = templates.get_template("whole.md").render(context)
        if len(page.encode()) <= LONGEST_PAGE:
            break
    return page


def _published(worked: Worked, templates: Environment, folder: str) -> dict[str, str]:
    """The page of what a source prints, where the example says it."""
    if not worked.example.published:
        return {}
    context = _common(worked) | published.graded(worked)
    return {f"{folder}/published.md": templates.get_template("published.md").render(context)}


def _sections(worked: Worked, steps: tuple[Any, ...], most: int) -> list[Section]:
    return [Section(worked, step, tables.worked_entries(step, most)) for step in steps]


def _common(worked: Worked) -> dict[str, Any]:
    """What every template may use: the markers, and what is said of the example."""
    example = worked.example
    return markers(worked) | {
        "example": example,
        "title": text(example.title.strip()),
        "note": text(example.note.strip()),
        "file": Markup(f"../{example.file}"),
        "stages": stages_of(worked.derivation),
        "is_audited": bool(example.published),
        "stages_in_words": COUNTED[len(stages_of(worked.derivation))],
        "walk": walk(worked, None),
    }


def walk(worked: Worked, current: Stage | None) -> Markup:
    """The walk from the words to the output, as links; where one is, is marked."""
    steps = [
        Markup("**{}**{{: .here }}").format(Markup(stage.short)) if stage is current
        else link(Markup(stage.short), stage.file)
        for stage in stages_of(worked.derivation)
    ]
    return Markup('<nav class="walk" aria-label="The steps" markdown="1">\n\n{}\n\n</nav>').format(
        Markup(" → ").join(steps))


def _extent(sections: list[Section]) -> Markup:
    """Says whether the page holds every entry of every step, in every form."""
    whole = all(section.is_whole and not section.is_cut for section in sections)
    complete = all(section.is_complete for section in sections)
    return Markup(prose.EVERY_NUMBER if whole and complete else prose.NOT_EVERY_NUMBER)


def _addresses(pages: Any) -> frozenset[str]:
    """All addresses of the stages' pages: entries with a card, rows and columns."""
    found: set[str] = set()
    for section in (section for page in pages for section in page.sections):
        key, (rows, cols) = section.step.key, corner(section.step.shape)
        found |= {address(key, i, j) for i, j in section.entries}
        found |= {f"{key}-r{i + 1}" for i in range(rows)}
        found |= {f"{key}-c{j + 1}" for j in range(cols)}
    return frozenset(found)


def _data_files(worked: Worked) -> dict[str, str]:
    """Each step as LaTeX, CSV and JSON: file name -> contents."""
    files = {}
    derivation, decimals = worked.derivation, worked.decimals
    for step in derivation.steps:
        places = worked.example.places
        files[f"{step.key}.tex"] = records.as_tex(step, derivation, decimals)
        files[f"{step.key}.csv"] = records.as_csv(step, derivation, decimals)
        files[f"{step.key}.json"] = records.as_json(step, derivation, decimals, places)
    return files
