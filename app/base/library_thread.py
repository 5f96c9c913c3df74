"""Four threads beside the window's: one runs the jobs of the library, one works on files that are not the open
library, one reads the documents that the user gives, each of which may take a minute, and one the files of chats.

Invariants:

- Jobs run one after another, in the order in which they were given.
- Results return through a queued signal, on the thread that made the object.
- The library is opened and closed on its own thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from app.base.background import Background, Deliveries
from app.base.ports import Done, Failed
from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library

T = TypeVar("T")


class LibraryThread(QObject):
    """Implements `app.base.ports.Tasks`. The first job calls `open_library` on the thread. `wrote` is emitted when a
    job has written to the library, `filled` when the full disk refused one.
    """

    wrote = Signal()
    filled = Signal()

    def __init__(self, open_library: Callable[[], Library]) -> None:
        super().__init__()
        self._open_library = open_library
        self._library: Library | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="library")
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="library-files")
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="documents")
        self._imports = Background("imports")
        self._deliveries = Deliveries()

    def run(self, job: Callable[[Library], T], done: Done[T], failed: Failed) -> None:
        """Queue `job`. If the library cannot be opened, the job fails with that error and the next job tries again."""

        def refused(error: Exception) -> None:
            if isinstance(error, EnvironmentProblem) and error.problem is Problem.DISK_FULL:
                self.filled.emit()
            failed(error)

        self._thread.submit(self._deliveries.answer, lambda: self._do(job), done, refused)

    def apart(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Queue work that may take long and needs no library. The jobs of the library do not wait for it."""
        self._beside.submit(self._deliveries.answer, work, done, failed)

    def read(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Queue the reading of a file that the user gives. Nothing but the next reading waits for it."""
        self._reader.submit(self._deliveries.answer, work, done, failed)

    def read_chats(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Queue the reading of a file of chats. Nothing waits for it, not even the end of the process."""
        self._imports.run(work, done, failed)

    def exchange(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Queue `work` on the library's files between two jobs. The library is closed meanwhile, and the next job opens
        it. All earlier work of `apart` has ended by then, because it may be a copy of these files.
        """

        def while_closed() -> T:
            self._close_library()
            return work()

        self._thread.submit(self._deliveries.answer, lambda: self._beside.submit(while_closed).result(), done, failed)

    def drain(self) -> bool:
        """Run the queued jobs and deliver their results. Returns whether there were any."""
        self._reader.submit(int).result()
        self._beside.submit(int).result()
        self._thread.submit(int).result()
        return self._deliveries.deliver_all()

    def close(self) -> None:
        """Run the queued jobs, deliver their results, and close the library. Jobs that those deliveries queue
        run too. No chats of a file come any more.
        """
        self._imports.close()
        while self.drain():
            pass
        self._thread.submit(self._close_library).result()
        self._thread.shutdown()
        self._beside.shutdown()
        self._reader.shutdown()

    def _do(self, job: Callable[[Library], T]) -> T:
        library = self._library = self._library or self._open_library()
        before = library.written
        result = job(library)
        if library.written > before:
            self._deliveries.put(self.wrote.emit)
        return result

    def _close_library(self) -> None:
        library, self._library = self._library, None
        if library is not None:
            library.close()
