"""What is cited: a page of this site, in a version, perhaps of an example."""

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from unicodedata import normalize

import yaml

ADDRESS = re.compile(r"(https?://[\w.~:/%+@-]+)?", re.ASCII)
NEEDED = ("title", "authors", "version", "date-released")
LICENCE = "CC-BY-4.0"
LICENCE_ADDRESS = "https://creativecommons.org/licenses/by/4.0/"


class CitationError(Exception):
    """CITATION.cff does not say what a citation needs: one line for each thing."""


@dataclass(frozen=True)
class Author:
    """A person by family and given names, perhaps with a suffix (Jr.); a group by its family's."""

    family: str
    given: str = ""
    suffix: str = ""

    @property
    def name(self) -> str:
        """As one would say it."""
        return f"{self.given} {self.family} {self.suffix}".strip()

    @property
    def reversed(self) -> str:
        """As lists of references have it."""
        return ", ".join(filter(None, (self.family, self.given, self.suffix)))


@dataclass(frozen=True)
class Site:
    """The whole site: `address` ends with a slash, or is '' where it is not known.

    So is `repository`, the address of its source.
    """

    title: str
    authors: tuple[Author, ...]
    version: str
    date: str
    address: str = ""
    repository: str = ""

    @property
    def slug(self) -> str:
        """What it is called in names of files and of references."""
        plain = normalize("NFKD", self.title).encode("ascii", "ignore").decode().lower()
        return "-".join(re.findall(r"[a-z0-9]+", plain)) or "attention"


@dataclass(frozen=True)
class Work:
    """A page that can be cited: its title, and its path below the site's address.

    `tag` is '' where it has none, `example` and `digest` where it does not depend on one.
    """

    site: Site
    title: str
    path: str
    tag: str = ""
    example: str = ""
    slug: str = ""
    digest: str = ""

    @property
    def url(self) -> str:
        """Its address; '' where that of the site is not known."""
        return self.site.address and self.site.address + self.path

    @property
    def key(self) -> str:
        """What it is called in a file of references: another address has another name."""
        found = self.tag or self.path.strip("/").replace("/", "-")
        is_fixed = self.path.startswith("examples/")  # else it is of the example that a lesson has
        return "-".join((self.site.slug, found, *([self.slug] * is_fixed)))

    @property
    def note(self) -> str:
        """What tells it from other versions of it."""
        parts = [f"Tag {self.tag}"] if self.tag else []
        parts.append(f"version {self.site.version}")
        if self.digest:
            parts.append(f"example {self.slug}, digest {self.digest}")
        return "; ".join(parts)


def read_site(path: Path, address: str) -> Site:
    """What CITATION.cff (citation-file-format.github.io, 1.2.0) says of the site.

    Raises CitationError.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise CitationError(f"{path.name}: cannot be read: {error}") from None
    found: dict[str, Any] = data if isinstance(data, dict) else {}
    faults = [f"{path.name}: {key}: is missing" for key in NEEDED if not found.get(key)]
    faults += [f"{path.name}: {fault}" for fault in (*_faults_of_authors(found.get("authors")),
                                                     *_faults_of_date(found))]
    if not ADDRESS.fullmatch(str(found.get("repository-code", ""))):
        faults.append(f"{path.name}: repository-code: found {found['repository-code']!r}, expected "
                      "an address such as https://example.org/project")
    if faults:
        raise CitationError("\n".join(faults))
    return Site(_line(found["title"]), tuple(map(_author, found["authors"])),
                _line(found["version"]), _line(found["date-released"]),
                f"{address.rstrip('/')}/" if address else "",
                _line(found.get("repository-code", "")).rstrip("/"))


def _faults_of_authors(authors: object) -> list[str]:
    if not isinstance(authors, list):
        return [f"authors: found {authors!r}, expected a list"] if authors else []
    return [f"authors: number {number} has neither name nor family-names, nor given-names"
            for number, one in enumerate(authors, 1)
            if not isinstance(one, dict) or not _author(one).family]


def _faults_of_date(found: dict[str, Any]) -> list[str]:
    written = str(found.get("date-released") or "2000-01-01")
    try:
        date.fromisoformat(written)
    except ValueError:
        return [f"date-released: found {written!r}, expected a day such as 2026-03-07"]
    return []


def _author(data: dict[str, Any]) -> Author:
    """A group by its name; a person with what belongs to the names; one name alone is the family's.

    Of somebody who gives neither, the alias.
    """
    said = {key: _line(value) for key, value in data.items() if value}
    family = " ".join(said[key] for key in ("name-particle", "family-names") if key in said)
    given = said.get("given-names", "")
    name = said.get("name") or (not (family or given) and said.get("alias"))
    return Author(name) if name else Author(family or given, given if family else "",
                                            said.get("name-suffix", ""))


def _line(value: object) -> str:
    """A text in one line, without what no format can hold."""
    return one_line(str(value))


def one_line(written: str) -> str:
    """A text in one line: white space is one space, and what cannot be printed is left out."""
    return "".join(char for char in " ".join(written.split()) if char.isprintable())
