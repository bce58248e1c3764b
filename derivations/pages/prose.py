"""What each step means, in plain words, for the worked pages. No number stands here."""

HEADINGS = {
    "embeddings": "The words, as numbers",
    "w_q": "The query matrix",
    "w_k": "The key matrix",
    "w_v": "The value matrix",
    "context": "The other text, as numbers",
    "b_q": "The query bias",
    "b_k": "The key bias",
    "b_v": "The value bias",
    "queries": "Queries: what each token looks for",
    "keys": "Keys: what each token can be found by",
    "values": "Values: what each token passes on",
    "scores": "Scores: how well a query matches a key",
    "scaled_scores": "Scores, divided by the scale",
    "mask": "The mask: who may listen to whom",
    "masked_scores": "Masked scores",
    "exponentials": "Exponentials",
    "normalisers": "The sum of each row",
    "weights": "Attention weights",
    "output": "Output: the values, mixed by the weights",
    "concatenated": "The outputs of all heads, side by side",
    "w_o": "The output matrix",
    "b_o": "The output bias",
    "projected": "The projected output: all heads, mixed",
}

EXPLANATIONS = {
    "embeddings": "Each token is a row of numbers, its *embedding*. These numbers are given: they "
    "are typed in the example file, and a trained model would have learned its own.",
    "w_q": "The matrix $W^{Q}$ turns an embedding into a *query*. Its numbers are given too.",
    "w_k": "The matrix $W^{K}$ turns the same embedding into a *key*.",
    "w_v": "The matrix $W^{V}$ turns it into a *value*.",
    "b_q": "The row $b^{Q}$ is added to each query. The paper has no such row; many libraries "
    "have.",
    "b_k": "The row $b^{K}$ is added to each key.",
    "b_v": "The row $b^{V}$ is added to each value.",
    "queries": "Multiply each embedding by $W^{Q}$. The result says what the token "
    "looks for. To get one number, go along a row of $X$ and down a column of $W^{Q}$: multiply "
    "in pairs, then add.",
    "keys": "Multiply each embedding by $W^{K}$. The result says what the token can be "
    "found by.",
    "values": "Multiply each embedding by $W^{V}$. The result is what the token passes "
    "on to those that listen to it.",
    "scores": "Now every token asks every token. The score is the dot product of one token's query "
    "with the other's key: multiply in pairs, then add. Rows ask, columns are asked. "
    "$K^{\\top}$ is $K$ with rows and columns exchanged.",
    "mask": "A 1 says that the token of this row may listen to the token of this column. A 0 says "
    "that it may not.",
    "masked_scores": "Where the mask is 0, the score becomes minus infinity. Such a pair takes no "
    "part in the sums that follow.",
    "exponentials": "Raise $e$ to the power of each scaled score (the $e^{x}$ key of a pocket "
    "calculator). Every result is positive, and a larger score gives a larger result.",
    "normalisers": "Add up each row of exponentials.",
    "weights": "Divide each exponential by the sum of its row. That shares out all of a token's "
    "listening. The exponentials, their sums and this division together are called *softmax*.",
    "output": "Each token's output is a mean of all values, weighted by its attention weights: "
    "multiply each value by its weight, then add.",
    "concatenated": "Each head has worked out an output of its own. Now these are set side by "
    "side, in the order of the heads: a token's row holds its output of each. Nothing is "
    "calculated here.",
    "w_o": "The matrix $W^{O}$ mixes the outputs of the heads. Its numbers are given: they are "
    "typed in the example file.",
    "b_o": "The row $b^{O}$ is added to each projected output. The paper has no such row; many "
    "libraries have.",
    "projected": "Multiply each row of $H$ by $W^{O}$. So each number that comes out may hold "
    "something of every head.",
}

# What several heads, or one, are made from.
HEADS_FROM_X = (
    "It makes its own queries, keys and values from the same tokens, with matrices of its own."
)
HEADS_FROM_TWO = (
    "It makes its own queries from the tokens that ask, and its own keys and values from those of "
    "the other text, with matrices of its own."
)
HEADS_TYPED = "Its queries, keys and values are its own: they are typed in the example file."
# What becomes of their outputs: by whether there are several heads, and a matrix more.
HEADS_BECOME = {
    (True, True): "At the end the outputs of all heads are set side by side and mixed by one more "
    "matrix.",
    (True, False): "At the end the outputs of all heads are set side by side.",
    (False, True): "At the end its output is multiplied by one more matrix.",
    (False, False): "Its output is the end.",
}

# The same where there is one head.
ONE_HEAD_HEADINGS = {
    "concatenated": "The output of the head",
    "projected": "The projected output",
}
ONE_HEAD = {
    "concatenated": "The head has worked out an output of its own. There is no other to stand "
    "beside it. Nothing is calculated here.",
    "w_o": "The matrix $W^{O}$ turns the output of the head into the projected output. Its "
    "numbers are given: they are typed in the example file.",
    "projected": "Multiply each row of $H$ by $W^{O}$.",
}

# The same where keys and values are made of another text.
CROSSING = {
    "embeddings": "Each token that asks is a row of numbers, its *embedding*. These numbers are "
    "given: they are typed in the example file, and a trained model would have learned its own.",
    "context": "The tokens that are asked are those of another text, the *context*. Each is a row "
    "of numbers too, and these are given as well.",
    "w_k": "The matrix $W^{K}$ turns a row of the context into a *key*.",
    "w_v": "The matrix $W^{V}$ turns it into a *value*.",
    "keys": "Multiply each row of the context by $W^{K}$. The result says what the token can be "
    "found by.",
    "values": "Multiply each row of the context by $W^{V}$. The result is what the token passes on "
    "to those that listen to it.",
    "scores": "Now every token of one text asks every token of the other. The score is the dot "
    "product of the one's query with the other's key: multiply in pairs, then add. Rows ask, "
    "columns are asked. $K^{\\top}$ is $K$ with rows and columns exchanged.",
}
# Queries, keys and values that are typed.
TYPED = {
    "queries": "The query of a token says what it looks for. In this example the queries are "
    "given: they are typed in the example file.",
    "keys": "The key of a token says what it can be found by. The keys are given too.",
    "values": "The value of a token is what it passes on to those that listen to it. The values "
    "are given too.",
}
BIASED = "Then add {bias} to each row."
# Of what is made from the outputs of heads.
FROM_ROUNDED = "If you go on from the rounded numbers that are shown, your last digit may differ."
# The same where a mask hides pairs of tokens.
MASKED_EXPLANATIONS = {
    "exponentials": "Raise $e$ to the power of each masked score (the $e^{x}$ key of a pocket "
    "calculator). A larger score gives a larger result. A hidden pair gives 0.",
    "normalisers": "Add up each row of exponentials, hidden pairs left out.",
    "weights": "Divide each exponential by the sum of its row. That shares out a token's listening "
    "among the tokens that it may hear. The exponentials, their sums and this division together "
    "are called *softmax*.",
    "output": "Each token's output is a mean of the values of the tokens that it may hear, "
    "weighted by its attention weights: multiply each value by its weight, then add.",
}
MASK_LATER = "Here every pair has a score. The mask comes after the scale."
NOBODY_HEARD = "The mask hides every key from every token, so each output is 0."
EVERY_NUMBER = (
    "Every number of every step stands here: in symbols, in numbers, exactly and as a decimal."
)
NOT_EVERY_NUMBER = (
    "Each step stands here: its formula, its matrix or a corner of it, and entries in symbols, in "
    "numbers, exactly and as decimals. The data files of a step hold all of its numbers."
)
NO_ENTRY = (
    "Each step stands here: its formula, and its matrix or a corner of it. The data files of a "
    "step hold all of its numbers."
)
NO_OPEN_KEY = (
    "The mask hides every key from {names}. Softmax over nothing is undefined. Here, as in "
    "PyTorch's scaled_dot_product_attention and in ONNX, such a row gets weights 0 and output 0; "
    "other libraries give the mean of the values, or NaN."
)
ROUNDED_SUM = "The decimals are rounded one by one: in the row of {names}, they add up to {sums}."
ROUNDED_SUMS = "The decimals are rounded one by one: in the rows of {names}, they add up to {sums}."
TIE = (
    "{exact} is exactly halfway between two decimals. It is rounded to the even digit, {rounded}; "
    "a pocket calculator would round it to {other}."
)
MISTAKES = {
    "unscaled": "no scaling",
    "by-d-k": "divided by the width",
    "by-root-of-d-model": "the root of the wrong width",
    "down-the-columns": "softmax down the columns",
    "queries-and-keys-swapped": "queries and keys swapped",
    "no-transpose": "no transpose",
    "keys-and-values-swapped": "keys and values swapped",
    "masked-after-softmax": "mask after softmax",
    "masked-with-zero": "mask as 0",
    "not-shifted": "no shift by the maximum",
    "rounded-between": "rounded between steps",
}
EXAMPLE_FILE = """
## The example file {{: #file }}

All the numbers that were typed stand in [{name}]({file}). Every other number on these pages is
worked out from them.

{shown}
"""
