"""A thread beside the window's that does one piece of work after another, each of which may take long.

Invariants:

- Results return through a queued signal, on the thread that made the object. None comes after `close` or `finish`.
- The thread is a daemon: the end of the process does not wait for it.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

PATIENCE_S: Final = 2.0

_log = logging.getLogger(__name__)


class WorkerThread(QObject):
    """Implements `app.base.ports.Worker`. The thread starts with the first work."""

    _came_back = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._thread: threading.Thread | None = None
        self._work: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._returns: deque[Callable[[], object]] = deque()
        self._closed = self._is_mute = False
        self._came_back.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
        """Queue `work`; then call `done` or `failed` on the caller's thread."""
        if self._is_mute:
            return
        self._work.put(lambda: self._do(work, done, failed))
        if self._thread is None:
            self._thread = threading.Thread(target=self._live, name=self._name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Drop the queued work and all results. The current work may end within `PATIENCE_S`: a disk can hang."""
        self._closed = self._is_mute = True
        self._work.put(_end)
        if self._thread is not None:
            self._thread.join(PATIENCE_S)
        self._returns.clear()

    def finish(self, seconds: float = 0.0) -> None:
        """Do the queued work, and end. Wait for that for `seconds` at most. All results are dropped."""
        self._is_mute = True
        self._returns.clear()
        self._work.put(_end)
        if self._thread is not None:
            self._thread.join(seconds)

    def _live(self) -> None:
        while (work := self._work.get()) is not _end:
            if not self._closed:
                work()

    def _do(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - the edge of the thread: every fault goes back to the caller
            _log.warning("%s: work failed: %s", self._name, type(error).__name__, exc_info=error)
            fault = error
            self._returns.append(lambda: failed(fault))
        else:
            self._returns.append(lambda: done(result))
        if not self._is_mute:
            self._came_back.emit()

    def _deliver(self) -> None:
        while self._returns:
            self._returns.popleft()()


def _end() -> None:
    """Stands in the queue for the end of the thread."""
