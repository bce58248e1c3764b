"""All tags: as a table for readers, and as tags.json for programs."""

import json
from typing import Any

from markupsafe import Markup

from derivations.citing.digest import LENGTH, digest
from derivations.citing.ledger import Tag
from derivations.generic import IDENTITIES
from derivations.lesson.practice.texts import TEXTS
from derivations.notation import BY_KEY
from derivations.pages import prose
from derivations.pages.citing import Citing
from derivations.pages.worked import Worked
from derivations.render.markup import table, text

HEADINGS = {"step": "Steps", "identity": "What is always true", "mistake": "Common mistakes",
            "exercise": "Exercises"}
SECTION = Markup("### {} {{: #{} }}\n\n{}\n")
IDENTITY_TITLES = {proof.__name__: said for said, proof in IDENTITIES.items()}


def title_of(tag: Tag) -> str:
    """What a tag names, in words."""
    match tag.kind:
        case "step":
            return BY_KEY[tag.name].name
        case "identity":
            return IDENTITY_TITLES[tag.name]
        case "mistake":
            return prose.MISTAKES[tag.name]
        case _:
            return TEXTS[tag.name].title


def tags_table(citing: Citing) -> Markup:
    """The living tags by kind, and those that are retired; links as from a reference page."""
    sections = [(heading, kind, [tag for tag in citing.ledger.tags
                                 if tag.kind == kind and not tag.why])
                for kind, heading in HEADINGS.items()]
    shown = [SECTION.format(Markup(heading), Markup(f"tags-{kind}"), _rows(kind, tags))
             for heading, kind, tags in sections if tags]
    gone = [tag for tag in citing.ledger.tags if tag.why]
    if gone:
        shown.append(SECTION.format(Markup("Retired"), Markup("tags-retired"), _retired(gone)))
    return Markup("\n").join(shown)


def citing_markers(citing: Citing, lesson: Worked) -> dict[str, Any]:
    """What the page on citing says of the lesson's example, and of all tags."""
    return {
        "tags_table": lambda: tags_table(citing),
        "tag_of": lambda key: Markup(citing.step_tags[key]),
        "lesson_title": text(lesson.example.title.strip()),
        "lesson_slug": Markup(lesson.example.slug),
        "lesson_digest": Markup(digest(lesson.example)),
        "digest_length": text(LENGTH),
        "version": text(citing.site.version),
        "changes": Markup(citing.changes),
        "where_to_say": _where_to_say(citing.site.repository),
    }


def _rows(kind: str, tags: list[Tag]) -> Markup:
    rows = [[_link(tag), text(title_of(tag))] for tag in tags]
    return table([text("tag"), text(kind)], rows, "tags", f"the tags of kind {kind}")


def _retired(tags: list[Tag]) -> Markup:
    rows = [[_link(tag), text(tag.why)] for tag in tags]
    return table([text("tag"), text("why")], rows, "tags", "the tags that are retired")


def _link(tag: Tag) -> Markup:
    return Markup("[{0}](../tag/{0}.md)").format(Markup(tag.tag))


def _where_to_say(repository: str) -> Markup:
    """To whom a wrong number is told: to the issues of the project, where it has an address."""
    if not repository:
        return Markup("to whoever publishes this site")
    return Markup("in the [issues of the project]({}/issues)").format(Markup(repository))


def tags_json(citing: Citing, files: dict[str, bytes]) -> bytes:
    """Every tag with its title, its address, and what it has in each example."""
    found = {"site": citing.site.title, "version": citing.site.version,
             "tags": [_entry(tag, citing, files) for tag in citing.ledger.tags]}
    return (json.dumps(found, ensure_ascii=True, indent=1) + "\n").encode()


def _entry(tag: Tag, citing: Citing, files: dict[str, bytes]) -> dict[str, Any]:
    page = f"tag/{tag.tag}.md"
    found: dict[str, Any] = {"tag": tag.tag, "kind": tag.kind, "name": tag.name,
                             "address": citing.address_of(page)}
    if tag.why:
        return found | {"retired": tag.why} | ({"instead": tag.instead} if tag.instead else {})
    found["title"] = title_of(tag)
    examples = [name.removesuffix(f"/{page}") for name in files
                if name.startswith("examples/") and name.endswith(f"/{page}")]
    return found | ({"examples": [_example(tag, folder, citing, files) for folder in examples]}
                    if examples else {})


def _example(tag: Tag, folder: str, citing: Citing, files: dict[str, bytes]) -> dict[str, Any]:
    """The page of a step in an example, and its files; of heads, those of each."""
    data = [name for name in files if name.startswith(f"{folder}/")
            and name.rpartition("/")[2].partition(".")[0] == tag.name]
    return {"example": folder.removeprefix("examples/"),
            "address": citing.address_of(f"{folder}/tag/{tag.tag}.md"),
            "formats": [citing.site.address + name for name in sorted(data)
                        if not name.endswith(".md")]}
