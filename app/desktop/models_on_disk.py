"""The models on this machine as the user handles them: look again, show, configure, add and drop folders, reveal.

Runs on the window's thread. This object starts and ends the worker thread and the
inspector process.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from app.base import program
from app.base.background import Background
from app.base.settings import ModelSettings
from app.desktop.folders import show_files
from app.macs.placement import measured, placed
from app.models.inspections import Inspections
from app.models.inspector import ModelInspector
from app.models.memory import memory_now
from app.models.presenter import LocalModelsPresenter, ModelsPorts
from engine.protocol.cache_messages import ReportStore
from engine.protocol.messages import ModelLoaded
from resources.language.text import tr
from ui.intents.models import AddModelFolder
from ui.intents.notice import undo_notice
from ui.theme.phrases import one_line

if TYPE_CHECKING:
    from app.base.paths import Paths
    from app.conversations.conversations import Conversations
    from app.desktop.macs import Macs
    from app.desktop.workspace import Workspace
    from app.engine_client.connection import EngineConnection
    from app.models.fit import MemoryNow
    from engine.protocol.messages import Event
    from ui.state.models import ModelSettingsView
    from ui.window.main_window import MainWindow

DROPPED: Final = "models:dropped:"
"""The prefix of the key of the notice about a folder that was dropped; its path follows."""
LOOK_TICKS: Final = 10
"""While the models page is visible, Hearth looks so often (in seconds) for disks and files that came or went."""


_PATIENCE_S: Final = 2.0
"""How long closing waits for a disk that hangs."""


class ModelsOnDisk:
    """`presenter` shows the models; `inspector` examines model folders for others, too."""

    def __init__(
        self,
        paths: Paths,
        window: MainWindow,
        workspace: Workspace,
        connection: EngineConnection,
        conversations: Conversations,
        macs: Macs,
    ) -> None:
        self._window = window
        self._workspace = workspace
        self._connection = connection
        self._conversations = conversations
        self._macs = macs
        self._ticks = 0
        self._worker = Background("models")
        self.inspector = ModelInspector(program.inspector())
        ports = ModelsPorts(
            worker=self._worker,
            inspections=Inspections(paths.data / "inspections.json", self.inspector.inspect),
            models=paths.models,
            measurements=paths.data / "measurements.json",
            settings=lambda: workspace.settings,
            chats=partial(_open_chats, conversations),
            current=lambda: connection.model,
            memory=memory_now,
            elsewhere=macs.memory_elsewhere,
            macs=macs.others,
            offer=connection.offer,
            keep_told=workspace.keep_told_unreadable,
            ask_store=lambda: connection.send(ReportStore()),
            ask_listed=conversations.list.ask_listed,
        )
        self.presenter = LocalModelsPresenter(ports, window)
        macs.presenter.changed = self.presenter.show_again
        macs.repository_of = self.presenter.repository_of

    def memory(self) -> MemoryNow:
        """Return the memory now. The bytes that the engine holds count as free."""
        return memory_now(self.presenter.held)

    def tick(self) -> None:
        """Every second: look again from time to time while the page is visible."""
        self._ticks = self._ticks + 1 if self._window.models.isVisible() else 0
        if self._ticks >= LOOK_TICKS:
            self._ticks = 0
            self.presenter.refresh()

    def note_base(self, model: str) -> None:
        """Save the base of a model that the user picks, if it is an adapter."""
        self._workspace.note_base(model, self.presenter.base_of(model))

    def configure(self, model: str, view: ModelSettingsView) -> bool:
        """Save the settings of a model. Returns whether it is the wanted one and must be loaded again for them. Another
        system prompt makes the open chats cold: look up what is cached of them under the new one.
        """
        before = self._workspace.settings.of_model(model)
        after = _settings(view, before)
        if after.macs != before.macs:
            after = placed(after, self.presenter.facts_of(model), self._macs.memory(after.macs))
        self._workspace.keep_model_settings(model, after)
        self.presenter.show_again()
        if model == self._connection.model and after.system != before.system:
            self._conversations.tabs.warm_all()
        return model == self._connection.model and _of_load(after) != _of_load(before)

    def engine_event(self, event: Event) -> None:
        """The engine has reported something. If the Macs of a group have measured their times for a layer, the next
        load divides the layers by them.
        """
        self.presenter.engine_event(event)
        if isinstance(event, ModelLoaded) and event.layer_times:
            own = self._workspace.settings.of_model(event.path)
            facts, memory = self.presenter.facts_of(event.path), self._macs.memory(own.macs)
            self._workspace.keep_model_settings(event.path, measured(own, facts, memory, event.layer_times))

    def add_folder(self, path: str) -> None:
        """Look for models in this folder, too."""
        self._window.clear_notice(DROPPED + path)
        folders = self._workspace.settings.model_folders
        self._keep_folders((*folders, path) if path not in folders else folders)

    def drop_folder(self, path: str) -> None:
        """Stop looking for models in this folder, and offer to undo that."""
        self._keep_folders(tuple(one for one in self._workspace.settings.model_folders if one != path))
        told = tr("Models in {folder} are no longer listed. Their files stay where they are.", folder=one_line(path))
        self._window.show_notice(undo_notice(DROPPED + path, told, AddModelFolder(path)))

    def reveal(self, model: str) -> None:
        """Show a model's files in the system's file browser."""
        if self.presenter.has(model):
            show_files(Path(model), self._window)

    def close(self) -> None:
        """End the inspector and the thread, and save what was measured."""
        self.inspector.close()
        self._worker.close(_PATIENCE_S)
        self.presenter.close()

    def _keep_folders(self, folders: tuple[str, ...]) -> None:
        self._workspace.keep_model_folders(folders)
        self.presenter.refresh()


def _open_chats(conversations: Conversations) -> tuple[int, ...]:
    """The tokens of each open chat."""
    statuses = (conversations.sessions.of(chat).status for chat in conversations.tabs.opened)
    return tuple(status.context_tokens for status in statuses if status.context_tokens)


def _settings(view: ModelSettingsView, before: ModelSettings) -> ModelSettings:
    changed = {name: getattr(view, name) for name in ModelSettings.__struct_fields__ if hasattr(view, name)}
    return msgspec.convert(msgspec.structs.asdict(before) | changed, ModelSettings)


def _of_load(settings: ModelSettings) -> tuple[object, ...]:
    return settings.kv_bits, settings.context_limit, settings.macs
