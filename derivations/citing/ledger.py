"""The tags: an append-only file, docs/tags.csv, with a line for each tag that was ever given.

A tag is four characters, given in order and never twice. It names a kind of derivation, not a
place or a number, so it stays when pages move and when the example changes. A derivation that is
no more has its tag retired by a line of its own: the page stays, and says why and where to go.
The idea is that of the Stacks project's tags (stacks.math.columbia.edu/tags).
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no I and no O: they look like 1 and 0
LENGTH = 4
COLUMNS = ["tag", "kind", "name", "instead"]
RETIRED = "retired"
NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
Name = tuple[str, str]  # the kind of a derivation, and its name among those


class LedgerError(Exception):
    """The file of tags cannot be used: one line for each thing that is wrong."""


@dataclass(frozen=True)
class Tag:
    """A tag and what it names; `why` it is retired, and the tag to go to `instead`, if any."""

    tag: str
    kind: str
    name: str
    why: str = ""
    instead: str = ""


@dataclass(frozen=True)
class Ledger:
    """Every tag ever given, in order."""

    tags: tuple[Tag, ...] = ()

    @property
    def living(self) -> dict[Name, Tag]:
        """The tags that are not retired, by what they name."""
        return {(tag.kind, tag.name): tag for tag in self.tags if not tag.why}

    def missing(self, names: Iterable[Name]) -> tuple[Tag, ...]:
        """A tag for each of these that has none, in their order."""
        new = [name for name in dict.fromkeys(names) if name not in self.living]
        return tuple(Tag(tag_of(number), *name)
                     for number, name in enumerate(new, len(self.tags) + 1))

    def lost(self, names: Iterable[Name]) -> list[Tag]:
        """The living tags of what is not among these."""
        known = set(names)
        return [tag for name, tag in self.living.items() if name not in known]


def tag_of(number: int) -> str:
    """The tag of this number: 1 is 0001, 34 is 0010.

    Raises LedgerError where four characters are too few.
    """
    digits = ""
    while number:
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    if len(digits) > LENGTH:
        raise LedgerError(f"all tags of {LENGTH} characters are given")
    return digits.rjust(LENGTH, ALPHABET[0])


def read(path: Path) -> Ledger:
    """The tags of a file.

    Raises LedgerError with everything that is wrong in it.
    """
    try:
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path.name}: cannot be read: {error}") from None
    faults: list[str] = []
    if not rows or rows[0] != COLUMNS:
        faults.append(f"{path.name} line 1: expected {','.join(COLUMNS)}")
    found: dict[str, Tag] = {}
    for line, row in enumerate(rows[1:], 2):
        faults += [f"{path.name} line {line}: {fault}" for fault in _read_line(row, found)]
    if faults:
        raise LedgerError("\n".join(faults))
    return Ledger(tuple(found.values()))


def _read_line(row: list[str], found: dict[str, Tag]) -> list[str]:
    """Notes what a line says of a tag; gives what is wrong with it."""
    if len(row) != len(COLUMNS):
        return [f"found {len(row)} fields, expected {len(COLUMNS)}: {','.join(COLUMNS)}"]
    tag, kind, name, instead = row
    if kind == RETIRED:
        return _retire(tag, name, instead, found)
    wanted = tag_of(len(found) + 1)
    living = {(one.kind, one.name) for one in found.values() if not one.why}
    faults = [f"found the tag {tag!r}, expected {wanted!r}: tags are given in order"] \
        if tag != wanted else []
    faults += [f"{part!r} is no name: it may hold only a-z, 0-9 and single hyphens or underscores"
               for part in (kind, name) if not NAME.fullmatch(part)]
    faults += [f"{kind} {name} has a tag already"] if (kind, name) in living else []
    faults += [f"{tag} is not retired, so nothing stands for it instead"] if instead else []
    found[tag] = Tag(tag, kind, name)
    return faults


def _retire(tag: str, why: str, instead: str, found: dict[str, Tag]) -> list[str]:
    faults = [f"the tag {one!r} was not given before this line"
              for one in (tag, *([instead] if instead else [])) if one not in found]
    faults += [f"{tag} is retired already"] if tag in found and found[tag].why else []
    faults += ["a retired tag says why: write it in place of a name"] if not why.strip() else []
    faults += [f"{tag} cannot stand for itself"] if instead == tag else []
    if not faults:
        found[tag] = replace(found[tag], why=why, instead=instead)
    return faults


def retired(ledger: Ledger, tag: str, why: str, instead: str = "") -> Tag:
    """A tag, retired.

    Raises LedgerError where there is no such tag, or it cannot be retired so.
    """
    found = {one.tag: one for one in ledger.tags}
    faults = _retire(tag, why, instead, found)
    if faults:
        raise LedgerError("\n".join(faults))
    return found[tag]


def written(tags: Iterable[Tag]) -> str:
    """The lines to append for tags: newly given, or retired."""
    out = io.StringIO()
    rows = ((tag.tag, RETIRED, tag.why, tag.instead) if tag.why
            else (tag.tag, tag.kind, tag.name, "") for tag in tags)
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
