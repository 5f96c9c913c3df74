"""Senders: threads that send slabs to a GPU with memory of its own, for one other thread.

They live until they are closed: what MLX sets up for a thread that uses the GPU takes as long as a small restore.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import mlx.core as mx

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_SENDERS = 4
"""Threads that send at once."""


class Senders:
    """As many threads as were needed at once, up to MOST_SENDERS."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(MOST_SENDERS, "segment-sender")
        self._threads: set[int] = set()

    def run(self, job: Callable[[], None], others: int) -> None:
        """Run `job` here and on so many `others` at once. Returns when all have ended. Raises an error of one."""
        outcomes = [self._pool.submit(self._noted, job) for _ in range(others)]
        try:
            job()
        finally:
            wait(outcomes)
        for outcome in outcomes:
            outcome.result()

    def _noted(self, job: Callable[[], None]) -> None:
        self._threads.add(threading.get_ident())
        job()

    def close(self) -> None:
        """End the threads."""
        everyone = threading.Barrier(max(1, len(self._threads)))
        for _ in self._threads:
            self._pool.submit(_clear_streams, everyone)
        self._pool.shutdown()


def _clear_streams(everyone: threading.Barrier) -> None:
    """On each thread once: none takes a second job before all have met."""
    everyone.wait()
    mx.clear_streams()
