"""What an example file may be called: its name becomes the address of its pages."""

import re

EXTENSIONS = (".toml", ".json")
SLUG = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
RULE = "may hold only a-z, 0-9 and single hyphens or underscores between them: it becomes the " \
       "address of the page"
