"""The pages of an example: an overview, a page for each stage, the whole, and the data files."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.citing.bundle import about, as_npz, bundle, readme
from derivations.citing.digest import digest
from derivations.pages import heads_overview, prose, published
from derivations.pages.budget import LADDER, Finish, Written, fullest
from derivations.pages.cite_block import cited
from derivations.pages.citing import Citing
from derivations.pages.context import context, file_as_typed, spoken, walk
from derivations.pages.hand_out import hand_out_pages, has_sheet
from derivations.pages.linking import Links, linked
from derivations.pages.parts import Part, folder_of, links_of, sections_of, widest
from derivations.pages.permalinks import addressed
from derivations.pages.sections import Section, numbered_formulas
from derivations.pages.slides import decks
from derivations.pages.stages import Stage, stages_of
from derivations.pages.tag_pages import tag_pages
from derivations.pages.worked import Worked
from derivations.render import records

PICTURES = ("arcs", "flow", "heat map")  # of an overview, the last to be left out last


def example_pages(
    worked: Worked, templates: Environment, citing: Citing, directory_urls: bool
) -> tuple[dict[str, bytes], list[Links]]:
    """Every file of an example, and where the numbers of its parts are derived."""
    finish = partial(finisher, worked)
    most = links_of([widest(part, LADDER[0]) for part in worked.parts], directory_urls)
    stages = [_stages(part, templates, citing, finish(own))
              for part, own in zip(worked.parts, most, strict=True)]
    parts = [Part(part, [section for page in pages.values() for section in page.sections])
             for part, pages in zip(worked.parts, stages, strict=True)]
    links = links_of(parts, directory_urls)
    files: dict[str, bytes] = {}
    for part, pages, own in zip(parts, stages, links, strict=True):
        files |= {name: finish(own)(name, page.text) for name, page in
                  part_pages(part, pages, templates, citing, links, finish(own)).items()}
        files |= finished(hand_out_pages(part.worked, templates, citing), finish(own))
    files |= _downloads(worked, citing) | decks(worked, citing)
    tags = tag_pages(worked, citing, templates, links, folder_of(worked))
    files |= finished(tags, finish(links[-1]))
    return files, links


def finisher(worked: Worked, links: Links) -> Finish:
    """What puts links into a page of an example, and says its language."""
    return lambda name, page: linked(addressed(spoken(page, worked)), name, links).encode()


def finished(pages: dict[str, Iterator[Written]], finish: Finish) -> dict[str, bytes]:
    """Of each page the fullest version within the budget, with its links."""
    return {name: finish(name, fullest(versions, name, finish).text)
            for name, versions in pages.items()}


def part_pages(
    part: Part, stages: dict[str, Written], templates: Environment, citing: Citing,
    links: list[Links], finish: Finish,
) -> dict[str, Written]:
    """The pages of an example or a head, in their order; `links` are those of all parts."""
    worked, here = part.worked, f"{part.folder}/index.md"
    overview = heads_overview.pages(worked, templates, here, links) if worked.heads \
        else _overviews(part, templates)
    found = {here: overview} | {name: iter([page]) for name, page in stages.items()}
    if not worked.heads:
        found[f"{part.folder}/whole.md"] = _wholes(worked, templates, citing)
    if worked.example.published:
        name = f"{part.folder}/published.md"
        found[name] = published.pages(worked, templates, name, links)
    return {name: fullest(pages, name, finish) for name, pages in found.items()}


def _stages(
    worked: Worked, templates: Environment, citing: Citing, finish: Finish
) -> dict[str, Written]:
    """The pages of the stages, each with as many cards as its budget allows."""
    names = {f"{folder_of(worked)}/{stage.name}.md": stage
             for stage in stages_of(worked.derivation)}
    shared = context(worked) | {"tags": citing.step_tags}
    return {name: fullest(_stage_pages(worked, templates, stage, shared), name, finish)
            for name, stage in names.items()}


def _stage_pages(
    worked: Worked, templates: Environment, stage: Stage, shared: dict[str, Any]
) -> Iterator[Written]:
    """The page of a stage, with fewer and fewer cards: rather a row of them than pictures."""
    *many, row, one = LADDER
    for most, has_pictures in (*((most, True) for most in (*many, row)), (row, False),
                               (one, True), (one, False)):
        yield _stage_page(worked, templates, stage, shared | {"has_pictures": has_pictures}, most)


def _stage_page(
    worked: Worked, templates: Environment, stage: Stage, shared: dict[str, Any], most: int
) -> Written:
    sections = sections_of(worked, stage.steps(worked.derivation), most)
    number = stages_of(worked.derivation).index(stage) + 1
    found = shared | {
        "stage": stage,
        "walk": walk(worked, stage),
        "sections": sections,
        "formulas": numbered_formulas(sections, number),
        "file_as_typed": file_as_typed(worked) if number == 1 else "",
    }
    return Written(templates.get_template("stage.md").render(found), sections)


def _overviews(part: Part, templates: Environment) -> Iterator[Written]:
    """The overview, with fewer and fewer pictures: names may be long."""
    every = all(section.is_whole and not section.is_cut for section in part.sections)
    for start in range(len(PICTURES) + 1):
        yield Written(templates.get_template("overview.md").render(
            context(part.worked) | {"every": every, "pictures": PICTURES[start:],
                                    "has_sheet": has_sheet(part.worked)}))


def _wholes(worked: Worked, templates: Environment, citing: Citing) -> Iterator[Written]:
    """Every step on one page, in tables, for printing; cited as the chapters of the lesson are.

    At last, where names are very long, bare: no entry worked out, and no sentences.
    """
    title, name = f"{worked.example.title.strip()}: all steps", f"{folder_of(worked)}/whole.md"
    work = citing.work(title, name, example=worked.example)
    for most in (*LADDER, 0):
        sections = sections_of(worked, worked.derivation.steps, most)
        found = context(worked) | {"sections": sections, "extent": _extent(sections),
                                   "tags": citing.step_tags, "bare": not most}
        page = templates.get_template("whole.md").render(found)
        yield Written(page if worked.derivation.head else cited(page, work))


def _extent(sections: list[Section]) -> Markup:
    """Says whether the page holds every entry of every step, in every form."""
    if not any(section.entries for section in sections):
        return Markup(prose.NO_ENTRY)
    whole = all(section.is_whole and not section.is_cut for section in sections)
    complete = all(section.is_complete for section in sections)
    return Markup(prose.EVERY_NUMBER if whole and complete else prose.NOT_EVERY_NUMBER)


def _data_files(worked: Worked, citing: Citing, digest: str) -> dict[str, bytes]:
    """Each step in each format, by its name below the folder of the example or head."""
    files = {}
    derivation, decimals, places = worked.derivation, worked.decimals, worked.example.places
    for step in derivation.own_steps:
        said = {"tag": citing.step_tags[step.key], "example": worked.example.slug,
                "digest": digest, "version": citing.site.version}
        files[f"{step.key}.tex"] = records.as_tex(step, derivation, decimals).encode()
        files[f"{step.key}.mml"] = records.as_mml(step, derivation, decimals).encode()
        files[f"{step.key}.csv"] = records.as_csv(step, derivation, decimals).encode()
        files[f"{step.key}.json"] = records.as_json(
            step, derivation, decimals, places, said).encode()
        files[f"{step.key}.npz"] = as_npz([step])
    return files


def _downloads(worked: Worked, citing: Citing) -> dict[str, bytes]:
    """The data of an example and of its heads, and all of it as one zip."""
    files: dict[str, bytes] = {}
    found = digest(worked.example)
    for part in worked.parts:
        below = part.example.slug.removeprefix(worked.example.slug).lstrip("/")
        data = _data_files(part, citing, found) | {"about.json": about(part.derivation)}
        files |= {f"{below}/{name}".lstrip("/"): contents for name, contents in data.items()}
    folder, slug = folder_of(worked), worked.example.slug
    work = citing.work(worked.example.title, f"{folder}/index.md", example=worked.example)
    typed = {worked.example.file: worked.example.typed.encode("utf-8", "surrogatepass"),
             "README.txt": readme(work, worked.example.file)}
    shown = {f"{folder}/{name}": contents for name, contents in files.items()
             if not name.endswith("about.json")}
    return shown | {f"{folder}/{slug}.zip": bundle(slug, files | typed)}
