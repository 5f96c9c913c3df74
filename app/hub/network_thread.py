"""Threads for questions to the network, beside those of the library: a hub that hangs holds up no file.

Invariants:

- Results return through a queued signal, on the thread that made the object.
- The result of a cancelled question is dropped; one that has not begun is never asked.
- The threads are daemons: neither `close` nor the end of the process waits for the network.
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

THREADS: Final = 3
"""More than one, so that a question does not wait behind a cancelled one."""

_log = logging.getLogger(__name__)


class Question:
    """A question under way."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        """Drop the answer."""
        self.cancelled = True


class NetworkThread(QObject):
    """Starts its threads with the first question."""

    _came_back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._questions: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._returns: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        self._started = False
        self._closed = False
        self._came_back.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def ask(
        self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> Question:
        """Call `work` on one of the threads; then call `done` or `failed` on the caller's thread."""
        question = Question()
        self._questions.put(lambda: self._answer(question, work, done, failed))
        if not self._started:
            self._started = True
            for number in range(THREADS):
                threading.Thread(target=self._run, name=f"network-{number}", daemon=True).start()
        return question

    def close(self) -> None:
        """Drop all answers that have not come. Waits for nothing."""
        with self._lock:
            self._closed = True
            self._returns.clear()
        for _ in range(THREADS):
            self._questions.put(_end)

    def _run(self) -> None:
        while (answer := self._questions.get()) is not _end:
            if not self._closed:
                answer()

    def _answer(
        self,
        question: Question,
        work: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], object],
    ) -> None:
        if question.cancelled:
            return
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - the edge of the network threads: every fault goes back to the caller
            _log.info("a question to the network failed: %s", error, exc_info=error)
            fault = error
            self._give(question, lambda: failed(fault))
        else:
            self._give(question, lambda: done(result))

    def _give(self, question: Question, deliver: Callable[[], object]) -> None:
        with self._lock:
            if not self._closed:
                self._returns.append(lambda: None if question.cancelled else deliver())
                self._came_back.emit()

    def _deliver(self) -> None:
        while self._returns:
            self._returns.popleft()()


def _end() -> None:
    """Stands in the queue for the end of a thread."""
