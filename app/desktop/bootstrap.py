"""Makes every part of the app with a window, and tells them of each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.backup.copies import LibraryCopies
from app.backup.recovery import LibraryRecovery, RecoveryFlow
from app.base import program
from app.base.background import Background
from app.base.errors import REFUSED
from app.base.library_thread import LibraryThread
from app.base.model_names import DEMO
from app.base.ports import Ports
from app.cache.monitor import CacheDisk, CacheMonitor
from app.cache.quota import free_on
from app.colours.colours import Colours
from app.conversations.conversations import Conversations
from app.conversations.presets import Presets
from app.desktop.folders import Folders
from app.desktop.home import Home
from app.desktop.locales import Speech
from app.desktop.objective_c import AppNap, ObjectiveC
from app.desktop.read_aloud import ReadAloud, find_voice
from app.desktop.shutdown import AppShutdown
from app.desktop.workspace import Workspace
from app.engine_client.chat_models import ChatModels
from app.engine_client.connection import EngineConnection, EnginePorts
from app.engine_client.engine_process import EngineProcess
from app.engine_client.hosting import Hosting
from app.engine_client.idle_unload import IdleUnload
from app.engine_client.model_switch import ModelSwitch
from app.hub.client import HubClient
from app.hub.downloads import Downloads, FetchProcess
from app.hub.fetch.progress import Done
from app.hub.finder import HubFinder
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
from storage.library.library import Library
from ui.state.library import OpenTabs
from ui.window.main_window import MainWindow

_NETWORK_THREADS = 3
"""More than one, so that a question to the hub does not wait behind a cancelled one."""


class AppParts(QObject):
    """The parts of the app with a window. `answered` carries a TurnEnd, once that answer is on disk."""

    answered = Signal(object)

    def __init__(self, home: Home, window: MainWindow, speech: Speech | None = None) -> None:
        super().__init__()
        self.home = home
        self.window = window
        self.speech = speech or Speech()
        self.workspace = workspace = Workspace(home.paths.settings, window)
        self.tasks = LibraryThread(partial(Library.open, home.paths.library_file))
        self.tasks.wrote.connect(lambda: window.clear_notice(REFUSED))
        self.private_tasks = LibraryThread(Library.in_memory)
        engine = program.engine(home.segments)
        self.engine_process = EngineProcess(engine)
        self.macs = Macs(home.paths, workspace, window, lambda: self.models)
        self.hosting = Hosting(
            self.engine_process, lambda group: engine if group is None else group.leader(engine), self.macs.group_of
        )
        self.choice = ModelChoice(workspace, window)
        engine_ports = EnginePorts(
            command_of=lambda model: workspace.settings.load_command(model),  # noqa: PLW0108 - of this moment
            name_of=workspace.name_of,
            mac_of=self.hosting.mac_of,
            models=lambda: self.models.offered,
            fits_here=lambda model: self.models.fits_here(model),  # noqa: PLW0108 - they come later
            remember=self.choice.keep,
        )
        self.connection = EngineConnection(self.choice.first, window, self.hosting.send, engine_ports)
        network = Background("network", _NETWORK_THREADS)
        self.downloads = Downloads(home.paths, self.tasks, FetchProcess(), window)
        self.downloads.changed = self._show_downloads
        self.downloads.arrived = self._arrived
        recovery = LibraryRecovery(home.paths.library_file, home.paths.backups)
        self.cache_monitor = CacheMonitor(
            self.tasks, self.connection, window, lambda: workspace.settings, _disk(home, recovery)
        )
        presets = Presets(lambda: workspace.settings.own_presets, workspace.keep_presets, window)
        self.tasks.filled.connect(self.cache_monitor.make_room)
        self.conversations = Conversations(
            *self._ports(), window, presets, self.cache_monitor.refresh, self._model_places
        )
        sessions = self.conversations.sessions
        self.model_switch = ModelSwitch(self.connection, sessions, window)
        self.chat_models = ChatModels(self.connection, self.model_switch, self.conversations.chats)
        self.conversations.opened = self.chat_models.opened
        self.idle_unload = IdleUnload(self.connection, lambda: sessions.busy, lambda: workspace.settings.unload_after)
        window.requested.connect(lambda _intent: self.idle_unload.note_use())
        self.inspector = ModelInspector(program.inspector())
        self.models = self._made_models(self.inspector)
        self.models.listed = self._show_models
        self.answered.connect(self.models.measured)
        self.recovery_flow = RecoveryFlow(recovery, self.conversations, self._begin_anew)
        self.copies = LibraryCopies(
            self.tasks, window, home.paths.library_file, home.paths.backups, self.cache_monitor.show
        )
        self.shutdown = AppShutdown(sessions, self.engine_process, self.tasks, self.private_tasks)
        store = TokenStore(home.paths)
        self.finder = HubFinder(
            HubClient(store.token), network, window, self.models, self.downloads.views, self.inspector.inspect
        )
        self.hub_token = TokenSetting(store, network, window, self._repeat)
        self.welcome = Welcome(
            window, workspace, lambda: self.models.models, self.downloads.views, first_run=home.is_new
        )
        self.folders = Folders(home.paths, self.models, window)
        self.app_nap = AppNap(ObjectiveC.find())
        self.read_aloud = ReadAloud(window, find_voice())
        self.images = Images(program.images())
        self.colours = Colours(program.colours())
        self.connection.serve(sessions, self._hear, self.cache_monitor.connected)

    def _hear(self, event: Event) -> None:
        self.models.engine_event(event)
        self.chat_models.engine_event(event)
        self.macs.engine_event(event)
        self.cache_monitor.engine_event(event)

    def _made_models(self, inspector: ModelInspector) -> LocalModelsPresenter:
        paths, connection, chats = self.home.paths, self.connection, self.conversations
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
            downloads=self.downloads.views,
        )
        return LocalModelsPresenter(ports, self.workspace, self.window)

    def _model_places(self) -> Iterable[Path]:
        """The folders in which the user's models are, the built-in and the picked one included. On any thread."""
        settings = self.workspace.settings
        picked = (Path(settings.model),) if settings.model else ()
        others = (one.folder for one in sources(self.home.paths.models, settings.model_folders))
        return (Path(DEMO), *picked, *others)

    def _ports(self) -> tuple[Ports, Ports]:
        """What sessions work with: those of chats that are kept, and of private ones."""
        workspace, connection = self.workspace, self.connection
        kept = Ports(
            tasks=self.tasks,
            engine=connection,
            sink=self.window,
            model=lambda: connection.model,
            sampling=lambda chat: workspace.sampling(chat, connection.model, connection.own_sampling or OwnSampling()),
            unknown=lambda chat: (
                workspace.left_to_maker(chat, connection.model) if connection.own_sampling is None else frozenset()
            ),
            model_settings=lambda: workspace.settings.of_model(connection.model),
            ended=self.answered.emit,
            stored=self.cache_monitor.stored,
            cleared=self.cache_monitor.cleared,
            on_disk=lambda: workspace.settings.cache_enabled,
            preferences=lambda: workspace.settings.preferences,
            reading_rate=lambda: self.models.reading_rate(connection.model),
            serves=lambda chat: self.chat_models.is_wanted(chat),  # noqa: PLW0108 - they come later
        )
        return kept, replace(kept, tasks=self.private_tasks, on_disk=lambda: False, private=True)

    def open_library(self) -> None:
        """Load the library, or offer to restore it."""
        flow = self.recovery_flow
        self.conversations.start(alone=self.home.alone, not_readable=flow.offer, readable=flow.withdraw)

    def _begin_anew(self, tabs: OpenTabs | None) -> None:
        """Load the library that has replaced the former one."""
        self.open_library()
        self.chat_models.leave_library()
        self.workspace.open_tabs(self.conversations, tabs)
        self.cache_monitor.refresh()

    def _show_models(self) -> None:
        self.welcome.show_again()
        self.finder.refresh()
        self.choice.show_models(self.models.models)

    def _show_downloads(self) -> None:
        self.welcome.show_again()
        self.finder.refresh()
        self.models.show_again()

    def _repeat(self) -> None:
        """The user has given a token: ask again what the hub refused of the model in front."""
        self.downloads.repeat(self.finder.shown)
        self.finder.repeat()

    def _arrived(self, done: Done) -> None:
        self.chat_models.ask_built_in(
            lambda found: self.choice.arrived(
                done.folder, done.licence, self.model_switch.pick_quietly, has_built_in=found
            )
        )
        self.models.refresh()


def _disk(home: Home, recovery: LibraryRecovery) -> CacheDisk:
    models = home.paths.models
    arrived = partial(receiving.arrived_bytes, models)
    remove = partial(receiving.sweep, models, receiving.GOES_ON_SECONDS)
    return CacheDisk(partial(free_on, home.segments), recovery.copies, str(home.paths.data), arrived, remove)


def _open_chats(conversations: Conversations) -> tuple[int, ...]:
    """The tokens of each open chat."""
    statuses = (conversations.sessions.of(chat).status for chat in conversations.tabs.opened)
    return tuple(status.context_tokens for status in statuses if status.context_tokens)
