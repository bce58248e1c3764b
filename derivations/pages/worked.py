"""An example worked out: what every page is drawn from."""

from dataclasses import dataclass, replace

from derivations.decimals import table
from derivations.example import Example
from derivations.heads import derive_all
from derivations.render.forms import Decimals
from derivations.rounded import Rounded
from derivations.step import Derivation, Step


@dataclass(frozen=True)
class Worked:
    """An example, its derivation, and the certified decimals of every step.

    Of an example with several heads it is what these make together, and `heads` are they.
    """

    example: Example
    derivation: Derivation
    decimals: Decimals
    heads: "tuple[Worked, ...]" = ()

    @property
    def parts(self) -> "tuple[Worked, ...]":
        """Each head, and last what they make together; of one head this alone."""
        return *self.heads, self

    def decimal(self, step: Step, i: int, j: int) -> Rounded | None:
        """The decimal of one entry."""
        return self.decimals[step.key][i][j]


def work_out(example: Example) -> Worked:
    """Derive an example and round every entry to the places it asks for.

    Raises ExampleError.
    """
    derivation = derive_all(example)
    heads = tuple(shown(_named(example, number, head), derived) for number, (head, derived)
                  in enumerate(zip(example.heads, derivation.heads, strict=True), 1))
    return replace(shown(example, derivation), heads=heads)


def _named(example: Example, number: int, head: Example) -> Example:
    """A head with a name and an address below those of the whole."""
    return replace(head, slug=f"{example.slug}/head-{number}",
                   title=f"{example.title}: head {number}", typed=example.typed)


def shown(example: Example, derivation: Derivation) -> Worked:
    """A derivation with as many decimals as the example asks for."""
    decimals = {step.key: table(step.values, example.places) for step in derivation.steps}
    return Worked(example, derivation, decimals)
