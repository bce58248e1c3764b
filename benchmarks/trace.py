"""What a page keeps the browser's main thread from answering for, from a trace of its tasks."""

import json
from collections import defaultdict
from typing import Any

CATEGORIES = ["toplevel"]
TASK = "ThreadControllerImpl::RunTask"
LONG = 50  # milliseconds that a reader does not notice
Event = dict[str, Any]


def blocking(trace: bytes) -> float:
    """The milliseconds by which the page's tasks are too long, all together.

    By the thread's own clock: a neighbour on the same machine stretches others.
    """
    threads: dict[tuple[int, int], list[float]] = defaultdict(list)
    events: list[Event] = json.loads(trace)["traceEvents"]
    mains = {_thread(event) for event in events if event["name"] == "thread_name"
             and event["args"]["name"] == "CrRendererMain"}
    for event in events:
        if event["name"] == TASK and _thread(event) in mains:
            threads[_thread(event)].append(event.get("tdur", 0) / 1000)
    tasks = max(threads.values(), key=sum)  # a spare renderer has hardly any
    return sum(max(0, task - LONG) for task in tasks)


def _thread(event: Event) -> tuple[int, int]:
    return event["pid"], event["tid"]
