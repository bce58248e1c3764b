"""What the exercises say: prompts, hints and solutions, in the marker language of the pages.

`here` and `then` are scenes: the example (or its pair), and what it is changed into. Other names
are rows, columns and numbers of the exercise. No number of an example stands here.
"""

from dataclasses import dataclass

EASY, MEDIUM, HARD = "easy", "medium", "hard"


@dataclass(frozen=True)
class Text:
    """The words of an exercise."""

    title: str
    level: str
    prompt: str
    hint: str
    solution: str


TEXTS = {
    "query": Text(
        "One number of a query", EASY,
        "The embedding of {{ here.name(row) }} is {{ here.given('embeddings', row) }}. Column "
        "{{ col }} of the query matrix $W^{Q}$ is {{ here.column('w_q', col) }}. Find number "
        "{{ col }} of the query of {{ here.name(row) }}.",
        "Multiply in pairs: the first with the first, the second with the second, and so on. Then "
        "add.",
        "A row of $X$ meets a column of $W^{Q}$.\n\n{{ here.entry('queries', row, col) }}"),
    "score": Text(
        "One score", EASY,
        "The query of {{ here.name(row) }} is {{ here.given('queries', row) }}. The key of "
        "{{ here.name(col) }} is {{ here.given('keys', col) }}. Find the score of "
        "{{ here.name(row) }} for {{ here.name(col) }}.",
        "A score is a dot product. It takes the query of the token that asks and the key of the "
        "token that is asked.",
        "Multiply in pairs, then add.\n\n{{ here.entry('scores', row, col) }}"),
    "scaled": Text(
        "One scaled score", EASY,
        "{{ here.told }}The score of {{ here.name(row) }} for {{ here.name(col) }} is "
        "{{ here.exact('scores', row, col) }}. {{ here.scale }} Find the scaled score, to "
        "{{ here.decimals }} where it does not end before.",
        "There is one division to do. {{ here.root_key }}",
        "Divide the score by the scale.\n\n{{ here.entry('scaled_scores', row, col) }}"),
    "hole": Text(
        "A matrix with a hole", EASY,
        "One number of the keys $K$ is missing. It stands in the row of {{ here.name(col) }}.\n\n"
        "{{ here.holed('keys', col, inner) }}\n\n"
        "The query of {{ here.name(row) }} is {{ here.given('queries', row) }}, and its score for "
        "{{ here.name(col) }} is {{ here.exact('scores', row, col) }}. Which number is missing?",
        "Write the dot product of this query with that key, with a letter for the missing number. "
        "It has to give the score.",
        "{{ here.products(rest, product) }} One factor of that product is "
        "{{ here.exact('queries', row, inner) }}. Divide by it to get the other, "
        "{{ here.exact('keys', col, inner) }}. "
        "Put it in to check:\n\n{{ here.entry('scores', row, col) }}"),
    "row-sum": Text(
        "Why a row adds up to 1", EASY,
        "The weights of {{ here.name(row) }}, in the order of the sentence, are "
        "{{ here.vector('weights', row) }}. These are rounded where they must be. Add up the "
        "exact weights. What is their sum, and why?",
        "Each weight is a fraction. All fractions of a row have the same bottom: the sum of all "
        "the tops.",
        "{{ here.sum_of_weights(row) }}\n\nThe tops add up to the bottom, so the sum is exactly 1. "
        "It is so for every row of every softmax. {{ here.printed_sum(row) }}"),
    "tie": Text(
        "A row whose scores all tie", EASY,
        "Give {{ here.name(row) }} another query: all zeros. Now each of its scores is 0. The "
        "sentence has {{ here.size('n_k') }} tokens. {{ here.hidden(row) }} Which "
        "weight does it give to {{ here.name(col) }}?",
        "What is $e^{0}$? How many tokens share?",
        "Each exponential is 1, and their sum counts the tokens that {{ here.name(row) }} may "
        "hear.\n\n{{ then.entry('normalisers', row, 1) }}\n\n"
        "{{ then.entry('weights', row, col) }}\n\nEqual scores give equal weights."),
    "mean": Text(
        "A query of zeros: the output", MEDIUM,
        "{{ here.name(row) }} has the query of zeros again. Column {{ col }} of the values $V$ is "
        "{{ here.column('values', col) }}. {{ here.hidden(row) }} Find number {{ col }} of the "
        "output of {{ here.name(row) }}.",
        "All weights are equal. What is a mean with equal weights?",
        "Equal weights make the plain mean: the sum of the values that may be heard, divided by "
        "how many they are.\n\n{{ then.entry('output', row, col) }}"),
    "weight": Text(
        "One weight, with a calculator", MEDIUM,
        "The scores of {{ here.name(row) }}, in the order of the sentence, are "
        "{{ here.given('scores', row) }}. {{ here.scale }} {{ here.hidden(row) }} Work out the "
        "weight that {{ here.name(row) }} gives to {{ here.name(col) }}, to "
        "{{ here.decimals }}.",
        "There are four moves. Scale each score. Raise $e$ to it. Add up the row. Divide.",
        "With the memory of a calculator nothing has to be rounded on the way. Clear the memory "
        "first.\n\n{{ here.presses(row, col) }}\n\n"
        "In formulas:\n\n{{ here.entry('exponentials', row, col) }}\n\n"
        "{{ here.entry('normalisers', row, 1) }}\n\n{{ here.entry('weights', row, col) }}"),
    "output": Text(
        "One number of an output", MEDIUM,
        "The weights of {{ here.name(row) }} are {{ here.vector('weights', row) }}. Column "
        "{{ col }} of the values $V$ is {{ here.column('values', col) }}. Find number {{ col }} of "
        "the output of {{ here.name(row) }}.",
        "Each value counts as much as its weight: multiply in pairs, then add.",
        "{{ here.entry('output', row, col) }}\n\nThe answer is that of the exact weights. "
        "The weights as they are printed give {{ by_hand }}."),
    "ratio": Text(
        "How many times as much?", MEDIUM,
        "{{ here.name(row) }} scores {{ here.exact('scores', row, high) }} with "
        "{{ here.name(high) }} and {{ here.exact('scores', row, low) }} with "
        "{{ here.name(low) }}. {{ here.scale }} How many times as large as the weight for "
        "{{ here.name(low) }} is the weight for {{ here.name(high) }}? No sum of the row is "
        "needed.",
        "Both weights have the same bottom. What is left when one is divided by the other?",
        "The sums of the row cancel. What is left is one power of $e$: its exponent is the "
        "difference of the two scaled scores.\n\n{{ here.ratio(row, high, low, rounded) }}"),
    "raised": Text(
        "Add the same to every score", MEDIUM,
        "Add {{ by }} to every score of {{ here.name(row) }}, so that they are "
        "{{ then.given('scores', row) }}. {{ here.scale }} {{ here.hidden(row) }} Which weight "
        "does it give to {{ here.name(col) }} now?",
        "What happens to each exponential? And to their sum?",
        "Before, the weight was {{ here.number('weights', row, col) }}. Each exponential is "
        "multiplied by the same number, and so is the sum of the row. It cancels in the division: "
        "the weight stays what it was. Softmax sees differences of scores only.\n\n"
        "{{ then.entry('weights', row, col) }}"),
    "temperature": Text(
        "Temperature", MEDIUM,
        "Some programs divide each scaled score once more, by a *temperature*. Take the "
        "temperature {{ by }}. The scores of {{ here.name(row) }} are "
        "{{ here.given('scores', row) }}. {{ here.scale }} {{ here.hidden(row) }} Which weight "
        "does {{ here.name(row) }} give to {{ here.name(col) }} at this temperature?",
        "Each exponent is divided by {{ by }} before $e$ is raised to it.",
        "In these lines, $t$ stands for a scaled score that was divided by the temperature."
        "\n\n{{ then.entry('exponentials', row, col) }}\n\n"
        "{{ then.entry('normalisers', row, 1) }}\n\n{{ then.entry('weights', row, col) }}\n\n"
        "The whole row was {{ here.vector('weights', row) }} and is now "
        "{{ then.vector('weights', row) }}. A temperature above 1 brings "
        "scores closer together, so the largest weight of a row shrinks and the smallest grows, "
        "unless all of them are equal."),
    "causal": Text(
        "A causal mask", MEDIUM,
        "Put a causal mask over the sentence: each token may hear itself and the tokens before it. "
        "{{ then.hidden(row) }} The scores of {{ here.name(row) }} are "
        "{{ here.given('scores', row) }}. {{ here.scale }} Find the weights of "
        "{{ here.name(row) }} for the tokens that it may hear, in the order of the sentence.",
        "A hidden score becomes minus infinity. What does it add to the sum of the row?",
        "A hidden pair adds 0 to the sum of the row, and its weight is 0. The others share the "
        "whole.\n\n{{ then.entry('normalisers', row, 1) }}\n\n{{ then.each('weights', row, keys) }}"
    ),
    "unmasked": Text(
        "Without the mask", MEDIUM,
        "Take the mask away, so that {{ here.name(row) }} may hear every token. Its scores are "
        "{{ here.given('scores', row) }}. {{ here.scale }} Which weight does it give to "
        "{{ here.name(col) }}, which the mask hid?",
        "All scores of the row now take part in the sum.",
        "{{ then.entry('exponentials', row, col) }}\n\n{{ then.entry('normalisers', row, 1) }}\n\n"
        "{{ then.entry('weights', row, col) }}"),
    "order": Text(
        "Two tokens change places", MEDIUM,
        "In {{ here.sentence }}, {{ here.name(row) }} and {{ here.name(other) }} change places: "
        "now it reads {{ then.sentence }}. {{ here.no_mask }}Number {{ col }} of the output of "
        "{{ here.name(row) }} was {{ before.number('output', row, col) }}. What is it now?",
        "Does any score depend on where in the sentence its two tokens stand?",
        "A query, a key and a value are made from the token's own numbers alone. So each score "
        "belongs to its two tokens wherever they stand, the sums have the same terms in another "
        "order, and the output moves along with its token.\n\n"
        "{{ then.entry('output', other, col) }}\n\n"
        "Attention by itself does not see order. Models add positions to the embeddings for that."),
    "doubled": Text(
        "Queries and keys twice as wide", HARD,
        "{{ here.scale }} Write each query twice, side by side, and each key as well. The query of "
        "{{ here.name(row) }} is then {{ then.given('queries', row) }}, and $d_k$ goes from "
        "{{ here.width }} to {{ then.width }}. What happens to the score of {{ here.name(row) }} "
        "for {{ here.name(col) }}, and to its weight? By which number must the new scores be "
        "divided to get the old weights back?",
        "Look at the score first: each product occurs twice. What would undo that, and what does "
        "the scale of this example do?",
        "The score doubles.\n\n{{ then.entry('scores', row, col) }}\n\n"
        "{{ then.wider(here) }} The weight was {{ here.number('weights', row, col) }} and is now "
        "{{ then.number('weights', row, col) }}. To get the old weights back, divide by twice the "
        "old scale: {{ answer }}. {{ here.copies }}"),
    "mistake": Text(
        "Which mistake made these numbers?", HARD,
        "Somebody worked out the attention weights and made one mistake. This is what came out:"
        "\n\n{{ wrong }}\n\nThe right scores are these:\n\n{{ here.whole('scores') }}\n\n"
        "{{ here.mask }}{{ here.scale }} The width of a key, $d_k$, is {{ here.width }}; that of "
        "an embedding, $d_{\\text{model}}$, is {{ here.size('d_model') }}. Which mistake was it? "
        "It is one of these: {{ suspects }}.",
        "Add up the rows first, then the columns. If the rows add up to 1, work out one row by "
        "each suspicion.",
        "{{ tell }} The right weights are these:\n\n{{ here.whole('weights') }}\n\nOf the "
        "mistakes listed, no other gives the numbers shown above."),
    "listener": Text(
        "A query made to measure", HARD,
        "Choose another query for {{ here.name(row) }}, made of the numbers −1, 0 and 1 only. "
        "It is to give {{ here.name(col) }} the largest weight that such a query can. The keys "
        "are these:\n\n{{ here.whole('keys') }}\n\n{{ here.scale }} {{ here.hidden(row) }} Which "
        "query is it?",
        "The score of {{ here.name(col) }} should be large, and those of the others small. Look, "
        "column by column, at how its key differs from theirs.",
        "The weight grows with the lead of the score of {{ here.name(col) }} over each of the "
        "others. Each lead is the query times the difference of two keys, so choose for each "
        "number the sign that makes the leads grow. There are {{ tried }} such queries, and the "
        "build tried them all. "
        "{{ answer }}\n\n"
        "{{ then.entry('scores', row, col) }}\n\nAll scores are now "
        "{{ then.given('scores', row) }}, and the weights "
        "{{ then.vector('weights', row) }}."),
    "signs": Text(
        "A query made to measure", HARD,
        "Choose another query for {{ here.name(row) }}, made of the numbers −1, 0 and 1 only. "
        "It is to give {{ here.name(col) }} the largest score that such a query can. The key of "
        "{{ here.name(col) }} is {{ here.given('keys', col) }}. How large is that score?",
        "Look at the numbers of the key one by one. Which factor makes its product as large as "
        "can be?",
        "Each product can be made as large as the number of the key without its sign: take 1 "
        "where the number is positive and −1 where it is negative. Where it is 0, any factor "
        "gives 0. So the largest score is the sum of the numbers of the key without their "
        "signs: {{ answer }}."),
}
