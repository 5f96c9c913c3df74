"""The server: the engine's loop, which receives commands, steps the loaded model's work, and emits events.

On the MLX thread, which is the main thread and the one that loads the model. Commands and the outcomes of I/O jobs
arrive through the inbox; events leave through `emit`.

Invariants:
- A model is replaced between requests, never under them. Later commands wait until it is replaced.
- No command, outcome, model folder or foreign file ends the loop: only Shutdown does, and a loop that fails again and
  again without a model.
- Two edges keep that promise: after a failure the app gets the answer that ends its wait for a command (`_guard`), and
  a turn of the loop that fails between two pieces of work is tried again (`_turn`).
"""

from __future__ import annotations

import logging
import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, assert_never

import mlx.core as mx

from engine.cache.disk.io_thread import IoThread, Priority
from engine.cache.disk.report import cache_sizes, check_part
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.memory.machine import THIS_MACHINE, Machine
from engine.model.identity import Identity, WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.process.lifeline import WRITES_SECONDS
from engine.prompt.imported_prefixes import stored_prefixes
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CheckCache,
    Forget,
    Forgotten,
    ImportCache,
    KeepCached,
    ListCacheSizes,
    ListWarmModels,
    Memory,
    ReportStore,
    SetBudget,
    TurnStored,
)
from engine.protocol.errors import EngineError, LoadCancelled, ModelUnstable, NoModel, RequestError
from engine.schedule.sequence import without
from engine.server.answers import ask_disk, list_warm_models, without_outcome
from engine.server.generation import Generation
from engine.server.model_loads import CANCELLED, Arrivals, Inbox, Load, ModelLoads, loaded_event
from engine.server.open_requests import MOST_FAILURES, UNFORESEEN
from engine.turn.events import unanswered
from resources.language import children
from resources.language.sentence import sentence
from resources.language.text import tr

log = logging.getLogger(__name__)

_OF_A_MODEL = (
    protocol.Generate | protocol.Warm | ImportCache | protocol.ExportCache
    | protocol.CountTokens | protocol.FitPrompt
)  # fmt: skip
"""Commands that need the loaded model, and wait for it."""

_REPLACING = protocol.LoadModel | protocol.UnloadModel
"""Commands that end the loaded model, and wait for its running requests."""

_REPEATABLE = (
    protocol.Cancel | protocol.Focus | protocol.Ping | protocol.Shutdown
    | Forget | KeepCached | SetBudget | ReportStore
)  # fmt: skip
"""Commands that have the same effect if they are executed again. Nothing else would end the app's wait for them."""


class Server:
    """Executes commands until Shutdown."""

    def __init__(
        self,
        inbox: Inbox,
        emit: Callable[[protocol.Event], None],
        manager: CacheManager,
        digests: WeightDigests,
        load: Load = load_model,
        machine: Machine = THIS_MACHINE,
    ) -> None:
        self._arrivals = Arrivals(inbox)
        self._post = inbox.put
        self._emit = emit
        self._manager = manager
        self._machine = machine
        self._loads = ModelLoads(load, digests, self._arrivals, machine, emit)
        self._generation: Generation | None = None
        self._deferred: deque[protocol.Command] = deque()
        self._focused = ""
        self._failed_turns = 0
        self._open = True

    def run(self) -> None:
        """The loop. Returns after Shutdown, with pending writes finished."""
        while self._open:
            self._turn()
        try:
            if self._generation is not None:
                self._generation.close()
        finally:
            if not self._manager.close(WRITES_SECONDS):
                log.warning("the last cache writes did not finish in time")
            self._generation = None

    def _turn(self) -> None:
        """One turn of the loop, and its edge. What fails here fails between two pieces of work, so it is tried again.
        If the next turn fails too, the model is given up. Raises the error if no model is loaded.
        """
        try:
            self._receive()
            if self._open:
                self._work()
        except Exception:
            log.exception("a turn of the loop")
            self._machine.model_failed()
            self._failed_turns += 1
            if self._failed_turns >= MOST_FAILURES:
                if self._generation is None:
                    raise
                self._failed_turns = 0
                self._give_up()
        else:
            self._failed_turns = 0

    def _work(self) -> None:
        if self._generation is not None:
            self._generation.step()
            if self._generation.requests.model_is_broken:
                self._give_up()

    def _receive(self) -> None:
        """Take everything that has arrived. If there is nothing else to do, wait for the next message."""
        self._take_deferred()
        idle = self._generation is None or not self._generation.busy
        while self._open:
            try:
                message = self._arrivals.take(wait=idle)
            except queue.Empty:
                return
            self._guard(message, message if callable(message) else partial(self._handle, message))
            idle = False

    def _take_deferred(self) -> None:
        """Execute the deferred commands that need not wait any longer, in order."""
        while self._deferred and not (isinstance(self._deferred[0], _REPLACING) and self._running):
            command = self._deferred.popleft()
            self._guard(command, partial(self._execute, command))

    def _guard(self, message: protocol.Command | Callable[[], None], act: Callable[[], None]) -> None:
        """The edge of a message: the app gets the answer that ends its wait for a command. If an outcome raises, it is
        called once more: requests catch their own failures, so this one came before the request had heard of it.
        """
        try:
            act()
        except NoModel as error:
            assert not callable(message), "an outcome has its model"
            self._refuse(message, error)
        except Exception:
            log.exception("handling %s", type(message).__name__)
            self._machine.model_failed()
            if callable(message):
                message()
            else:
                self._recover(message)
                self._refuse(message, RequestError(sentence(UNFORESEEN)))

    def _recover(self, command: protocol.Command) -> None:
        """Repair what a failed command may have left half done. After a failure between two models none is loaded."""
        if isinstance(command, _REPEATABLE):
            self._execute(command)
        if isinstance(command, _REPLACING):
            self._release_model()
        if isinstance(command, protocol.LoadModel):
            self._emit(protocol.ModelUnloaded("", RequestError.code, tr(UNFORESEEN)))

    def _refuse(self, command: protocol.Command, error: EngineError) -> None:
        """End the app's wait for a command that failed."""
        if not isinstance(command, protocol.Generate):
            if answer := without_outcome(command, error):
                self._emit(answer)
        elif self._generation is None or not self._generation.fail(command, error):
            for request in command.requests:
                self._emit(unanswered(command, request, "failed", error))

    def _handle(self, command: protocol.Command) -> None:
        """A replacement waits for running requests, and commands that need the model for the replacements before."""
        busy = isinstance(command, _REPLACING) and self._running
        if busy or (self._deferred and isinstance(command, _REPLACING | _OF_A_MODEL)):
            self._deferred.append(command)
        else:
            self._execute(command)

    @property
    def _running(self) -> int:
        return self._generation.running if self._generation else 0

    def _execute(self, command: protocol.Command) -> None:  # noqa: C901, PLR0912 - one match over all commands
        """Raises NoModel if the command needs a model and none is loaded."""
        manager = self._manager
        match command:
            case protocol.Generate():
                self._model.admit(command)
                self._report_memory()
            case protocol.Warm():
                self._model.speculative.warm(command)
            case protocol.CountTokens() | protocol.FitPrompt():
                self._model.measuring.begin(command)
            case ImportCache() | protocol.ExportCache():
                self._model.transfers.begin(command)
            case protocol.Cancel():
                self._cancel(command.request)
            case protocol.Focus():
                self._focus(command.conversation)
            case protocol.LoadModel():
                self._load(command)
            case protocol.UnloadModel():
                self._unload()
            case protocol.CancelLoad():
                self._cancel_loads()
            case Forget():
                self._forget(command.conversation, command.on_disk)
            case SetBudget():
                manager.budget(command)
                manager.report(self._emit)
            case ReportStore():
                manager.report(self._emit)
            case KeepCached():
                manager.keep(command)
            case ListCacheSizes():
                ask_disk(command, lambda store: cache_sizes(store, command.conversation), manager, self._emit)
            case CheckCache():
                ask_disk(command, lambda store: check_part(store, command.after), manager, self._emit)
            case ListWarmModels():
                list_warm_models(command.conversation, manager, self._emit, lambda: self._identity)
            case protocol.Ping():
                children.speak(command.language)
                self._emit(protocol.Pong())
            case protocol.Shutdown():
                self._open = False
            case _:
                assert_never(command)

    @property
    def _model(self) -> Generation:
        """What works with the loaded model. Raises NoModel if there is none."""
        if self._generation is None:
            raise NoModel(sentence("No model is loaded."))
        return self._generation

    def _cancel(self, request: str) -> None:
        for place, command in enumerate(self._deferred):
            if isinstance(command, protocol.Generate) and request in command.requests:
                self._emit(unanswered(command, request, "cancelled"))
                del self._deferred[place]
                for rest in reversed(without(command, request)):
                    self._deferred.insert(place, rest)
                return
        if self._generation is not None:
            self._generation.requests.cancel(request)

    @property
    def _identity(self) -> Identity | None:
        return self._generation.model.identity if self._generation is not None else None

    def _forget(self, conversation: str, on_disk: bool) -> None:  # noqa: FBT001 - a part of the command
        for command in [c for c in self._deferred if isinstance(c, protocol.Warm) and c.conversation == conversation]:
            self._deferred.remove(command)
        if self._generation is not None:
            self._generation.speculative.forget(conversation)
        forgotten = partial(self._heard, Forgotten(conversation))  # no answer from before can follow
        if on_disk:
            self._manager.forget(conversation, lambda _freed: forgotten())
        else:
            self._manager.hot.forget(conversation)
            forgotten()

    def _focus(self, conversation: str) -> None:
        self._focused = conversation
        if self._generation is not None:
            self._generation.focus = conversation

    def _load(self, command: protocol.LoadModel) -> None:
        """Replace the model. If both fit into memory, the old one stays until the new one is loaded. Otherwise the old
        one is released first, and loaded again if the new one fails.
        """
        before = self._generation.model.command if self._generation is not None else None
        if self._generation is not None and self._loads.must_go_first(
            self._generation.model, self._manager.hot.bytes, command
        ):
            self._release_model()
        loaded = self._loads.load(command, self._assembled)
        if loaded is None and self._generation is None and before:
            loaded = self._loads.load(before, self._assembled, again=True)
        if loaded is not None:
            self._release_model()
            self._generation, event = loaded
            self._find_imported_prefixes(self._generation.model)
            self._emit(event)
            self._report_memory()

    def _assembled(self, model: LoadedModel) -> tuple[Generation, protocol.ModelLoaded]:
        """What works with a loaded model, and the event that tells of it."""
        generation = Generation(model, self._manager, self._heard, self._post, self._focused, self._machine)
        return generation, loaded_event(model)

    def _cancel_loads(self) -> None:
        """End the loads that wait for running requests. A load in progress looks for this command itself."""
        for command in [one for one in self._deferred if isinstance(one, protocol.LoadModel)]:
            self._deferred.remove(command)
            self._refuse(command, LoadCancelled(tr(CANCELLED)))

    def _unload(self) -> None:
        """Release the model because the app asks for that. What still waits to be written takes memory until it is on
        disk.
        """
        path = self._generation.model.path if self._generation is not None else ""
        self._release_model()
        self._emit(protocol.ModelUnloaded(path, "", ""))
        self._report_memory()
        self._manager.ask(Priority.WRITE, lambda _store: None, lambda _: self._written())

    def _written(self) -> None:
        mx.clear_cache()
        self._report_memory()

    def _find_imported_prefixes(self, model: LoadedModel) -> None:
        """Ask the disk for the model's imported prefixes. The first prompt that is tokenized waits for them. A group
        of machines imports none.
        """
        if model.layout and model.machines == 1:
            identity = model.identity.model  # the job holds no reference to the model, which may be released before
            model.imported_prefixes.expect(self._manager.read(lambda store: stored_prefixes(store, identity)))

    def _release_model(self) -> None:
        """Free the present model's memory."""
        if self._generation is not None:
            self._generation.close()
        self._generation = None
        self._manager.clear()
        mx.clear_cache()

    def _give_up(self) -> None:
        """Release a model that keeps failing, and report it. Nothing here holds the model while it is released."""
        assert self._generation is not None, "only a loaded model fails"
        name, path = self._generation.model.name, self._generation.model.path
        error = ModelUnstable(tr("{name} failed twice in a row and was unloaded.", name=name))
        self._generation.give_up(error)
        self._release_model()
        self._emit(protocol.ModelUnloaded(path, error.code, str(error)))
        self._report_memory()

    def _heard(self, event: protocol.Event) -> None:
        """Emit an event of the model, and do what follows from it: a request that ended releases its segments. The
        edge of what follows: if this method raises, the event was not emitted.
        """
        self._emit(event)
        try:
            if isinstance(event, protocol.TurnFinished):
                self._manager.release(event.conversation, event.request)
            is_cut = isinstance(event, protocol.TurnFinished) and event.reason in {"cancelled", "failed"}
            if is_cut or isinstance(event, TurnStored | protocol.Warmed | Forgotten):
                self._report_memory()
        except Exception:
            log.exception("after %s", type(event).__name__)

    def _report_memory(self) -> None:
        """A chat counts from its first question on: its state is in the batch until the answer ends."""
        hot, requests = self._manager.hot, self._generation.requests if self._generation is not None else ()
        chats = hot.conversations.union(one.conversation for one in requests if one.command.cached)
        self._emit(Memory(mx.get_active_memory(), hot.bytes, len(chats)))


@dataclass(frozen=True, slots=True)
class Parts:
    """The inbox, the outlet for events, the cache, the load of a model, and the machine's figures."""

    inbox: Any
    emit: Callable[[protocol.Event], None]
    manager: Callable[[IoThread, HotTier], CacheManager]
    load: Load
    machine: Machine


def alone(inbox: Inbox, emit: Callable[[protocol.Event], None]) -> Parts:
    """The parts of an engine that runs on one machine."""
    return Parts(inbox, emit, lambda io, hot: CacheManager(io, hot, inbox.put), load_model, THIS_MACHINE)
