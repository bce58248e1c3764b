"""A step as data: CSV, JSON, and LaTeX that amsmath alone compiles."""

import csv
import io
import json

from derivations.decimals import Table
from derivations.render.converter import converted
from derivations.render.dialect import PLAIN
from derivations.render.exact import exact
from derivations.render.forms import Decimals, forms
from derivations.render.matrices import equation, general
from derivations.render.tables import worked_entries
from derivations.rounded import Rounded
from derivations.step import Derivation, Step

MATHML = "http://www.w3.org/1998/Math/MathML"
# Within a document \@nodocument is \relax: then this file is a part of it.
ALONE = r"""\expandafter\ifx\csname @nodocument\endcsname\relax\else
\documentclass{article}\usepackage{amsmath}\pagestyle{empty}
\def\closederivation{\end{document}}\begin{document}\fi
\providecommand{\closederivation}{}
"""
ALONE_END = "\\closederivation\n"


def as_csv(step: Step, derivation: Derivation, decimals: Decimals) -> str:
    """One line an entry: row, column (from 1), exact, decimal, whether the decimal is the value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("row", "column", "exact", "decimal", "decimal_is_exact"))
    for record in _records(step, derivation, decimals):
        is_exact = str(record["decimal_is_exact"]).lower()
        writer.writerow((record["row"], record["column"], record["exact"], record["decimal"],
                         is_exact))
    return out.getvalue()


def as_json(
    step: Step, derivation: Derivation, decimals: Decimals, places: int,
    more: dict[str, str] | None = None,
) -> str:
    """The step with its labels, formula and entries, and perhaps what it is cited by."""
    rows, cols = step.shape
    record = {
        "step": step.key,
        **(more or {}),
        "symbol": step.quantity.matrix,
        "formula": general(step, derivation),
        "rows": rows,
        "columns": cols,
        "row_labels": list(step.rows.labels),
        "column_labels": list(step.cols.labels),
        "places": places,
        "source": step.quantity.source,
        "entries": list(_records(step, derivation, decimals)),
    }
    return json.dumps(record, ensure_ascii=True, indent=1, allow_nan=False) + "\n"


def as_tex(step: Step, derivation: Derivation, decimals: Decimals) -> str:
    r"""The general formula, the matrices and the worked entries, one display each.

    It compiles alone, and by \\input in a document that has amsmath.
    """
    displays = [general(step, derivation), equation(step, derivation, decimals)]
    displays += [
        forms(derivation, decimals, step, i, j).aligned for i, j in worked_entries(step)
    ]
    shown = [f"\\[\n{display}\n\\]" for display in displays if display]
    head = f"% {step.quantity.name}: {step.quantity.source}\n"
    return head + ALONE + "\n".join(shown) + "\n" + ALONE_END


def as_mml(step: Step, derivation: Derivation, decimals: Decimals) -> str:
    """The step as MathML: as matrices, or its formula where these are too large."""
    latex = equation(step, derivation, decimals) or general(step, derivation)
    found = converted(latex or step.quantity.matrix, display=True)
    return found.replace("<math", f'<math xmlns="{MATHML}"', 1) + "\n"


def as_lists(table: Table) -> str:
    """The decimals as Python writes an array of NumPy."""
    rows = [", ".join("-np.inf" if one is None else decimal(one) for one in row) for row in table]
    return "np.array([[" + "],\n          [".join(rows) + "]])\n"


def as_tabs(table: Table) -> str:
    """The decimals, a tab between them: what a spreadsheet takes from the clipboard."""
    return "".join("\t".join("-inf" if one is None else decimal(one) for one in row) + "\n"
                   for row in table)


def _records(step: Step, derivation: Derivation, decimals: Decimals) -> list[dict[str, object]]:
    return [_record(step, derivation, decimals, i, j) for i, j in step.places]


def _record(
    step: Step, derivation: Derivation, decimals: Decimals, i: int, j: int
) -> dict[str, object]:
    rounded = decimals[step.key][i][j]
    return {
        "row": i + 1,
        "column": j + 1,
        "exact": exact(step, derivation, i, j, PLAIN),
        "decimal": "-oo" if rounded is None else decimal(rounded),
        "decimal_is_exact": rounded is None or rounded.exact,
    }


def decimal(rounded: Rounded) -> str:
    """The decimal; with a power of ten as 2.7264e347."""
    return rounded.text + (f"e{rounded.exponent}" if rounded.exponent else "")
