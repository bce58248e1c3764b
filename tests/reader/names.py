"""What each symbol stands for: (letter, mark) -> the step it names."""

ENTRIES = {
    ("x", ""): "embeddings", ("c", ""): "context", ("b", "Q"): "b_q", ("b", "K"): "b_k",
    ("b", "V"): "b_v", ("w", "Q"): "w_q", ("w", "K"): "w_k", ("w", "V"): "w_v",
    ("q", ""): "queries", ("k", ""): "keys", ("v", ""): "values", ("s", ""): "scores",
    ("t", ""): "scaled_scores", ("m", ""): "mask", ("t", "M"): "masked_scores",
    ("u", ""): "exponentials", ("Z", ""): "normalisers", ("a", ""): "weights", ("o", ""): "output",
}
MATRICES = {
    ("X", ""): "embeddings", ("C", ""): "context", ("b", "Q"): "b_q", ("b", "K"): "b_k",
    ("b", "V"): "b_v", ("W", "Q"): "w_q", ("W", "K"): "w_k", ("W", "V"): "w_v",
    ("Q", ""): "queries", ("K", ""): "keys", ("V", ""): "values", ("S", ""): "scores",
    ("T", ""): "scaled_scores", ("M", ""): "mask", ("T", "M"): "masked_scores",
    ("U", ""): "exponentials", ("Z", ""): "normalisers", ("A", ""): "weights", ("O", ""): "output",
}
SIZES = {
    ("n", "q"): "n_q", ("n", "k"): "n_k", ("d", "model"): "d_model", ("d", "k"): "d_k",
    ("d", "v"): "d_v", ("d", "context"): "d_context",
}
VECTORS = ("normalisers",)  # with one column
ROWS = ("b_q", "b_k", "b_v")
