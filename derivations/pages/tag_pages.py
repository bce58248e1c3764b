"""The page of a tag: a step of an example alone, with what it uses, its data and its citation.

An example has one for each of its steps; those of the lesson's example stand at /tag/ too, and stay
there when another example becomes the lesson's.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from posixpath import dirname, relpath
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.citing.work import Work
from derivations.formula import made_of
from derivations.notation import BY_KEY
from derivations.pages.budget import LADDER, Written
from derivations.pages.cite_block import Encoding, block, with_head
from derivations.pages.citing import Citing
from derivations.pages.copies import copies
from derivations.pages.heads_overview import MOST_SHOWN, of_head
from derivations.pages.lesson.variants import scoped
from derivations.pages.linking import Links
from derivations.pages.parts import folder_of
from derivations.pages.sections import FORMATS, Section, numbered_formulas
from derivations.pages.stages import STAGE_OF
from derivations.pages.worked import Worked
from derivations.render import matrices, tables
from derivations.render.converter import converted
from derivations.render.corner import is_cut
from derivations.render.markup import link, listed, text

PLACE = Markup("A step of {}, worked out {}. Example <code>{}</code>, digest <code>{}</code>.")
ALL_STEPS = Markup("all steps as one zip")
RUNGS = ((LADDER[0], MOST_SHOWN, True),  # entries worked out, heads, whole matrices or corners
         *((most, MOST_SHOWN, False) for most in (*LADDER, 0)), (0, 4, False), (0, 0, False))
MEDIA = {"tex": "application/x-tex", "mml": "application/mathml+xml", "csv": "text/csv",
         "json": "application/json", "npz": "application/octet-stream"}


def tag_pages(
    worked: Worked, citing: Citing, templates: Environment, links: list[Links], folder: str
) -> dict[str, Iterator[Written]]:
    """The pages below a folder, by path, each from full to bare; `links` are those of each part."""
    return {name: TagPage(worked, key, citing, links, name).versions(templates)
            for key in keys_of(worked) for name in [page_of(citing, key, folder)]}


def keys_of(worked: Worked) -> list[str]:
    """The steps of an example, in the order of the notation: those of any head, and of all."""
    found = {step.key for part in worked.parts for step in part.derivation.own_steps}
    return [key for key in BY_KEY if key in found]


def page_of(citing: Citing, key: str, folder: str) -> str:
    """The path of a step's page."""
    return f"{folder}/tag/{citing.step_tags[key]}.md".removeprefix("/")


def way(here: str, there: str) -> str:
    """The way from one source to another."""
    return relpath("/" + there, "/" + dirname(here))


@dataclass(frozen=True)
class TagPage:
    """A step of an example, of each of its heads where it is theirs, on the page `here`."""

    worked: Worked
    key: str
    citing: Citing
    links: list[Links]
    here: str

    @property
    def parts(self) -> tuple[Worked, ...]:
        """Those that have the step: the whole, or heads of it."""
        return tuple(part for part in self.worked.parts if
                     self.key in (step.key for step in part.derivation.own_steps))

    @property
    def title(self) -> str:
        """What the step is called."""
        name = BY_KEY[self.key].name
        return name[0].upper() + name[1:]

    @cached_property
    def work(self) -> Work:
        """The page, as it is cited."""
        example = self.worked.example
        title = f"{self.title}: {example.title.strip()}"
        return self.citing.work(title, self.here, self.tag, example)

    @property
    def tag(self) -> str:
        """The tag of the step."""
        return self.citing.step_tags[self.key]

    def versions(self, templates: Environment) -> Iterator[Written]:
        """The page, with fewer and fewer entries worked out."""
        template = templates.get_template("tag.md")
        told = self._told(self._section(self.parts[0], 0))
        for most, heads, whole in RUNGS:
            shown = [self._shown(self._section(part, most), whole) for part in self.parts[:heads]]
            page = template.render(told | {"parts": shown})
            yield Written(with_head(page, self.work, self._encoding()))

    def _section(self, part: Worked, most: int) -> Section:
        step = part.derivation[self.key]
        return Section(part, step, tables.worked_entries(step, most))

    def _told(self, first: Section) -> dict[str, Any]:
        """What is the same however much there is room for."""
        formula = matrices.general(first.step, first.worked.derivation)
        return {
            "title": text(self.title),
            "tag": Markup(self.tag),
            "example_title": text(self.worked.example.title.strip()),
            "place": self._place(),
            "explanation": first.explanation,
            "formulas": self._formulas(first),
            "uses": self._tags(made_of(first.step.formula)),
            "used": self._tags(self._users()),
            "source": first.source,
            "downloads": self._downloads(),
            "cite": block(self.work, converted(formula, display=True) if formula else ""),
        }

    def _formulas(self, first: Section) -> dict[str, Markup]:
        """Its equations, numbered after its tag; of heads the one that is the same for all."""
        found = numbered_formulas([first], self.tag)[self.key]
        if not first.worked.derivation.head:
            return found
        formula = found["formula"] and scoped("head-1", found["formula"])
        return {"formula": formula, "matrices": Markup("")}

    def _place(self) -> Markup:
        """Where the step is worked out in full, and of which example it is."""
        example = self.worked.example
        overview = link(text(example.title.strip()), self._to(f"{folder_of(self.worked)}/index.md"))
        pages = [link(_part_name(part), self._to(f"{folder_of(part)}/{STAGE_OF[self.key].file}")
                      + f"#{self.key}") for part in self.parts]
        return PLACE.format(overview, listed(pages), text(example.slug), Markup(self.work.digest))

    def _to(self, there: str) -> str:
        return way(self.here, there)

    def _shown(self, section: Section, whole: bool) -> dict[str, Any]:
        """The matrix and the entries of a part; an entry's address is where it is worked out."""
        head, step, decimals = section.worked.derivation.head, section.step, section.worked.decimals
        if head:
            prefix = f"h{head.number}-"
            table = of_head(tables.matrix_table(step, decimals, prefix, prefix, whole),
                            head.number, self.here, self.links[head.number - 1])
            return {"number": head.number, "matrix": table, "entries": Markup(""),
                    "copies": copies(section, prefix, whole)}
        is_whole = section.is_whole and not is_cut(step)
        entries = section.entries_at("" if is_whole else None)
        anchors = None if is_whole and entries else ""
        return {"number": 0, "matrix": tables.matrix_table(step, decimals, anchors, "", whole),
                "entries": entries, "copies": copies(section, "", whole)}

    def _users(self) -> list[str]:
        """The steps that use this one."""
        found = {step.key for part in self.worked.parts for step in part.derivation.own_steps
                 if self.key in made_of(step.formula)}
        if self.key == "output" and self.worked.heads:
            found.add("concatenated")
        return [key for key in BY_KEY if key in found]

    def _tags(self, keys: Iterable[str]) -> Markup:
        """Links to the pages of other steps, beside this one."""
        folder = dirname(dirname(self.here))
        found = {key: page_of(self.citing, key, folder) for key in keys
                 if key in self.citing.step_tags}
        return listed([Markup("{} ({})").format(
            link(text(BY_KEY[key].name), self._to(page)), Markup(self.citing.step_tags[key]))
            for key, page in found.items()])

    def _downloads(self) -> Markup:
        """The step as data, of each head; and all of the example."""
        found = [link(Markup(label + _of(part)), self._to(f"{folder_of(part)}/{self.key}.{kind}"))
                 for part in self.parts for kind, label in FORMATS.items()]
        folder, slug = folder_of(self.worked), self.worked.example.slug
        return Markup(", ").join([*found, link(ALL_STEPS, self._to(f"{folder}/{slug}.zip"))])

    def _encoding(self) -> Encoding:
        """The same, as schema.org has it; nothing where the site has no address."""
        address = self.citing.site.address
        return [{"@type": "MediaObject", "encodingFormat": MEDIA[kind],
                 "contentUrl": f"{address}{folder_of(part)}/{self.key}.{kind}"}
                for part in self.parts for kind in FORMATS if address]


def _part_name(part: Worked) -> Markup:
    head = part.derivation.head
    return Markup(f"in head {head.number}" if head else "number by number")


def _of(part: Worked) -> str:
    head = part.derivation.head
    return f" of head {head.number}" if head else ""
