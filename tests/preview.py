"""`mkdocs serve` of a copy of the project, and the saving of files in it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.sites import ENVIRONMENT, LINKED

LONGEST = 90  # seconds that a slow machine may take for anything


@dataclass(frozen=True)
class Preview:
    """A project that is served: its folder, its address, and the file of what the server says."""

    folder: Path
    address: str
    log: Path

    def said(self) -> str:
        """All that the server said until now."""
        return self.log.read_text(encoding="utf-8")

    def builds(self) -> int:
        """How many builds were begun."""
        return self.said().count("Building documentation...")

    def read(self, name: str) -> str:
        """A file of the project."""
        return (self.folder / name).read_text(encoding="utf-8")

    def save(self, name: str, text: str) -> None:
        """Saves a file at one stroke, as editors do: nobody meets half of it."""
        new = self.folder / "saved"
        new.write_text(text, encoding="utf-8")
        new.replace(self.folder / name)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Until something is so. Raises AssertionError, with what the server said, if it is not."""
        end = time.monotonic() + LONGEST
        while not condition():
            assert time.monotonic() < end, self.said()
            time.sleep(0.02)


@contextmanager
def previewed(folder: Path) -> Iterator[Preview]:
    """A project, for as long as it is served with live reload, from its first page on."""
    port, log = _free_port(), folder / "served.log"
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"]
    environment = os.environ | ENVIRONMENT | {"NO_CACHE": "", "TMPDIR": str(folder)}
    with log.open("w") as output, subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=output) as process:
        preview = Preview(folder, f"http://127.0.0.1:{port}/", log)
        try:
            preview.wait(lambda: "Serving on" in preview.said() or process.poll() is not None)
            assert process.poll() is None, preview.said()
            yield preview
        finally:
            process.terminate()


def editable(project: Path) -> Path:
    """The project with a copy of all that is only linked: a test may edit it."""
    for name in LINKED:
        link = project / name
        if link.is_symlink():
            target = link.resolve()
            link.unlink()
            shutil.copytree(target, link) if target.is_dir() else shutil.copy(target, link)
    return project


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
