"""Copies the page set into the MkDocs build: the only file that knows mkdocs_gen_files."""

import mkdocs_gen_files

# scripts/hooks.py made it: `derivations.pages.site.pages`, a pure function of the files.
page_set = mkdocs_gen_files.config["extra"].pop("page_set")

for name, contents in page_set.items():
    with mkdocs_gen_files.open(name, "wb") as page:
        page.write(contents)
