"""Measures the cost of a call: in steps of SQLite, independently of the machine, or in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable

from storage.database import Database


def cpu_seconds(act: Callable[[], object]) -> float:
    """The processor time of this thread that `act` takes."""
    began = time.thread_time()
    act()
    return time.thread_time() - began


def steps(database: Database, act: Callable[[], object]) -> int:
    """The number of steps of SQLite's virtual machine, in hundreds, that `act` takes. Each row read takes a
    few steps.
    """
    taken = 0
    raw = database.raw

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    raw.set_progress_handler(count, 100)
    try:
        act()
    finally:
        raw.set_progress_handler(None, 0)
    return taken
