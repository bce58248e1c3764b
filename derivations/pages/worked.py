"""An example worked out: what every page is drawn from."""

from dataclasses import dataclass

from derivations.attention import derive
from derivations.decimals import table
from derivations.example import Example
from derivations.render.forms import Decimals
from derivations.rounded import Rounded
from derivations.step import Derivation, Step


@dataclass(frozen=True)
class Worked:
    """An example, its derivation, and the certified decimals of every step."""

    example: Example
    derivation: Derivation
    decimals: Decimals

    def decimal(self, step: Step, i: int, j: int) -> Rounded | None:
        """The decimal of one entry."""
        return self.decimals[step.key][i][j]


def work_out(example: Example) -> Worked:
    """Derive an example and round every entry to the places it asks for.

    Raises ExampleError.
    """
    return shown(example, derive(example))


def shown(example: Example, derivation: Derivation) -> Worked:
    """A derivation with as many decimals as the example asks for."""
    decimals = {step.key: table(step.values, example.places) for step in derivation.steps}
    return Worked(example, derivation, decimals)
