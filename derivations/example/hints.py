"""A file that is not TOML, or not JSON: what stands where it breaks off, and how to mend it.

A parser says what it looked for. The author needs to hear what they did: a fraction without
quotes, a bracket that is missing. It is guessed from the characters around the place. What is
surely meant is put right as well, in as many characters, so that what follows can be read too.
"""

import re
from typing import NamedTuple

from derivations.example.broken import Break
from derivations.faults import listed
from derivations.numbers import NotANumber, read_number

LONGEST_WORD = 40
NEW_KEY = re.compile(r"[\w.-]+[ \t]*=|\[\[?[a-z_.]+\]", re.ASCII)
SMALL = {"True": "true", "False": "false", "None": "nothing: take its key away"}
CURLY = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}" \
        "\N{DOUBLE LOW-9 QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"


class Hint(NamedTuple):
    """How to mend a file, and where: what can stand `at` a place in place of what does."""

    told: str
    at: int = 0
    instead: str = ""


def advice(broken: Break) -> tuple[str, str]:
    """How to mend it, and in which key, as far as this can be told, else '' for the one.

    The other is the text with what is surely meant, else '': as long, line by line.
    """
    hint = next(filter(None, (look(broken) for look in LOOKS)), Hint(""))
    end = hint.at + len(hint.instead)
    mended = broken.text[:hint.at] + hint.instead + broken.text[end:] if hint.instead else ""
    return _inside(broken) + (f": {hint.told}" if hint.told else ""), mended


def _inside(broken: Break) -> str:
    """The key whose value breaks off."""
    no_value = re.match("Invalid statement|Expected '=' after|Expected \"", broken.said)
    if not broken.keys or no_value or broken.is_given_twice:
        return ""
    key = broken.keys[-1]
    line = broken.line(key.start(1))
    return f", in {key[1]}" + (f" from line {line}" if line != broken.line(broken.at) else "")


def _of_two(broken: Break) -> Hint | None:
    """Of what is there already; the parser has read over it."""
    if re.match(r"Cannot declare \[.*heads\]", broken.said):
        return Hint("write it in double brackets, above each head")
    if broken.said.startswith("Cannot declare"):
        return Hint("keep one heading, with all its keys below it")
    if not broken.is_given_twice:
        return None
    again = broken.keys[-1][1] if broken.said.startswith("Cannot") and broken.keys else ""
    lines = [str(broken.line(key.start(1))) for key in broken.keys if key[1] == again]
    return Hint(f"{again} is given on lines {listed(lines)}; keep one" if lines[1:] else "keep one")


def _of_end(broken: Break) -> Hint | None:
    if re.search(r"Illegal character '\\n'|Unterminated|Invalid control", broken.said):
        return Hint("a text in quotes ends on its line; a quote is missing")
    if quote := re.fullmatch("Expected (['\"])(.+)\\1", broken.said):
        lines = broken.text.splitlines()
        odd = [number for number, line in enumerate(lines, 1) if line.count(quote[2]) % 2]
        return Hint(f"a text lacks its {quote[2]} at the end" + (
            f", on line {odd[0]} perhaps" if odd else ""))
    if not broken.rest.strip():
        return Hint("a key needs a value, such as x = [[1, 0]]" if "Expected '='" in broken.said
                    else "the file ends too early; a ], a } or a value is missing")
    return None


def _of_escape(broken: Break) -> Hint | None:
    """A backslash in text, as in the path of a file."""
    is_escape = re.search(r"[Hh]ex value|escape|Unescaped", broken.said)
    return Hint(r"in double quotes a \ is written \\") if is_escape else None


def _of_comment(broken: Break) -> Hint | None:
    if not broken.rest.startswith(("//", "/*", "#")):
        return None
    if not broken.is_json:
        return Hint("a comment begins with #")
    line = re.match("//.*|#.*|", broken.text[broken.at:])
    return Hint("JSON has no comments; take it away, or write TOML", broken.at,
                " " * len(line[0] if line else ""))


def _of_sign(broken: Break) -> Hint | None:
    """A sign that stands where none can."""
    match broken.char:
        case "," if close := re.match(r",\s*([\]}])", broken.rest):
            return Hint(f"take away the comma before {close[1]}", broken.at, " ")
        case "," if broken.before.endswith(",") or re.search("alue|property", broken.said):
            return Hint("one comma too many", broken.at, " ")
        case "]" | "}" as close:
            return Hint(f"one {close} too many", broken.at, " ")
        case ":" if not broken.is_json:
            return Hint("write = after a key, in place of :", broken.at, "=")
        case "=" if broken.is_json:
            return Hint("write : after a key, in place of =", broken.at, ":")
        case "=":
            return Hint("one = too many", broken.at, " ")
        case "'" if broken.is_json:
            return Hint("JSON has double quotes only")
        case "[" if "key part" in broken.said:
            return Hint("write a list of rows between [ and ], not { and }")
    return None


def _of_word(broken: Break) -> Hint | None:
    """A word or number that cannot be read as it is; any number can stand for it."""
    word = broken.word
    if word[:1] and word[0] in CURLY:
        return Hint('write straight quotes, such as "word"')
    if not word or NEW_KEY.match(broken.rest) or len(word) > LONGEST_WORD \
            or not word.isprintable() or broken.before.endswith(('"', "'")):
        return None
    if broken.text.startswith(('"', "'"), broken.start + len(word)):
        return Hint(f"a quote is missing before {word}")
    if "(" in word:
        return Hint("write a list between [ and ], such as [1, 0]")
    told = f"write {SMALL[word]}" if word in SMALL else ""
    if re.match(r"[+\-.\N{MINUS SIGN}]*\d", word):
        if broken.start == broken.at and "value" not in broken.said:
            return None  # it is right in itself
        told = _of_number(word)
    if not told and "newline" in broken.said:
        return None
    if not told:
        line = re.match("[^\n#\"]*", broken.rest)
        word = line[0].rstrip() if line and broken.before.endswith("=") else word
        told = f'text goes in quotes, such as "{word}"'
    return Hint(told, broken.start, "1" * len(word))


def _of_number(word: str) -> str:
    """A number that cannot stand there as it is: in quotes perhaps."""
    try:
        read_number(word)
    except NotANumber as problem:
        return str(problem)
    return f'{word} goes in quotes: "{word}"'


def _of_gap(broken: Break) -> Hint | None:
    """Where something is missing between two things."""
    if "Expected '=' after" in broken.said:
        return Hint("a key is one word with = after it, such as w_q = [[1, 0]]")
    if "newline" in broken.said:
        return Hint("begin a new line before it" if NEW_KEY.match(broken.rest)
                    else "take it away, or write # before it")
    if not re.match("Unclosed|Expecting ',' delimiter", broken.said):
        return None
    if NEW_KEY.match(broken.rest):
        return Hint("a ] is missing before it")
    if broken.before.endswith(('"', "'")) and broken.rest[:1].isalnum():
        return Hint("a comma is missing before it, or a quote")
    blank = broken.text[broken.at - 1:broken.at] == " "
    return Hint("a comma is missing before it", broken.at - 1, "," if blank else "")


LOOKS = (_of_two, _of_end, _of_escape, _of_comment, _of_sign, _of_word, _of_gap)
