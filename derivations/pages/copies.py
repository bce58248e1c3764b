"""A matrix as text to copy: as LaTeX, as NumPy writes it, and for a spreadsheet."""

from markupsafe import Markup

from derivations.pages.cite_block import to_copy
from derivations.pages.sections import Section
from derivations.render import matrices, records
from derivations.render.corner import is_cut

COPIES = Markup('<div class="copies" data-search-exclude>{}</div>')
FORMS = (("latex", "Matrix as LaTeX", matrices.decimal_matrix),
         ("numpy", "Matrix for NumPy", records.as_lists),
         ("tabs", "Matrix for a spreadsheet", records.as_tabs))


def copies(section: Section, prefix: str, whole: bool = False) -> Markup:
    """The decimals of a matrix that is shown whole; `prefix` begins the addresses."""
    if is_cut(section.step) and not whole:
        return Markup("")
    shown = section.worked.decimals[section.step.key]
    return COPIES.format(Markup("").join(
        to_copy(f"{prefix}matrix-{name}", label, write(shown)) for name, label, write in FORMS))
