"""The app's connection to the engine: which model the engine shall load, and whether it can be asked now. Runs on the
window's thread.

Events about conversations go to the sessions. `wanted_model` decides what an event means for the model; the connection
sends the commands, and shows the outcome.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import psutil

from app.base.errors import engine_words, load_words
from app.base.model_names import name_of
from app.base.ports import ModelAwaited, ModelLoading, ModelReady, ModelRefused, ModelResting, ModelState, ViewSink
from app.chat.sessions import Sessions
from app.engine_client import wanted_model
from app.engine_client.hosting import GROUP_KEY, group_notice, mac_of, regrouping_view
from engine.protocol import messages
from engine.protocol.cache_messages import Forget, Memory
from engine.protocol.errors import LoadCancelled, ModelTooLarge
from engine.protocol.group import GroupEnded
from engine.protocol.sampling_settings import OwnSampling
from resources.language.text import tr
from ui.intents.models import LoadAnyway, RestartEngine
from ui.intents.notice import Notice
from ui.state.engine import EngineState, EngineView, MemoryView, ModelCapabilities, ModelView, OfferedModels

_log = logging.getLogger(__name__)

RESTART_KEY = "engine:restart"
MODEL_KEY = "engine:model"
"""The notice about a model that was not loaded. Its action, if it has one, loads the model anyway."""
_UNCACHED_KEY = "engine:uncached"


@dataclass(frozen=True, slots=True)
class EnginePorts:
    """What the connection asks the app about models, and tells it.

    - `command_of` returns the command that loads a model with the user's settings.
    - `name_of` returns a model's name for people.
    - `models` returns those that the user can pick.
    - `mac_of` names a machine of the engine's group. `fits_here`: this Mac can run the model alone.
    - `remember` is called with a model that the user picked, once it has loaded. A model that cannot be loaded must not
      be tried again at the next start.
    """

    command_of: Callable[[str], messages.LoadModel] = messages.LoadModel
    name_of: Callable[[str], str] = lambda model: name_of(Path(model))
    mac_of: Callable[[int], str] = lambda rank: mac_of(None, rank)
    models: Callable[[], tuple[ModelView, ...]] = tuple
    fits_here: Callable[[str], bool] = lambda _model: True
    remember: Callable[[str], object] = lambda _model: None


class EngineConnection:
    """Implements `app.base.ports.Engine` for the conversations and `app.base.ports.EngineListener` for the process.
    `serve` is called before the first event.

    - `send` writes a command to the process. Commands that must not be lost while the engine is away (Forget, and the
      newest Focus) are sent once it is back.
    - After an unload or a failed load the model is resting: the next request loads it.
    """

    _chats: Sessions
    _watch: Callable[[messages.Event], object]
    _greeted: Callable[[], object]

    def __init__(
        self,
        model: str,
        sink: ViewSink,
        send: Callable[[messages.Command], None],
        ports: EnginePorts = EnginePorts(),
    ) -> None:
        self.name_of = ports.name_of
        self._wanted = wanted_model.WantedModel(model)
        self._sink = sink
        self._store = sink.store
        self._send = send
        self._ports = ports
        self._memory = MemoryView(0, psutil.virtual_memory().total, 0)
        self._ended: Notice | None = None  # why the process is not started again
        self._too_large = ""  # the model that the engine has just refused for its size
        self._connected = False
        self._owed: list[Forget] = []
        self._focus = messages.Focus("")

    def serve(
        self,
        chats: Sessions,
        watch: Callable[[messages.Event], object] = lambda _event: None,
        greeted: Callable[[], object] = lambda: None,
    ) -> None:
        """Pass the events about conversations to `chats` from now on. `watch` is called with every event before it is
        handled, and `greeted` when an engine has started, before it is asked for the model.
        """
        self._chats, self._watch, self._greeted = chats, watch, greeted

    def show_again(self) -> None:
        """Say everything again, in another language."""
        self.show_models()
        self._show_capabilities()
        self._show_state()

    def _show_state(self) -> None:
        if self._ended is not None:
            self._store.engine.put(EngineView(EngineState.FAILED, self._ended.text))
        else:
            self._store.engine.put(wanted_model.state_view(self.name_of(self.model), self._wanted))

    @property
    def model(self) -> str:
        """The folder of the wanted model."""
        return self._wanted.path

    @property
    def state(self) -> ModelState:
        """The state of the wanted model."""
        return ModelRefused(self._ended) if self._ended is not None else self._wanted.state

    @property
    def ready(self) -> bool:
        """Whether the wanted model is loaded."""
        return isinstance(self.state, ModelReady)

    @property
    def context_limit(self) -> int:
        """Tokens that the loaded or resting model can read; 0 if unknown."""
        return self._wanted.former.context_limit if self._wanted.former is not None else 0

    @property
    def own_sampling(self) -> OwnSampling | None:
        """The sampling values that the maker of the wanted model suggests; None until it is loaded."""
        known = self._wanted.former
        return known.sampling if known is not None and known.path == self.model else None

    def show_models(self) -> None:
        """Show the models that the user can pick, and which one is wanted."""
        self._store.models.put(OfferedModels(self._ports.models(), self.model))

    def use(self, model: str, *, chosen: bool = True) -> None:
        """Load the model in the folder `model` instead. Requests wait for it. `chosen`: the user picked it."""
        if model != self.model or self._wanted.is_given_up or self._ended is not None:
            self._want(replace(self._wanted, path=model, is_picked=chosen, anyway=False))
        elif self.ready and chosen:
            self._ports.remember(model)

    def load_anyway(self) -> None:
        """Load the model that the engine has just refused because it does not fit into the free memory."""
        if self._too_large:
            self._want(replace(self._wanted, path=self._too_large, is_picked=True, anyway=True))

    def reload(self) -> None:
        """Load the same model again with its new settings. The next request loads a resting one with them."""
        if not isinstance(self._wanted.state, ModelResting):
            self._want(self._wanted)

    def cancel_load(self) -> None:
        """End the load in progress. The former model returns, and waiting turns are given back."""
        match self._wanted.state:
            case ModelLoading(is_cancelling=False) as state:
                self._wanted = replace(self._wanted, state=replace(state, is_cancelling=True))
                self._send(messages.CancelLoad())

    def unload(self) -> None:
        """Free the memory of the loaded model, until the next request needs it. Running answers end first."""
        if self.ready:
            self._wanted = replace(self._wanted, state=ModelResting(), failed="")
            self._send(messages.UnloadModel())

    def wake(self) -> ModelState:
        """A request waits: load a resting model, or show again why no model will be loaded. Returns the state."""
        match self.state:
            case ModelResting():
                self._wanted = replace(self._wanted, failed="")
                self._load()
            case ModelRefused(notice):
                self._sink.show_notice(notice)
        return self.state

    def send(self, command: messages.Command) -> None:
        """Send a command if the engine is there; the class says which commands wait for it."""
        if isinstance(command, messages.Focus):
            self._focus = command
        if self._connected:
            self._send(command)
        elif isinstance(command, Forget):
            self._owed.append(command)

    def engine_event(self, event: messages.Event) -> None:
        """Handle the events about the engine, and pass the others to the conversations."""
        self._watch(event)
        match event:
            case messages.Ready():
                self._greet()
            case messages.LoadProgress() | messages.ModelLoaded() | messages.ModelFailed():
                self._load_event(event)
            case messages.ModelUnloaded():
                self._unloaded(event)
            case Memory():
                _log.debug("the engine uses %d bytes, %d of them for warm chats", event.active_bytes, event.hot_bytes)
                self._memory = replace(self._memory, used_bytes=event.active_bytes, warm_chats=event.hot_conversations)
                self._store.memory.put(self._memory)
            case messages.Rejected():
                _log.warning("the engine rejected a command: %s", event.code)
                self._sink.show_notice(Notice(f"engine:{event.code}", engine_words(event.code, event.message)))
            case _:
                self._chats.engine_event(event)

    def _load_event(self, event: messages.LoadProgress | messages.ModelLoaded | messages.ModelFailed) -> None:
        is_wanted = event.path == self.model
        match event:
            case messages.LoadProgress():
                if is_wanted and isinstance(self.state, ModelLoading) and not self.state.is_cancelling:
                    self._store.engine.put(wanted_model.load_view(self.name_of(self.model), event))
            case messages.ModelLoaded():
                self._wanted = self._wanted.answered().loaded(event)
                if is_wanted:
                    self._settle()
            case messages.ModelFailed():
                self._wanted = self._wanted.answered()
                if is_wanted and not self._wanted.pending:
                    self._load_failed(event)

    def engine_lost(self) -> None:
        """The process crashed and is being started again."""
        self._disconnect()
        self._store.engine.put(EngineView(EngineState.RESTARTING, tr("The engine stopped and is being started again.")))

    def engine_replaced(self) -> None:
        """The app ended the process, and another one is starting. To the user, the load continues, unless the user has
        cancelled it.
        """
        if self._wanted.is_being_cancelled:
            cancelled = wanted_model.cancelled_words(self.name_of(self.model))
            self._wanted = self._wanted.returned(has_engine=False)
            self._show_return(cancelled)
        self._disconnect(by_app=True)
        if isinstance(self.state, ModelResting):
            self._show_state()
        else:
            self._store.engine.put(
                EngineView(EngineState.STARTING, tr("Loading {name}…", name=self.name_of(self.model)))
            )

    def group_ended(self, end: GroupEnded, *, again: bool) -> None:
        """A machine of the engine's group is lost. Without another start, no model is loaded until the user decides."""
        self._watch(end)
        self._disconnect()
        mac = self._ports.mac_of(end.rank)
        if again:
            self._store.engine.put(regrouping_view(end, mac))
        else:
            notice = group_notice(end, mac, fits_here=self._ports.fits_here(self.model))
            self._wanted = replace(self._wanted, state=ModelRefused(notice))
            self._show_refusal(notice)

    def engine_failed(self, reason: str) -> None:
        """The process ended and is not restarted unless the user asks for it."""
        self._disconnect()
        self._ended = Notice(RESTART_KEY, reason, tr("Restart the engine"), intent=RestartEngine())
        self._show_refusal(self._ended)

    def starting(self) -> None:
        """The process is being started, for the first time or because the user asked for it."""
        self._ended = None
        if isinstance(self.state, ModelRefused):
            self._wanted = replace(self._wanted, state=ModelAwaited())
        self._sink.clear_notice(RESTART_KEY)
        self._store.engine.put(EngineView(EngineState.STARTING, tr("Starting the engine…")))

    def _greet(self) -> None:
        self._connected = True
        for forget in self._owed:
            self._send(forget)
        self._owed.clear()
        self._greeted()
        match self.state:
            case ModelResting() | ModelRefused():
                self._show_state()
            case _:
                self._load()

    def _want(self, wanted: wanted_model.WantedModel) -> None:
        self._wanted = replace(wanted, failed="")
        self._show_pick()
        self._load()

    def _show_pick(self) -> None:
        self._sink.clear_notice(GROUP_KEY)
        self.show_models()

    def _load(self) -> None:
        self._wanted = self._wanted.asked(of_engine=self._connected)
        if self._connected:
            self._store.engine.put(
                EngineView(EngineState.LOADING, tr("Loading {name}…", name=self.name_of(self.model)))
            )
            self._send(msgspec.structs.replace(self._ports.command_of(self.model), anyway=self._wanted.anyway))

    def _settle(self) -> None:
        """Show that the wanted model is ready, if it is."""
        if not isinstance(self.state, ModelReady):
            return
        loaded = self.state.loaded
        if not self._wanted.failed:
            self._sink.clear_notice(MODEL_KEY)
        if self._wanted.is_picked:
            self._wanted = replace(self._wanted, is_picked=False)
            self._ports.remember(loaded.path)
        self._show_capabilities()
        self._show_state()
        if loaded.uncached:
            self._sink.show_notice(Notice(_UNCACHED_KEY, loaded.uncached))
        else:
            self._sink.clear_notice(_UNCACHED_KEY)
        self._send(self._focus)
        self._chats.engine_ready()

    def _load_failed(self, event: messages.ModelFailed) -> None:
        reason = load_words(self.name_of(event.path), event.code, event.message)
        self._too_large = event.path if event.code == ModelTooLarge.code else ""
        notice = Notice(MODEL_KEY, reason)
        if self._too_large:
            notice = replace(notice, action=tr("Load anyway"), intent=LoadAnyway())
        self._wanted = self._wanted.load_failed(event.code)
        if event.code == LoadCancelled.code:
            self._show_return(wanted_model.cancelled_words(self.name_of(event.path)))
        else:
            self._show_return(reason)
            if self.model != event.path and not isinstance(self.state, ModelResting):
                reason = tr("{reason} Meanwhile {name} answers.", reason=reason, name=self.name_of(self.model))
            self._sink.show_notice(replace(notice, text=reason))
        self._settle()

    def _show_return(self, reason: str) -> None:
        """Another model is wanted again. Give back the turns that waited for the one that was not loaded."""
        self._show_pick()
        if isinstance(self.state, ModelResting):
            self._show_state()
        self._chats.engine_refused(reason)

    def _unloaded(self, event: messages.ModelUnloaded) -> None:
        """The engine has freed the model, because the app asked for that or because it gave the model up."""
        if not event.code:
            self._wanted = replace(self._wanted, in_memory=False)
            self._chats.engine_lost()
            if isinstance(self.state, ModelResting):
                self._show_state()
        else:
            is_had = self.ready and event.path == self.model
            notice = Notice(MODEL_KEY, wanted_model.gone_words(self.name_of(event.path), event))
            self._wanted = self._wanted.given_up(event, notice)
            self._show_capabilities()
            if is_had:
                self._show_refusal(notice)

    def _show_refusal(self, notice: Notice) -> None:
        self._sink.show_notice(notice)
        self._show_state()
        self._chats.engine_refused(notice.text)

    def _show_capabilities(self) -> None:
        """Show what the model that the engine loaded last can do."""
        found, loaded = ModelCapabilities(), self._wanted.former
        if loaded is not None:
            found = wanted_model.model_capabilities(loaded, self._ports.command_of(loaded.path).kv_bits)
        self._store.capabilities.put(found)

    def _disconnect(self, *, by_app: bool = False) -> None:
        self._connected = False
        self._wanted = self._wanted.disconnected(by_app=by_app)
        self._chats.engine_lost()
