"""The stages of an example: the pages on which its steps are derived, in order."""

from dataclasses import dataclass, replace

from markupsafe import Markup

from derivations.step import Derivation, Step


@dataclass(frozen=True)
class Stage:
    """A page of an example: its name in addresses, its title, and the steps it derives."""

    name: str
    title: str
    short: str
    keys: tuple[str, ...]

    @property
    def file(self) -> Markup:
        """Its file, in the folder of an example."""
        return Markup(f"{self.name}.md")

    def steps(self, derivation: Derivation) -> tuple[Step, ...]:
        """Those of its steps that a derivation has: without a mask there are fewer."""
        return tuple(derivation[key] for key in self.keys if key in derivation)


WITH_MASK = {"scaled": "Scaled scores and mask"}  # titles where an example has one
# Not of one head: where several come together.
TOGETHER = Stage("together", "The heads together", "together",
                 ("concatenated", "w_o", "b_o", "projected"))
ONE_HEAD = {"together": "What comes of the head"}  # titles where there is one
STAGES = (
    Stage("words", "Words and matrices", "words",
          ("embeddings", "context", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v")),
    Stage("queries-keys-values", "Queries, keys and values", "Q, K, V",
          ("queries", "keys", "values")),
    Stage("scores", "Scores", "scores", ("scores",)),
    Stage("scaled", "Scaled scores", "scaled", ("scaled_scores", "mask", "masked_scores")),
    Stage("softmax", "Softmax", "softmax", ("exponentials", "normalisers", "weights")),
    Stage("output", "Output", "output", ("output",)),
    TOGETHER,
)


def stages_of(derivation: Derivation) -> tuple[Stage, ...]:
    """The stages of a derivation: where Q, K and V are given, there is nothing before them."""
    found = (stage for stage in STAGES if stage.steps(derivation))
    titles = WITH_MASK if derivation.open is not None else {}
    titles = titles | (ONE_HEAD if len(derivation.heads) == 1 else {})
    return tuple(replace(stage, title=titles.get(stage.name, stage.title)) for stage in found)


STAGE_OF = {key: stage for stage in STAGES for key in stage.keys}
