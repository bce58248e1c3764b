"""A Firefox for the tests, by WebDriver BiDi over its own socket: no driver program is needed.

(Playwright drives a Firefox of its own only: Debian's does not know all of its commands.)
"""

import json
import shutil
import subprocess
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browser import outside

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
PREFERENCES = {  # nothing leaves the machine: what is not on the loopback goes to a closed port
    "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9,
    "network.proxy.share_proxy_settings": True, "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9, "network.captive-portal-service.enabled": False,
    "app.normandy.enabled": False, "ui.prefersReducedMotion": 1,
}
EVENTS = ["log.entryAdded", "network.beforeRequestSent"]
UNFINISHED = "Incorrect number of children"  # said of a formula whose end is still on its way
TIMEOUT = 30


class FirefoxError(Exception):
    """Firefox refused a command: the message says which, and why."""


class Firefox:
    """One tab, and everything that went wrong in it."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._number = socket, 0
        self.problems: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=EVENTS)
        self._tab = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def opened(self, url: str, width: int = 1280) -> list[str]:
        """Opens a page. What goes wrong from here on is in the list."""
        self.problems = []
        self._send("browsingContext.setViewport", context=self._tab,
                   viewport={"width": width, "height": 900})
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")
        return self.problems

    def evaluate(self, function: str) -> Any:
        """What a JavaScript function gives, by way of JSON."""
        code = f"Promise.resolve(({function})()).then(JSON.stringify)"
        done = self._send("script.evaluate", expression=code, awaitPromise=True,
                          target={"context": self._tab})
        if done["type"] == "exception":
            raise FirefoxError(done["exceptionDetails"]["text"])
        return json.loads(done["result"].get("value", "null"))

    def wait(self, function: str) -> Any:
        """Waits until a JavaScript function gives something, and gives it."""
        return until(lambda: self.evaluate(function))

    def type(self, text: str) -> None:
        """Presses keys, one a character."""
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._send("input.performActions", context=self._tab,
                   actions=[{"type": "key", "id": "keyboard", "actions": keys}])

    def screenshot(self, path: Path) -> None:
        """The whole page as a picture."""
        shot = self._send("browsingContext.captureScreenshot", context=self._tab,
                          origin="document")
        path.write_bytes(b64decode(shot["data"]))

    def _send(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(TIMEOUT))).get("id") != self._number:
            self._note(answer)
        if answer["type"] == "error":
            raise FirefoxError(f"{method}: {answer['message']}")
        return answer["result"]

    def _note(self, event: dict[str, Any]) -> None:
        """Something happened meanwhile."""
        told = event.get("params", {})
        if event.get("method") == "log.entryAdded" and told["level"] in {"warn", "error"}:
            self.problems += [told["text"]] * (UNFINISHED not in told["text"])
        elif event.get("method") == "network.beforeRequestSent":
            self.problems += outside(told["request"]["url"])


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A Firefox with a profile of its own, for as long as it is needed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                 for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("".join(lines))
        command = [str(FIREFOX), "--headless", "--no-remote", "--profile", folder,
                   "--remote-debugging-port", "0", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with connect(_address(profile), max_size=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            process.wait()


def _address(profile: Path) -> str:
    """Where it listens: it writes that into its profile once it does, and not at one stroke."""
    server = until(lambda: written(profile / "WebDriverBiDiServer.json"))
    return f"ws://{server['ws_host']}:{server['ws_port']}/session"


def written(said: Path) -> Any:
    """What is in a JSON file, or nothing while it is not there, empty or cut short."""
    try:
        return json.loads(said.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def until(happened: Callable[[], Any]) -> Any:
    """Waits for something, and gives it."""
    end = time.monotonic() + TIMEOUT
    while not (found := happened()):
        if time.monotonic() > end:
            raise FirefoxError("it took too long")
        time.sleep(0.05)
    return found
