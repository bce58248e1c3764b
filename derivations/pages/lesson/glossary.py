"""The key terms, each defined once: for the page of key terms, and for links that show them."""

from collections.abc import Callable

from markupsafe import Markup

from derivations.notation import SIZES
from derivations.render.markup import math, text

TERMS = {
    "attention": "A step in which each token takes in the values of all tokens it may listen to, "
    "each by its weight.",
    "token": "One of the pieces that a sentence is cut into: a word, a part of a word, or a sign.",
    "vector": "A row of numbers. Its length as a list is its width.",
    "matrix": "A table of numbers: rows of the same width, one below the other.",
    "embedding": "The row of numbers that stands for a token where the computation starts.",
    "dot product": "Multiply two rows of the same width number by number, then add the products.",
    "transpose": "The matrix with its rows and columns exchanged. Its sign is a small T.",
    "matrix product": "The matrix of all dot products of a row of the left matrix with a column of "
    "the right one.",
    "query": "The row of numbers that says what a token looks for. It is made by the query matrix.",
    "key": "The row of numbers that says what a token can be found by. It is made by the key "
    "matrix.",
    "value": "The row of numbers that a token passes on to those that listen to it. It is made by "
    "the value matrix.",
    "score": "The dot product of a query with a key, before softmax: how well they match.",
    "scaled score": "A score divided by the scale. In the paper the scale is the square root of "
    "the width of a key.",
    "scale": "The number that scores are divided by. In the paper it is the square root of the "
    "width of a key.",
    "exponential": "The number e, about 2.718, raised to a power. It is always above 0.",
    "softmax": "Take the exponential of each number of a row, and divide each by the sum of all: "
    "shares that add up to 1.",
    "row sum": "The sum of a row of exponentials. Dividing by it makes shares of them.",
    "attention weight": "The share of its listening that a token gives to a token, after softmax: "
    "from 0 to 1.",
    "output": "What comes out for a token: the mean of the values, weighted by its attention "
    "weights.",
    "weighted mean": "Each number times its weight, added up, where the weights add up to 1.",
    "hull": "All weighted means of some points: the smallest shape without dents that holds them.",
    "mask": "A table of 1 and 0 that says who may listen to whom.",
    "causal mask": "The mask with which a token may listen only to itself and to tokens before it.",
    "self-attention": "Attention in which queries, keys and values come from the same "
    "sentence.",
    "head": "One attention with query, key and value matrices of its own. Models run several side "
    "by side.",
    "d_model": "The width of an embedding.",
    "d_k": "The width of a query and of a key.",
    "d_v": "The width of a value and of an output.",
    "n_q": "How many tokens ask: the rows of the queries.",
    "n_k": "How many tokens are asked: the rows of the keys and of the values.",
    "cosine": "A dot product divided by both lengths: 1 for the same direction, 0 for a right "
    "angle, \N{MINUS SIGN}1 for opposite directions.",
    "length": "The root of the sum of the squares of a row's numbers.",
    "variance": "How far numbers spread: the mean of the squared distance from their mean.",
    "saturation": "One weight is close to 1 and the others close to 0, so that small changes of "
    "the scores change almost nothing.",
    "temperature": "A number that the scaled scores are divided by before softmax. Above 1 it "
    "evens the weights out, below 1 it sharpens them.",
    "sum sign": "The sign \N{N-ARY SUMMATION}: add up what stands after it, for every whole number "
    "from the one below the sign to the one above.",
    "layer": "One of the steps of a model that are stacked, each working on what the one below put "
    "out.",
    "recurrent layer": "A layer that goes through the tokens one after the other and carries a row "
    "of numbers along.",
    "convolution": "A layer that makes a token's new row from a few neighbours, with the same "
    "factors everywhere.",
    "kernel": "The factors of a convolution, one for each place that it looks at. How many places "
    "they are is its width.",
    "dilated convolution": "A convolution that skips tokens between those that it looks at, and so "
    "reaches further with as many factors.",
    "tanh": "A function that squeezes any number into the range between \N{MINUS SIGN}1 and 1.",
    "gradient": "For each number that a result depends on: how fast the result changes when that "
    "number is changed.",
    "parameter": "A number that training sets, as the entries of the query, key and value "
    "matrices are in a real model.",
}


AS_FORMULAS = {size.key: size.latex for size in SIZES}  # terms that are signs


def markers() -> dict[str, Callable[..., Markup]]:
    """`term("query")`, `term("query", "queries")`: a word with its definition; `key_terms()`."""
    return {"term": term, "key_terms": key_terms}


def term(name: str, shown: str = "") -> Markup:
    """A word of a chapter of the lesson as a link to its definition, which a script shows beside.

    Raises KeyError where the term is not defined.
    """
    return Markup('[{}](glossary.md#{}){{ .term data-definition="{}" }}').format(
        text(shown or name), anchor(name), text(TERMS[name]))


def key_terms() -> Markup:
    """Every term with its definition, in alphabetical order."""
    lines = [Markup('<dt id="{}">{}</dt>\n<dd>{}</dd>').format(
        anchor(name), _set(name), text(TERMS[name])) for name in sorted(TERMS)]
    return Markup('<dl class="terms">\n{}\n</dl>').format(Markup("\n").join(lines))


def _set(name: str) -> Markup:
    """A term as it stands in the list: a word, or a sign."""
    return math(AS_FORMULAS[name]) if name in AS_FORMULAS else text(name)


def anchor(name: str) -> Markup:
    """The address of a term: ours, so it is safe."""
    return Markup(name.replace(" ", "-").replace("_", "-"))
