"""Copies the page set into the MkDocs build: the only file that knows mkdocs_gen_files."""

import sys
from pathlib import Path

import mkdocs_gen_files
from mkdocs.exceptions import PluginError

# A rebuild of `mkdocs serve` must import changed Python again.
for module in [name for name in sys.modules if name.split(".")[0] == "derivations"]:
    del sys.modules[module]

from derivations.pages.site import SiteError, Source, pages  # noqa: E402 (after the purge)

config = mkdocs_gen_files.config
try:
    files = pages(Source(Path(config["docs_dir"]), config["extra"]["example"]))
except SiteError as error:
    raise PluginError(f"The site was not built.\n{error}") from None
for name, contents in files.items():
    with mkdocs_gen_files.open(name, "wb") as page:
        page.write(contents)
