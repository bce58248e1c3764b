"""Sentences and lines of the lesson that depend on values: true for any example."""

from math import e
from typing import Any

from markupsafe import Markup

from derivations.notation import BY_KEY, SIZES, Size
from derivations.pages import sentences
from derivations.pages.lesson.counts import count
from derivations.pages.lesson.variants import scoped
from derivations.pages.markers import Markers
from derivations.pages.worked import Worked
from derivations.render.markup import equation, number, table, text
from derivations.render.markup import math as formula
from derivations.render.words import token_name

MOST_LISTED = 8
SYMMETRIC = (
    "In this example every score is the same both ways. It need not be so: a score is made of the "
    "query of one token and the key of the other, and the score the other way round of the other "
    "two rows.")
NO_PAIR = "With one token there is no pair to compare."
NOT_SYMMETRIC = (
    "The score of {a} for {b} is {one}. The score of {b} for {a} is {other}. They differ, because "
    "the first is made of the query of {a} and the key of {b}, and the second of the query of {b} "
    "and the key of {a}.")
OWN_MASK = "This example has a mask."
CAUSAL = (
    "This example has no mask, so here is a variant of it with a causal one: each token may listen "
    "only to itself and to those before it.")
NO_KEYS = "The mask hides every key from {name}, so this row has nothing to work out."
SOME = "These are {} of the {} numbers of the row."
NO_WEIGHTS = (
    "The mask hides every key from {name}, so all of its weights are 0, and so is their sum.")
NOTHING_HEARD = "The mask hides every key from {name}, so there is nothing to mix: the output is 0."


def markers(lesson: Worked) -> dict[str, Any]:
    """The sentences, and which rows and columns a chapter lists, counted from 1."""
    asker = sentences.asker(lesson)
    return {
        "entries_of": lambda key, row: entries_of(lesson, key, row - 1),
        "size_sentence": lambda: size_sentence(lesson),
        "masked_variant": lambda: masked_variant(lesson),
        "symbols_table": lambda: symbols_table(lesson),
        "not_symmetric": lambda: not_symmetric(lesson),
        "sum_of_weights": lambda: sum_of_weights(lesson, asker),
        "mix": lambda: mix(lesson, asker),
        "mix_of": lambda variant: scoped(
            variant.name, mix(variant.worked, asker, "embeddings")),
        "e_rounded": lambda: count("e", f"{e:.3f}"),
    }


def size_sentence(worked: Worked) -> Markup:
    """Every size: its symbol, its number and what it counts."""
    here = Markers(worked)
    told = [Markup("{} is {}, {}").format(formula(one.latex), here.size(one.key), _counted(one))
            for one in SIZES if one.key in dict(worked.derivation.sizes)]
    return Markup("The sizes have names. {}.").format(Markup("; ").join(told))


def _counted(size: Size) -> Markup:
    """What a size counts, without where it is found."""
    return text(size.meaning.partition(":")[0])


def masked_variant(worked: Worked) -> Markup:
    """Says on what the mistakes about masks are shown."""
    return Markup(OWN_MASK if worked.derivation.open is not None else CAUSAL)


def entries_of(worked: Worked, key: str, i: int) -> Markup:
    """The entries of a row, each worked out; of many, the first ones and the one of the story."""
    step = worked.derivation[key]
    keys = step.keys(i) if key in ("exponentials", "weights") else tuple(range(step.shape[1]))
    if not keys:
        return Markup(NO_KEYS).format(name=sentences.name(worked, i))
    shown = _listed(keys, sentences.heard(worked))
    parts = [Markers(worked).entry(key, i + 1, j + 1) for j in shown]
    if len(shown) < len(keys):
        parts.append(Markup(SOME).format(count("shown", len(shown)), count("all", len(keys))))
    return Markup("\n").join(parts)


def _listed(keys: tuple[int, ...], story: int) -> tuple[int, ...]:
    """At most MOST_LISTED of the keys, the story's among them."""
    first = keys[:MOST_LISTED]
    return first if story in first or story not in keys else (*first[:-1], story)


def symbols_table(worked: Worked) -> Markup:
    """Every matrix of the example: its symbol, its name, its size and what it means."""
    here = Markers(worked)

    def size(name: str) -> Markup:
        return Markup("1") if name == "one" else here.size(name)

    rows = [[text(step.quantity.name), formula(step.quantity.matrix),
             size(step.quantity.rows) + Markup(" × ") + size(step.quantity.cols),
             text(step.quantity.meaning)] for step in worked.derivation.steps]
    header = [text(word) for word in ("name", "symbol", "rows × columns", "what it is")]
    return table(header, rows, "symbols stacks", "every matrix of this example")


def not_symmetric(worked: Worked) -> Markup:
    """Two scores that differ although they are of the same two tokens; or that none do."""
    scores = worked.derivation.rationals("scores")
    n = len(worked.example.tokens)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    if not pairs:
        return Markup(NO_PAIR)
    differing = [(i, j) for i, j in pairs if scores.entry(i, j) != scores.entry(j, i)]
    if not differing:
        return Markup(SYMMETRIC)
    asker = sentences.asker(worked)
    i, j = next((pair for pair in differing if asker in pair), differing[0])
    shown = {name: number(worked.decimals["scores"][a][b], "scores", a, b)
             for name, (a, b) in {"one": (i, j), "other": (j, i)}.items()}
    tokens = worked.example.tokens
    return Markup(NOT_SYMMETRIC).format(a=token_name(tokens, i), b=token_name(tokens, j), **shown)


def sum_of_weights(worked: Worked, i: int) -> Markup:
    """The weights of a row added up, as fractions over the sum of the row: exactly 1."""
    keys = worked.derivation["weights"].keys(i)
    if not keys:
        return Markup(NO_WEIGHTS).format(name=sentences.name(worked, i))
    shown = keys if len(keys) <= MOST_LISTED else (*keys[:3], keys[-1])
    total = BY_KEY["normalisers"].entry(i + 1, 1)
    terms = [rf"\frac{{{BY_KEY['exponentials'].entry(i + 1, j + 1)}}}{{{total}}}" for j in shown]
    if len(shown) < len(keys):
        terms.insert(3, r"\cdots")
    weights = " + ".join(terms)
    return equation(rf"{weights} = \frac{{{total}}}{{{total}}} = 1", "the sum of the weights")


def mix(worked: Worked, i: int, mixed: str = "values") -> Markup:
    """The output of a row as its values, each times its weight: 0.1400 × (0, 1) + ..."""
    keys, here = worked.derivation["weights"].keys(i), Markers(worked)
    if not keys:
        return Markup(NOTHING_HEARD).format(name=sentences.name(worked, i))
    terms = [Markup("{} × {}").format(here.number("weights", i + 1, j + 1),
                                      here.vector(mixed, j + 1)) for j in keys]
    if len(terms) > MOST_LISTED:
        terms = [*terms[:3], Markup("…"), terms[-1]]
    told = (*worked.decimals["weights"][i], *worked.decimals["output"][i])
    exact = all(entry and entry.exact for entry in told)
    return Markup("{} {} {}").format(
        Markup(" + ").join(terms), Markup("=" if exact else "≈"), here.vector("output", i + 1))
