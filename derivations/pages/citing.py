"""What pages need for being cited: the site as CITATION.cff names it, and every tag."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from derivations.citing.digest import digest
from derivations.citing.kinds import citable
from derivations.citing.ledger import Ledger, LedgerError, Tag, read
from derivations.citing.work import CitationError, Site, Work, one_line, read_site
from derivations.example import Example
from derivations.pages.linking import url_of
from derivations.render.markup import shortened

LONGEST = 120  # characters of a title
LEDGER, CITATION, CHANGES = "tags.csv", "CITATION.cff", "CHANGELOG.md"


class NotCitable(Exception):
    """The file of tags, or CITATION.cff, is wrong: one line for each thing."""


@dataclass(frozen=True)
class Citing:
    """The site, and the tags of its derivations."""

    site: Site
    ledger: Ledger
    changes: str = ""  # of each version, as Markdown
    directory_urls: bool = True

    @cached_property
    def step_tags(self) -> dict[str, str]:
        """The tag of each step, by its key."""
        return {name: tag.tag for (kind, name), tag in self.ledger.living.items() if kind == "step"}

    def address_of(self, source: str) -> str:
        """The address of a page, from its Markdown file; below docs, where the site has none."""
        return self.site.address + url_of(source, self.directory_urls)

    def work(self, title: str, source: str, tag: str = "", example: Example | None = None) -> Work:
        """A page as a work: `source` is its Markdown file below docs."""
        path = url_of(source, self.directory_urls)
        name = shortened(one_line(title), LONGEST)
        if example is None:
            return Work(self.site, name, path, tag)
        return Work(self.site, name, path, tag, shortened(one_line(example.title), LONGEST),
                    example.slug, digest(example))


def read_citing(docs: Path, address: str, directory_urls: bool = True) -> Citing:
    """The tags in docs/, and CITATION.cff beside it.

    Raises NotCitable with everything that is wrong.
    """
    faults: list[str] = []
    ledger, site = Ledger(), None
    try:
        ledger = read(docs / LEDGER)
        faults += _unlike(ledger)
    except LedgerError as error:
        faults.append(str(error))
    try:
        site = read_site(docs.parent / CITATION, address)
    except CitationError as error:
        faults.append(str(error))
    if faults or site is None:
        raise NotCitable("\n".join(faults))
    return Citing(site, ledger, _changes(docs.parent / CHANGES), directory_urls)


def _changes(path: Path) -> str:
    """What changed, version by version; a site of one's own may do without."""
    written = path.read_text(encoding="utf-8") if path.is_file() else ""
    return "".join(written.partition("\n## ")[1:]).strip()


def _unlike(ledger: Ledger) -> Iterable[str]:
    """What has no tag, and the tags of what is no more."""
    names = citable()
    if missing := ledger.missing(names):
        yield (f"{LEDGER}: {_named(missing)} no tag yet; `python -m derivations tags --write` adds "
               f"{len(missing)}")
    if lost := ledger.lost(names):
        yield (f"{LEDGER}: {', '.join(tag.tag for tag in lost)} names what is no more: "
               f"{', '.join(f'{tag.kind} {tag.name}' for tag in lost)}; rename it back, or retire "
               "it with `python -m derivations tags --retire TAG --why ... --write`")


def _named(tags: tuple[Tag, ...]) -> str:
    first = f"{tags[0].kind} {tags[0].name}"
    return f"{first} has" if len(tags) == 1 else f"{first} and {len(tags) - 1} more have"
