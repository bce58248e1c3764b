"""Says what a long build is doing, so that nobody takes it for one that hangs."""

import logging
import time
from collections.abc import Callable

log = logging.getLogger("mkdocs.examples")
SILENCE = 3  # seconds


class Progress:
    """A line for what takes seconds, and for anything after some seconds of silence."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock, self.last = clock, clock()

    def __call__(self, doing: str, large: bool) -> None:
        """Say what is being done, if it is time."""
        if large or self.clock() - self.last > SILENCE:
            log.info(doing)
            self.last = self.clock()
