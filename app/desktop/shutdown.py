"""The orderly end of the app: answers stopped and saved, the engine's cache written, the library closed.

Owns the order and how long each step may take; the steps are their owners'.
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
"""A little more than the engine gives its own cache writes."""


class Answering(Protocol):
    """Whoever has answers that may not have ended."""

    @property
    def busy(self) -> bool:
        """Whether any answer has not ended."""

    def stop_all(self) -> None:
        """End every answer as the user would."""

    def give_up(self) -> None:
        """End at once what has not ended."""


class AppShutdown(QObject):
    """`done` is emitted once, when nothing is left to do."""

    done = Signal()

    def __init__(self, answering: Answering, bridge: EngineProcess, *tasks: LibraryThread) -> None:
        super().__init__()
        self._answering = answering
        self._bridge = bridge
        self._tasks = tasks
        self._begun = False
        self._deadline = 0.0
        self._look = QTimer(self, interval=20)
        self._look.timeout.connect(self._stopped)
        bridge.ended.connect(self._finish)

    def begin(self) -> None:
        """Start ending; a second call changes nothing."""
        if not self._begun:
            self._begun = True
            self._deadline = time.monotonic() + STOP_SECONDS
            self._answering.stop_all()
            self._look.start()

    def _stopped(self) -> None:
        if self._answering.busy and time.monotonic() < self._deadline:
            return
        self._look.stop()
        self._answering.give_up()
        self._bridge.shutdown(ENGINE_SECONDS)

    def _finish(self) -> None:
        for tasks in self._tasks:
            tasks.close()
        self.done.emit()
