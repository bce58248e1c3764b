"""What each symbol stands for: (letter, mark) -> the step it names."""

ENTRIES = {
    ("x", ""): "embeddings", ("c", ""): "context", ("b", "Q"): "b_q", ("b", "K"): "b_k",
    ("b", "V"): "b_v", ("w", "Q"): "w_q", ("w", "K"): "w_k", ("w", "V"): "w_v",
    ("q", ""): "queries", ("k", ""): "keys", ("v", ""): "values", ("s", ""): "scores",
    ("t", ""): "scaled_scores", ("m", ""): "mask", ("t", "M"): "masked_scores",
    ("u", ""): "exponentials", ("Z", ""): "normalisers", ("a", ""): "weights", ("o", ""): "output",
    ("h", ""): "concatenated", ("w", "O"): "w_o", ("b", "O"): "b_o", ("y", ""): "projected",
}
MATRICES = {
    ("X", ""): "embeddings", ("C", ""): "context", ("b", "Q"): "b_q", ("b", "K"): "b_k",
    ("b", "V"): "b_v", ("W", "Q"): "w_q", ("W", "K"): "w_k", ("W", "V"): "w_v",
    ("Q", ""): "queries", ("K", ""): "keys", ("V", ""): "values", ("S", ""): "scores",
    ("T", ""): "scaled_scores", ("M", ""): "mask", ("T", "M"): "masked_scores",
    ("U", ""): "exponentials", ("Z", ""): "normalisers", ("A", ""): "weights", ("O", ""): "output",
    ("H", ""): "concatenated", ("W", "O"): "w_o", ("b", "O"): "b_o", ("Y", ""): "projected",
}
OF_HEADS = {"o": "head", "O": "head", "Z": "normalisers"}  # with the number of a head: O^(1)
SIZES = {
    ("n", "q"): "n_q", ("n", "k"): "n_k", ("d", "model"): "d_model", ("d", "k"): "d_k",
    ("d", "v"): "d_v", ("d", "context"): "d_context", ("d", "concat"): "d_concat",
    ("d", "out"): "d_out",
}
ROWS = ("b_q", "b_k", "b_v", "b_o")


def step_of(known: dict[tuple[str, str], str], letter: str, mark: str) -> str | None:
    """The step that a letter with its mark names; of a head where the mark is its number."""
    number = mark.removeprefix("(").removesuffix(")")
    if mark == f"({number})" and number.isdigit() and letter in OF_HEADS:
        return f"{OF_HEADS[letter]}_{number}"
    return known.get((letter, mark))


def is_vector(key: str) -> bool:
    """Has the step one column?"""
    return key.startswith("normalisers")
