"""What gives each mistake away that an exercise may ask about."""

TELLS = {
    "unscaled": "The scores went into softmax as they are: they were not divided by the scale. The "
    "rows add up to 1 all the same, so only working out a row shows it.",
    "by-d-k": "The scores were divided by $d_k$ itself. The rows add up to 1 all the same, so only "
    "working out a row shows it.",
    "by-root-of-d-model": "The scores were divided by the root of $d_{\\text{model}}$, the width "
    "of an embedding, in place of the scale. The rows add up to 1 all the same, so only working "
    "out a row shows it.",
    "down-the-columns": "Softmax ran down the columns: each column in which anybody is heard adds "
    "up to 1. It is the rows that should.",
    "queries-and-keys-swapped": "Queries and keys changed places. The score of a row for a column "
    "became that of the column for the row. Exchange the rows and columns of the scores, then take "
    "softmax along each row: these numbers come out.",
}
