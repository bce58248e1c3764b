"""What an example file may be called: its name becomes the address of its pages."""

import re
from pathlib import Path

EXTENSIONS = (".toml", ".json")
SLUG = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
RULE = "may hold only a-z, 0-9 and single hyphens or underscores between them: it becomes the " \
       "address of the page"


def example_files_in(folder: Path) -> list[Path]:
    """The example files of a folder, in order of their names; not those that an editor hides."""
    return sorted(path for path in folder.iterdir()
                  if path.suffix in EXTENSIONS and not path.name.startswith("."))
