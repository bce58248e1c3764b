"""A static host on the loopback: compresses text and lets it be kept, as such hosts do."""

import functools
import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMPRESSED = {".html", ".css", ".js", ".json", ".svg", ".xml", ".csv", ".tex", ".txt"}
LEVEL = 6
KEPT_FOR = 600  # seconds


@functools.cache
def compressed(path: Path) -> bytes:
    """A file as it travels."""
    contents = path.read_bytes()
    return gzip.compress(contents, LEVEL, mtime=0) if path.suffix in COMPRESSED else contents


class _Host(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """A file, the page of a folder, or the page of what is missing."""
        asked = Path(self.translate_path(self.path))
        if asked.is_dir() and not self.path.endswith("/"):
            self._redirect()
        else:
            found = asked / "index.html" if asked.is_dir() else asked
            missing = not found.is_file()
            self._answer(404 if missing else 200,
                         Path(self.directory) / "404.html" if missing else found)

    def _redirect(self) -> None:
        self.send_response(301)
        self.send_header("Location", f"{self.path}/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, status: int, path: Path) -> None:
        body = compressed(path) if path.is_file() else b""
        self.send_response(status)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", f"max-age={KEPT_FOR}")
        if path.suffix in COMPRESSED:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(site: Path) -> Iterator[str]:
    """The address of a site, for as long as it is hosted."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Host, directory=str(site)))
    server.daemon_threads = True  # a browser keeps its connections open
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
