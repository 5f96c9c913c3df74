"""Ends the app in order: stops the answers and saves them, lets the engine write its cache, and closes the library.

Runs on the window's thread and never blocks it; each step has a time limit.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from app.base.library_thread import LibraryThread
    from app.engine_client.process import EngineProcess

STOP_SECONDS = 3.0
ENGINE_SECONDS = 25.0
"""A little more than the engine allows its own cache writes."""


class Answering(Protocol):
    """The sessions, which may still have running answers."""

    @property
    def busy(self) -> bool:
        """Whether any answer is still running."""

    def stop_all(self) -> None:
        """Stop every answer as the user would."""

    def give_up(self) -> None:
        """End all answers at once."""


class AppShutdown(QObject):
    """Emits `done` once, after the last step."""

    done = Signal()

    def __init__(
        self,
        answering: Answering,
        engine_process: EngineProcess,
        *tasks: LibraryThread,
        stop_seconds: float = STOP_SECONDS,
    ) -> None:
        super().__init__()
        self._answering = answering
        self._engine_process = engine_process
        self._tasks = tasks
        self._stop_seconds = stop_seconds
        self._begun = False
        self._deadline = 0.0
        self._look = QTimer(self, interval=20)
        self._look.timeout.connect(self._stopped)
        engine_process.ended.connect(self._finish)

    def begin(self) -> None:
        """Start the shutdown; a second call changes nothing."""
        if not self._begun:
            self._begun = True
            self._deadline = time.monotonic() + self._stop_seconds
            self._answering.stop_all()
            self._look.start()

    def _stopped(self) -> None:
        if self._answering.busy and time.monotonic() < self._deadline:
            return
        self._look.stop()
        self._answering.give_up()
        self._engine_process.shutdown(ENGINE_SECONDS)

    def _finish(self) -> None:
        for tasks in self._tasks:
            tasks.close()
        self.done.emit()
