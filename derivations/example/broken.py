"""Where a file that is not TOML, or not JSON, breaks off, and what stands around that place."""

import re
from dataclasses import dataclass
from functools import cached_property

REACH = 100  # so many characters around a place are looked at
WORD = r"[^\s,\[\]{}\"'=#:]"
TOML_KEY = re.compile(r"^[ \t]*([\w.-]+)[ \t]*=", re.MULTILINE | re.ASCII)
JSON_KEY = re.compile(r'"([\w.-]{1,60})"\s*:', re.ASCII)


@dataclass(frozen=True)
class Break:
    """Where a file breaks off: what the parser `said` at a place of its text."""

    text: str
    at: int
    said: str
    is_json: bool

    @property
    def char(self) -> str:
        """The character at the place; '' at the end."""
        return self.text[self.at:self.at + 1]

    @property
    def before(self) -> str:
        """What stands before the place, but for blanks."""
        return self.text[max(0, self.at - REACH):self.at].rstrip()

    @property
    def rest(self) -> str:
        """What follows."""
        return self.text[self.at:self.at + REACH]

    @property
    def start(self) -> int:
        """Where the word at the place begins: there, or before."""
        found = re.search(WORD + r"*\Z", self.text[max(0, self.at - REACH):self.at])
        return self.at - (len(found[0]) if found else 0)

    @property
    def word(self) -> str:
        """The word at the place, from its first letter or digit."""
        found = re.match(WORD + "*", self.text[self.start:self.start + 2 * REACH])
        return found[0] if found else ""

    @cached_property
    def keys(self) -> list[re.Match[str]]:
        """The keys that stand before the place."""
        return [*(JSON_KEY if self.is_json else TOML_KEY).finditer(self.text, 0, self.at)]

    @property
    def is_given_twice(self) -> bool:
        """Does the parser speak of a key that it has read already?"""
        return bool(re.match("Cannot |Duplicate", self.said))

    @property
    def column(self) -> int:
        """The column of the place, from 1."""
        return self.at - self.text.rfind("\n", 0, self.at)

    def line(self, at: int) -> int:
        """The line of a place, from 1."""
        return self.text.count("\n", 0, at) + 1
