"""Which signal leads where: the window to the conversations and the engine's line. Owns connections only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.desktop.dispatch import Dispatch

if TYPE_CHECKING:
    from app.backup.recovery_flow import RecoveryFlow
    from app.backup.stale import StaleCopies
    from app.cache.monitor import CacheMonitor
    from app.conversations.conversations import Conversations
    from app.desktop.folders import Folders
    from app.desktop.shutdown import AppShutdown
    from app.desktop.workspace import Workspace
    from app.engine_client.connection import EngineConnection
    from app.engine_client.process import EngineProcess
    from app.updates.updates import Updates
    from ui.window.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class AppParts:
    """The parts of the app with a window."""

    window: MainWindow
    conversations: Conversations
    line: EngineConnection
    bridge: EngineProcess
    desk: Workspace
    farewell: AppShutdown
    keeper: CacheMonitor
    rescuing: RecoveryFlow
    older_copies: StaleCopies
    folders: Folders
    updates: Updates


class Wiring(QObject):
    """Connects the rooms for as long as it lives, and gives them the beat of a second."""

    def __init__(self, rooms: AppParts) -> None:
        super().__init__()
        self._rooms = rooms
        self._second = QTimer(self, interval=1000)
        self._second.timeout.connect(rooms.conversations.tick)
        self._second.start()
        self._second.timeout.connect(rooms.keeper.tick)
        self._second.timeout.connect(rooms.updates.tick)
        self._dispatch = Dispatch(rooms)
        rooms.window.requested.connect(self._dispatch.handle)
        rooms.window.closing.connect(self._close)
        rooms.line.serve(rooms.conversations.sessions)
        rooms.line.keep(rooms.keeper)

    def _close(self) -> None:
        self._second.stop()
        self._rooms.updates.close()
        self._rooms.desk.clear(self._rooms.conversations)
        self._rooms.conversations.settle()
        self._rooms.farewell.begin()
