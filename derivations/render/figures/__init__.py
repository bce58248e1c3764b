"""The pictures of a derivation: inline SVG, each with its caption and a text of the same facts.

A picture has no script, no style and no id; its colours are classes (docs/assets/pictures.css).
"""

from derivations.render.figures.arcs import arcs
from derivations.render.figures.arrows import arrows
from derivations.render.figures.bars import bars
from derivations.render.figures.flow import flow
from derivations.render.figures.heat import heat_map
from derivations.render.figures.hull import hull

__all__ = ["arcs", "arrows", "bars", "flow", "heat_map", "hull"]
