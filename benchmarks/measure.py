"""Two things timed side by side, and the row of the table that comes of it.

All times are processor time: a neighbour on the same machine stretches a clock, not these.
"""

import resource
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time
from timeit import Timer

Task = Callable[[], object]
LONG_ENOUGH = 0.1  # seconds: a single short call would mostly time the caches it finds cold


@dataclass(frozen=True)
class Row:
    """One comparison: seconds of ours and of the baseline, and the most that ours may take.

    `at_most` is ours over the baseline: 3 for three times slower, 1 / 40 for forty times faster.
    """

    what: str
    against: str
    ours: float
    baseline: float
    at_most: float | None = None

    @property
    def ratio(self) -> float:
        """Ours over the baseline."""
        return self.ours / self.baseline

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table shows."""
        required, met = "", ""
        if self.at_most is not None:
            required = f"{'at most' if self.at_most >= 1 else 'at least'} {times(self.at_most)}"
            met = "met" if self.ratio <= self.at_most else "NOT MET"
        return (self.what, duration(self.ours), self.against, duration(self.baseline),
                times(self.ratio), required, met)


def times(ratio: float) -> str:
    """A ratio of times in words."""
    return f"{ratio:.2f} times as long" if ratio >= 1 else f"{1 / ratio:.2f} times faster"


def duration(seconds: float) -> str:
    """A time, to three digits, in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def best(ours: Task, baseline: Task, rounds: int) -> tuple[float, float]:
    """The shortest time of each, taken in turn, so that both meet the same machine.

    What disturbs a run only ever makes it longer.
    """
    timed = _in_turn(_repeated(ours), _repeated(baseline), rounds)
    return min(timed[0]), min(timed[1])


def medians(ours: Task, baseline: Task, rounds: int) -> tuple[float, float]:
    """The median time of each, taken in turn: for tasks that are processes of their own."""
    timed = _in_turn(_process(ours), _process(baseline), rounds)
    return median(timed[0]), median(timed[1])


def _in_turn(
    ours: Callable[[], float], baseline: Callable[[], float], rounds: int
) -> tuple[list[float], list[float]]:
    pairs = [(ours(), baseline()) for _ in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _process(task: Task) -> Callable[[], float]:
    timer = Timer(task, timer=_time_of_processes)
    return lambda: timer.timeit(1)


def _time_of_processes() -> float:
    """What all processes started here, and ended, have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _repeated(task: Task) -> Callable[[], float]:
    """Seconds of one call, from as many as the clock can tell apart."""
    timer = Timer(task, timer=process_time)
    number = max(1, int(LONG_ENOUGH / timer.timeit(1)))
    return lambda: timer.timeit(number) / number
