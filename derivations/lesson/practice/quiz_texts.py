"""What the quiz says of numbers, in the marker language of the pages: right, and by mistake."""

PROMPTS = {
    "score": "The query of {{ here.name(row) }} is {{ here.given('queries', row) }}. The key of "
    "{{ here.name(col) }} is {{ here.given('keys', col) }}. What is the score of "
    "{{ here.name(row) }} for {{ here.name(col) }}?",
    "scaled": "{{ here.told }}The score of {{ here.name(row) }} for {{ here.name(col) }} is "
    "{{ here.exact('scores', row, col) }}. {{ here.scale }} What is the scaled score?",
    "weight": "The scores of {{ here.name(row) }} are {{ here.given('scores', row) }}. "
    "{{ here.scale }} {{ here.hidden(row) }} Which weight does {{ here.name(row) }} give to "
    "{{ here.name(col) }}?",
    "output": "The weights of {{ here.name(row) }} are {{ here.vector('weights', row) }}. Column "
    "{{ col }} of the values is {{ here.column('values', col) }}. What is number {{ col }} of its "
    "output?",
    "size": "The sentence is {{ here.sentence }}. How many scores are there in the matrix $S$, "
    "before anything is masked?",
    "heard": "The scores of {{ here.name(row) }} are {{ here.given('scores', row) }}, in the "
    "order of {{ here.sentence }}. {{ here.hidden(row) }} Whom does {{ here.name(row) }} listen to "
    "most?",
}

RIGHT = {
    "score": "Multiply in pairs, then add. {{ here.entry('scores', row, col) }}",
    "scaled": "One division. {{ here.entry('scaled_scores', row, col) }}",
    "weight": "Exponential over the sum of the row. {{ here.entry('weights', row, col) }}",
    "output": "Each value times its weight, added up. {{ here.entry('output', row, col) }}",
    "size": "Every token asks every token, itself too: {{ here.size('n_q') }} rows and "
    "{{ here.size('n_k') }} columns.",
    "heard": "Its score is {{ here.exact('scores', row, high) }}, the largest of those that may "
    "be heard, and softmax keeps the order of scores: the largest score gets the largest weight.",
}

WRONG = {
    "score": {
        "transposed": "This is the score of {{ here.name(col) }} for {{ here.name(row) }}: query "
        "and key have changed roles.",
        "added": "Here the numbers of the two rows were all added. A dot product multiplies in "
        "pairs first.",
        "raw": "This is the dot product of the two embeddings. The query and key matrices were "
        "left out.",
        "one_more": "This is 1 too many. Work out each product again.",
        "one_less": "This is 1 too few. Work out each product again.",
    },
    "scaled": {
        "unscaled": "This is the score itself. It has not been divided.",
        "by_width": "Here the score was divided by $d_k$, which is {{ here.size('d_k') }}.",
        "multiplied": "Here the score was multiplied by the scale, not divided.",
        "by_model": "Here the score was divided by the root of $d_{\\text{model}}$, the width of "
        "an embedding: {{ here.size('d_model') }}.",
        "sign": "The sign was lost on the way: dividing by a positive number keeps it.",
    },
    "weight": {
        "unscaled": "Here the scores went into softmax without being scaled.",
        "share": "Here the score was divided by the sum of the scores. Softmax raises $e$ to the "
        "scaled scores first.",
        "down": "Here the exponential was divided by the sum of its column. A weight is a share of "
        "the token that asks: of a row.",
        "by_width": "Here the scores were divided by $d_k$, which is {{ here.size('d_k') }}.",
        "equal": "This is the same share for all. The scores were left out.",
    },
    "output": {
        "mean": "This is the plain mean of the values that may be heard. The weights were left "
        "out.",
        "backwards": "Here the first weight met the last value, and so on. A weight belongs to the "
        "value of the same token.",
        "divided": "Here the sum was divided once more, by how many tokens are heard. The weights "
        "are shares already: they add up to 1.",
        "total": "This is the sum of the values that may be heard. Each has to be multiplied by "
        "its weight first.",
        "loudest": "This is the value of the token with the largest weight alone. The others are "
        "heard too.",
        "own": "This is the value of {{ here.name(row) }} itself. Its output mixes all that it may "
        "hear.",
    },
    "size": {
        "queries": "This is how many numbers the queries have: a row for each token, of the width "
        "$d_k$.",
        "matrix": "This is how many numbers the query matrix has.",
        "tokens": "This is how many tokens there are. Each of them has a whole row of scores.",
        "twice": "This counts the rows and the columns. Each row meets each column.",
    },
    "heard": {
        "other": "Its score is {{ here.exact('scores', row, this) }}. "
        "{{ here.name(high) }} has {{ here.exact('scores', row, high) }}, which is larger.",
        "equal": "That would need equal scores.",
    },
}
