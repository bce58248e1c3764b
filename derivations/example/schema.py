"""The format of example files as a JSON Schema: editors complete and check keys by it.

It says what a file may look like; whether its matrices fit each other is said when it is read.
"""

from typing import Any

from derivations.example.fields import LONGEST, LONGEST_TOKEN, MOST_PLACES

DRAFT = "http://json-schema.org/draft-07/schema#"  # the newest that Even Better TOML knows
NUMBER = {
    "description": "An integer, a decimal, or text such as \"-1/2\".",
    "anyOf": [{"type": "number"}, {"type": "string",
                                   "pattern": r"^\s*[+-]?[\d.]+([eE][+-]?\d{1,2}|/\d+)?\s*$"}],
}
HIDDEN = {"enum": ["-inf", "-Infinity", "-∞"]}
TOKENS = {"type": "array", "minItems": 1,
          "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_TOKEN}}
MATRICES = {
    "x": "The embeddings, n_q by d_model: one row for each token.",
    "w_q": "The query matrix, d_model by d_k.",
    "w_k": "The key matrix, d_model by d_k; in cross-attention d_context by d_k.",
    "w_v": "The value matrix, d_model by d_v; in cross-attention d_context by d_v.",
    "q": "The queries themselves, n_q by d_k, in place of x and the weights.",
    "k": "The keys themselves, n_k by d_k.",
    "v": "The values themselves, n_k by d_v.",
}
ROWS = {
    "b_q": "A row added to each query.", "b_k": "A row added to each key.",
    "b_v": "A row added to each value.",
}
TEXTS = {
    "title": "What the example is called; its tokens, where this is left out.",
    "sentence": "A sentence, split into tokens at its spaces; or give tokens.",
    "source": "Where the example comes from.",
    "note": "What it shows, in a sentence.",
    "author": "Who made it.",
}


def schema() -> dict[str, Any]:
    """The schema of an example file."""
    return {
        "$schema": DRAFT,
        "title": "An example of attention",
        "type": "object",
        "additionalProperties": False,
        "properties": _texts() | _words() | _matrices() | _heads() | _choices() | _published(),
        "anyOf": [{"required": ["x", "w_q", "w_k", "w_v"]}, {"required": ["q", "k", "v"]},
                  {"required": ["heads"]}],
        "definitions": _definitions(),
    }


def _texts() -> dict[str, Any]:
    language = {"type": "string", "description": "The language of the tokens, such as en.",
                "pattern": "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$"}
    return {key: {"type": "string", "description": told} | (
        {"maxLength": LONGEST[key]} if key in LONGEST else {}) for key, told in TEXTS.items()} \
        | {"language": language}


def _words() -> dict[str, Any]:
    return {
        "tokens": TOKENS | {"description": "The tokens, one for each row of x or q."},
        "context_tokens": TOKENS | {"description": "In cross-attention: the tokens of the text "
                                    "that is asked."},
        "context_x": _matrix("In cross-attention: what keys and values are made of, n_k by "
                             "d_context."),
    }


def _matrix(told: str) -> dict[str, Any]:
    return {"allOf": [_defined("matrix")], "description": told}


def _row(told: str) -> dict[str, Any]:
    return {"allOf": [_defined("row")], "description": told}


def _defined(name: str) -> dict[str, str]:
    return {"$ref": f"#/definitions/{name}"}


def _definitions() -> dict[str, Any]:
    return {"number": NUMBER, "row": _list(_defined("number")), "matrix": _list(_defined("row"))}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "items": items}


def _matrices() -> dict[str, Any]:
    return {key: _matrix(told) for key, told in MATRICES.items()} \
        | {key: _row(told) for key, told in ROWS.items()}


def _heads() -> dict[str, Any]:
    own = {key: one for key, one in _matrices().items() if key != "x"}
    return {
        "heads": {"type": "array", "minItems": 1, "description": "Several heads, each with "
                  "matrices of its own.",
                  "items": {"type": "object", "additionalProperties": False, "properties": own}},
        "w_o": _matrix("Projects the outputs of all heads, side by side."),
        "b_o": _row("A row added to what w_o makes."),
    }


def _choices() -> dict[str, Any]:
    whole = {"type": "integer", "minimum": 0}
    return {
        "mask": {"description": "Who may attend to whom: \"none\", \"causal\", or n_q by n_k "
                 "numbers, 1 where a query may attend to a key.",
                 "anyOf": [{"enum": ["none", "causal"]}, _list(_list({"enum": [0, 1]}))]},
        "cache_length": whole | {"description": "How many keys come before the first query, for a "
                                 "causal mask."},
        "scale": {"description": "What scores are divided by: \"sqrt_dk\" (if left out), \"none\", "
                  "or a positive number.",
                  "anyOf": [{"enum": ["sqrt_dk", "none"]}, _defined("number")]},
        "places": {"type": "integer", "minimum": 1, "maximum": MOST_PLACES,
                   "description": "How many decimals are shown; 4 if left out."},
    }


def _published() -> dict[str, Any]:
    printed = _list({"anyOf": [_defined("number"), HIDDEN]})
    step = {"anyOf": [printed, _list(printed)]}
    steps = {"type": "object", "additionalProperties": step}
    whole = steps | {"properties": {"heads": {"type": "array", "items": steps}}}
    precision = {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "exact"},
                           {"type": "string", "pattern": "^[1-9][0-9]?sig$"}]}
    return {
        "published": whole | {"description": "The numbers that a source prints, by step: they are "
                              "audited."},
        "published_places": {"type": "object", "additionalProperties": precision,
                             "description": "How far each step is printed: decimals, \"15sig\", or "
                             "\"exact\"."},
        "float32": {"type": "boolean", "description": "Did the source compute in float32?"},
        "input_decimals": {"type": "integer", "minimum": 0, "maximum": MOST_PLACES,
                           "description": "Were the source's inputs rounded to so many decimals?"},
        "verdict": {"type": "object", "description": "The grades that the audit should give."},
        "overall": {"type": "string", "description": "The worst of them."},
    }
