"""Saves that are tried again: what the library refuses for a while is saved until it accepts it. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from app.base.ports import Tasks
from app.chat import turn_jobs
from storage.errors import DamagedDatabase, EnvironmentProblem, LibraryError
from storage.library.library import Library
from storage.library.rows import Message

T = TypeVar("T")

PASSING = (EnvironmentProblem, DamagedDatabase)
"""Errors that pass: the disk gets room again, or the library is repaired."""


def save(library: Library, reply: Message) -> None:
    """Save a reply, unless its chat was deleted meanwhile. Raises the other errors."""
    with suppress(LibraryError):
        turn_jobs.close(library, reply)


Value = TypeVar("Value")
Result = TypeVar("Result")


class NewestSaves(Generic[Value, Result]):
    """Keeps the newest value of each key, such as a draft, until the library has it, or refuses it for good.

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
        self._refused: dict[str, bool] = {}
        """Keys whose values the library refused, and whether it is being asked again. Only `drop` takes from them."""

    def __contains__(self, key: str) -> bool:
        return key in self._newest

    @property
    def is_refused(self) -> bool:
        """Whether the library refused a value that it still does not have."""
        return bool(self._refused)

    def items(self) -> tuple[tuple[str, Value], ...]:
        """The values that the library does not have yet, by their keys."""
        return tuple((key, value) for key, (value,) in self._newest.items())

    def get(self, key: str, default: Value) -> Value:
        """The newest value of a key, `default` if the library has it."""
        return self._newest[key][0] if key in self._newest else default

    def put(self, key: str, value: Value) -> None:
        """Save a value in place of the former one."""
        self._newest[key] = [value]
        self._try(key, self._tell)

    def keep(self, key: str, value: Value, error: Exception) -> None:
        """Save a value at the next `retry`, unless the library has just refused it for good."""
        if isinstance(error, PASSING):
            self._newest[key], self._refused[key] = [value], False

    def drop(self, key: str) -> None:
        """Forget a value. An attempt that has begun is not undone."""
        self._newest.pop(key, None)
        self._refused.pop(key, None)

    def retry(self) -> None:
        """Save again what was refused."""
        for key in [key for key, is_tried in self._refused.items() if not is_tried]:
            self._try(key, lambda _key, _error: None)

    def _try(self, key: str, tell: Callable[[str, Exception], object]) -> None:
        newest = self._newest[key]
        if key in self._refused:
            self._refused[key] = True

        def saved(result: Result) -> None:
            if self._newest.get(key) is newest:
                self.drop(key)
                self._saved(key, newest[0], result)

        def failed(error: Exception) -> None:
            tell(key, error)
            if self._newest.get(key) is not newest:
                return
            if isinstance(error, PASSING):
                self._refused[key] = False
            else:
                self.drop(key)

        self._tasks(key).run(self._job(key, newest[0]), saved, failed)
