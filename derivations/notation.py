"""Every symbol once: its name, LaTeX, shape, meaning, source, and what other sources call it.

Steps are written in the order in which they are derived. Nothing here depends on an example.
"""

import re
from dataclasses import dataclass

PAPER = "Vaswani et al. (2017), Attention Is All You Need, arXiv:1706.03762"


@dataclass(frozen=True)
class Size:
    """A size, counted in rows or columns."""

    key: str
    latex: str
    meaning: str


@dataclass(frozen=True)
class Quantity:
    """A matrix of the derivation: `matrix` is its LaTeX, `base` and `mark` that of an entry.

    `role` names its colour: q, k, v, s (scores) or w (attention weights); "" for none.
    """

    key: str
    name: str
    entry_name: str
    matrix: str
    base: str
    rows: str
    cols: str
    meaning: str
    place: str
    elsewhere: str = ""
    mark: str = ""
    vector: bool = False
    role: str = ""

    @property
    def is_row(self) -> bool:
        """Is it one row, whose entries have one index, that of the column?"""
        return self.rows == "one"

    @property
    def source(self) -> str:
        """Where the paper defines it."""
        return f"{PAPER}, {self.place}"

    def entry(self, row: int | str, col: int | str) -> str:
        """LaTeX of one entry, rows and columns from 1 (a vector shows one of them only)."""
        index = f"{row}" if self.vector else f"{col}" if self.is_row else f"{row},{col}"
        mark = f"^{{{self.mark}}}" if self.mark else ""
        return f"{self.base}{mark}_{{{index}}}"


SIZES = (
    Size("n_q", "n_q", "how many tokens ask: the rows of the queries"),
    Size("n_k", "n_k", "how many tokens are asked: the rows of the keys and of the values"),
    Size("d_model", r"d_{\text{model}}", "the width of a token's embedding"),
    Size("d_context", r"d_{\text{context}}", "the width of what keys and values are made of, where "
         "that is a text of its own"),
    Size("d_k", "d_k", "the width of a query and of a key"),
    Size("d_v", "d_v", "the width of a value and of an output"),
    Size("d_concat", r"d_{\text{concat}}", "the width of the outputs of all heads side by side"),
    Size("d_out", r"d_{\text{out}}", "the width of what is made of the outputs of all heads"),
)


def of_head(number: str) -> Quantity:
    """The output of a head, seen from where the heads come together."""
    return Quantity(
        f"head_{number}", f"output of head {number}", f"output of head {number}",
        f"O^{{({number})}}", "o", "n_q", "d_v",
        "with several heads: the output of one of them",
        "section 3.2.2",
        "head_i",
        mark=f"({number})",
    )


QUANTITIES = (
    Quantity(
        "embeddings", "embeddings", "embedding", "X", "x", "n_q", "d_model",
        "what goes in: one row of numbers for each token",
        "section 3.4",
        "inputs, hidden states, H",
    ),
    Quantity(
        "context", "context", "context", "C", "c", "n_k", "d_context",
        "in cross-attention: what keys and values are made of, one row for each token of it",
        "section 3.2.3: the output of the encoder",
        "memory, encoder hidden states",
    ),
    Quantity(
        "w_q", "query matrix", "query matrix", "W^{Q}", "w", "d_model", "d_k",
        "the matrix that makes a query of an embedding",
        "section 3.2.2",
        "W_q, q_proj; nn.Linear stores its transpose",
        mark="Q", role="q",
    ),
    Quantity(
        "w_k", "key matrix", "key matrix", "W^{K}", "w", "d_model", "d_k",
        "the matrix that makes a key of an embedding",
        "section 3.2.2",
        "W_k, k_proj; nn.Linear stores its transpose",
        mark="K", role="k",
    ),
    Quantity(
        "w_v", "value matrix", "value matrix", "W^{V}", "w", "d_model", "d_v",
        "the matrix that makes a value of an embedding",
        "section 3.2.2",
        "W_v, v_proj; nn.Linear stores its transpose",
        mark="V", role="v",
    ),
    Quantity(
        "b_q", "query bias", "query bias", "b^{Q}", "b", "one", "d_k",
        "a row added to each query; the paper has none",
        "section 3.2.2, with a bias added",
        "q_proj.bias, the first third of in_proj_bias",
        mark="Q", role="q",
    ),
    Quantity(
        "b_k", "key bias", "key bias", "b^{K}", "b", "one", "d_k",
        "a row added to each key; the paper has none",
        "section 3.2.2, with a bias added",
        "k_proj.bias",
        mark="K", role="k",
    ),
    Quantity(
        "b_v", "value bias", "value bias", "b^{V}", "b", "one", "d_v",
        "a row added to each value; the paper has none",
        "section 3.2.2, with a bias added",
        "v_proj.bias",
        mark="V", role="v",
    ),
    Quantity(
        "queries", "queries", "query", "Q", "q", "n_q", "d_k",
        "what each token looks for",
        "section 3.2.1",
        role="q",
    ),
    Quantity(
        "keys", "keys", "key", "K", "k", "n_k", "d_k",
        "what each token can be found by",
        "section 3.2.1",
        role="k",
    ),
    Quantity(
        "values", "values", "value", "V", "v", "n_k", "d_v",
        "what each token passes on to those that listen to it",
        "section 3.2.1",
        role="v",
    ),
    Quantity(
        "scores", "scores", "score", "S", "s", "n_q", "n_k",
        "how well a query matches a key: their dot product, before softmax",
        "section 3.2.1, equation (1)",
        "logits, energies, alignment scores, attention scores",
        role="s",
    ),
    Quantity(
        "scaled_scores", "scaled scores", "scaled score", "T", "t", "n_q", "n_k",
        "the scores divided by the scale; in the paper it is the root of the width of a key",
        "section 3.2.1, equation (1)",
        "scaled logits, attention logits",
        role="s",
    ),
    Quantity(
        "mask", "mask", "mask", "M", "m", "n_q", "n_k",
        "1 where a query may attend to a key, 0 where it may not",
        "section 3.2.3",
        "attn_mask; some libraries mark with 1 or True what is hidden",
    ),
    Quantity(
        "masked_scores", "masked scores", "masked score", "T^{M}", "t", "n_q", "n_k",
        "the scaled scores, with minus infinity where the mask is 0",
        "section 3.2.3",
        mark="M", role="s",
    ),
    Quantity(
        "exponentials", "exponentials", "exponential", "U", "u", "n_q", "n_k",
        "e to the power of each scaled score; a hidden pair has 0",
        "section 3.2.1, equation (1): the numerators of softmax",
        "unnormalised weights",
    ),
    Quantity(
        "normalisers", "row sums", "row sum", "Z", "Z", "n_q", "one",
        "the sum of a row of exponentials",
        "section 3.2.1, equation (1): the denominators of softmax",
        "normaliser, partition function",
        vector=True,
    ),
    Quantity(
        "weights", "attention weights", "attention weight", "A", "a", "n_q", "n_k",
        "how much of its listening a token gives to each token, after softmax",
        "section 3.2.1, equation (1): softmax",
        "attention probabilities, P, alpha; sometimes also attention scores",
        role="w",
    ),
    Quantity(
        "output", "output", "output", "O", "o", "n_q", "d_v",
        "what comes out: for each token a mean of the values, weighted by its attention weights",
        "section 3.2.1, equation (1)",
        "context vector, head, Z",
    ),
    of_head("n"),
    Quantity(
        "concatenated", "concatenated outputs", "concatenated output", "H", "h", "n_q", "d_concat",
        "the outputs of all heads, side by side",
        "section 3.2.2",
        "Concat(head_1, ..., head_h), context layer",
    ),
    Quantity(
        "w_o", "output matrix", "output matrix", "W^{O}", "w", "d_concat", "d_out",
        "the matrix that mixes the outputs of all heads",
        "section 3.2.2",
        "W_o, o_proj, out_proj, c_proj; nn.Linear stores its transpose",
        mark="O",
    ),
    Quantity(
        "b_o", "output bias", "output bias", "b^{O}", "b", "one", "d_out",
        "a row added to what the output matrix makes; the paper has none",
        "section 3.2.2, with a bias added",
        "o_proj.bias, out_proj.bias",
        mark="O",
    ),
    Quantity(
        "projected", "projected output", "projected output", "Y", "y", "n_q", "d_out",
        "what comes out of all heads together",
        "section 3.2.2",
        "MultiHead(Q, K, V), attention output",
    ),
)


class _ByKey(dict[str, Quantity]):
    """The quantities by key; there are as many outputs of heads as an example has heads."""

    def __missing__(self, key: str) -> Quantity:
        number = head_number(key)
        if number is None:
            raise KeyError(key)
        return of_head(str(number))


def head_number(key: str) -> int | None:
    """1 of head_1: the number of a head, counted from 1; None of any other step."""
    found = re.fullmatch(r"head_(\d+)", key)
    return int(found[1]) if found else None


BY_KEY = _ByKey((quantity.key, quantity) for quantity in QUANTITIES)
