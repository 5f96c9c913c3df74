"""The app's connection to the engine: which model the engine shall load, and whether it can be asked now. Runs on the
window's thread.

Events about conversations go to the sessions, reports about caches to the cache monitor.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.base.errors import engine_words, load_words
from app.base.model_names import name_of
from app.engine_client.capabilities import model_capabilities
from app.engine_client.group import GROUP_KEY, group_notice, mac_of, regrouping_view
from app.engine_client.load_views import cancelled_words, gone_words, load_view, present_view, ready_view, starting_view
from engine.protocol.cache_messages import CacheChecked, CacheSizes, Forget, Memory, StoreReport
from engine.protocol.errors import LoadCancelled, ModelStuck, ModelTooLarge
from engine.protocol.messages import (
    CancelLoad,
    Focus,
    LoadModel,
    LoadProgress,
    ModelFailed,
    ModelLoaded,
    ModelUnloaded,
    Ready,
    Rejected,
    UnloadModel,
)
from resources.language.text import tr
from ui.intents.models import LoadAnyway, RestartEngine
from ui.intents.notice import Notice
from ui.state.engine import EngineState, EngineView, MemoryView, ModelCapabilities, OfferedModels

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import CacheListener, CacheReport, Chats, ViewSink
    from engine.protocol.group import GroupEnded
    from engine.protocol.messages import Command, Event
    from engine.protocol.sampling_settings import OwnSampling
    from ui.state.engine import ModelView

_log = logging.getLogger(__name__)

RESTART_KEY = "engine:restart"
MODEL_KEY = "engine:model"
"""The notice about a model that was not loaded. Its action, if it has one, loads the model anyway."""
_FOLDERS_KEY = "models:unreadable"
_UNCACHED_KEY = "engine:uncached"


class EngineConnection:
    """Implements `app.base.ports.Engine` for the conversations and `app.base.ports.EngineListener` for the process.

    - `refusal` says why no model will be loaded; empty as long as one may be.
    - `send` writes a command to the process. Commands that must not be lost while the engine is away (Forget, and the
      newest Focus) are sent once it is back.
    - `name_of` returns a model's name for people; the app replaces it if the user can give names.
    - `mac_of` names a machine of the engine's group. `fits_here`: this Mac can run the model alone.
    - `capabilities` returns what the model can do, in the language that the user speaks now.
    - `total_memory` is the machine's, in bytes.
    - `command_of` returns the command that loads a model with the user's settings.
    - After an unload the model is resting: the next request wakes it. A load that fails then is tried again by the
      request after it.
    - `remember` is called with a model that the user picked, once it has loaded. A model that cannot be loaded must not
      be tried again at the next start.
    """

    def __init__(
        self,
        model: str,
        sink: ViewSink,
        send: Callable[[Command], None],
        total_memory: int,
        command_of: Callable[[str], LoadModel] = LoadModel,
        remember: Callable[[str], object] = lambda _model: None,
    ) -> None:
        self.model = model
        self.name_of: Callable[[str], str] = lambda folder: name_of(Path(folder))
        self.mac_of: Callable[[int], str] = lambda rank: mac_of(None, rank)
        self.fits_here: Callable[[str], bool] = lambda _model: True
        self.refusal = ""
        self.capabilities: Callable[[], ModelCapabilities] = ModelCapabilities
        self._command_of = command_of
        self._remember = remember
        self._picked = ""
        self._insisted = ""
        self._is_resting = False
        self._rested: ModelLoaded | None = None
        self._is_cancelling = False
        self._failed = ""
        self._stuck = False
        self._sink = sink
        self._send = send
        self._memory = MemoryView(0, total_memory, 0)
        self._models: tuple[ModelView, ...] = ()
        self._chats: Chats | None = None
        self._keeper: CacheListener | None = None
        self._watch: Callable[[Event], object] = lambda _event: None
        self._loaded: ModelLoaded | None = None
        self._loading = 0
        self._trouble = Notice(MODEL_KEY, "")
        self._connected = False
        self._owed: list[Forget] = []
        self._focus = Focus("")

    def serve(self, chats: Chats) -> None:
        """Pass the events about conversations to `chats` from now on."""
        self._chats = chats

    def show_again(self) -> None:
        """Say everything again, in another language."""
        self._sink.store.models.put(OfferedModels(self._models, self.model))
        self._sink.store.capabilities.put(self.capabilities())
        self._sink.store.engine.put(self._present())

    def _present(self) -> EngineView:
        name, resting, failed = self.name_of(self.model), self._is_resting, self._failed == self.model
        loaded = self._loaded if self.ready else None
        view = present_view(name, self.refusal, loaded, resting=resting, failed=failed)
        is_process = bool(self.refusal) and self._trouble.key == RESTART_KEY
        return replace(view, model="" if is_process else self.model)

    def keep(self, keeper: CacheListener) -> None:
        """Pass the reports about the caches on disk to `keeper` from now on."""
        self._keeper = keeper

    def watch(self, watch: Callable[[Event], object]) -> None:
        """Call `watch` with every event before it is handled from now on."""
        self._watch = watch

    @property
    def ready(self) -> bool:
        """Whether the wanted model is loaded."""
        settled = self._connected and not self._loading and not self._is_resting
        return settled and self._loaded is not None and self._loaded.path == self.model

    @property
    def loaded(self) -> str:
        """The model in memory; "" if none is."""
        return self._loaded.path if self._loaded is not None else ""

    @property
    def context_limit(self) -> int:
        """Tokens that the loaded or resting model can read; 0 if unknown."""
        known = self._loaded or self._rested
        return known.context_limit if known is not None else 0

    @property
    def own_sampling(self) -> OwnSampling | None:
        """The sampling values that the maker of the wanted model suggests; None until it is loaded."""
        return known.sampling if (known := self._loaded or self._rested) and known.path == self.model else None

    def offer(self, models: tuple[ModelView, ...], trouble: str = "") -> None:
        """Show the models that the user can pick. `trouble` names the folders that cannot be read."""
        self._models = models
        self._sink.store.models.put(OfferedModels(models, self.model))
        if trouble:
            self._sink.show_notice(Notice(_FOLDERS_KEY, trouble))

    def use(self, model: str, *, chosen: bool = True) -> None:
        """Load the model in the folder `model` instead. Requests wait for it. `chosen`: the user picked it."""
        if model != self.model or self.refusal or self._is_resting:
            self._picked = model if chosen else ""
            self._pick(model)
            self._load()
        elif self.ready and chosen:
            self._remember(model)

    def load_anyway(self) -> None:
        """Load the model that the engine has just refused because it does not fit into the free memory."""
        if self._insisted:
            self._picked = self._insisted
            self._pick(self._insisted)
            self._load()

    def reload(self) -> None:
        """Load the same model again with its new settings. The next request loads a resting one with them."""
        if not self._is_resting:
            self._pick(self.model)
            self._load()

    def cancel_load(self) -> None:
        """End the load in progress. The former model returns, and waiting turns are given back."""
        if self._loading and not self._is_cancelling:
            self._is_cancelling = True
            self._send(CancelLoad())

    def unload(self) -> None:
        """Free the memory of the loaded model, until the next request needs it. Running answers end first."""
        if self.ready:
            self._is_resting = True
            self._send(UnloadModel())

    def wake(self) -> None:
        """A request waits: load a resting model, or show again why no model will be loaded."""
        if self._is_resting:
            self._is_resting, self._failed = False, ""
            self._load()
        elif self.refusal:
            self._sink.show_notice(self._trouble)

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
        self._watch(event)
        match event:
            case Ready():
                self._greet()
            case LoadProgress():
                self._show_progress(event)
            case ModelLoaded():
                self._load_ended()
                self._settle(event)
            case ModelFailed():
                self._load_ended()
                self._refuse(event)
            case ModelUnloaded():
                self._unloaded(event)
            case Memory():
                _log.debug("the engine uses %d bytes, %d of them for warm chats", event.active_bytes, event.hot_bytes)
                self._memory = replace(self._memory, used_bytes=event.active_bytes, warm_chats=event.hot_conversations)
                self._sink.store.memory.put(self._memory)
            case StoreReport() | CacheChecked() | CacheSizes(conversation=""):
                self._look_after(event)
            case Rejected():
                _log.warning("the engine rejected a command: %s", event.code)
                self._sink.show_notice(Notice(f"engine:{event.code}", engine_words(event.code, event.message)))
            case _ if self._chats is not None:
                self._chats.engine_event(event)

    def engine_lost(self) -> None:
        """The process crashed and is being started again. A load that may have crashed it for want of memory is not
        tried again without the check.
        """
        self._insisted = "" if self._loading else self._insisted
        self._disconnect()
        self._sink.store.engine.put(
            EngineView(EngineState.RESTARTING, tr("The engine stopped and is being started again."))
        )

    def engine_replaced(self) -> None:
        """The app ended the process, and another one is starting. To the user, the load continues, unless the user has
        cancelled it.
        """
        if self._is_cancelling:
            self._return_to(self._loaded, cancelled_words(self.name_of(self.model)))
        self._rested = self._loaded or self._rested
        self._disconnect()
        self._sink.store.engine.put(self._present() if self._is_resting else starting_view(self.name_of(self.model)))

    def group_ended(self, end: GroupEnded, *, again: bool) -> None:
        """A machine of the engine's group is lost. Without another start, no model is loaded until the user decides."""
        self._disconnect()
        if again:
            self._sink.store.engine.put(regrouping_view(end, self.mac_of(end.rank)))
        else:
            self._stuck = True
            self._give_no_hope(group_notice(end, self.mac_of(end.rank), fits_here=self.fits_here(self.model)))

    def engine_failed(self, reason: str) -> None:
        """The process ended and is not restarted unless the user asks for it."""
        self._disconnect()
        self._give_no_hope(Notice(RESTART_KEY, reason, tr("Restart the engine"), intent=RestartEngine()))

    def starting(self) -> None:
        """The process is being started, for the first time or because the user asked for it."""
        self.refusal, self._stuck = "", False
        self._sink.clear_notice(RESTART_KEY)
        self._sink.store.engine.put(EngineView(EngineState.STARTING, tr("Starting the engine…")))

    def _look_after(self, event: CacheReport) -> None:
        if self._keeper is not None:
            self._keeper.engine_event(event)

    def _pick(self, model: str) -> None:
        self.model, self.refusal, self._failed = model, "", ""
        self._stuck = self._is_resting = self._is_cancelling = False
        self._sink.clear_notice(GROUP_KEY)
        self._sink.store.models.put(OfferedModels(self._models, model))

    def _greet(self) -> None:
        self._connected = True
        for forget in self._owed:
            self._send(forget)
        self._owed.clear()
        if self._keeper is not None:
            self._keeper.connected()
        if self._stuck or self._is_resting:
            self._sink.store.engine.put(self._present())
        else:
            self._load()

    def _load(self) -> None:
        if self._connected:
            self._sink.store.engine.put(
                EngineView(EngineState.LOADING, tr("Loading {name}…", name=self.name_of(self.model)))
            )
            self._loading += 1
            command = self._command_of(self.model)
            self._send(msgspec.structs.replace(command, anyway=self.model == self._insisted))

    def _load_ended(self) -> None:
        self._loading = max(0, self._loading - 1)  # a model that returns after a failed load was not requested
        self._is_cancelling = self._is_cancelling and self._loading > 0

    def _show_progress(self, event: LoadProgress) -> None:
        if event.path == self.model and self._loading and not self._is_cancelling:
            self._sink.store.engine.put(load_view(self.name_of(self.model), event))

    def _settle(self, event: ModelLoaded) -> None:
        self._loaded, self._rested = event, None
        if event.path != self.model or self._loading:
            return
        self.refusal = ""
        if not self._failed:
            self._sink.clear_notice(MODEL_KEY)
        if self._picked == event.path:
            self._picked = ""
            self._remember(event.path)
        self._show_capabilities(partial(model_capabilities, event, self._command_of(event.path).kv_bits))
        self._sink.store.engine.put(ready_view(event))
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
        reason, before = load_words(self.name_of(event.path), event.code, event.message), self._loaded
        stuck = event.code == ModelStuck.code
        self._picked, self._insisted = "", event.path if event.code == ModelTooLarge.code else ""
        notice = Notice(MODEL_KEY, reason)
        if self._insisted:
            notice = replace(notice, action=tr("Load anyway"), intent=LoadAnyway())
        if stuck and before is not None and before.path == event.path:
            before = None
        if event.code == LoadCancelled.code:
            self._return_to(before, cancelled_words(self.name_of(event.path)))
        elif before is None and self._rested is None:
            self._stuck = stuck
            self._give_no_hope(notice)
        else:
            told = self._return_to(before, reason, failed=event.path)
            self._sink.show_notice(replace(notice, text=told))
        if before is not None and not stuck:
            self._settle(before)

    def _return_to(self, before: ModelLoaded | None, reason: str, failed: str = "") -> str:
        """Want the former model again, which is loaded or else rests. Give back the turns that waited for the other
        one. Returns the reason, with the name of the model that answers meanwhile.
        """
        former, wanted = before or self._rested, self.model
        self._pick(former.path if former is not None else wanted)
        self._is_resting, self._failed = before is None, failed
        if self._is_resting:
            self._sink.store.engine.put(self._present())
        if self._chats is not None:
            self._chats.engine_refused(reason)
        return (
            reason
            if before is None or self.model == wanted
            else tr("{reason} Meanwhile {name} answers.", reason=reason, name=self.name_of(self.model))
        )

    def _unloaded(self, event: ModelUnloaded) -> None:
        """The engine has freed the model, because the app asked for that or because it gave the model up."""
        self._rested, self._loaded = self._loaded, None
        if not event.code:
            if self._chats is not None:
                self._chats.engine_lost()
            if self._is_resting:
                self._sink.store.engine.put(self._present())
            return
        self._rested = None
        self._show_capabilities(ModelCapabilities)
        if event.path == self.model and not self._loading:
            self._give_no_hope(Notice(MODEL_KEY, gone_words(self.name_of(event.path), event)))

    def _give_no_hope(self, notice: Notice) -> None:
        self._trouble, self.refusal = notice, notice.text
        self._sink.show_notice(notice)
        self._sink.store.engine.put(self._present())
        if self._chats is not None:
            self._chats.engine_refused(notice.text)

    def _show_capabilities(self, capabilities: Callable[[], ModelCapabilities]) -> None:
        self.capabilities = capabilities
        self._sink.store.capabilities.put(capabilities())

    def _disconnect(self) -> None:
        self._connected, self._loaded, self._loading, self._is_cancelling = False, None, 0, False
        if self._chats is not None:
            self._chats.engine_lost()
