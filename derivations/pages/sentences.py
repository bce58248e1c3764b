"""Sentences that depend on values: generated, so that they stay true for any example."""

from fractions import Fraction

from markupsafe import Markup

from derivations.formula import Dot, RowSum
from derivations.notation import BY_KEY, SIZES
from derivations.pages.worked import Worked
from derivations.render.forms import divisor_name
from derivations.render.markup import listed, math, number, shortened, size, text
from derivations.render.words import token_name
from derivations.step import Step

MOST_NAMED = 8
MOST_QUOTED = 12


def name(worked: Worked, i: int) -> Markup:
    """A token, with its place where the sentence has it more than once."""
    return token_name(worked.example.tokens, i)


def key_name(worked: Worked, j: int) -> Markup:
    """The token of a key, which may be one of another text."""
    return token_name(worked.example.key_tokens, j)


def asker(worked: Worked) -> int:
    """The token whose row the pages tell as a story: the second, or the only one."""
    return min(1, len(worked.example.tokens) - 1)


def heard(worked: Worked) -> int:
    """The token that the story's token listens to most (the first of several; 0 where none)."""
    return next(iter(_by_score(worked, asker(worked))), 0)


def question(worked: Worked) -> Markup:
    """In “I love cats”, how much does love listen to I and to cats?"""
    if worked.example.crosses:
        return _question_across(worked)
    return Markup("In {}, {}").format(sentence(worked), _question(worked))


def sentence(worked: Worked) -> Markup:
    """The sentence in quotation marks; of a long one, how it begins."""
    return _quoted(worked.example.tokens)


def context(worked: Worked) -> Markup:
    """The text of the keys and values in quotation marks."""
    return _quoted(worked.example.key_tokens)


def _quoted(tokens: tuple[str, ...]) -> Markup:
    shown = [text(shortened(written)) for written in tokens[:MOST_QUOTED]]
    more = Markup(" …") if len(tokens) > MOST_QUOTED else Markup("")
    return Markup('“<bdi class="sentence">{}{}</bdi>”').format(Markup(" ").join(shown), more)


def _question_across(worked: Worked) -> Markup:
    """How much does love, of “I love cats”, listen to each token of “J’aime les chats”?"""
    keys = worked.derivation.exponents.open_keys(asker(worked))
    told = Markup("How much does {}, of {}, listen to each token of {}?") if len(keys) > 1 else \
        Markup("To whom does {}, of {}, listen in {}?")
    return told.format(name(worked, asker(worked)), sentence(worked), context(worked))


def _question(worked: Worked) -> Markup:
    i = asker(worked)
    others = [j for j in worked.derivation.exponents.open_keys(i) if j != i]
    if not others:
        return Markup("whom does {} listen to, with no other token to hear?").format(
            name(worked, i))
    if len(others) > MOST_NAMED:
        heard = Markup(f"to each of {len(others)} other tokens")
    else:
        heard = listed([Markup("to ") + name(worked, j) for j in others])
    return Markup("how much does {} listen {}?").format(name(worked, i), heard)


def row_of_weights(worked: Worked, i: int) -> Markup:
    """Whom token i listens to, with its weights, the largest first."""
    keys = _by_score(worked, i)
    if not keys:
        return Markup("{} may listen to nobody: every key is masked, so its weights and its "
                      "output are 0.").format(name(worked, i))
    shown = [_gives(worked, i, j) for j in keys[:MOST_NAMED]]
    others = len(keys) - len(shown)
    rest = Markup("") if not others else Markup(" The other one gets no larger weight.") \
        if others == 1 else Markup(f" The other {others} get no larger weight.")
    return Markup("{} gives {}.{}").format(name(worked, i), listed(shown), rest)


def most_heard(worked: Worked, i: int) -> Markup:
    """Whom token i listens to most: exact, so ties are told as ties."""
    keys = _by_score(worked, i)
    if not keys:
        return Markup("{} listens to nobody.").format(name(worked, i))
    if len(keys) == 1:
        only = _self(worked, i, keys[0])
        return Markup("{} can listen only to {}.").format(name(worked, i), only)
    top = [j for j in keys if _score(worked, i, j) == _score(worked, i, keys[0])]
    if len(top) == len(keys):
        return _equally(worked, i, len(keys))
    if len(top) > MOST_NAMED:
        return Markup("{} listens most, and equally, to {} tokens.").format(
            name(worked, i), len(top))
    equally = Markup(", and equally,") if len(top) > 1 else Markup("")
    return Markup("{} listens most{} to {}.").format(
        name(worked, i), equally, listed([_self(worked, i, j) for j in top]))


def hidden(worked: Worked, i: int) -> Markup:
    """Whom the mask hides from token i; '' where it hides nobody."""
    closed = [j for j in range(len(worked.example.key_tokens))
              if not worked.derivation.exponents.is_open(i, j)]
    if not closed:
        return Markup("")
    if len(closed) > MOST_NAMED:
        return Markup("The mask hides {} tokens from {}.").format(len(closed), name(worked, i))
    names = listed([_self(worked, i, j) for j in closed])
    return Markup("The mask hides {} from {}.").format(names, name(worked, i))


def scaling(worked: Worked) -> Markup:
    """What the scores are divided by, and why."""
    divisor = worked.derivation.divisor
    if divisor.kind == "none":
        return Markup("This example leaves the scores as they are: they are divided by 1.")
    if divisor.kind == "number":
        return Markup("This example divides every score by {}.").format(
            math(divisor_name(worked.derivation)))
    return Markup(
        "Divide every score by the scale, {}, where {} is how many numbers a query has: here {}. "
        "Wider rows give scores that lie further apart, and this makes up for it."
    ).format(math(divisor_name(worked.derivation)), math("d_k"), worked.derivation.size("d_k"))


def size_of_sum(worked: Worked, step: Step) -> Markup:
    """What the upper limit of a step's sum is; '' where it has no sum, or a mask limits it."""
    match step.formula:
        case Dot(left, masked=masked) if not masked or worked.derivation.open is None:
            key = BY_KEY[left].cols
        case RowSum() if worked.derivation.open is None:
            key = "n_k"
        case _:
            return Markup("")
    (found,) = (one for one in SIZES if one.key == key)
    return Markup("Here {} is {}: {}.").format(
        math(found.latex), size(key, worked.derivation.size(key)), text(found.meaning))


def rows_add_up(worked: Worked) -> Markup:
    """Each row of the weights adds up to 1, but one in which all keys are hidden."""
    if not worked.derivation.closed_rows:
        return Markup("Before rounding, each row adds up to exactly 1.")
    return Markup("Before rounding, each row adds up to exactly 1, but one in which nobody may be "
                  "heard is all 0.")


def whole(worked: Worked) -> Markup:
    """The formula of attention, as this example uses it."""
    divisor = divisor_name(worked.derivation)
    scaled = r"Q K^{\top}" if divisor == "1" else rf"Q K^{{\top}} / {divisor}"
    masked = Markup(", with the scores that the mask hides left out") \
        if worked.derivation.open is not None else Markup("")
    return math(rf"\operatorname{{softmax}}({scaled}) V") + masked


def _equally(worked: Worked, i: int, keys: int) -> Markup:
    hidden = keys < len(worked.example.key_tokens)
    which = Markup(" that it may hear") if hidden else Markup("")
    return Markup("{} listens equally to all {} tokens{}.").format(name(worked, i), keys, which)


def _gives(worked: Worked, i: int, j: int) -> Markup:
    weight = number(worked.decimals["weights"][i][j], "weights", i, j)
    return _self(worked, i, j) + Markup(" the weight ") + weight


def _self(worked: Worked, i: int, j: int) -> Markup:
    return Markup("itself") if i == j and not worked.example.crosses else key_name(worked, j)


def _by_score(worked: Worked, i: int) -> list[int]:
    keys = worked.derivation.exponents.open_keys(i)
    return sorted(keys, key=lambda j: (-_score(worked, i, j), j))


def _score(worked: Worked, i: int, j: int) -> Fraction:
    return worked.derivation.exponents.rationals.entry(i, j)
