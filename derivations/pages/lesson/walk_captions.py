"""What is said below each scene of the walk-through; the numbers are those of the example."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from derivations.decimals import Table
from derivations.pages import sentences
from derivations.pages.lesson.counts import count
from derivations.pages.markers import Markers
from derivations.pages.worked import Worked
from derivations.render.figures.walk import WEIGHTED, Walk
from derivations.render.markup import math, number
from derivations.rounded import Rounded

CLOSED = "Every key is hidden from {}, so every exponential is 0, and so is their sum."


class Captions:
    """One caption for each scene of a walk."""

    def __init__(self, lesson: Worked, walk: Walk):
        self.lesson, self.walk = lesson, walk
        self.asker = sentences.name(lesson, walk.i)
        self.heard = sentences.name(lesson, walk.j)

    def queries_and_keys(self) -> Markup:
        """Two rows, and what stands where."""
        return Markup(
            "A row of {} is a query. A column of {} is a key, because {} is {} with rows and "
            "columns exchanged. The query of {} is {}: its row is lit. The key of {} is {}. The "
            "empty boxes are for the scores.{}"
        ).format(math("Q"), math(r"K^{\top}"), math(r"K^{\top}"), math("K"), self.asker,
                 self._vector("queries", self.walk.i), self.heard,
                 self._vector("keys", self.walk.j), self._part(("queries", "keys"), "d_k"))

    def one_score(self) -> Markup:
        """The dot product, in all its forms."""
        i, j = self.walk.i, self.walk.j
        whom = Markup("itself") if i == j else self.heard
        return Markup(
            "Multiply the lit row with the lit column, number by number, and add up the products. "
            "That is a dot product. It is the score of {} for {}: {}. It stands where the row and "
            "the column cross.{}{}"
        ).format(self.asker, whom, self._number("scores", i, j),
                 Markers(self.lesson).entry("scores", i + 1, j + 1),
                 self._part(("queries", "keys"), "d_k"))

    def all_scores(self) -> Markup:
        """The first matrix step."""
        return Markup(
            "Each query meets each key. As matrices: {}. The scores of {} are {}, in the order of "
            "the sentence. The next steps follow this row.{}"
        ).format(math(r"S = Q K^{\top}"), self.asker, self._vector("scores", self.walk.i),
                 self._part(("queries", "keys"), "d_k"))

    def scaled(self) -> Markup:
        """The second matrix step."""
        return self._row("{} The scaled scores of {} are {}.{}", "scaled_scores",
                         sentences.scaling(self.lesson))

    def masked(self) -> Markup:
        """Who is hidden."""
        hidden = sentences.hidden(self.lesson, self.walk.i) \
            or Markup("The mask hides nobody from {}.").format(self.asker)
        return self._row("Where the mask hides a key, the score becomes minus infinity. {} The row "
                         "of {} becomes {}.{}", "masked_scores", hidden)

    def exponentials(self) -> Markup:
        """The third matrix step, its first half."""
        total = self._number("normalisers", self.walk.i, 0)
        if self.walk.i in self.lesson.derivation.closed_rows:
            end = Markup(CLOSED).format(self.asker)
        else:
            end = Markup("Add them all up: their sum is {}.").format(total)
        return self._row("Softmax has two halves. First raise {0} to the power of each number of "
                         "the row. The exponentials of {1} are {2}. {4}{3}{5}", "exponentials",
                         math("e"), end, self._of_all())

    def weights(self) -> Markup:
        """The third matrix step, its second half."""
        i = self.walk.i
        closed = i in self.lesson.derivation.closed_rows
        sums = Markup("") if closed else self._sum_of_weights()
        why = Markup(" The sum is 0, and a division by 0 has no result.") if closed else Markup("")
        most = Markup("") if closed else Markup(" ") + sentences.most_heard(self.lesson, i)
        return Markup("Then divide each exponential by the sum of the row: that makes it a share "
                      "of the whole, a weight.{} {}{}{} The whole length of a bar is 1.{}").format(
            why, sentences.row_of_weights(self.lesson, i), most, sums, self._part(("keys",)))

    def weighted(self) -> Markup:
        """The fourth matrix step, product by product."""
        j = self.walk.j
        value, part = self._vector("values", j), self._numbers(
            WEIGHTED, self.walk.weighted, j, self.walk.dimensions("d_v"), "d_v")
        return Markup(
            "Multiply the value of each token by the weight that {} gives it. The value of {} is "
            "{}, its weight is {}. The product is {}.{}"
        ).format(self.asker, self.heard, value, self._number("weights", self.walk.i, j), part,
                 self._part(("keys",), "d_v"))

    def output(self) -> Markup:
        """The fourth matrix step, added up."""
        return Markup(
            "Add up the products, column by column. The sum is the output of {}: {}.{}{}{}"
        ).format(self.asker, self._vector("output", self.walk.i), self._last_digit(),
                 self._part(("keys",), "d_v"), self._of_all())

    def all_outputs(self) -> Markup:
        """The whole of it."""
        return Markup(
            "Every row of weights is treated alike. As matrices: {}. The row of {} is lit. All "
            "four steps in one line: {}.{}"
        ).format(math("O = A V"), self.asker, sentences.whole(self.lesson),
                 self._part(("queries", "keys"), "d_v"))

    def _sum_of_weights(self) -> Markup:
        """What they add up to: of rounded ones, before they were rounded."""
        told = " The weights of {} add up to 1." if _all_exact(
            self.lesson.decimals["weights"][self.walk.i]) \
            else " Before rounding, the weights of {} add up to exactly 1."
        return Markup(told).format(self.asker)

    def _last_digit(self) -> Markup:
        """Says that rounded products may add up to something else; '' where none is rounded."""
        shown = self.walk.dimensions("d_v")
        if _all_exact(product[c] for product in self.walk.weighted for c in shown):
            return Markup("")
        return Markup(" It is worked out from the exact products, so the last digit may differ "
                      "from what the rounded products add up to.")

    def _row(self, said: str, key: str, *more: Markup) -> Markup:
        """What is said of the row that is followed: {0} first, then the asker and its numbers."""
        first, *rest = more
        return Markup(said).format(first, self.asker, self._vector(key, self.walk.i),
                                   self._part(("keys",)), *rest)

    def _number(self, key: str, i: int, j: int) -> Markup:
        return number(self.lesson.decimals[key][i][j], key, i, j)

    def _vector(self, key: str, i: int) -> Markup:
        """A row as (0, 1), as far as it is drawn."""
        step = self.lesson.derivation[key]
        cols = self.walk.keys if step.cols.tokens else self.walk.dimensions(step.cols.size)
        return self._numbers(key, self.lesson.decimals[key], i, cols, step.cols.size)

    def _numbers(self, key: str, of: Table, i: int, cols: Sequence[int], size: str) -> Markup:
        shown = [number(of[i][c], key, i, c) for c in cols]
        before = [Markup("…")] if cols[0] else []
        after = [Markup("…")] if cols[-1] + 1 < self.lesson.derivation.size(size) else []
        return Markup("({})").format(Markup(", ").join([*before, *shown, *after]))

    def _part(self, drawn: tuple[str, ...], size: str = "") -> Markup:
        """Says what is not drawn of a large example; '' where all is."""
        n, told = len(self.lesson.example.tokens), Markup("")
        for name, span in (("queries", self.walk.queries), ("keys", self.walk.keys)):
            if name in drawn and len(span) < n:
                told += Markup(" Of {} {}, numbers {} to {} are drawn.").format(
                    _count(n), Markup(name), _count(span.start + 1), _count(span.stop))
        if size and len(self.walk.dimensions(size)) < self.lesson.derivation.size(size):
            told += Markup(" Of {} numbers in each, the first {} are drawn.").format(
                Markers(self.lesson).size(size), _count(len(self.walk.dimensions(size))))
        return told

    def _of_all(self) -> Markup:
        """Says that a sum counts what is not drawn, too; '' where all is."""
        n = len(self.lesson.example.tokens)
        return Markup(" The sum counts all {} keys.").format(_count(n)) \
            if len(self.walk.keys) < n else Markup("")


def _all_exact(numbers: Iterable[Rounded | None]) -> bool:
    """Is none of them rounded?"""
    return all(number is None or number.exact for number in numbers)


def _count(n: int) -> Markup:
    return count("drawn", n)
