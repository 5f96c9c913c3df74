"""The I/O thread: the one thread that reads and writes the segment store. Owns the order of its jobs and the edge at
which a failing job becomes a value; what a job does is left to the manager.

A restore overtakes every write that waits, so an answer never waits for another turn's bookkeeping. Writes keep their
order, so that what is forgotten is not saved afterwards. Closing comes last: what was promised to the disk gets there.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from storage.errors import UNFORESEEN, DamagedDatabase, EnvironmentProblem, Problem, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

_MOST_VANISHED = 2
"""A disk may be away for a moment, with all that is on it."""


class Priority(IntEnum):
    """Smaller goes first."""

    RESTORE = 1
    WRITE = 2
    CLOSE = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """A job that did not succeed: the error's code and one sentence."""

    code: str
    message: str


class IoThread:
    """Runs jobs `(store) -> result` one at a time and hands each result to its `done`, on this thread.

    `at_opening` is called there with every store that was opened, before any job gets it; set it before the first job.
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
        """`done` gets the job's result, or a Failure."""
        self._jobs.put((priority, next(self._order), job, done))

    def close(self, seconds: float) -> bool:
        """Finish what waits and end. False if that took longer than `seconds`; the rest is then lost, not damaged."""
        self._jobs.put((Priority.CLOSE, next(self._order), None, None))
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            _, _, job, done = self._jobs.get()
            if job is None:
                break
            done(self._attempt(job))
            del job, done  # with all the memory that they hold: it may be long until the next
        self._close_store()
        mx.clear_streams()  # what was read was loaded on a stream of this thread's own

    def _attempt(self, job: Callable[[SegmentStore], Any]) -> Any:
        try:
            result = job(self._opened())
        except StorageError as error:
            log.warning("segment store: %s [%s]", error, error.__cause__ or error.code)
            self._close_if_lost(error)
            return Failure(error.code, str(error))
        except Exception:  # the edge of the I/O thread: a job that fails must not take the thread with it
            log.exception("segment store job failed")
            return Failure("internal", UNFORESEEN)
        self._vanished = 0
        return result

    def _opened(self) -> SegmentStore:
        """Opened at the first job, and again at the next one after it was given up: a disk that comes back is used
        again.
        """
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
        """Give up a store that will not come back by itself: its index is damaged, or gone for the second time."""
        gone = isinstance(error, EnvironmentProblem) and error.problem is Problem.VANISHED
        self._vanished = self._vanished + 1 if gone else 0
        if isinstance(error, DamagedDatabase) or self._vanished >= _MOST_VANISHED:
            self._close_store()

    def _close_store(self) -> None:
        if self._store is not None:
            with suppress(StorageError):  # there is nothing left to lose
                self._store.close()
        self._store = None
