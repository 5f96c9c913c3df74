"""The app's connection to the engine: which model the engine shall load, and whether it can be asked now. Runs on the
window's thread.

Events about conversations go to the sessions, reports about caches to the cache monitor.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from app.base.errors import engine_words, load_words
from app.engine_client.capabilities import model_capabilities
from app.models.names import name_of
from engine.protocol.errors import ModelStuck, ModelUnstable
from engine.protocol.messages import (
    CachedConversations,
    Focus,
    Forget,
    LoadModel,
    LoadProgress,
    Memory,
    ModelFailed,
    ModelLoaded,
    ModelUnloaded,
    Ready,
    Rejected,
    SetAside,
    StoreReport,
)
from ui.state import EngineState, EngineView, MemoryView, ModelCapabilities, Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import CacheListener, Chats, EngineSink
    from engine.protocol.messages import Command, Event, KvBits
    from ui.state import ModelView

_log = logging.getLogger(__name__)

RESTART_KEY = "engine:restart"
_FOLDERS_KEY = "models:unreadable"
_MODEL_KEY = "engine:model"
_UNCACHED_KEY = "engine:uncached"


class EngineConnection:
    """Implements `app.base.ports.Engine` for the conversations and `app.base.ports.EngineListener` for the process.

    - `refusal` says why no model will be loaded; empty as long as one may be.
    - `send` writes a command to the process. Commands that must not be lost while the engine is away (Forget, and the
      newest Focus) are sent once it is back.
    - `total_memory` is the machine's, in bytes.
    - `kv_bits` returns the precision that the user wants for a model's cache.
    - `remember` is called with a model that the user picked, once it has loaded. A model that cannot be loaded must not
      be tried again at the next start.
    """

    def __init__(
        self,
        model: str,
        sink: EngineSink,
        send: Callable[[Command], None],
        total_memory: int,
        kv_bits: Callable[[str], KvBits] = lambda _model: 0,
        remember: Callable[[str], object] = lambda _model: None,
    ) -> None:
        self.model = model
        self.refusal = ""
        self._kv_bits = kv_bits
        self._remember = remember
        self._picked = ""
        self._regret = ""
        self._stuck = False
        self._sink = sink
        self._send = send
        self._total_memory = total_memory
        self._models: tuple[ModelView, ...] = ()
        self._chats: Chats | None = None
        self._keeper: CacheListener | None = None
        self._loaded: ModelLoaded | None = None
        self._loading = 0
        self._connected = False
        self._owed: list[Forget] = []
        self._focus = Focus("")

    def serve(self, chats: Chats) -> None:
        """Pass the events about conversations to `chats` from now on."""
        self._chats = chats

    def keep(self, keeper: CacheListener) -> None:
        """Pass the reports about the caches on disk to `keeper` from now on."""
        self._keeper = keeper

    @property
    def ready(self) -> bool:
        """Whether the wanted model is loaded."""
        settled = self._connected and not self._loading
        return settled and self._loaded is not None and self._loaded.path == self.model

    @property
    def context_limit(self) -> int:
        """Tokens that the loaded model can read; 0 if unknown."""
        return self._loaded.context_limit if self._loaded is not None else 0

    def offer(self, models: tuple[ModelView, ...], trouble: str = "") -> None:
        """Show the models that the user can pick. `trouble` names the folders that cannot be read."""
        self._models = models
        self._sink.set_models(models, self.model)
        if trouble:
            self._sink.show_notice(Notice(_FOLDERS_KEY, trouble))

    def use(self, model: str) -> None:
        """Load the model in the folder `model` instead. Requests wait until it is loaded."""
        if model != self.model or self.refusal:
            self._picked = model
            self._pick(model)
            self._load()
        elif self.ready:
            self._remember(model)

    def reload(self) -> None:
        """Load the same model again, because a setting of its load has changed."""
        self._pick(self.model)
        self._load()

    def send(self, command: Command) -> None:
        """Send a command if the engine is there; the class says which commands wait for it."""
        if isinstance(command, Focus):
            self._focus = command
        if self._connected:
            self._send(command)
        elif isinstance(command, Forget):
            self._owed.append(command)

    def engine_event(self, event: Event) -> None:
        """Handle the events about the engine, and pass the others to the conversations."""
        match event:
            case Ready():
                self._greet()
            case LoadProgress():
                self._show_progress(event)
            case ModelLoaded():
                self._loading = max(0, self._loading - 1)  # a model that returns after a failed load was not requested
                self._settle(event)
            case ModelFailed():
                self._loading = max(0, self._loading - 1)
                self._refuse(event)
            case ModelUnloaded():
                self._give_up(event)
            case Memory():
                _log.debug("the engine uses %d bytes, %d of them for warm chats", event.active_bytes, event.hot_bytes)
                self._sink.set_memory(MemoryView(event.active_bytes, self._total_memory, event.hot_conversations))
            case StoreReport() | CachedConversations():
                self._look_after(event)
            case Rejected() | SetAside():
                self._complain(event)
            case _ if self._chats is not None:
                self._chats.engine_event(event)

    def _complain(self, event: Rejected | SetAside) -> None:
        if isinstance(event, SetAside):
            self._sink.show_notice(Notice("engine:set_aside", event.message))
            return
        _log.warning("the engine rejected a command: %s", event.code)
        self._sink.show_notice(Notice(f"engine:{event.code}", engine_words(event.code, event.message)))

    def engine_lost(self) -> None:
        """The process crashed and is being started again."""
        self._disconnect()
        self._sink.set_engine(EngineView(EngineState.RESTARTING, "The engine stopped and is being started again."))

    def engine_replaced(self) -> None:
        """The app ended the process, and another one is starting. To the user, the load continues."""
        self._disconnect()
        self._sink.set_engine(EngineView(EngineState.STARTING, f"Loading {_name(self.model)}…"))

    def engine_failed(self, reason: str) -> None:
        """The process ended and is not restarted unless the user asks for it."""
        self._disconnect()
        self._sink.show_notice(Notice(RESTART_KEY, reason, "Restart the engine"))
        self._give_no_hope(reason)

    def starting(self) -> None:
        """The process is being started, for the first time or because the user asked for it."""
        self.refusal, self._stuck = "", False
        self._sink.clear_notice(RESTART_KEY)
        self._sink.set_engine(EngineView(EngineState.STARTING, "Starting the engine…"))

    def _look_after(self, event: StoreReport | CachedConversations) -> None:
        if self._keeper is None:
            return
        if isinstance(event, CachedConversations):
            self._keeper.held(event.conversations)
        else:
            self._keeper.reported(event)

    def _pick(self, model: str) -> None:
        self.model, self.refusal, self._regret, self._stuck = model, "", "", False
        self._sink.set_models(self._models, model)

    def _greet(self) -> None:
        self._connected = True
        for forget in self._owed:
            self._send(forget)
        self._owed.clear()
        if self._keeper is not None:
            self._keeper.connected()
        if self._stuck:
            self._sink.set_engine(EngineView(EngineState.FAILED, self.refusal))
        else:
            self._load()

    def _load(self) -> None:
        if self._connected:
            self._sink.set_engine(EngineView(EngineState.LOADING, f"Loading {_name(self.model)}…"))
            self._loading += 1
            self._send(LoadModel(self.model, self._kv_bits(self.model)))

    def _show_progress(self, event: LoadProgress) -> None:
        if event.path == self.model and event.total:
            share = 100 * event.done // event.total
            self._sink.set_engine(EngineView(EngineState.LOADING, f"Loading {_name(self.model)}… {share} %"))

    def _settle(self, event: ModelLoaded) -> None:
        self._loaded = event
        if event.path != self.model or self._loading:
            return
        if not self._regret:
            self._sink.clear_notice(_MODEL_KEY)
        if self._picked == event.path:
            self._picked = ""
            self._remember(event.path)
        self._sink.set_capabilities(model_capabilities(event, self._kv_bits(event.path)))
        self._sink.set_engine(EngineView(EngineState.READY))
        if event.uncached:
            self._sink.show_notice(Notice(_UNCACHED_KEY, event.uncached))
        else:
            self._sink.clear_notice(_UNCACHED_KEY)
        self._send(self._focus)
        if self._chats is not None:
            self._chats.engine_ready()

    def _refuse(self, event: ModelFailed) -> None:
        """Return to the former model, if there was one. A stuck engine has ended: the next one loads that model."""
        if event.path != self.model or self._loading:
            return
        reason, before = load_words(_name(event.path), event.code, event.message), self._loaded
        stuck = event.code == ModelStuck.code
        self._picked = ""
        if before is None or (stuck and before.path == event.path):
            self._stuck = stuck
            self._sink.show_notice(Notice(_MODEL_KEY, reason))
            self._give_no_hope(reason)
            return
        self._pick(before.path)
        self._regret = reason if before.path == event.path else f"{reason} Meanwhile {_name(before.path)} answers."
        self._sink.show_notice(Notice(_MODEL_KEY, self._regret))
        if not stuck:
            self._settle(before)

    def _give_up(self, event: ModelUnloaded) -> None:
        self._loaded = None
        self._sink.set_capabilities(ModelCapabilities())
        if event.path == self.model and not self._loading:
            reason = _unloaded_words(event)
            self._sink.show_notice(Notice(_MODEL_KEY, reason))
            self._give_no_hope(reason)

    def _give_no_hope(self, reason: str) -> None:
        self.refusal = reason
        self._sink.set_engine(EngineView(EngineState.FAILED, reason))
        if self._chats is not None:
            self._chats.engine_refused(reason)

    def _disconnect(self) -> None:
        self._connected, self._loaded, self._loading = False, None, 0
        if self._chats is not None:
            self._chats.engine_lost()


def _name(model: str) -> str:
    return name_of(Path(model))


def _unloaded_words(event: ModelUnloaded) -> str:
    if event.code == ModelUnstable.code:
        return engine_words(event.code, event.message)
    return load_words(_name(event.path), event.code, event.message)
