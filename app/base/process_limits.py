"""Bounds the time and the memory of a process that reads hostile files."""

from __future__ import annotations

import resource
import time
from contextlib import suppress


def bound(seconds: int, memory: int) -> None:
    """End this process if it computes for more than `seconds` from now on, and let it have `memory` bytes at most. Not
    every system enforces both.
    """
    for what, most in ((resource.RLIMIT_CPU, int(time.process_time()) + seconds), (resource.RLIMIT_AS, memory)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
