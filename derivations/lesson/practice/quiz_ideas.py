"""The questions on ideas: they hold for any example. The first choice of each is the right one."""

Choices = tuple[tuple[str, str], ...]

IDEAS: dict[str, tuple[str, Choices]] = {
    "rows": (
        "A token may hear several tokens. What do its attention weights add up to?",
        (("1", "Each weight is an exponential divided by the sum of its row, so together they make "
          "the whole."),
         ("the number of tokens", "That would be so if each token had a weight of 1 for itself. "
          "The tokens of a row share one whole."),
         ("the sum of its scores", "The scores are what softmax starts from. It turns them into "
          "shares, whatever they add up to."),
         ("it depends on the scale", "The scale changes how the whole is shared out, and not the "
          "whole."))),
    "symmetric": (
        "Is the score of one token for another always the score of the other for it?",
        (("no: one uses its query, the other its key", "Turn the pair round, and the query of the "
          "other meets the key of the first: other numbers, made by other matrices."),
         ("yes: a dot product does not care about order", "The two factors of one dot product may "
          "change places. Here the factors themselves change: a query becomes a key."),
         ("yes: both tokens are in the same sentence", "Being in one sentence makes both scores "
          "exist. It does not make them the same."),
         ("no: softmax makes them differ", "Softmax comes after the scores. They differ before "
          "it."))),
    "divide": (
        "Why are scores divided by the root of $d_k$?",
        (("because dot products of wide queries and keys spread further", "With independent "
          "entries of mean 0 and variance 1, a dot product has the variance $d_k$. Its root brings "
          "the spread back to 1 (Vaswani et al. 2017, section 3.2.1)."),
         ("so that the weights of a row add up to 1", "Softmax sees to that, whatever the scores "
          "are divided by."),
         ("so that no score is negative", "Dividing by a positive number keeps every sign. "
          "Negative scores are fine: their exponentials are positive."),
         ("so that the output has the width of a value", "The width of the output is that of the "
          "values, with any scale."))),
    "mask": (
        "How is a token hidden from another, so that the weights of the others still add up to 1?",
        (("its score becomes minus infinity before softmax", "Its exponential is then 0. It adds "
          "nothing to the sum of the row, and the others share the whole."),
         ("its score becomes 0 before softmax", "$e^{0} = 1$: the hidden token would still be "
          "heard."),
         ("its weight becomes 0 after softmax", "The share it had is then missing: the row adds "
          "up to less than 1."),
         ("its value becomes 0", "Its weight would still be there, and the shares of the others "
          "too small."))),
    "hull": (
        "Where does one number of an output lie?",
        (("between the smallest and the largest of the values that are mixed", "It is a mean with "
          "weights that are at least 0 and add up to 1. Such a mean never leaves that range."),
         ("anywhere: scores can be as large as they like", "Scores can. Weights cannot: they are "
          "shares, and a mean by shares stays among its values."),
         ("between 0 and 1", "That is where weights lie. An output is made of values, and those "
          "may be any numbers."),
         ("between the smallest and the largest score", "Scores say how values are mixed. They are "
          "not what is mixed."))),
    "shift": (
        "Every score of a row grows by the same number. What happens to the weights of the row?",
        (("nothing", "Each exponential is multiplied by the same number, and their sum as well: it "
          "cancels."),
         ("they all grow", "They cannot: together they have to make 1."),
         ("they come closer together", "A *temperature* above 1 does that. Adding leaves all "
          "differences as they were."),
         ("the largest one grows", "Multiplying the scores by a number above 1 would do that. "
          "Adding leaves all differences as they were."))),
    "order": (
        "Two tokens change places. There is no mask, and no position is added. What happens to the "
        "outputs?",
        (("they change places as well, and keep their numbers", "Query, key and value come from "
          "the token alone. Each token is mixed from the same values by the same weights."),
         ("those of the two tokens are worked out anew, and differ", "No number that goes into "
          "them has changed: a sum does not care about the order of its terms."),
         ("all outputs change", "Every output is a sum over all tokens, and a sum does not care "
          "about the order of its terms."),
         ("nothing changes, not even the order of the rows", "One token is one row, so the rows "
          "move along with the tokens."))),
    "roles": (
        "Which rows does an output mix?",
        (("the values", "Queries and keys only decide the weights. What is passed on is the "
          "values."),
         ("the keys", "Keys are compared with queries. They decide how much is heard, not what."),
         ("the queries", "A query says what its token looks for. It is compared, and not passed "
          "on."),
         ("the embeddings", "They are multiplied by the value matrix first. What is mixed is the "
          "result."))),
}
