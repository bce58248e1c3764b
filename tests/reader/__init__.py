"""An independent reader of the finished pages: it shares no code with what wrote them.

It reads each formula twice, as the MathML that is seen and as the LaTeX that is copied,
evaluates it against a table of true values, and reads every number that carries a data-ref.
"""

from .page import Report, read_page
from .table import Truth
from .truth import truth_from_exact, truth_from_twin

__all__ = ["Report", "Truth", "read_page", "truth_from_exact", "truth_from_twin"]
