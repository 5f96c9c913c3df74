"""The I/O thread: the only thread that uses the segment store.

Invariants:
- A restore overtakes all queued writes, so no answer waits for another turn's bookkeeping.
- Writes run in the order in which they were queued, so a forgotten conversation is not saved afterwards.
- Closing comes last: everything queued before it is done first.
- A job that fails returns a Failure; the thread goes on.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import mlx.core as mx

from storage.errors import UNFORESEEN, DamagedDatabase, EnvironmentProblem, Problem, StorageError
from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

_MOST_VANISHED = 2
"""After so many failures in a row the store is closed: a disk may only be away for a moment."""


class Priority(IntEnum):
    """Smaller goes first."""

    RESTORE = 1
    WRITE = 2
    CLOSE = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """A job that failed: the error's code and one sentence."""

    code: str
    message: str


class IoThread:
    """Runs jobs `(store) -> result` one at a time, and passes each result to its `done` on this thread.

    `at_opening` is called on this thread with every store that was opened, before its first job. Set it before the
    first job.
    """

    def __init__(self, open_store: Callable[[], SegmentStore]) -> None:
        self.at_opening: Callable[[SegmentStore], None] = lambda _: None
        self._open_store = open_store
        self._store: SegmentStore | None = None
        self._vanished = 0
        self._jobs: queue.PriorityQueue[tuple[int, int, Any, Any]] = queue.PriorityQueue()
        self._order = itertools.count()
        self._thread = threading.Thread(target=self._run, name="segment-io", daemon=True)
        self._thread.start()

    def submit(self, priority: Priority, job: Callable[[SegmentStore], Any], done: Callable[[Any], None]) -> None:
        """Queue a job. `done` gets its result, or a Failure."""
        self._jobs.put((priority, next(self._order), job, done))

    def close(self, seconds: float) -> bool:
        """Finish the queued jobs and end the thread. Returns False after `seconds`: the rest is lost, not damaged."""
        self._jobs.put((Priority.CLOSE, next(self._order), None, None))
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            _, _, job, done = self._jobs.get()
            if job is None:
                break
            done(self._attempt(job))
            del job, done  # frees their memory now: the next job may come much later
        self._close_store()
        mx.clear_streams()

    def _attempt(self, job: Callable[[SegmentStore], Any]) -> Any:
        try:
            result = job(self._opened())
        except StorageError as error:
            log.warning("segment store: %s [%s]", error, error.__cause__ or error.code)
            self._close_if_lost(error)
            return Failure(error.code, str(error))
        except Exception:  # the edge of the I/O thread: a failing job must not end the thread
            log.exception("segment store job failed")
            self._close_store()  # a row may have rotted: opening checks them all
            return Failure("internal", UNFORESEEN)
        self._vanished = 0
        return result

    def _opened(self) -> SegmentStore:
        """The store, opened at the first job and again after it was closed, because a disk may come back."""
        if self._store is None:
            store = self._open_store()
            try:
                self.at_opening(store)
            except BaseException:
                store.close()
                raise
            self._store = store
        return self._store

    def _close_if_lost(self, error: StorageError) -> None:
        """Close a store that cannot recover by itself: its index is damaged, or has vanished twice."""
        gone = isinstance(error, EnvironmentProblem) and error.problem is Problem.VANISHED
        self._vanished = self._vanished + 1 if gone else 0
        if isinstance(error, DamagedDatabase) or self._vanished >= _MOST_VANISHED:
            self._close_store()

    def _close_store(self) -> None:
        if self._store is not None:
            with suppress(StorageError):  # it is lost anyway
                self._store.close()
        self._store = None
