"""One page four times: as it is, without its formulas, and with a script that sets them."""

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from benchmarks.npm import installed

_TAG = re.compile(r"<math\b[^>]*>|</math>")
_LATEX = re.compile(r'<annotation encoding="application/x-tex">(.*?)</annotation>', re.DOTALL)
# MathJax writes style sheets of its own, which the page's policy forbids.
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
_PRELOADED_FONT = re.compile(r'<link rel="preload"[^>]*as="font"[^>]*>')
Written = Callable[[str, bool], str]

# Both write MathML too, hidden, which is not to ask for our font.
OTHER_FONT = """
<style>math { font: inherit }</style>"""
KATEX_HEAD = f"""{OTHER_FONT}
<link rel="stylesheet" href="/katex/katex.min.css">
<script defer src="/katex/katex.min.js"></script>
<script defer src="/with-katex.js"></script>"""
KATEX_SCRIPT = """
for (const place of document.querySelectorAll(".formula")) {
  const displayMode = "display" in place.dataset;
  katex.render(place.textContent, place, { displayMode, throwOnError: true });
}
formulasSet();
"""
MATHJAX_HEAD = f"""{OTHER_FONT}
<script src="/with-mathjax.js"></script>
<script defer src="/mathjax/tex-chtml.js"></script>"""
MATHJAX_SCRIPT = """
window.MathJax = {
  startup: { pageReady: () => MathJax.startup.defaultPageReady().then(formulasSet) },
  options: { ignoreHtmlClass: ".*", processHtmlClass: "formula" },
};
"""


def write_variants(site: Path, page: Path) -> dict[str, str]:
    """Write the variants beside a page of the site, scripts at its root: name -> address."""
    _add_scripts(site)
    written = {name: f"{name}.html" for name in ("mathml", "none", "katex", "mathjax")}
    for name, contents in variants(page.read_text(encoding="utf-8")).items():
        (page.parent / written[name]).write_text(contents, encoding="utf-8")
    folder = page.parent.relative_to(site).as_posix()
    return {name: f"{folder}/{file}" for name, file in written.items()}


def variants(page: str) -> dict[str, str]:
    """The page with MathML, without formulas, and for KaTeX and MathJax: name -> HTML."""
    page = _POLICY.sub("", page)
    bare = _PRELOADED_FONT.sub("", page)
    return {
        "mathml": page,
        "none": with_formulas(bare, lambda latex, display: ""),
        "katex": _with_head(with_formulas(bare, _for_katex), KATEX_HEAD),
        "mathjax": _with_head(with_formulas(bare, _for_mathjax), MATHJAX_HEAD),
    }


def with_formulas(page: str, written: Written) -> str:
    """The page with each outermost formula written anew, from its LaTeX."""
    parts, end, depth, start = [], 0, 0, 0
    for tag in _TAG.finditer(page):
        opens = not tag[0].startswith("</")
        if opens and depth == 0:
            parts.append(page[end:tag.start()])
            start = tag.start()
        depth += 1 if opens else -1
        if depth == 0:
            end = tag.end()
            parts.append(_rewritten(page[start:end], written))
    return "".join([*parts, page[end:]])


def _rewritten(formula: str, written: Written) -> str:
    """One formula; its own LaTeX is the last annotation, after those of formulas within."""
    latex = html.unescape(_LATEX.findall(formula)[-1])
    return written(latex, 'display="block"' in formula.partition(">")[0])


def _for_katex(latex: str, display: bool) -> str:
    kind = " data-display" if display else ""
    return f'<span class="formula"{kind}>{html.escape(latex)}</span>'


def _for_mathjax(latex: str, display: bool) -> str:
    opening, closing = (r"\[", r"\]") if display else (r"\(", r"\)")
    return f'<span class="formula">{opening}{html.escape(latex)}{closing}</span>'


def _with_head(page: str, added: str) -> str:
    return page.replace("</head>", f"{added}\n</head>", 1)


def _add_scripts(site: Path) -> None:
    shutil.copytree(installed("katex") / "dist", site / "katex")
    shutil.copytree(installed("mathjax") / "es5", site / "mathjax")
    (site / "with-katex.js").write_text(KATEX_SCRIPT, encoding="utf-8")
    (site / "with-mathjax.js").write_text(MATHJAX_SCRIPT, encoding="utf-8")
