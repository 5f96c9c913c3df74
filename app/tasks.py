"""The one thread that owns the library. Owns the queue to it and the way back; what is read or written is the jobs'.

Results come back on the thread that made the object, through a queued signal.
"""

from __future__ import annotations

import logging
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from storage.library.store import Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

_log = logging.getLogger(__name__)


class LibraryTasks(QObject):
    """`app.ports.Tasks` on a thread of its own. Jobs run one after another, in the order given."""

    _came_back = Signal()

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._library: Library | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="library")
        self._returns: deque[Callable[[], object]] = deque()
        self._came_back.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self, job: Callable[[Library], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        """Queue `job`. The library is opened by the first one; if that fails, every job fails with the same error."""
        self._thread.submit(self._work, job, done, failed)

    def close(self) -> None:
        """Run what is queued, deliver what came back, close the library. Jobs queued by those deliveries run too."""
        while True:
            self._thread.submit(int).result()
            if not self._returns:
                break
            self._deliver()
        self._thread.submit(self._close_library).result()
        self._thread.shutdown()

    def _work(
        self, job: Callable[[Library], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        try:
            result = job(self._opened())
        except Exception as error:  # noqa: BLE001 - the edge of the I/O thread: any fault goes back to whoever asked
            _log.warning("library job failed: %s", type(error).__name__, exc_info=error)
            fault = error
            self._returns.append(lambda: failed(fault))
        else:
            self._returns.append(lambda: done(result))
        self._came_back.emit()

    def _opened(self) -> Library:
        if self._library is None:
            self._library = Library.open(self._path)
        return self._library

    def _close_library(self) -> None:
        if self._library is not None:
            self._library.close()

    def _deliver(self) -> None:
        while self._returns:
            self._returns.popleft()()
