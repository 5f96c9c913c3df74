"""Connects the window, the conversations, the engine's connection and the timers. Runs on the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

from app.backup.copies import LibraryCopies
from app.backup.recovery import RecoveryFlow
from app.cache.monitor import CacheMonitor
from app.chat.sessions import JOT_MS
from app.colours.colours import Colours
from app.conversations.conversations import Conversations
from app.desktop.folders import Folders
from app.desktop.idle_collection import IdleCollection
from app.desktop.locales import Speech
from app.desktop.objective_c import AppNap
from app.desktop.shutdown import AppShutdown
from app.desktop.workspace import Workspace
from app.engine_client.chat_models import ChatModels
from app.engine_client.connection import EngineConnection
from app.engine_client.engine_process import EngineProcess
from app.engine_client.hosting import Hosting
from app.engine_client.idle_unload import IdleUnload
from app.engine_client.model_switch import ModelSwitch
from app.hub.downloads import Downloads
from app.hub.finder import HubFinder
from app.hub.removal import ModelRemoval
from app.hub.token_setting import TokenSetting
from app.images.images import Images
from app.macs.macs import GroupReturn, Macs
from app.models.inspections import ModelInspector
from app.models.presenter import LocalModelsPresenter
from app.models.welcome import Welcome
from ui.intents.intent import Intent
from ui.window.main_window import MainWindow


@dataclass(frozen=True, slots=True, kw_only=True)
class AppParts:
    """The parts of the app with a window."""

    window: MainWindow
    conversations: Conversations
    connection: EngineConnection
    engine_process: EngineProcess
    workspace: Workspace
    shutdown: AppShutdown
    cache_monitor: CacheMonitor
    recovery_flow: RecoveryFlow
    copies: LibraryCopies
    folders: Folders
    downloads: Downloads
    model_removal: ModelRemoval
    hub_token: TokenSetting
    finder: HubFinder
    welcome: Welcome
    model_switch: ModelSwitch
    idle_unload: IdleUnload
    models: LocalModelsPresenter
    inspector: ModelInspector
    chat_models: ChatModels
    speech: Speech
    app_nap: AppNap
    macs: Macs
    hosting: Hosting
    images: Images
    colours: Colours


class Wiring(QObject):
    """Connects the parts as long as it lives, and calls them every second. `handle` receives each intent."""

    def __init__(self, parts: AppParts, handle: Callable[[Intent], None]) -> None:
        super().__init__()
        self._handle = handle
        self._parts = parts
        self._second = QTimer(self, interval=1000)
        self._second.timeout.connect(parts.conversations.tick)
        self._second.start()
        self._second.timeout.connect(parts.cache_monitor.tick)
        self._second.timeout.connect(parts.recovery_flow.tick)
        self._second.timeout.connect(parts.idle_unload.tick)
        self._collection = IdleCollection(lambda: parts.conversations.sessions.busy)
        self._second.timeout.connect(self._collection.tick)
        parts.window.requested.connect(lambda _intent: self._collection.note_use())
        self._second.timeout.connect(lambda: parts.models.tick(visible=parts.window.models.isVisible()))
        self._second.timeout.connect(parts.model_switch.tick)
        self._second.timeout.connect(parts.macs.tick)
        parts.macs.presenter.left = self._leave_mac
        self._group_return = GroupReturn(parts.macs, parts.hosting, parts.connection)
        self._second.timeout.connect(self._group_return.tick)
        self._jotting = QTimer(self, interval=JOT_MS)
        self._jotting.timeout.connect(parts.conversations.sessions.jot)
        self._jotting.start()
        self._second.timeout.connect(self._stay_awake)
        parts.window.requested.connect(handle)
        parts.window.closing.connect(self._close)

    def _leave_mac(self, mac: str) -> None:
        """A Mac is not paired any more. It gets nothing more of a chat or a model, whatever it does itself."""
        parts = self._parts
        parts.macs.copies.leave(mac)
        if mac in parts.workspace.settings.of_model(parts.connection.model).macs:
            parts.hosting.leave_group(parts.connection.model)

    def _stay_awake(self) -> None:
        self._parts.app_nap.follow(busy=self._parts.conversations.sessions.busy)

    def _close(self) -> None:
        self._second.stop()
        self._jotting.stop()
        self._parts.downloads.close()
        self._parts.finder.close()
        self._parts.inspector.close()
        self._parts.models.close()
        self._parts.images.close()
        self._parts.colours.close()
        self._parts.macs.close()
        self._parts.workspace.clear()
        self._parts.conversations.settle()
        self._parts.shutdown.begin()
