"""The server: the engine's loop, which receives commands, steps the generation and the transfers, and emits events.

On the MLX thread, which is the main thread and the one that loads the model. Commands and the outcomes of I/O jobs
arrive through the inbox; events leave through `emit`.

Invariants:
- A model is replaced between requests, never under them. Later commands wait until it is replaced.
- No command, model folder or foreign file ends the loop: only Shutdown does.
"""

from __future__ import annotations

import logging
import queue
from collections import deque
from typing import TYPE_CHECKING, assert_never

import mlx.core as mx

from engine.cache.disk.buffers import clear_cache
from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.in_use import NO_REQUEST
from engine.cache.planner import MissCause
from engine.interop.transfer import Transfers
from engine.model.loader import load_model
from engine.process.lifeline import WRITES_SECONDS
from engine.prompt import imported_prefixes
from engine.protocol import messages as protocol
from engine.protocol.errors import ModelUnstable, NoModel, RequestError
from engine.schedule.sequence import without
from engine.server.generation import Generation
from engine.server.loaded_event import loaded_event
from engine.server.machine import THIS_MACHINE, Machine
from engine.server.measuring import refused
from engine.server.model_loads import Arrivals, ModelLoads
from engine.turn.prewarm import not_warmed, prewarm
from resources.language import children
from resources.language.sentence import sentence
from resources.language.text import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.model.identity import WeightDigests
    from engine.model.loader import LoadedModel
    from engine.server.model_loads import Inbox, Load

log = logging.getLogger(__name__)

_MEASURING = protocol.CountTokens | protocol.FitPrompt

_OF_A_MODEL = protocol.Generate | protocol.Warm | protocol.ImportCache | protocol.ExportCache | _MEASURING
"""Commands that need the loaded model, and wait for it."""

_REPLACING = protocol.LoadModel | protocol.UnloadModel
"""Commands that end the loaded model, and wait for its running requests."""

_OF_THE_STORE = (
    protocol.Forget | protocol.SetBudget | protocol.ReportStore | protocol.ListCached | protocol.ListCacheSizes
    | protocol.CheckCache | protocol.ListWarmModels
)  # fmt: skip
"""Commands about the caches of all models."""


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
        self._transfers: Transfers | None = None
        self._unknown_prefixes: imported_prefixes.ImportedPrefixes | None = None
        self._deferred: deque[protocol.Command] = deque()
        self._focused = ""
        self._open = True

    def run(self) -> None:
        """The loop. Returns after Shutdown, with pending writes finished."""
        while self._open:
            self._receive()
            if self._open:
                self._work()
        if self._generation is not None:
            self._generation.close()
        if not self._manager.close(WRITES_SECONDS):
            log.warning("the last cache writes did not finish in time")
        self._generation = self._transfers = None

    def _work(self) -> None:
        if self._generation is not None and self._generation.busy:
            self._generation.step()
        if self._transfers is not None and self._transfers.busy:
            self._transfer(self._transfers)
        if self._generation is not None and self._generation.broken:
            self._give_up()

    def _receive(self) -> None:
        """Take everything that has arrived. If there is nothing else to do, wait for the next message."""
        self._take_deferred()
        idle = not (self._generation and self._generation.busy) and not (self._transfers and self._transfers.busy)
        while self._open:
            try:
                message = self._arrivals.take(wait=idle)
            except queue.Empty:
                return
            self._handle(message)
            idle = False

    def _take_deferred(self) -> None:
        """Execute the deferred commands that need not wait any longer, in order."""
        while self._deferred and not self._must_still_wait(self._deferred[0]):
            self._execute(self._deferred.popleft())

    def _must_still_wait(self, command: protocol.Command) -> bool:
        """A load waits for running requests; other commands wait until the imported prefixes are known."""
        return bool(self._running) if isinstance(command, _REPLACING) else self._unknown_prefixes is not None

    def _handle(self, message: protocol.Command | Callable[[], None]) -> None:
        if callable(message):
            message()
        elif self._must_wait(message):
            self._deferred.append(message)
        else:
            self._execute(message)

    def _must_wait(self, command: protocol.Command) -> bool:
        if isinstance(command, _REPLACING):
            return bool(self._running or self._deferred)
        return (bool(self._deferred) or self._unknown_prefixes is not None) and isinstance(command, _OF_A_MODEL)

    @property
    def _running(self) -> int:
        return (self._generation.running if self._generation else 0) + (
            self._transfers.running if self._transfers else 0
        )

    def _execute(self, command: protocol.Command) -> None:
        match command:
            case protocol.Generate():
                self._generate(command)
            case protocol.Cancel() | protocol.Pause() | protocol.Resume():
                self._control(command)
            case protocol.Warm() | protocol.CountTokens() | protocol.FitPrompt():
                self._look_ahead(command)
            case protocol.Focus():
                self._focus(command.conversation)
            case protocol.LoadModel() | protocol.UnloadModel() | protocol.CancelLoad():
                self._replace(command)
            case (
                protocol.Forget() | protocol.SetBudget() | protocol.ReportStore() | protocol.ListCached()
                | protocol.ListCacheSizes() | protocol.CheckCache() | protocol.ListWarmModels()
            ):  # fmt: skip
                self._manage_store(command)
            case protocol.ImportCache() | protocol.ExportCache():
                self._begin_transfer(command)
            case protocol.Ping():
                children.speak(command.language)
                self._emit(protocol.Pong())
            case protocol.Shutdown():
                self._open = False
            case _:
                assert_never(command)

    def _generate(self, command: protocol.Generate) -> None:
        if self._generation is None:
            for request in (command.request, *command.alternatives):
                self._emit(_unanswered(command, request, "failed", NoModel(sentence("No model is loaded."))))
        else:
            self._generation.admit(command)

    def _cancel(self, request: str) -> None:
        deferred, self._deferred = self._deferred, deque()
        for command in deferred:
            if isinstance(command, protocol.Generate) and request in (command.request, *command.alternatives):
                self._emit(_unanswered(command, request, "cancelled"))
                self._deferred.extend([rest] if (rest := without(command, request)) else [])
            else:
                self._deferred.append(command)
        if self._generation is not None:
            self._generation.cancel(request)

    def _control(self, command: protocol.Cancel | protocol.Pause | protocol.Resume) -> None:
        if isinstance(command, protocol.Cancel):
            self._cancel(command.request)
        elif self._generation is None:
            return
        elif isinstance(command, protocol.Pause):
            self._generation.pause(command.request)
        else:
            self._generation.resume(command.request)

    def _look_ahead(self, command: protocol.Warm | _MEASURING) -> None:
        """Do what prepares a request that may come."""
        if isinstance(command, protocol.Warm):
            self._prewarm(command)
        elif self._generation is not None:
            self._generation.measuring.begin(command)
        elif isinstance(command, protocol.FitPrompt):
            self._emit(refused(command, NoModel(sentence("No model is loaded."))))

    def _prewarm(self, command: protocol.Warm) -> None:
        def done(warmed: protocol.Warmed) -> None:
            self._emit(warmed)
            self._report_memory()

        if self._generation is None:
            done(not_warmed(command, MissCause.ABSENT))
            return

        def edge(act: Callable[[], None]) -> None:
            """The edge of prewarming: the next answer starts cold, or reports what is wrong."""
            try:
                act()
            except Exception:
                log.exception("prewarming %s", command.conversation)
                self._manager.release(command.conversation, NO_REQUEST)
                done(not_warmed(command, MissCause.ABSENT))

        generation = self._generation
        edge(lambda: prewarm(generation.model, self._manager, generation.speculative, command, done, edge))

    def _manage_store(self, command: _OF_THE_STORE) -> None:
        match command:
            case protocol.Forget():
                self._forget(command.conversation, command.on_disk)
            case protocol.SetBudget():
                self._manager.budget(command.quota, command.pinned)
                self._manager.report(self._emit)
            case protocol.ReportStore():
                self._manager.report(self._emit)
            case protocol.ListCached():
                self._manager.ask(Priority.WRITE, lambda store: store.holding(), self._listed)
            case protocol.ListCacheSizes():
                self._manager.sizes(command.conversation, self._emit)
            case protocol.CheckCache():
                self._manager.check(command.conversation, command.after, self._emit)
            case protocol.ListWarmModels():
                self._list_warm_models(command.conversation)
            case _:
                assert_never(command)

    def _listed(self, result: tuple[str, ...] | Failure) -> None:
        self._emit(protocol.CachedConversations(() if isinstance(result, Failure) else result))

    def _list_warm_models(self, conversation: str) -> None:
        """The query overtakes waiting writes: state that waits for the disk is in memory, too."""

        def listed(result: tuple[str, ...] | Failure) -> None:
            identities = set(() if isinstance(result, Failure) else result)
            own = self._generation.model.identity if self._generation is not None else None
            if own and (own.model in identities or self._manager.hot.has(conversation)):
                identities.add(own.whole)
            self._emit(protocol.WarmModels(conversation, tuple(identities)))

        self._manager.ask(Priority.RESTORE, lambda store: store.identities(conversation), listed)

    def _forget(self, conversation: str, on_disk: bool) -> None:  # noqa: FBT001 - a part of the command
        for command in [c for c in self._deferred if isinstance(c, protocol.Warm) and c.conversation == conversation]:
            self._deferred.remove(command)
        if self._generation is not None:
            self._generation.speculative.drop(conversation)
        if on_disk:
            self._manager.forget(conversation, lambda _result: self._report_memory())
        else:
            self._manager.hot.forget(conversation)
            self._report_memory()

    def _begin_transfer(self, command: protocol.ImportCache | protocol.ExportCache) -> None:
        if self._transfers is None:
            error = NoModel(sentence("No model is loaded."))
            self._emit(protocol.CacheMoved(command.request, code=error.code, message=str(error)))
        else:
            self._transfers.begin(command)

    def _transfer(self, transfers: Transfers) -> None:
        """The edge of a transfer: whatever a foreign file causes ends the transfers alone."""
        try:
            transfers.step()
        except Exception:
            log.exception("transferring a cache")
            transfers.fail_all(RequestError(sentence("The cache could not be moved.")))

    def _focus(self, conversation: str) -> None:
        self._focused = conversation
        if self._generation is not None:
            self._generation.focus = conversation

    def _replace(self, command: protocol.LoadModel | protocol.UnloadModel | protocol.CancelLoad) -> None:
        if isinstance(command, protocol.LoadModel):
            self._load(command)
        elif isinstance(command, protocol.UnloadModel):
            self._unload()
        else:
            self._cancel_loads()

    def _load(self, command: protocol.LoadModel) -> None:
        """Replace the model. If both fit into memory, the old one stays until the new one is loaded. Otherwise the old
        one is released first, and loaded again if the new one fails.
        """
        before = self._generation.model.command if self._generation is not None else None
        if self._generation is not None and self._loads.must_go_first(
            self._generation.model, self._manager.hot.bytes, command
        ):
            self._release_model()
        model = self._loads.load(command)
        if model is None and self._generation is None and before:
            model = self._loads.bring_back(before)
        if model is not None:
            self._release_model()
            self._generation = Generation(model, self._manager, self._heard, self._post, self._focused, self._machine)
            self._transfers = Transfers(model, self._manager, self._heard, self._machine.free_bytes)
            self._find_imported_prefixes(model)
            self._emit(loaded_event(model, self._machine.shares()))
            self._report_memory()

    def _cancel_loads(self) -> None:
        """End the loads that wait for running requests. A load in progress looks for this command itself."""
        deferred, self._deferred = self._deferred, deque()
        for command in deferred:
            if isinstance(command, protocol.LoadModel):
                self._loads.refuse(command)
            else:
                self._deferred.append(command)

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
        clear_cache()
        self._report_memory()

    def _find_imported_prefixes(self, model: LoadedModel) -> None:
        """Ask the disk for the model's imported prefixes. No prompt can be tokenised before they are known."""

        def known(result: tuple[imported_prefixes.ImportedPrefix, ...] | Failure) -> None:
            prefixes.add(() if isinstance(result, Failure) else result)
            if self._unknown_prefixes is prefixes:
                self._unknown_prefixes = None

        # `known` holds no reference to the model, which may be released before the disk answers.
        prefixes, identity = model.imported_prefixes, model.identity.model
        self._unknown_prefixes = prefixes if model.layout else None
        if model.layout:
            self._manager.ask_shared(lambda store: imported_prefixes.stored_prefixes(store, identity), known)

    def _release_model(self) -> None:
        """Free the present model's memory. A paused answer ends with the model that began it."""
        if self._generation is not None:
            self._generation.close()
        self._generation = self._transfers = self._unknown_prefixes = None
        self._manager.clear()
        clear_cache()

    def _give_up(self) -> None:
        """Release a model that keeps failing, and report it. Nothing here holds the model while it is released."""
        assert self._generation is not None, "only a loaded model fails"
        name, path = self._generation.model.name, self._generation.model.path
        error = ModelUnstable(tr("{name} failed twice in a row and was unloaded.", name=name))
        self._generation.give_up(error)
        if self._transfers is not None:
            self._transfers.fail_all(error)
        self._release_model()
        self._emit(protocol.ModelUnloaded(path, error.code, str(error)))
        self._report_memory()

    def _heard(self, event: protocol.Event) -> None:
        """Emit an event of the model, and what follows from it: a request that ended releases its segments."""
        self._emit(event)
        if isinstance(event, protocol.TurnFinished):
            self._manager.release(event.conversation, event.request)
        if isinstance(event, protocol.TurnStored):
            self._report_memory()

    def _report_memory(self) -> None:
        hot = self._manager.hot
        self._emit(protocol.Memory(mx.get_active_memory(), hot.bytes, hot.conversations))


def _unanswered(
    command: protocol.Generate, request: str, reason: protocol.FinishReason, error: NoModel | None = None
) -> protocol.TurnFinished:
    """The end of a request of `command` that never reached a model."""
    return protocol.TurnFinished(
        request=request,
        conversation=command.conversation,
        reason=reason,
        usage=protocol.Usage(),
        code=error.code if error else "",
        message=str(error or ""),
        told=error.told if error else "",
    )
