"""Ends the app in order: stops the answers, lets the engine write its cache and end, saves the answers, and closes the
library. Runs on the window's thread, and never blocks it before the last answer is saved.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.base.library_thread import LibraryThread
from app.chat.sessions import Sessions
from app.engine_client.engine_process import EngineProcess

ENGINE_SECONDS = 27.0
"""A little more than the engine allows itself: it ends within a second or two, unless its cache writes take longer."""


class AppShutdown(QObject):
    """Emits `done` once, after the last step.

    It stops the answers and tells the engine to end at the same time. An engine in the middle of a long computation
    ends without reporting that its answers have stopped.
    """

    done = Signal()

    def __init__(self, sessions: Sessions, engine_process: EngineProcess, *tasks: LibraryThread) -> None:
        super().__init__()
        self._sessions = sessions
        self._engine_process = engine_process
        self._tasks = tasks
        self._begun = False
        engine_process.ended.connect(self._finish)

    def begin(self) -> None:
        """Start the shutdown; a second call changes nothing."""
        if not self._begun:
            self._begun = True
            self._sessions.stop_all()
            self._engine_process.shutdown(ENGINE_SECONDS)

    def _finish(self) -> None:
        """Save the answers, and end. What a job of one library returns may ask the other: none closes before all are
        idle. Whatever goes wrong, the app ends.
        """
        try:
            self._sessions.give_up()
            while sum(tasks.drain() for tasks in self._tasks):
                pass
            for tasks in self._tasks:
                tasks.close()
        finally:
            self.done.emit()
