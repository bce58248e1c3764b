"""The pages of tags that are no step of the lesson's example.

An identity, a mistake or an exercise; a step that only other examples have; a tag that is retired.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.citing.ledger import Tag
from derivations.example import Example
from derivations.lesson.mistakes import MISTAKES
from derivations.pages.cite_block import block, with_head
from derivations.pages.citing import Citing
from derivations.pages.lesson.look_up import mistake_page
from derivations.pages.reference import identity_sizes
from derivations.pages.tags_index import title_of
from derivations.pages.worked import Worked
from derivations.render.markup import link, listed, text

PROVED = {  # where the page of the derivation in symbols says why
    "rows_sum_to_one": "rows-sum-to-one", "shift_changes_nothing": "shift",
    "permuting_keys_changes_nothing": "order", "permuting_queries_permutes_outputs": "order",
    "weight_is_logistic": "logistic",
}
IDENTITY = Markup("It holds whatever the numbers are. This build proved it with symbols for all "
                  "entries, for {}. [Why it is true](../reference/generic.md#{})")
MISTAKE = Markup("A mistake that is easily made, on the numbers of {}. [The chapter]({})")
EXERCISE = Markup("An exercise on {}. [All exercises](../lesson/practice.md)")
NO_EXERCISE = Markup("The exercises of this lesson do without it: it needs another example. "
                     "[All exercises](../lesson/practice.md)")
NO_STEP = Markup("The lesson's example, {}, has no such step. ")
SHOWN_BY = Markup("It is derived in {}.")
RETIRED = Markup("This tag is retired. It named: {} {}. {}")
INSTEAD = Markup(" Go to [tag {0}]({0}.md).")


@dataclass(frozen=True)
class Told:
    """What a page says: its title, where it belongs, what it shows, and whether of an example.

    A stub shows nothing that could be cited.
    """

    title: str
    place: Markup
    content: Markup | str = ""
    of_example: bool = False
    assets: str = ""
    is_stub: bool = False


@dataclass(frozen=True)
class Ground:
    """What the pages are made of: the lesson, its markers, and which pages other examples have."""

    lesson: Worked
    markers: dict[str, Any]
    examples: dict[str, Example]
    files: Iterable[str]

    @property
    def title(self) -> Markup:
        """A link to the lesson's example."""
        example = self.lesson.example
        return link(text(example.title.strip()), f"../examples/{example.slug}/index.md")


def other_tag_pages(
    citing: Citing, templates: Environment, ground: Ground, made: Iterable[str]
) -> dict[str, str]:
    """A page for each tag that has none among those that are made already."""
    names = {f"tag/{tag.tag}.md": tag for tag in citing.ledger.tags}
    return {name: _page(citing, templates, name, tag, ground)
            for name, tag in names.items() if name not in made}


def _page(citing: Citing, templates: Environment, name: str, tag: Tag, ground: Ground) -> str:
    told = _told(tag, ground)
    example = ground.lesson.example if told.of_example else None
    work = citing.work(told.title, name, tag.tag, example)
    page = templates.get_template("tag_other.md").render({
        "title": text(told.title), "tag": Markup(tag.tag), "kind": text(tag.kind),
        "assets": Markup(f"assets: [{told.assets}]\n" if told.assets else ""),
        "place": told.place, "content": told.content,
        "cite": Markup("") if told.is_stub else block(work)})
    return page if told.is_stub else with_head(page, work)


def _told(tag: Tag, ground: Ground) -> Told:
    if tag.why:
        instead = INSTEAD.format(Markup(tag.instead)) if tag.instead else Markup("")
        return Told("A retired tag", RETIRED.format(text(tag.kind), text(tag.name), text(tag.why))
                    + instead, is_stub=True)
    return KINDS[tag.kind](tag, ground)


def _identity(tag: Tag, _: Ground) -> Told:
    place = IDENTITY.format(identity_sizes(), Markup(PROVED[tag.name]))
    return Told(title_of(tag).rstrip("."), place)


def _mistake(tag: Tag, ground: Ground) -> Told:
    (mistake,) = (one for one in MISTAKES if one.key == tag.name)
    chapter = Markup(f"../lesson/{mistake_page(mistake)}")
    return Told(f"Mistake: {title_of(tag)}", MISTAKE.format(ground.title, chapter),
                ground.markers["mistake"](tag.name), of_example=True)


def _exercise(tag: Tag, ground: Ground) -> Told:
    title = f"Exercise: {title_of(tag)}"
    found = ground.markers["exercise"](tag.name)
    if not found:
        return Told(title, NO_EXERCISE, is_stub=True)
    return Told(title, EXERCISE.format(ground.title), found, of_example=True, assets="practice.css")


def _step(tag: Tag, ground: Ground) -> Told:
    """Of a step that the lesson's example has not: the examples that have it."""
    name = title_of(tag)
    found = [link(text(example.title.strip()), f"../examples/{slug}/tag/{tag.tag}.md")
             for slug, example in ground.examples.items()
             if f"examples/{slug}/tag/{tag.tag}.md" in ground.files]
    shown = SHOWN_BY.format(listed(found)) if found else Markup("")
    return Told(name[0].upper() + name[1:], NO_STEP.format(ground.title) + shown, is_stub=True)


KINDS: dict[str, Callable[[Tag, Ground], Told]] = {
    "identity": _identity, "mistake": _mistake, "exercise": _exercise, "step": _step}
