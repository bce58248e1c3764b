"""What the templates of an example's pages may use: its markers, its stages, its file as typed."""

import re
from typing import Any
from unicodedata import bidirectional

from markupsafe import Markup

from derivations.pages import prose
from derivations.pages.markers import markers
from derivations.pages.stages import Stage, stages_of
from derivations.pages.worked import Worked
from derivations.render.markup import link, listed, text

LONGEST_FILE = 6_000  # characters
TYPED = ('<pre class="typed" role="group" tabindex="0" aria-label="{}" data-search-exclude><code>'
         "{}</code></pre>")
QUOTED = re.compile(r"""("[^"\n]*"|'[^'\n]*')""")
COUNTED = {5: Markup("Five"), 6: Markup("Six")}  # stages
WALK = Markup('<nav class="walk" aria-label="The steps" markdown="1">\n\n{}\n\n</nav>')
ARROW = Markup(" → ")


def context(worked: Worked) -> dict[str, Any]:
    """What every template may use; of one head its markers too."""
    example, stages = worked.example, stages_of(worked.derivation)
    shared = {
        "example": example,
        "title": text(example.title.strip()),
        "note": text(example.note.strip()),
        "origin": _origin(worked),
        "places": example.places,
        "up": _up(worked),
        "file": _file(worked),
        "zip": Markup(f"{example.slug}.zip"),
        "stages": stages,
        "is_audited": bool(example.published),
        "head": worked.derivation.head,
        "walk": walk(worked, None),
    }
    if worked.heads:
        return shared
    return markers(worked) | shared | {"stages_in_words": COUNTED[len(stages)]}


def spoken(page: str, worked: Worked) -> str:
    """A page whose tokens say in which language they are, for what reads them aloud.

    A context is another text, perhaps in another language, so nothing is said of an example that
    has one.
    """
    language = worked.example.language
    if not language or worked.example.crosses:
        return page
    return page.replace("<bdi", f'<bdi lang="{language}"')


def _origin(worked: Worked) -> Markup:
    """Where an example comes from, and whose it is."""
    source, author = (text(told.strip()) for told in (worked.example.source, worked.example.author))
    told = [Markup("Source: {}.").format(source)] if source else []
    told += [Markup("By {}.").format(author)] if author else []
    return Markup(" ").join(told)


def file_as_typed(worked: Worked) -> Markup:
    """The example file as it was typed, if it is not too long."""
    name, typed = worked.example.file, worked.example.typed
    shown = Markup(TYPED).format(text(name), _isolated(typed)) if len(typed) <= LONGEST_FILE \
        else Markup("")
    return Markup(prose.EXAMPLE_FILE).format(name=text(name), file=_file(worked), shown=shown)


def _file(worked: Worked) -> Markup:
    """The example file, as seen from its pages."""
    return _up(worked) + Markup(worked.example.file)


def _isolated(typed: str) -> Markup:
    """The text of a file; quoted words from right to left keep the order in which they stand."""
    return Markup("").join(
        Markup('<bdi class="sentence">{}</bdi>').format(text(part)) if _from_the_right(part)
        else text(part) for part in QUOTED.split(typed))


def _from_the_right(part: str) -> bool:
    return part[:1] in ("'", '"') and any(bidirectional(char) in ("R", "AL") for char in part)


def _up(worked: Worked) -> Markup:
    """The way to the folder of all examples; from a head it is one step longer."""
    return Markup("../" * (1 + worked.example.slug.count("/")))


def walk(worked: Worked, current: Stage | None) -> Markup:
    """The walk from the words to the output, as links; where one is, is marked."""
    stages = [
        Markup("**{}**{{: .here }}").format(Markup(stage.short)) if stage == current
        else link(Markup(stage.short), stage.file)
        for stage in stages_of(worked.derivation)
    ]
    return WALK.format(ARROW.join([*_before(worked), *stages, *_after(worked)]))


def _before(worked: Worked) -> list[Markup]:
    """What comes before heads come together: all of them, side by side."""
    heads = [link(Markup(f"head {number}"), f"head-{number}/index.md")
             for number, _ in enumerate(worked.heads, 1)]
    return [listed(heads)] if heads else []


def _after(worked: Worked) -> list[Markup]:
    """What comes after one of several heads."""
    return [link(Markup("all heads"), "../together.md")] if worked.derivation.head else []
