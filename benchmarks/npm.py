"""Programs from npm that we are measured with: in build/benchmarks, never in the site."""

import os
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "build" / "benchmarks"
VERSIONS = {"lighthouse": "12.8.2", "katex": "0.16.47", "mathjax": "3.2.2"}
# Lighthouse drives the Chromium that is there.
NO_DOWNLOADS = {"PUPPETEER_SKIP_DOWNLOAD": "1", "PUPPETEER_SKIP_CHROMIUM_DOWNLOAD": "1"}


def installed(name: str) -> Path:
    """The folder of a package, installed if it is not there at its version."""
    folder = FOLDER / "node_modules" / name
    wanted = f"{name}@{VERSIONS[name]}"
    stamp = FOLDER / f"{wanted}.installed"
    if not (stamp.exists() and folder.is_dir()):
        _install(wanted)
        stamp.touch()
    return folder


def _install(wanted: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed for this benchmark: install Node 20 or later")
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund",
               "--loglevel=error", wanted]
    subprocess.run(command, check=True, env=os.environ | NO_DOWNLOADS, stdout=subprocess.DEVNULL)
