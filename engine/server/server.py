"""The server: the engine's loop. Owns the inbox and the loaded model; what becomes of a request is left to its answers.

One thread, the one that loaded the model, runs all of this: receive, step, emit. Commands and the outcomes of I/O jobs
arrive through the inbox; events leave through `emit`.
"""

from __future__ import annotations

import logging
import queue
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import mlx.core as mx

from engine.cache.disk.buffers import clear_cache
from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.planner import MissCause
from engine.interop.transfer import Transfers
from engine.memory.footprint import load_order
from engine.model.identity import weight_bytes
from engine.model.load_failure import meaning
from engine.model.load_progress import LoadTelling
from engine.model.loader import load_model
from engine.output.parser import can_think
from engine.prompt import imported_prefixes
from engine.protocol import messages as protocol
from engine.protocol.errors import ModelError, ModelUnstable, NoModel, RequestError
from engine.schedule.sequence import without
from engine.server.generation import Generation
from engine.server.machine import THIS_MACHINE, Machine
from engine.turn.prewarm import not_warmed, prewarm

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.model.identity import WeightDigests
    from engine.model.loader import LoadedModel, Tell

log = logging.getLogger(__name__)

Inbox = queue.SimpleQueue["protocol.Command | Callable[[], None]"]
CLOSE_SECONDS = 20.0

_OF_A_MODEL = protocol.Generate | protocol.Warm | protocol.ImportCache | protocol.ExportCache
"""Commands that a model obeys."""


class Server:
    """Answers commands until Shutdown."""

    def __init__(
        self,
        inbox: Inbox,
        emit: Callable[[protocol.Event], None],
        manager: CacheManager,
        digests: WeightDigests,
        load: Callable[[str, WeightDigests, protocol.KvBits, Tell], LoadedModel] = load_model,
        machine: Machine = THIS_MACHINE,
    ) -> None:
        self._inbox = inbox
        self._emit = emit
        self._manager = manager
        self._digests = digests
        self._load_model = load
        self._machine = machine
        self._generation: Generation | None = None
        self._transfers: Transfers | None = None
        self._settling: imported_prefixes.ImportedPrefixes | None = None
        self._deferred: deque[protocol.Command] = deque()
        self._shown = ""
        self._open = True

    def run(self) -> None:
        """The loop. Returns after Shutdown, with pending writes finished."""
        while self._open:
            self._receive()
            if self._generation is not None and self._generation.busy:
                self._generation.step()
            if self._transfers is not None and self._transfers.busy:
                self._move(self._transfers)
            if self._generation is not None and self._generation.broken:
                self._unload(self._generation)
        if self._generation is not None:
            self._generation.cancel_all()
        if not self._manager.close(CLOSE_SECONDS):
            log.warning("the last cache writes did not finish in time")
        self._generation = self._transfers = None

    def _receive(self) -> None:
        """Take everything that has arrived; wait where there is nothing else to do."""
        self._take_deferred()
        idle = not (self._generation and self._generation.busy) and not (self._transfers and self._transfers.busy)
        while self._open:
            try:
                message = self._inbox.get(block=idle)
            except queue.Empty:
                return
            self._handle(message)
            idle = False

    def _take_deferred(self) -> None:
        """A model is replaced between requests, never under them: what came after the wish waits with it. So does what
        came before the disk has told what was imported for the model.
        """
        while self._deferred and not self._must_still_wait(self._deferred[0]):
            self._obey(self._deferred.popleft())

    def _must_still_wait(self, command: protocol.Command) -> bool:
        return bool(self._running) if isinstance(command, protocol.LoadModel) else self._settling is not None

    def _handle(self, message: protocol.Command | Callable[[], None]) -> None:
        if callable(message):
            message()
        elif self._must_wait(message):
            self._deferred.append(message)
        else:
            self._obey(message)

    def _must_wait(self, command: protocol.Command) -> bool:
        if isinstance(command, protocol.LoadModel):
            return bool(self._running or self._deferred)
        return (bool(self._deferred) or self._settling is not None) and isinstance(command, _OF_A_MODEL)

    @property
    def _running(self) -> int:
        return (self._generation.running if self._generation else 0) + (
            self._transfers.running if self._transfers else 0
        )

    def _obey(self, command: protocol.Command) -> None:
        match command:
            case protocol.Generate():
                self._generate(command)
            case protocol.Cancel() | protocol.Pause() | protocol.Resume():
                self._steer(command)
            case protocol.Warm():
                self._warm(command)
            case protocol.Focus():
                self._focus(command.conversation)
            case protocol.LoadModel():
                self._load(command)
            case protocol.Forget() | protocol.SetBudget() | protocol.ReportStore() | protocol.ListCached():
                self._keep_store(command)
            case protocol.ImportCache() | protocol.ExportCache():
                self._begin_transfer(command)
            case protocol.Ping():
                self._emit(protocol.Pong())
            case protocol.Shutdown():
                self._open = False
            case _:
                assert_never(command)

    def _generate(self, command: protocol.Generate) -> None:
        if self._generation is None:
            for request in (command.request, *command.alternatives):
                self._emit(_ended(command, request, "failed", NoModel("No model is loaded.")))
        else:
            self._generation.admit(command)

    def _cancel(self, request: str) -> None:
        deferred, self._deferred = self._deferred, deque()
        for command in deferred:
            if isinstance(command, protocol.Generate) and request in (command.request, *command.alternatives):
                self._emit(_ended(command, request, "cancelled"))
                self._deferred.extend([rest] if (rest := without(command, request)) else [])
            else:
                self._deferred.append(command)
        if self._generation is not None:
            self._generation.cancel(request)

    def _steer(self, command: protocol.Cancel | protocol.Pause | protocol.Resume) -> None:
        if isinstance(command, protocol.Cancel):
            self._cancel(command.request)
        elif self._generation is None:
            return
        elif isinstance(command, protocol.Pause):
            self._generation.pause(command.request)
        else:
            self._generation.resume(command.request)

    def _warm(self, command: protocol.Warm) -> None:
        def done(warmed: protocol.Warmed) -> None:
            self._emit(warmed)
            self._tell_memory()

        if self._generation is None:
            done(not_warmed(command, MissCause.ABSENT))
            return
        try:
            prewarm(self._generation.model, self._manager, self._generation.speculative, command, done)
        except Exception:  # the edge of opening a chat: its next answer starts cold, or says what is wrong
            log.exception("warming %s", command.conversation)
            done(not_warmed(command, MissCause.ABSENT))

    def _keep_store(
        self, command: protocol.Forget | protocol.SetBudget | protocol.ReportStore | protocol.ListCached
    ) -> None:
        if isinstance(command, protocol.Forget):
            self._forget(command.conversation)
            return
        if isinstance(command, protocol.ListCached):
            self._manager.ask(Priority.WRITE, lambda store: store.holding(), self._taken_stock)
            return
        if isinstance(command, protocol.SetBudget):
            self._manager.budget(command.quota, command.pinned)
        self._manager.report(self._emit)

    def _taken_stock(self, result: tuple[str, ...] | Failure) -> None:
        self._emit(protocol.CachedConversations(() if isinstance(result, Failure) else result))

    def _forget(self, conversation: str) -> None:
        for command in [c for c in self._deferred if isinstance(c, protocol.Warm) and c.conversation == conversation]:
            self._deferred.remove(command)
        if self._generation is not None:
            self._generation.speculative.drop(conversation)
        self._manager.forget(conversation, lambda _result: self._tell_memory())

    def _begin_transfer(self, command: protocol.ImportCache | protocol.ExportCache) -> None:
        if self._transfers is None:
            error = NoModel("No model is loaded.")
            self._emit(protocol.CacheMoved(command.request, code=error.code, message=str(error)))
        else:
            self._transfers.begin(command)

    def _move(self, moves: Transfers) -> None:
        """The edge of a move: whatever a foreign file leads to ends the moves alone."""
        try:
            moves.step()
        except Exception:
            log.exception("moving a cache")
            moves.give_up(RequestError("The cache could not be moved."))

    def _focus(self, conversation: str) -> None:
        self._shown = conversation
        if self._generation is not None:
            self._generation.focus = conversation

    def _load(self, command: protocol.LoadModel) -> None:
        """Replace the model. The old one stays beside the new one until that is there, if both fit; else it goes first,
        and is loaded again if the new one fails.
        """
        before = self._before()
        if self._generation is not None and self._goes_first(self._generation.model, command.path):
            self._let_go()
        model = self._loaded(command)
        if model is None and self._generation is None and before:
            model = self._loaded(before, protocol.ModelUnloaded)
        if model is not None:
            self._let_go()
            self._generation = Generation(model, self._manager, self._told, self._shown, self._machine)
            self._transfers = Transfers(model, self._manager, self._told)
            self._settle(model)
            self._emit(_introduced(model))
            self._tell_memory()

    def _settle(self, model: LoadedModel) -> None:
        """Learn from the disk what was imported for the model: until then nobody knows its tokens for a text."""

        def known(result: tuple[imported_prefixes.ImportedPrefix, ...] | Failure) -> None:
            own.add(() if isinstance(result, Failure) else result)
            if self._settling is own:
                self._settling = None

        own, identity = (
            model.imported_prefixes,
            model.identity.model,
        )  # not the model: it may have to go before the disk answers
        self._settling = own if model.layout else None
        if model.layout:
            self._manager.ask(Priority.RESTORE, lambda store: imported_prefixes.stored_prefixes(store, identity), known)

    def _before(self) -> protocol.LoadModel | None:
        """What it takes to load the present model again."""
        model = self._generation.model if self._generation is not None else None
        return protocol.LoadModel(model.path, model.kv_bits) if model else None

    def _goes_first(self, old: LoadedModel, path: str) -> bool:
        held = old.weight_bytes + self._manager.hot.bytes
        try:
            wanted = weight_bytes(Path(path))
        except OSError:  # the load itself says which file is missing
            return False
        return load_order(wanted, self._machine.free_bytes(), held) == "after"

    def _loaded(
        self,
        command: protocol.LoadModel,
        failed: type[protocol.ModelFailed | protocol.ModelUnloaded] = protocol.ModelFailed,
    ) -> LoadedModel | None:
        """The edge of a load: whatever a foreign model folder makes libraries raise must not end the engine."""
        try:
            return self._load_model(command.path, self._digests, command.kv_bits, LoadTelling(command.path, self._emit))
        except ModelError as error:
            log.warning("%s was not loaded: %s", command.path, error)
            self._emit(failed(command.path, error.code, str(error)))
        except Exception as error:
            log.exception("loading %s", command.path)
            meant = meaning(error)
            self._emit(failed(command.path, meant.code, str(meant)))
        return None

    def _let_go(self) -> None:
        """Give the present model's memory back. A paused answer belongs to the model that began it."""
        if self._generation is not None:
            self._generation.cancel_all()
        self._generation = self._transfers = self._settling = None
        self._manager.clear()
        clear_cache()

    def _unload(self, generation: Generation) -> None:
        """Give up a model that fails again and again, and say so."""
        error = ModelUnstable(f"{generation.model.name} failed twice in a row and was unloaded.")
        generation.give_up(error)
        if self._transfers is not None:
            self._transfers.give_up(error)
        self._let_go()
        self._emit(protocol.ModelUnloaded(generation.model.path, error.code, str(error)))
        self._tell_memory()

    def _told(self, event: protocol.Event) -> None:
        """What the answers say; after a turn is stored, memory looks different."""
        self._emit(event)
        if isinstance(event, protocol.TurnFinished):
            self._manager.release(event.conversation, event.request)
        if isinstance(event, protocol.TurnStored):
            self._tell_memory()

    def _tell_memory(self) -> None:
        hot = self._manager.hot
        self._emit(protocol.Memory(mx.get_active_memory(), hot.bytes, hot.conversations))


def _ended(
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
    )


def _introduced(model: LoadedModel) -> protocol.ModelLoaded:
    """What the app should know of a model."""
    probe = model.template.probe
    return protocol.ModelLoaded(
        path=model.path,
        context_limit=model.context_limit,
        uncached=model.uncached,
        history=probe.history,
        batching=model.batching,
        thinks=probe.thinks and can_think(model.tokenizer),
        kv_bits=model.kv_bits,
        untried=model.untried,
    )
