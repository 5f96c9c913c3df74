"""The server: the engine's loop. Owns the inbox and the loaded model; what becomes of a request is left to its answers.

One thread, the one that loaded the model, runs all of this: receive, step, emit. Commands and the outcomes of I/O jobs
arrive through the inbox; events leave through `emit`.
"""

from __future__ import annotations

import logging
import queue
from collections import deque
from typing import TYPE_CHECKING, assert_never

import mlx.core as mx

from engine import protocol
from engine.answers import Answers
from engine.cache.io_thread import Failure
from engine.cache.planner import MissCause
from engine.errors import ModelError, ModelUnstable, NoModel
from engine.loader import load_model
from engine.warming import cold, warm

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.identity import WeightDigests

log = logging.getLogger(__name__)

Inbox = queue.SimpleQueue["protocol.Command | Callable[[], None]"]
CLOSE_SECONDS = 20.0


class Server:
    """Answers commands until Shutdown."""

    def __init__(
        self, inbox: Inbox, emit: Callable[[protocol.Event], None], manager: CacheManager, digests: WeightDigests
    ) -> None:
        self._inbox = inbox
        self._emit = emit
        self._manager = manager
        self._digests = digests
        self._answers: Answers | None = None
        self._deferred: deque[protocol.Command] = deque()
        self._open = True

    def run(self) -> None:
        """The loop. Returns after Shutdown, with pending writes finished."""
        while self._open:
            self._receive()
            if self._answers is not None and self._answers.busy:
                self._answers.step()
            if self._answers is not None and self._answers.broken:
                self._unload(self._answers)
        if self._answers is not None:
            self._answers.cancel_all()
        if not self._manager.close(CLOSE_SECONDS):
            log.warning("the last cache writes did not finish in time")
        self._answers = None

    def _receive(self) -> None:
        """Take everything that has arrived; wait where there is nothing else to do."""
        self._take_deferred()
        idle = not (self._answers and self._answers.busy)
        while self._open:
            try:
                message = self._inbox.get(block=idle)
            except queue.Empty:
                return
            self._handle(message)
            idle = False

    def _take_deferred(self) -> None:
        """A model is replaced between requests, never under them: what came after the wish waits with it."""
        while self._deferred and not (self._answers and isinstance(self._deferred[0], protocol.LoadModel)):
            self._obey(self._deferred.popleft())

    def _handle(self, message: protocol.Command | Callable[[], None]) -> None:
        if callable(message):
            message()
        elif self._must_wait(message):
            self._deferred.append(message)
        else:
            self._obey(message)

    def _must_wait(self, command: protocol.Command) -> bool:
        if isinstance(command, protocol.LoadModel):
            return bool(self._answers or self._deferred)
        return bool(self._deferred) and isinstance(command, protocol.Generate | protocol.Warm)

    def _obey(self, command: protocol.Command) -> None:
        match command:
            case protocol.Generate():
                self._generate(command)
            case protocol.Cancel():
                self._cancel(command.request)
            case protocol.Pause() | protocol.Resume():
                self._hold(command)
            case protocol.Warm():
                self._warm(command)
            case protocol.Focus():
                self._focus(command.conversation)
            case protocol.LoadModel():
                self._load(command.path)
            case protocol.Forget():
                self._manager.forget(command.conversation, lambda r: self._forgotten(command.conversation, r))
            case protocol.Ping():
                self._emit(protocol.Pong(command.number))
            case protocol.Shutdown():
                self._open = False
            case _:
                assert_never(command)

    def _generate(self, command: protocol.Generate) -> None:
        if self._answers is None:
            self._emit(_ended(command, "failed", NoModel("No model is loaded.")))
        else:
            self._answers.admit(command)

    def _cancel(self, request: str) -> None:
        for command in [c for c in self._deferred if isinstance(c, protocol.Generate) and c.request == request]:
            self._deferred.remove(command)
            self._emit(_ended(command, "cancelled"))
        if self._answers is not None:
            self._answers.cancel(request)

    def _hold(self, command: protocol.Pause | protocol.Resume) -> None:
        if self._answers is None:
            return
        if isinstance(command, protocol.Pause):
            self._answers.pause(command.request)
        else:
            self._answers.resume(command.request)

    def _warm(self, command: protocol.Warm) -> None:
        def done(warmed: protocol.Warmed) -> None:
            self._emit(warmed)
            self._tell_memory()

        if self._answers is None:
            done(cold(command, MissCause.ABSENT))
        else:
            warm(self._answers.model, self._manager, command, done)

    def _focus(self, conversation: str) -> None:
        if self._answers is not None:
            self._answers.focus = conversation

    def _load(self, path: str) -> None:
        """The edge of a load: whatever a foreign model folder makes libraries raise must not end the engine."""
        try:
            model = load_model(path, self._digests)
        except ModelError as error:
            self._emit(protocol.ModelFailed(path, error.code, str(error)))
        except Exception as error:
            log.exception("loading %s", path)
            self._emit(protocol.ModelFailed(path, ModelError.code, f"The model cannot be loaded: {error}"))
        else:
            self._manager.hot.clear()
            focus = self._answers.focus if self._answers is not None else ""
            self._end_paused()
            self._answers = Answers(model, self._manager, self._told, focus)
            mx.clear_cache()
            self._emit(
                protocol.ModelLoaded(
                    path=model.path,
                    name=model.name,
                    identity=model.identity.model,
                    context_limit=model.context_limit,
                    weight_bytes=model.weight_bytes,
                    uncached=model.uncached,
                )
            )
            self._tell_memory()

    def _unload(self, answers: Answers) -> None:
        """Give up a model that fails again and again, and say so."""
        error = ModelUnstable(f"{answers.model.name} failed twice in a row and was unloaded.")
        answers.give_up(error)
        self._answers = None
        self._manager.hot.clear()
        mx.clear_cache()
        self._emit(protocol.ModelUnloaded(answers.model.path, error.code, str(error)))
        self._tell_memory()

    def _end_paused(self) -> None:
        """A paused answer belongs to the model that began it."""
        if self._answers is not None:
            self._answers.cancel_all()

    def _forgotten(self, conversation: str, result: int | Failure) -> None:
        self._emit(protocol.Forgotten(conversation, 0 if isinstance(result, Failure) else result))
        self._tell_memory()

    def _told(self, event: protocol.Event) -> None:
        """What the answers say; after a turn is stored, memory looks different."""
        self._emit(event)
        if isinstance(event, protocol.Stored):
            self._tell_memory()

    def _tell_memory(self) -> None:
        hot = self._manager.hot
        self._emit(protocol.Memory(mx.get_active_memory(), hot.bytes, hot.conversations))


def _ended(
    command: protocol.Generate, reason: protocol.FinishReason, error: NoModel | None = None
) -> protocol.TurnFinished:
    """The end of a request that never reached a model."""
    return protocol.TurnFinished(
        request=command.request,
        conversation=command.conversation,
        reason=reason,
        usage=protocol.Usage(),
        code=error.code if error else "",
        message=str(error or ""),
    )
