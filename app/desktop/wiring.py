"""Connects the window, the conversations, the engine's connection and the timers. Runs on the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.chat.sessions import JOT_MS
from app.desktop.bootstrap import AppParts
from app.desktop.dispatch import Dispatch
from app.desktop.idle_collection import IdleCollection
from app.macs.group_return import GroupReturn


class Wiring(QObject):
    """Connects the parts as long as it lives, and calls them every second."""

    def __init__(self, parts: AppParts) -> None:
        super().__init__()
        self._parts = parts
        self._dispatch = Dispatch(parts)
        sessions = parts.conversations.sessions
        self._collection = IdleCollection(lambda: sessions.busy)
        self._group_return = GroupReturn(parts.macs, parts.hosting, parts.connection)
        self._second = QTimer(self, interval=1000)
        for tick in (
            parts.conversations.tick,
            parts.cache_monitor.tick,
            parts.recovery_flow.tick,
            parts.idle_unload.tick,
            self._collection.tick,
            lambda: parts.models.tick(visible=parts.window.models.isVisible()),
            parts.model_switch.tick,
            parts.macs.tick,
            self._group_return.tick,
            lambda: parts.app_nap.follow(busy=sessions.busy),
        ):
            self._second.timeout.connect(tick)
        self._second.start()
        self._jotting = QTimer(self, interval=JOT_MS)
        self._jotting.timeout.connect(sessions.jot)
        self._jotting.start()
        parts.macs.presenter.left = self._leave_mac
        parts.window.requested.connect(lambda _intent: self._collection.note_use())
        parts.window.requested.connect(self._dispatch.handle)
        parts.window.closing.connect(self._close)

    def _leave_mac(self, mac: str) -> None:
        """A Mac is not paired any more. It gets nothing more of a chat or a model, whatever it does itself."""
        parts = self._parts
        parts.macs.copies.leave(mac)
        if mac in parts.workspace.settings.of_model(parts.connection.model).macs:
            parts.hosting.leave_group(parts.connection.model)

    def _close(self) -> None:
        self._second.stop()
        self._jotting.stop()
        parts = self._parts
        parts.downloads.close()
        parts.finder.close()
        parts.inspector.close()
        parts.models.close()
        parts.images.close()
        parts.colours.close()
        parts.macs.close()
        parts.workspace.clear()
        parts.conversations.settle()
        parts.shutdown.begin()
