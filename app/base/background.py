"""Background: threads for work beside the window's, whose results come back to it.

Invariants:

- Results return through a queued signal, on the thread that made the object. None comes after `close` or `finish`, and
  none of a job that was cancelled, which never runs unless it has begun.
- The threads are daemons: the end of the process waits for none of them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.base.ports import Done, Failed

T = TypeVar("T")

DELIVERY_SECONDS: Final = 0.01

_log = logging.getLogger(__name__)


class Deliveries(QObject):
    """Makes calls of any thread on the thread that made it, in order. After DELIVERY_SECONDS, other events of that
    thread come first.
    """

    _came = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._calls: deque[Callable[[], object]] = deque()
        self._is_open = True
        self._came.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._pause = QTimer(self, singleShot=True, interval=0)
        self._pause.timeout.connect(self._deliver)

    def put(self, *calls: Callable[[], object]) -> None:
        """Queue calls. Any thread may do that."""
        self._calls += calls
        self._came.emit()

    def answer(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Do `work` on the thread of this call. Then queue a call of `done` or `failed`."""
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - the edge of the threads: every fault goes back to the caller
            name = threading.current_thread().name
            _log.info("%s: work failed: %s", name, type(error).__name__, exc_info=error)
            fault = error
            self.put(lambda: failed(fault))
        else:
            self.put(lambda: done(result))

    def deliver_all(self) -> bool:
        """Make all queued calls now. Returns whether there were any."""
        had_any = bool(self._calls)
        while self._calls:
            self._calls.popleft()()
        return had_any

    def close(self) -> None:
        """Make no further call."""
        self._is_open = False

    def _deliver(self) -> None:
        end = time.monotonic() + DELIVERY_SECONDS
        while self._is_open and self._calls and not self._pause.isActive():
            self._calls.popleft()()
            if time.monotonic() > end:
                self._pause.start()


class Job:
    """Work that was queued, and may have ended."""

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        """Drop its result."""
        self.is_cancelled = True


class Background:
    """So many `threads` do one job after another. They start with the first one. Implements `app.base.ports.Runner`."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._name = name
        self._count = threads
        self._threads: list[threading.Thread] = []
        self._jobs: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._deliveries = Deliveries()
        self._is_closed = self._is_ending = False

    def run(self, work: Callable[[], T], done: Done[T], failed: Failed) -> Job:
        """Queue `work`; then call `done` or `failed` on the thread that made this object."""
        job = Job()
        if self._is_ending:
            return job

        def do() -> None:
            if not job.is_cancelled:
                self._deliveries.answer(
                    work, lambda it: job.is_cancelled or done(it), lambda error: job.is_cancelled or failed(error)
                )

        self._jobs.put(do)
        if not self._threads:
            names = (f"{self._name}-{number}" if self._count > 1 else self._name for number in range(self._count))
            self._threads = [threading.Thread(target=self._live, name=name, daemon=True) for name in names]
            for thread in self._threads:
                thread.start()
        return job

    def close(self, seconds: float = 0.0) -> None:
        """Drop the queued work and all results. Wait for the current work for `seconds` at most: a disk can hang."""
        self._is_closed = True
        self.finish(seconds)

    def finish(self, seconds: float = 0.0) -> None:
        """Do the queued work, and end. Wait for that for `seconds` at most. All results are dropped."""
        self._is_ending = True
        self._deliveries.close()
        for _ in self._threads:
            self._jobs.put(_end)
        for thread in self._threads:
            thread.join(seconds)

    def _live(self) -> None:
        while (job := self._jobs.get()) is not _end:
            if not self._is_closed:
                job()


def _end() -> None:
    """Stands in the queue for the end of a thread."""
