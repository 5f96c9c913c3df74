"""The library's thread without a thread: jobs run when they are submitted, or when the test releases them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeVar

from storage.library.library import Library

T = TypeVar("T")


class InlineTasks:
    """Implements `app.base.ports.Tasks`. While `held`, jobs wait for `let_go`. If `broken` is set, every job fails with
    it.
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self.held = False
        self.broken: Exception | None = None
        self.exchanged = 0
        self._waiting: deque[Callable[[], None]] = deque()

    def run(
        self, job: Callable[[Library], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        self._waiting.append(lambda: self._work(job, done, failed))
        if not self.held:
            self.let_go()

    def apart(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
        """Runs in order with the jobs, even if the library is broken."""
        self._waiting.append(lambda: _try(work, done, failed))
        if not self.held:
            self.let_go()

    read = read_chats = apart

    def exchange(
        self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        """Does not change the library. The test decides how it would be opened."""
        self.exchanged += 1
        self.apart(work, done, failed)

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    @property
    def count(self) -> int:
        return len(self._waiting)

    def let_go(self) -> None:
        self.held = False
        while self._waiting:
            self.run_next()

    def run_next(self) -> None:
        """The oldest job that waits."""
        self._waiting.popleft()()

    def _work(
        self, job: Callable[[Library], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        if self.broken is not None:
            failed(self.broken)
            return
        _try(lambda: job(self.library), done, failed)


def _try(work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - stands for the edge of the I/O thread
        failed(error)
    else:
        done(result)
