"""Every kind of derivation that has a tag: the steps, identities, mistakes and exercises."""

from derivations.citing.ledger import Name
from derivations.generic import IDENTITIES
from derivations.lesson.mistakes import MISTAKES
from derivations.lesson.practice.texts import TEXTS
from derivations.notation import QUANTITIES

SEEN = "head_n"  # the output of one of several heads, as the others see it: no derivation


def citable() -> list[Name]:
    """(kind, name) of all of them, in order."""
    return [*(("step", quantity.key) for quantity in QUANTITIES if quantity.key != SEEN),
            *(("identity", proof.__name__) for proof in IDENTITIES.values()),
            *(("mistake", mistake.key) for mistake in MISTAKES),
            *(("exercise", key) for key in TEXTS)]
