"""The programs of the lesson as markers: their source, what they print, and which line does what.

The programs are run when a page first asks for them, once. The build stops where one prints
another number than the exact one, or has no line for a step.
"""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from derivations.lesson.code import example_module, expected, programs
from derivations.lesson.code.code_lines import CodeLine, code_lines
from derivations.lesson.code.expected import Line, Number, Word
from derivations.lesson.code.programs import NUMPY, OVERFLOW, PLAIN, TORCH, Printed
from derivations.pages.lesson import program_sentences as sentences
from derivations.pages.sentences import asker
from derivations.pages.worked import Worked
from derivations.render.markup import link, math, table, text
from derivations.render.matrices import general
from derivations.step import Step

FOLDER = "lesson/code"
CODE = Path(__file__).parents[3] / "docs" / FOLDER
LONGEST_SHOWN = 6_000  # characters
BLOCK = ('<pre class="typed {}" role="group" tabindex="0" aria-label="{}" data-search-exclude>'
         "<code>{}</code></pre>")
NUMBER = '<span class="number" data-ref="{}">{}</span>'
STEP = Markup("{}<br>{}")
LANGUAGE = Markup('<span class="language">{}</span><br>{}<br>')
LANGUAGES = {"plain Python": PLAIN, "NumPy": NUMPY, "PyTorch": TORCH}


def files(lesson: Worked) -> dict[str, bytes]:
    """What the page set holds besides: the example as the module that the programs import."""
    return {f"{FOLDER}/{example_module.NAME}": _module(lesson).encode("ascii")}


def markers(lesson: Worked, code: Path = CODE) -> dict[str, Any]:
    """The markers of the chapter; `code` is the folder of the programs.

    Those that run the programs raise CheckError where a program is not right.
    """
    here = Programs(lesson, code)
    return {
        "program": here.program,
        "printed": here.printed,
        "printed_again": here.printed_again,
        "program_lines": here.lines,
        "program_line": here.line,
        "programs_print": sentences.what_is_printed(lesson, example_module.extent(
            lesson.example, asker(lesson))),
        "programs_compared": here.compared,
        "programs_differ": here.differing,
        "torch_call": sentences.torch_call(lesson),
        "torch_arguments": sentences.torch_arguments(lesson),
        "torch_was_run": sentences.torch_was_run(programs.can_run(TORCH)),
        "large_scores": sentences.large_scores(),
        "without_scale": partial(sentences.without_scale, lesson),
    }


class Programs:
    """The programs of one example."""

    def __init__(self, lesson: Worked, code: Path):
        self.lesson = lesson
        self._sources = cache(lambda: programs.sources(code))
        self._ran = cache(self._run)
        self._lines = cache(self._find_lines)

    def program(self, name: str) -> Markup:
        """A file's source, in a box; a long one is linked to alone."""
        source = _module(self.lesson) if name == example_module.NAME else self._sources()[name]
        found = link(text(name), f"code/{name}")
        if len(source) > LONGEST_SHOWN:
            return Markup("{} (too long to be shown here)").format(found)
        box = Markup(BLOCK).format(Markup("listing"), text(f"source of {name}"), text(source))
        return Markup("{}\n\n{}").format(found, box)

    def printed(self, name: str) -> Markup:
        """What a program printed; what it is expected to print where it was not run."""
        ran, label = self._ran(), f"what {name} prints"
        shown = map(_printed_line, ran[name]) if name in ran \
            else map(_expected_line, self._expected()[name])
        return Markup(BLOCK).format(Markup("printed"), text(label), text("\n").join(shown))

    def printed_again(self, name: str, other: str) -> Markup:
        """What a program printed, but for one that printed the same and was shown before."""
        found, before = (text("\n").join(map(_printed_line, self._ran()[one]))
                         for one in (name, other))
        return sentences.prints_the_same(other) if found == before \
            else Markup("It prints:\n\n{}").format(self.printed(name))

    def lines(self) -> Markup:
        """Each formula beside the lines that work it out: one step a row."""
        derivation = self.lesson.derivation
        formulas = [(step, general(step, derivation)) for step in derivation.steps]
        rows = [[STEP.format(text(step.quantity.name), math(formula)), self._cell(step)]
                for step, formula in formulas if formula]
        return table([text("step and formula"), text("lines of code")], rows, "code-lines stacks",
                     "each formula, and the lines that do it")

    def line(self, name: str, key: str) -> Markup:
        """The line of a program that does a step, as code."""
        return _code(self._lines()[name][key])

    def compared(self) -> Markup:
        """How many numbers were compared."""
        return sentences.compared(_numbers(self._ran()))

    def differing(self) -> Markup:
        """Says where a float ends in other digits than the certified decimal."""
        found = {name: [pair for line in lines for pair in line.differing]
                 for name, lines in self._ran().items() if name != OVERFLOW}
        return sentences.differing(self.lesson, found)

    def _run(self) -> dict[str, list[Printed]]:
        """The lines that each program printed; all were right."""
        able = {name: text for name, text in self._sources().items() if programs.can_run(name)}
        printed = programs.run(able, {example_module.NAME: _module(self.lesson)})
        wanted = self._expected()
        return {name: programs.compared(name, printed[name], wanted[name]) for name in able}

    def _expected(self) -> dict[str, list[Line]]:
        """What each program must print."""
        example, derivation = self.lesson.example, self.lesson.derivation
        extent = example_module.extent(example, asker(self.lesson))
        attention = partial(expected.of_attention, derivation, example.places, extent)
        whole = attention(only=extent.steps)
        output = attention(only=("output",), slack=expected.TORCH_SLACK)
        return {PLAIN: whole, NUMPY: whole, TORCH: output, OVERFLOW: expected.of_overflow(example)}

    def _find_lines(self) -> dict[str, dict[str, CodeLine]]:
        return {name: code_lines(name, self._sources()[name]) for name in LANGUAGES.values()}

    def _cell(self, step: Step) -> Markup:
        """A step's line in each program."""
        return Markup("").join(LANGUAGE.format(Markup(language), self._said(name, step))
                               for language, name in LANGUAGES.items())

    def _said(self, name: str, step: Step) -> Markup:
        """A step's line; where one line does several steps, it is written once."""
        line = self._lines()[name][step.key]
        return _code(line) if step.key == line.steps[0] else sentences.same_line(line.steps[0])


def _module(lesson: Worked) -> str:
    return example_module.module(lesson.example, asker(lesson))


def _code(line: CodeLine) -> Markup:
    parts = (Markup("<code>{}</code>").format(text(part)) for part in line.source.split("\n"))
    return Markup("<br>").join(parts)


def _numbers(ran: dict[str, list[Printed]]) -> Iterator[Number]:
    for lines in ran.values():
        for printed in lines:
            yield from (entry for entry in printed.line.entries if isinstance(entry, Number))


def _printed_line(printed: Printed) -> Markup:
    return _line(printed.line, printed.numbers)


def _expected_line(line: Line) -> Markup:
    """A line that no program printed in this build: the certified decimals in its place."""
    return _line(line, tuple(entry.text if isinstance(entry, Number) else entry.word
                             for entry in line.entries))


def _line(line: Line, numbers: tuple[str, ...]) -> Markup:
    """A line as it was printed."""
    shown = map(_number, line.entries, numbers)
    return Markup(" ").join([text(line.label), *shown])


def _number(entry: Number | Word, written: str) -> Markup:
    """A printed number; where it is the decimal of an entry, it says of which."""
    if isinstance(entry, Number) and entry.ref and entry.text == written \
            and not entry.certified.exponent:  # else the program shows more digits than the page
        return Markup(NUMBER).format(Markup(entry.ref), text(written))
    return text(written)
