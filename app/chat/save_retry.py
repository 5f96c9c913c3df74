"""SaveRetryQueue: ended replies that the library could not save. They are saved again until that succeeds. No Qt."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from app.chat import turn_jobs
from storage.errors import DamagedDatabase, EnvironmentProblem, LibraryError, StorageFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Tasks
    from storage.library.library import Library
    from storage.library.rows import Message

T = TypeVar("T")

PASSING = (EnvironmentProblem, DamagedDatabase)
"""Errors that pass: the disk gets room again, or the library is repaired."""


class SaveRetryQueue:
    """`saved` is called for each reply that is on disk after all."""

    def __init__(self, tasks: Tasks, saved: Callable[[Message], object]) -> None:
        self._tasks = tasks
        self._saved = saved
        self._replies: dict[str, Message] = {}
        self._trying = False

    @property
    def is_empty(self) -> bool:
        """Whether no reply waits."""
        return not self._replies

    def add(self, reply: Message, error: Exception) -> None:
        """Queue a reply, unless the error is one that a retry cannot solve."""
        if isinstance(error, PASSING):
            self._replies[reply.id] = reply

    def retry(self) -> None:
        """Save all of them again. Library jobs that are given after this call find the saved replies."""
        if self._replies and not self._trying:
            self._trying = True
            self.run_behind(tuple(self._replies.values()), lambda _library: None, self._tried, self._failed)

    def run_behind(
        self,
        unsaved: tuple[Message, ...],
        job: Callable[[Library], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Run a job once these replies are saved. If the library refuses one of them, the job fails: it would continue
        a reply, or ask about it, without its last words.
        """

        def behind(library: Library) -> T:
            for reply in unsaved:
                with suppress(StorageFault):
                    save(library, reply)
            return job(library)

        def ran(result: T) -> None:
            for reply in unsaved:
                self._replies.pop(reply.id, None)
                self._saved(reply)
            done(result)

        self._tasks.run(behind, ran, failed)

    def _tried(self, _: None) -> None:
        self._trying = False

    def _failed(self, error: Exception) -> None:
        self._trying = False
        if not isinstance(error, PASSING):
            self._replies.clear()


def save(library: Library, reply: Message) -> None:
    """Save a reply, unless its chat was deleted meanwhile. Raises the errors that pass."""
    try:
        turn_jobs.close(library, reply)
    except PASSING:
        raise
    except LibraryError:
        pass
