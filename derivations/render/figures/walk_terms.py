"""A dot product of a walk-through, written out: 0 · 1 + 1 · 2 = 2."""

from dataclasses import dataclass, field
from math import inf

from markupsafe import Markup

from derivations.render.figures import svg, words
from derivations.render.figures.walk_cells import Matrix, coming
from derivations.render.markup import text

Entry = tuple[Matrix, int, int]


@dataclass
class Terms:
    """A line that grows to the right."""

    y: float
    x: float = 3.0
    parts: list[Markup] = field(default_factory=list)

    def sign(self, written: str, beat: int) -> None:
        """A sign, with room on both sides."""
        wide = words.width(written, svg.TEXT) + 4
        shown = svg.words((self.x + wide / 2, self.y), text(written), text_anchor="middle")
        self.parts.append(coming(shown, beat))
        self.x += wide

    def number(self, entry: Entry, beat: int, *, factor: bool = False) -> None:
        """A number; in parentheses where it is a negative factor."""
        shown, i, j = entry
        written = shown.written(i, j)
        brackets = ("(", ")") if factor and not written[0].isdigit() else ("", "")
        wide = max(words.width(written, svg.TEXT) + 2, svg.LEAST)
        if brackets[0]:
            self.sign(brackets[0], beat)
        told = shown.told(i, j).rpartition(": ")[0]
        one = svg.number((self.x + wide / 2, self.y), shown.table[i][j], (shown.key, i, j), told,
                         inf, "middle")
        self.parts.append(coming(svg.tag("g", one, class_=f"role-{shown.role}"), beat))
        self.x += wide
        if brackets[1]:
            self.sign(brackets[1], beat)


def dot_product(
    y: float, pairs: list[tuple[Entry, Entry]], result: Entry, first: int, *, cut: bool
) -> Terms:
    """The products of pairs, each with a beat of its own, and their sum.

    Where it is `cut`, dots stand for the products that are not written.
    """
    line = Terms(y)
    for n, (one, other) in enumerate(pairs):
        if n:
            line.sign(" + ", first + n)
        line.number(one, first + n, factor=True)
        line.sign("·", first + n)
        line.number(other, first + n, factor=True)
    if cut:
        line.sign(" + …", first + len(pairs))
    line.sign(_relation([entry for pair in pairs for entry in pair], result), first + len(pairs))
    line.number(result, first + len(pairs))
    return line


def _relation(factors: list[Entry], result: Entry) -> str:
    """= where nothing that is written is rounded."""
    shown = [matrix.table[i][j] for matrix, i, j in [*factors, result]]
    return " = " if all(rounded and rounded.exact for rounded in shown) else " ≈ "
