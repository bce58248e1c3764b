"""Which pictures a page may ask for, and which stand on the pages of the stages."""

from collections.abc import Callable

from markupsafe import Markup

from derivations.pages import sentences
from derivations.pages.worked import Worked
from derivations.render import figures
from derivations.render.corner import is_cut


def markers(worked: Worked) -> dict[str, Callable[..., Markup]]:
    """The pictures of an example, as markers; rows count from 1."""
    derivation, decimals = worked.derivation, worked.decimals
    return {
        "flow": lambda: figures.flow(derivation),
        "heat_map": lambda key: figures.heat_map(derivation[key], decimals),
        "arcs": lambda row: figures.arcs(derivation, decimals, row - 1),
        "bars": lambda row: figures.bars(derivation, decimals, row - 1),
        "arrows": lambda row, key: figures.arrows(derivation, decimals, row - 1, key - 1),
        "hull": lambda: figures.hull(derivation, decimals),
    }


def of_step(worked: Worked, key: str) -> Markup:
    """The pictures that stand below a step; '' where there is none."""
    derivation, decimals, asker = worked.derivation, worked.decimals, sentences.asker(worked)
    match key:
        case "scores":
            return _below(_heat_map(worked, key), figures.arrows(
                derivation, decimals, asker, sentences.heard(worked)))
        case "weights":
            return _below(_heat_map(worked, key),
                          figures.bars(derivation, decimals, asker),
                          figures.arcs(derivation, decimals, asker))
        case "output":
            return _below(figures.hull(derivation, decimals))
    return Markup("")


def _heat_map(worked: Worked, key: str) -> Markup:
    """The heat map of a step; '' for a large one, which the overview has."""
    step = worked.derivation[key]
    if is_cut(step):
        return Markup("")
    return figures.heat_map(step, worked.decimals)


def _below(*pictures: Markup) -> Markup:
    drawn = Markup("\n").join(picture for picture in pictures if picture)
    return Markup('<div class="pictures">\n{}\n</div>').format(drawn) if drawn else Markup("")
