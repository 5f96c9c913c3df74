"""The app with a window: makes every part, starts them in order, and ends them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
from PySide6.QtCore import QObject, QTimer, Signal

from app.backup.copies import LOOK_MS, LibraryCopies
from app.backup.recovery import LibraryRecovery, RecoveryFlow, missing_library
from app.base import program
from app.base.background import Background
from app.base.errors import REFUSED, notice
from app.base.library_thread import LibraryThread
from app.base.model_names import DEMO
from app.base.ports import Ports
from app.base.program import Program
from app.cache.monitor import CacheDisk, CacheMonitor
from app.cache.quota import free_on
from app.colours.colours import Colours
from app.conversations.conversations import Conversations
from app.conversations.presets import Presets
from app.desktop import language_switch
from app.desktop.dispatch import Dispatch
from app.desktop.folders import Folders
from app.desktop.home import Home
from app.desktop.locales import Speech
from app.desktop.objective_c import AppNap, ObjectiveC
from app.desktop.opened_items import OpenHandlers
from app.desktop.shutdown import AppShutdown
from app.desktop.wiring import AppParts, Wiring
from app.desktop.workspace import Workspace
from app.engine_client.chat_models import ChatModels
from app.engine_client.connection import EngineConnection, EnginePorts
from app.engine_client.engine_process import EngineProcess
from app.engine_client.hosting import Group, Hosting
from app.engine_client.idle_unload import IdleUnload
from app.engine_client.model_switch import ModelSwitch
from app.hub.client import HubClient
from app.hub.downloads import Downloads, Worker
from app.hub.fetch.progress import Done
from app.hub.finder import HubFinder
from app.hub.removal import ModelRemoval
from app.hub.token import TokenStore
from app.hub.token_setting import TokenSetting
from app.images.images import Images
from app.macs import receiving
from app.macs.macs import Macs
from app.models.choice import ModelChoice
from app.models.inspections import Inspections, ModelInspector
from app.models.presenter import LocalModelsPresenter, ModelsPorts
from app.models.sources import sources
from app.models.welcome import Welcome
from engine.protocol.cache_messages import ReportStore
from engine.protocol.messages import Event
from engine.protocol.sampling_settings import OwnSampling
from resources.language.text import mark, tr
from storage.library.library import Library
from ui.intents.notice import Notice
from ui.markdown import highlight
from ui.state.library import OpenTabs
from ui.transcript import image_loader
from ui.window.main_window import MainWindow

_NO_DISK = mark(
    "Another Hearth command is using what is kept of the chats. Until Hearth is started again, they stay ready in "
    "memory only."
)
_NETWORK_THREADS = 3
"""More than one, so that a question to the hub does not wait behind a cancelled one."""


class Hearth(QObject):
    """The whole app with a window. `answered` carries a TurnEnd, once that answer is on disk. `ended` is emitted once
    the window is closed and everything is saved.
    """

    answered = Signal(object)
    ended = Signal()

    def __init__(self, home: Home, window: MainWindow, speech: Speech | None = None) -> None:
        super().__init__()
        self.over = False
        self._home = home
        self.window = window
        self._workspace = workspace = Workspace(home.paths.settings, window)
        self._tasks = LibraryThread(partial(Library.open, home.paths.library_file))
        self._tasks.wrote.connect(lambda: window.clear_notice(REFUSED))
        self._private_tasks = LibraryThread(Library.in_memory)
        self.engine_process = EngineProcess(program.engine(home.segments))
        self.macs = Macs(home.paths, workspace, window, lambda: self.models)
        self.hosting = Hosting(self.engine_process, self._program, self.macs.group_of)
        self._choice = ModelChoice(workspace, window)
        self.connection = self._made_connection(self._choice)
        self._network = Background("network", _NETWORK_THREADS)
        self._downloads = Downloads(home.paths, self._tasks, Worker(), window)
        self._downloads.changed = self._show_downloads
        self._downloads.arrived = self._arrived
        self._removal = ModelRemoval(home.paths.models, self._tasks, window.show_notice, lambda: self.connection.model)
        recovery = LibraryRecovery(home.paths.library_file, home.paths.backups)
        self._cache_monitor = CacheMonitor(
            self._tasks, self.connection, window, lambda: workspace.settings, _disk(home, recovery)
        )
        presets = Presets(lambda: workspace.settings.own_presets, workspace.keep_presets, window)
        self.conversations = Conversations(
            *self._ports(), window, presets, self._cache_monitor.refresh, self._model_places
        )
        sessions = self.conversations.sessions
        self._switch = ModelSwitch(self.connection, sessions, window)
        chat_models = ChatModels(sessions, self.connection, self._switch, self.conversations.chats)
        self.conversations.opened = chat_models.opened
        idle_unload = IdleUnload(self.connection, lambda: sessions.busy, lambda: workspace.settings.unload_after)
        window.requested.connect(lambda _intent: idle_unload.note_use())
        inspector = ModelInspector(program.inspector())
        self.models = self._made_models(inspector)
        self.answered.connect(self.models.measured)
        self._recovery_flow = RecoveryFlow(recovery, self.conversations, self._tasks, window, self._begin_anew)
        shutdown = AppShutdown(sessions, self.engine_process, self._tasks, self._private_tasks)
        shutdown.done.connect(self._finish)
        store = TokenStore(home.paths)
        client = HubClient(store.token)
        self._finder = HubFinder(client, self._network, window, self.models, self._downloads.views, inspector.inspect)
        token = TokenSetting(store, self._network, window)
        token.kept = self._repeat
        self._welcome = Welcome(
            window, workspace, lambda: self.models.models, self._downloads.views, first_run=home.is_new
        )
        self.models.listed = self._show_models
        self._removal.gone = self.models.refresh
        folder, shown = home.paths.backups, self._cache_monitor.show
        self._copies = LibraryCopies(self._tasks, window, home.paths.library_file, folder, shown)
        self._parts = AppParts(
            window=window,
            conversations=self.conversations,
            connection=self.connection,
            engine_process=self.engine_process,
            workspace=workspace,
            shutdown=shutdown,
            cache_monitor=self._cache_monitor,
            recovery_flow=self._recovery_flow,
            copies=self._copies,
            folders=Folders(home.paths, self.models, window),
            downloads=self._downloads,
            model_removal=self._removal,
            hub_token=token,
            finder=self._finder,
            welcome=self._welcome,
            model_switch=self._switch,
            idle_unload=idle_unload,
            models=self.models,
            inspector=inspector,
            chat_models=chat_models,
            speech=speech or Speech(),
            app_nap=AppNap(ObjectiveC.find()),
            macs=self.macs,
            hosting=self.hosting,
            images=Images(program.images()),
            colours=Colours(program.colours()),
        )
        self.connection.serve(sessions, self._cache_monitor, self._hear)
        self._wiring = Wiring(self._parts, Dispatch(self._parts).handle)
        self._hour = QTimer(self, interval=LOOK_MS)
        self._hour.timeout.connect(self._look)
        for end in (self._hour.stop, self._copies.end, self.conversations.trash.end):
            window.closing.connect(end)

    def _hear(self, event: Event) -> None:
        self.models.engine_event(event)
        self._parts.chat_models.engine_event(event)
        self.macs.engine_event(event)

    def _made_connection(self, choice: ModelChoice) -> EngineConnection:
        workspace, total = self._workspace, psutil.virtual_memory().total
        ports = EnginePorts(
            command_of=workspace.load_command,
            name_of=workspace.name_of,
            mac_of=self.hosting.mac_of,
            models=lambda: self.models.offered,
            fits_here=lambda model: self.models.fits_here(model),  # noqa: PLW0108 - they come later
            remember=choice.keep,
        )
        return EngineConnection(choice.first, self.window, self.hosting.send, total, ports)

    def _made_models(self, inspector: ModelInspector) -> LocalModelsPresenter:
        paths, connection, chats = self._home.paths, self.connection, self.conversations
        ports = ModelsPorts(
            worker=Background("models"),
            inspections=Inspections(paths.data / "inspections.json", inspector.inspect),
            models=paths.models,
            measurements=paths.data / "measurements.json",
            chats=partial(_open_chats, chats),
            current=lambda: connection.model,
            show_offered=connection.show_models,
            ask_store=lambda: connection.send(ReportStore()),
            ask_listed=chats.list.ask_listed,
            warm_all=chats.tabs.warm_all,
            macs=self.macs.others,
            elsewhere=self.macs.memory_elsewhere,
            placed=self.macs.placed,
            downloads=self._downloads.views,
        )
        return LocalModelsPresenter(ports, self._workspace, self.window)

    def _program(self, group: Group | None) -> Program:
        engine = program.engine(self._home.segments)
        return engine if group is None else group.leader(engine)

    def _model_places(self) -> Iterable[Path]:
        """The folders in which the user's models are, the built-in and the picked one included. On any thread."""
        settings = self._workspace.settings
        picked = (Path(settings.model),) if settings.model else ()
        others = (one.folder for one in sources(self._home.paths.models, settings.model_folders))
        return (Path(DEMO), *picked, *others)

    def _ports(self) -> tuple[Ports, Ports]:
        """What sessions work with: those of chats that are kept, and of private ones."""
        workspace, connection = self._workspace, self.connection
        kept = Ports(
            tasks=self._tasks,
            engine=connection,
            sink=self.window,
            model=lambda: connection.model,
            sampling=lambda chat: workspace.sampling(chat, connection.model, connection.own_sampling or OwnSampling()),
            unknown=lambda chat: (
                workspace.left_to_maker(chat, connection.model) if connection.own_sampling is None else frozenset()
            ),
            model_settings=lambda: workspace.settings.of_model(connection.model),
            ended=self.answered.emit,
            stored=self._cache_monitor.stored,
            on_disk=lambda: workspace.settings.cache_enabled,
            preferences=lambda: workspace.settings.preferences,
            model_lines=lambda: connection.capabilities().lines,
            reading_rate=lambda: self.models.reading_rate(connection.model),
            serves=lambda chat: self._parts.chat_models.is_wanted(chat),  # noqa: PLW0108 - they come later
        )
        return kept, replace(kept, tasks=self._private_tasks, on_disk=lambda: False, private=True)

    def start(self) -> None:
        """Show the window as the user left it, and start the engine."""
        image_loader.install(self._parts.images.load)
        highlight.install(self._parts.colours.colour)
        missing = missing_library(self._home.paths, self._workspace.settings, was_logged=self._home.was_logged)
        self._workspace.preferred = partial(language_switch.follow, self._parts)
        self._workspace.preferred()
        self.connection.starting()
        self.hosting.prepare(self.connection.model)
        self.engine_process.start(self.connection)
        self._start_library()
        self.conversations.settings.presets.show()
        self._workspace.restore(self.conversations)
        self._choice.start()
        if self._welcome.start():
            self.models.examine()  # the page counts those that can be used
        else:
            self.models.refresh()
        self._downloads.start()
        self._tidy(time.time_ns() // 1_000_000)
        self._copies.look()
        self._hour.start()
        self.macs.start()
        if not self._home.alone:
            self.window.show_notice(Notice("cache:taken", tr(_NO_DISK)))
        if missing is not None:
            self.window.show_notice(missing)
        self.window.show()

    def _show_models(self) -> None:
        self._welcome.show_again()
        self._finder.refresh()
        self._choice.show_models(self.models.models)

    def _show_downloads(self) -> None:
        self._welcome.show_again()
        self._finder.refresh()
        self.models.show_again()

    def _repeat(self) -> None:
        """The user has given a token: ask again what the hub refused of the model in front."""
        self._downloads.repeat(self._finder.shown)
        self._finder.repeat()

    def _arrived(self, done: Done) -> None:
        self._parts.chat_models.ask_built_in(
            lambda found: self._choice.arrived(done.folder, done.licence, self._switch.pick_quietly, has_built_in=found)
        )
        self.models.refresh()

    def _look(self) -> None:
        """Called every hour; does once a day what otherwise happens at a start."""
        now = time.time_ns() // 1_000_000
        if self._workspace.is_another_day(now):
            self._tidy(now)
        self._copies.look()

    def _tidy(self, now: int) -> None:
        self.conversations.tidy(self._workspace.note_start(now))

    def open_handlers(self) -> OpenHandlers:
        """Return the handlers of files and links that are opened with Hearth. The window comes to the front
        for each.
        """
        return OpenHandlers(
            activate=self._to_front,
            import_file=self.conversations.transfer.import_file,
            start_draft=self.conversations.creation.new,
            open_chat=self.conversations.tabs.show,
            refuse=lambda error: self.window.show_notice(notice(error)),
        )

    def begin_with(self, text: str) -> None:
        """Bring the window to the front, and begin a chat with this text in its message box."""
        self._to_front()
        self.conversations.creation.new(text)

    def _to_front(self) -> None:
        if self.window.isMinimized():
            self.window.showNormal()
        self.window.raise_()
        self.window.activateWindow()

    def _start_library(self) -> None:
        flow = self._recovery_flow
        self.conversations.start(alone=self._home.alone, not_readable=flow.offer, readable=flow.withdraw)

    def _begin_anew(self, tabs: OpenTabs | None) -> None:
        """Load the library that has replaced the former one."""
        self._start_library()
        self._parts.chat_models.leave_library()
        self._workspace.open_tabs(self.conversations, tabs)
        self._cache_monitor.refresh()

    def _finish(self) -> None:
        self.over = True
        self.window.requested.disconnect()  # a timer of the window may still fire, and the libraries are closed
        self.ended.emit()


def _disk(home: Home, recovery: LibraryRecovery) -> CacheDisk:
    models = home.paths.models
    arrived, remove = partial(receiving.arrived_bytes, models), partial(receiving.sweep_all, models)
    return CacheDisk(partial(free_on, home.segments), recovery.copies, str(home.paths.data), arrived, remove)


def _open_chats(conversations: Conversations) -> tuple[int, ...]:
    """The tokens of each open chat."""
    statuses = (conversations.sessions.of(chat).status for chat in conversations.tabs.opened)
    return tuple(status.context_tokens for status in statuses if status.context_tokens)
