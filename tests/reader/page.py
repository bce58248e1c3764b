"""A finished page against the table of true values."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import html5lib
import mpmath

from .cells import matrix_faults
from .chain import Left, check_chain, check_mention, is_mention, left_of
from .errors import ReadError
from .formula import Formula, read_math
from .mathml import local
from .refs import Address, address_of, ref_problem, split_ref, text_of, title_problem, variant_of
from .table import DIGITS, Truth
from .tables import entry_ids, in_math, is_matrix, nearest, position_faults
from .tree import Entry, Expr, Literal, Mark, Name

Element = Any
NEGATIVE_ZERO = re.compile(r"[-−]0\.0+")
OF_HEAD = re.compile(r"^head_\d+")
COUNTED = ("formulas", "mentions", "assumed", "relations", "decimals", "refs", "cells",
           "named", "undefined")


@dataclass
class Report:
    """What is wrong with a page, and how much of it was read.

    counts: formulas (with a relation), mentions (without), assumed, relations, decimals (after
    ≈, and in a data-ref), refs, cells (of matrix tables), named (entries of matrices in
    formulas), undefined (instances 0 / 0 of a general formula in a row that may attend to nothing).
    """

    faults: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(COUNTED, 0)))


def read_page(html: str, truth: Truth, assumed: Collection[str] = ()) -> Report:
    """Read every formula and every data-ref of a page.

    `assumed` are formulas, by their exact LaTeX, that state no fact of this example (`n = 3`
    where a sentence supposes it): they are parsed and counted, and not compared.
    """
    tree = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False)
    reader = _Reader(truth, assumed)
    elements = [element for element in tree.iter() if local(element)]
    for element in elements:
        split_ref(element)
    with mpmath.workdps(DIGITS):
        reader.formulas(element for element in elements if local(element) == "math")
        for element in elements:
            reader.element(element)
    return reader.report


class _Reader:
    def __init__(self, truth: Truth, assumed: Collection[str]):
        self.truth, self.assumed = truth, assumed
        self.report = Report()
        self.faults, self.counts = self.report.faults, self.report.counts

    def formulas(self, maths: Iterable[Element]) -> None:
        """All formulas; those of one row of a table share a left side."""
        groups: dict[Any, list[Formula]] = {}
        for math in maths:
            if in_math(math):
                continue
            formula = read_math(math)
            place, shared = self.place(math)
            groups.setdefault(place if shared else math, []).append(formula)
            self.fault(formula, formula.problems)
        for place, group in groups.items():
            self.group(place, group)

    def place(self, math: Element) -> tuple[Element, bool]:
        """The row of a table that a formula stands in, or itself."""
        row = nearest(math, "tr")
        return (row, True) if row is not None else (math, False)

    def group(self, place: Element, group: list[Formula]) -> None:
        """The formulas of one row, or one formula."""
        left = _shared_left(group)
        if left is not None:
            self.address(place, left.expr, group)
        for formula in group:
            for chain in formula.chains:
                if formula.label in self.assumed:
                    self.counts["assumed"] += 1
                else:
                    self.chain(formula, chain, left if local(place) == "tr" else None)

    def chain(self, formula: Formula, chain: Any, left: Left | None) -> None:
        """One chain or mention."""
        mention = is_mention(chain)
        in_row = nearest(formula.math, "tr") is not None
        self.counts["mentions" if mention else "formulas"] += 1
        try:
            if mention and in_row and isinstance(chain[0][1], Mark):
                self.fault(formula, ["a sign alone in a table"])
            elif mention:
                self.fault(formula, check_mention(chain[0][1], self.of(formula.math)))
            else:
                self.fault(formula, check_chain(chain, self.of(formula.math), left, self.counts))
        except (ReadError, ArithmeticError) as error:
            self.fault(formula, [str(error)])

    def address(self, place: Element, left: Expr, group: list[Formula]) -> None:
        """The left side must be the entry that the row, or the block around it, is about."""
        ids = self.ids(place, group[0].math)
        found = _entry_address(left)
        if ids and found not in ids:
            key, row, col = ids[0]
            self.fault(group[0], [f"it stands at {key}-r{row}c{col}, its left side is {left}"])

    def ids(self, place: Element, math: Element) -> list[Address]:
        """The entries a formula is about, by the ids around it."""
        if local(place) == "tr":
            return entry_ids(place, self.of(place))
        block = math
        while block is not None:
            address = address_of(block.get("id") or "", self.of(block))
            if address:
                first = self.first_with_left(block)
                return [address] if first is math else []
            block = block.getparent()
        return []

    def of(self, element: Element) -> Truth:
        """The truth that an element is held against: that of the variant it stands in."""
        return self.truth.variant(variant_of(element))

    def first_with_left(self, block: Element) -> Element | None:
        """The first formula of a block that states something."""
        for math in (inner for inner in block.iter() if local(inner) == "math"):
            if not in_math(math) and any(map(left_of, read_math(math).chains)):
                return math
        return None

    def element(self, element: Element) -> None:
        """What is asked of elements other than formulas."""
        if element.get("data-ref") is not None:
            self.ref(element)
        tex = element.get("data-tex")
        if tex is not None and not any(local(inner) == "math" for inner in element.iter()):
            self.faults.append(f"unrendered formula `{tex}`")
        if local(element) == "table" and is_matrix(element):
            self.faults.extend(position_faults(element, self.of(element), self.counts))
        if local(element) == "mtable":
            self.faults.extend(matrix_faults(element, self.of(element), self.counts))
        if local(element) == "td" and NEGATIVE_ZERO.fullmatch(text_of(element)):
            self.faults.append(f"a negative zero in a table: {text_of(element)}")

    def ref(self, element: Element) -> None:
        """One number with a data-ref."""
        self.counts["refs"] += 1
        self.counts["decimals"] += "." in text_of(element)
        try:
            problem = ref_problem(element, self.of(element)) or title_problem(element)
        except ReadError as error:
            problem = str(error)
        if problem:
            self.faults.append(f"data-ref {element.get('data-ref')}: {problem}")
        target = element.get("href")
        shown = OF_HEAD.sub("output", element.get("data-ref"))  # where a head works it out
        if target is not None and target.partition("#")[2] != shown:
            self.faults.append(f"data-ref {element.get('data-ref')}: it links to {target}")

    def where(self, math: Element) -> str:
        """The entry that a row is about, or the nearest id around a formula."""
        element = math
        while element is not None:
            ids = entry_ids(element, self.of(element)) if local(element) == "tr" else []
            if ids or element.get("id"):
                key, row, col = ids[0] if ids else (element.get("id"), 0, 0)
                return f" (at #{key}-r{row}c{col})" if ids else f" (at #{key})"
            element = element.getparent()
        return ""

    def fault(self, formula: Formula, problems: Iterable[str]) -> None:
        """Faults of a formula, under its own name."""
        name = f"`{formula.label}`{self.where(formula.math)}"
        self.faults.extend(f"{name}: {problem}" for problem in problems)


def _shared_left(group: list[Formula]) -> Left | None:
    """The left side of the first formula that has one; failing that, a symbol that stands alone."""
    chains = [chain for formula in group for chain in formula.chains]
    for chain in chains:
        if left := left_of(chain):
            return left
    for chain in chains:
        if is_mention(chain) and isinstance(chain[0][1], (Entry, Name)) and len(chains) > 1:
            return Left(chain[0][1])
    return None


def _entry_address(expr: Expr) -> Address | None:
    if not isinstance(expr, Entry) or not all(isinstance(index, Literal) for index in expr.at):
        return None
    row, col = (int(index.text) for index in expr.at if isinstance(index, Literal))
    return expr.key, row, col
