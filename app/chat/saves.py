"""Saves that are tried again: what the library refuses for a while is saved until it accepts it. No Qt.

- `NewestSaves` keeps the newest words of each key, for example the draft of a chat.
- `SaveRetryQueue` keeps replies that have ended.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from app.base.ports import Tasks
from app.chat import turn_jobs
from storage.errors import DamagedDatabase, EnvironmentProblem, LibraryError, StorageFault
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

            def tried(_: None) -> None:
                self._trying = False

            def failed(error: Exception) -> None:
                self._trying = False
                if not isinstance(error, PASSING):
                    self._replies.clear()

            self.run_behind(tuple(self._replies.values()), lambda _library: None, tried, failed)

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


def save(library: Library, reply: Message) -> None:
    """Save a reply, unless its chat was deleted meanwhile. Raises the errors that pass."""
    try:
        turn_jobs.close(library, reply)
    except PASSING:
        raise
    except LibraryError:
        pass


Value = TypeVar("Value")
Result = TypeVar("Result")


class NewestSaves(Generic[Value, Result]):
    """Keeps the newest value of each key until the library has it, or refuses it for good.

    `tasks` returns the thread that saves the value of a key. `job` makes the library's job, anew at each attempt.
    `saved` is called with the key, its value and the job's result, unless the value was replaced or dropped meanwhile.
    `tell` is called with the key and the first error of each value, but not with the errors of retries.
    """

    def __init__(
        self,
        tasks: Callable[[str], Tasks],
        job: Callable[[str, Value], Callable[[Library], Result]],
        saved: Callable[[str, Value, Result], object],
        tell: Callable[[str, Exception], object],
    ) -> None:
        self._tasks = tasks
        self._job = job
        self._saved = saved
        self._tell = tell
        self._newest: dict[str, list[Value]] = {}
        """Each value in a list of its own: two that were put are told apart, also if they are equal."""
        self._refused: dict[str, None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._newest

    def items(self) -> tuple[tuple[str, Value], ...]:
        """The values that the library does not have yet, by their keys."""
        return tuple((key, value) for key, (value,) in self._newest.items())

    def get(self, key: str, default: Value) -> Value:
        """The newest value of a key, `default` if the library has it."""
        return self._newest[key][0] if key in self._newest else default

    def put(self, key: str, value: Value) -> None:
        """Save a value in place of the former one."""
        self.drop(key)
        self._newest[key] = [value]
        self._try(key, self._tell)

    def drop(self, key: str) -> None:
        """Forget a value. An attempt that has begun is not undone."""
        self._newest.pop(key, None)
        self._refused.pop(key, None)

    def retry(self) -> None:
        """Save again what was refused."""
        refused, self._refused = self._refused, {}
        for key in refused:
            self._try(key, lambda _key, _error: None)

    def _try(self, key: str, tell: Callable[[str, Exception], object]) -> None:
        newest = self._newest[key]

        def saved(result: Result) -> None:
            if self._newest.get(key) is newest:
                self.drop(key)
                self._saved(key, newest[0], result)

        def failed(error: Exception) -> None:
            tell(key, error)
            if self._newest.get(key) is not newest:
                return
            if isinstance(error, PASSING):
                self._refused[key] = None
            else:
                self.drop(key)

        self._tasks(key).run(self._job(key, newest[0]), saved, failed)
