"""Sites for tests: the project's own, and one with other examples in it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import markdown
import yaml

from derivations.example import load
from derivations.pages.citing import Citing, read_citing
from derivations.pages.example_pages import example_pages
from derivations.pages.templating import own_templates
from derivations.pages.worked import Worked, work_out

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "tests" / "examples"  # such as a lesson may have
KINDS = ROOT / "tests" / "kinds"  # such as it may not
SHOWN = ROOT / "docs" / "examples"  # those of the site itself
LESSON = SHOWN / "i-love-cats.toml"  # what most tests are written for
LINKED = ("derivations", "scripts", "overrides", "mkdocs.yml", "mkdocs-offline.yml", "CITATION.cff",
          "CHANGELOG.md")
OWN_LESSON = SHOWN / "{}.toml".format(  # what the site has now
    re.search(r"^  example: (\S+)", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)[1])
ENVIRONMENT = {"NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1",
               "SOURCE_DATE_EPOCH": "1767225600", "NO_CACHE": "1",
               "SITE_URL": "http://127.0.0.1:8000/"}
CITING = read_citing(ROOT / "docs", ENVIRONMENT["SITE_URL"])


def project(
    folder: Path, examples: dict[str, str], lesson: str | None = None, kept: Path | None = None
) -> Path:
    """A copy of the project in which docs/examples holds these files (name -> contents).

    `kept` is what it has for its folder build, with the cache.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if kept:
        (folder / "build").symlink_to(kept)
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "docs", folder / "docs")
    for path in (folder / "docs" / "examples").glob("*.toml"):
        path.unlink()
    for name, contents in examples.items():
        (folder / "docs" / "examples" / name).write_text(contents, encoding="utf-8")
    if lesson:
        config = (ROOT / "mkdocs.yml").read_text().replace("example: i-love-cats",
                                                           f"example: {lesson}")
        (folder / "mkdocs.yml").unlink()
        (folder / "mkdocs.yml").write_text(config)
    return folder


def build(folder: Path, site: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`mkdocs build --strict` of a project, into a site."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False,
                          env=os.environ | ENVIRONMENT | environment)


def converter() -> markdown.Markdown:
    """Markdown with the extensions of the site, and as they are set there."""
    config = re.sub(r"!ENV.*", "''", (ROOT / "mkdocs.yml").read_text())
    extensions, settings = [], {}
    for one in yaml.safe_load(config)["markdown_extensions"]:
        extensions += [one] if isinstance(one, str) else one
        settings |= {} if isinstance(one, str) else {name: of or {} for name, of in one.items()}
    return markdown.Markdown(extensions=extensions, extension_configs=settings)


def texts(*paths: Path) -> dict[str, str]:
    """Files by name."""
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def files_of(example: Worked, citing: Citing = CITING) -> dict[str, bytes]:
    """Every file that a site has of an example."""
    files, _ = example_pages(example, own_templates(), citing, directory_urls=True)
    return files


def worked(path: Path) -> Worked:
    """An example file, worked out."""
    return work_out(load(path))
