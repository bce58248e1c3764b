"""A file that is not TOML, or not JSON: what stands where it breaks off, and how to mend it.

A parser says what it looked for. The author needs to hear what they did: a fraction without
quotes, a bracket that is missing. It is guessed from the characters around the place.
"""

import re
from dataclasses import dataclass

from derivations.numbers import NotANumber, read_number

REACH = 100  # so many characters around a place are looked at
LONGEST_WORD = 40
WORD = r"[^\s,\[\]{}\"'=#:]*"
TOML_KEY = re.compile(r"^[ \t]*([\w.-]+)[ \t]*=", re.MULTILINE | re.ASCII)
JSON_KEY = re.compile(r'"([\w.-]{1,60})"\s*:', re.ASCII)
NEW_KEY = re.compile(r"[\w.-]+[ \t]*=|\[\[?[a-z_.]+\]", re.ASCII)
SMALL = {"True": "true", "False": "false"}


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
    def word(self) -> str:
        """The word at the place, from its first letter or digit."""
        start = re.search(WORD + r"\Z", self.text[max(0, self.at - REACH):self.at])
        end = re.match(WORD, self.rest)
        return (start[0] if start else "") + (end[0] if end else "")

    @property
    def is_in_word(self) -> bool:
        """Does the word begin before the place?"""
        return bool(re.search(WORD[:-1] + r"\Z", self.text[max(0, self.at - 1):self.at]))

    def line(self, at: int) -> int:
        """The line of a place, from 1."""
        return self.text.count("\n", 0, at) + 1


def advice(broken: Break) -> str:
    """In which key it is, and how to mend it, as far as this can be told; else ''."""
    found = [*(JSON_KEY if broken.is_json else TOML_KEY).finditer(broken.text, 0, broken.at)]
    if broken.said.startswith("Cannot overwrite"):
        return _given_twice(broken, found)
    if broken.said.startswith("Duplicate"):
        return ": keep one"
    if broken.said.startswith("Cannot declare"):
        return ": keep one heading, with all its keys below it"
    told = next(filter(None, (look(broken) for look in LOOKS)), "")
    return (_inside(broken, found[-1]) if found and _is_value(broken) else "") \
        + (f": {told}" if told else "")


def _is_value(broken: Break) -> bool:
    """Is it the value of a key that breaks off?"""
    return not re.match("Invalid statement|Expected '=' after|Cannot |Expected \"", broken.said)


def _inside(broken: Break, key: re.Match[str]) -> str:
    line = broken.line(key.start(1))
    return f", in {key[1]}" + (f" from line {line}" if line != broken.line(broken.at) else "")


def _given_twice(broken: Break, keys: list[re.Match[str]]) -> str:
    """Of a key that is there already; the parser has read over its value."""
    again = keys[-1][1] if keys else ""
    lines = [str(broken.line(key.start(1))) for key in keys if key[1] == again]
    return f": {again} is given on lines {' and '.join(lines)}; keep one" if len(lines) > 1 \
        else ": a key is given twice; keep one"


def _of_end(broken: Break) -> str:
    if re.search(r"Illegal character '\\n'|Unterminated|Invalid control", broken.said):
        return "a text in quotes ends on its line; a quote is missing"
    if quote := re.fullmatch("Expected (['\"])(.+)\\1", broken.said):
        lines = broken.text.splitlines()
        odd = [number for number, line in enumerate(lines, 1) if line.count(quote[2]) % 2]
        return f"a text lacks its {quote[2]} at the end" + (
            f", on line {odd[0]} perhaps" if odd else "")
    if not broken.rest.strip():
        return "a key needs a value, such as x = [[1, 0]]" if "Expected '='" in broken.said \
            else "the file ends too early; a ], a } or a value is missing"
    return ""


def _of_escape(broken: Break) -> str:
    """A backslash in text, as in the path of a file."""
    is_escape = re.search(r"[Hh]ex value|escape|Unescaped", broken.said)
    return r"in double quotes a \ is written \\" if is_escape else ""


def _of_comment(broken: Break) -> str:
    if not broken.rest.startswith(("//", "/*", "#")):
        return ""
    return "JSON has no comments; take it away, or write TOML" if broken.is_json \
        else "a comment begins with #"


def _of_sign(broken: Break) -> str:
    """A sign that stands where none can."""
    after_comma = broken.before.endswith(",")
    match broken.char:
        case "," if after_comma or re.match(r",\s*[\]}]", broken.rest) \
                or "alue" in broken.said or "property" in broken.said:
            return "one comma too many"
        case "]" | "}" as close:
            return f"take away the comma before {close}" if after_comma else f"one {close} too many"
        case ":" if not broken.is_json:
            return "write = after a key, in place of :"
        case "=":
            return "write : after a key, in place of =" if broken.is_json else "one = too many"
        case "'" if broken.is_json:
            return "JSON has double quotes only"
        case "[" if "key part" in broken.said:
            return "write a list of rows between [ and ], not { and }"
    return ""


def _of_word(broken: Break) -> str:
    """A word or number that cannot be read as it is."""
    word = broken.word
    if word[:1] in ("\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}",
                    "\N{DOUBLE LOW-9 QUOTATION MARK}", "\N{LEFT SINGLE QUOTATION MARK}"):
        return 'write straight quotes, such as "word"'
    if not word or NEW_KEY.match(broken.rest) or len(word) > LONGEST_WORD \
            or not word.isprintable() or broken.before.endswith(('"', "'")):
        return ""
    if "(" in word:
        return "write a list between [ and ], such as [1, 0]"
    if re.match(r"[+\-.\N{MINUS SIGN}]*\d", word):
        return _of_number(word) if broken.is_in_word or "value" in broken.said else ""
    return f"write {SMALL[word]}" if word in SMALL else f'text goes in quotes, such as "{word}"'


def _of_number(word: str) -> str:
    """A number that cannot stand there as it is: in quotes perhaps."""
    try:
        read_number(word)
    except NotANumber as problem:
        return str(problem)
    return f'{word} goes in quotes: "{word}"'


def _of_gap(broken: Break) -> str:
    """Where something is missing between two things."""
    if "Expected '=' after" in broken.said:
        return "a key is one word with = after it, such as w_q = [[1, 0]]"
    if not re.match("Unclosed|Expecting ',' delimiter|Expected newline", broken.said):
        return ""
    if NEW_KEY.match(broken.rest):
        return "a ] is missing before it"
    if broken.before.endswith(('"', "'")) and broken.rest[:1].isalnum():
        return "a comma is missing before it, or a quote"
    return "a comma is missing before it" if "newline" not in broken.said else ""


LOOKS = (_of_end, _of_escape, _of_comment, _of_sign, _of_word, _of_gap)
