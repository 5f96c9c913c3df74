"""The server: the engine's loop. Owns the running sequences and the order receive -> schedule -> run -> emit.

One thread, the one that loaded the model, runs all of this. Commands and the outcomes of I/O jobs arrive through the
inbox; events leave through `emit`. What goes wrong with one request ends that request alone.
"""

from __future__ import annotations

import logging
import queue
import time
from collections import deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, assert_never

import mlx.core as mx

from engine import protocol, turn
from engine.batch import Batch
from engine.cache.io_thread import Failure
from engine.cache.manager import MISS, Found, Wish, restore
from engine.cache.planner import MissCause, RestorePlan
from engine.detokenize import RowText
from engine.errors import EngineError, ModelError, NoModel, RowFailed
from engine.loader import LoadedModel, load_model
from engine.prefill import prefill_chunk
from engine.preparation import cause, prepare, prepare_history
from engine.scheduler import next_to_prefill
from engine.sequence import Sequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.identity import WeightDigests
    from engine.protocol import FinishReason

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
        self._model: LoadedModel | None = None
        self._batch: Batch | None = None
        self._sequences: dict[str, Sequence] = {}
        self._deferred: deque[protocol.Command] = deque()
        self._focus = ""
        self._arrivals = 0
        self._open = True

    def run(self) -> None:
        """The loop. Returns after Shutdown, with pending writes finished."""
        while self._open:
            self._receive()
            self._decode()
            self._prefill()
        for sequence in list(self._sequences.values()):
            self._finish(sequence, "cancelled")
        if not self._manager.close(CLOSE_SECONDS):
            log.warning("the last cache writes did not finish in time")
        self._batch = self._model = None

    # --- receive

    def _receive(self) -> None:
        """Take everything that has arrived; wait where there is nothing else to do."""
        self._take_deferred()
        idle = not any(s.phase in ("prefill", "decode") for s in self._sequences.values())
        while self._open:
            try:
                message = self._inbox.get(block=idle)
            except queue.Empty:
                return
            self._handle(message)
            idle = False

    def _take_deferred(self) -> None:
        """A model is replaced between requests, never under them: what came after the wish waits with it."""
        while self._deferred and not (self._sequences and isinstance(self._deferred[0], protocol.LoadModel)):
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
            return bool(self._sequences or self._deferred)
        return bool(self._deferred) and isinstance(command, protocol.Generate | protocol.Warm)

    def _obey(self, command: protocol.Command) -> None:
        match command:
            case protocol.Generate():
                self._admit(command)
            case protocol.Cancel():
                self._cancel(command.request)
            case protocol.Warm():
                self._warm(command)
            case protocol.Focus():
                self._focus = command.conversation
            case protocol.LoadModel():
                self._load(command.path)
            case protocol.Forget():
                self._forget(command.conversation)
            case protocol.Ping():
                self._emit(protocol.Pong(command.number))
            case protocol.Shutdown():
                self._open = False
            case _:
                assert_never(command)

    # --- commands

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
            self._use(model)

    def _use(self, model: LoadedModel) -> None:
        self._manager.hot.clear()
        self._model = model
        self._batch = Batch(model.model, alone=model.alone)
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

    def _admit(self, command: protocol.Generate) -> None:
        self._arrivals += 1
        sequence = Sequence(command, self._arrivals)
        sequence.timing.arrived = time.monotonic()
        self._sequences[sequence.request] = sequence
        self._guarded(sequence, self._begin)

    def _cancel(self, request: str) -> None:
        for command in [c for c in self._deferred if isinstance(c, protocol.Generate) and c.request == request]:
            self._deferred.remove(command)
            self._sequences[request] = Sequence(command, 0)
        if sequence := self._sequences.get(request):
            self._guarded(sequence, partial(self._finish, reason="cancelled"))

    def _warm(self, command: protocol.Warm) -> None:
        model = self._model
        nothing = protocol.Warmed(command.conversation, 0, 0, "none", 0.0, MissCause.ABSENT.value)
        if model is None or model.layout is None:
            self._emit(nothing)
            return
        try:
            prompt, chain = prepare_history(model, command.messages)
        except EngineError as error:
            log.info("cannot warm %s: %s", command.conversation, error)
            self._emit(nothing)
            return

        def arrived(found: Found) -> None:
            self._manager.hot.own(command.conversation, [segment.key for segment in chain])
            reason = cause(model, command.messages, prompt, found.plan).value
            length = found.plan.length
            self._emit(
                protocol.Warmed(command.conversation, length, len(prompt.ids), found.source, found.milliseconds, reason)
            )
            self._tell_memory()

        limit = len(prompt.ids) + 1  # nothing is fed yet: the very end may be restored
        wish = Wish(command.conversation, chain, model.layout.needs, limit, prompt.reusable or limit)
        self._manager.look_up(wish, arrived)

    def _forget(self, conversation: str) -> None:
        def done(result: int | Failure) -> None:
            freed = 0 if isinstance(result, Failure) else result
            self._emit(protocol.Forgotten(conversation, freed))
            self._tell_memory()

        self._manager.forget(conversation, done)

    # --- one request's way

    def _begin(self, sequence: Sequence) -> None:
        """Render, look up; the sequence goes on when its records are here."""
        model = self._need_model()
        messages = sequence.command.messages
        sequence.prompt, sequence.chain = prepare(model, messages)
        shown = sequence.prompt.ids[sequence.prompt.reply_start :]
        sequence.text = RowText(model.tokenizer, shown)
        sequence.phase = "restoring"
        if model.layout is None or not sequence.command.cached:
            why = MissCause.OFF if model.layout else MissCause.UNSUPPORTED
            self._restored(sequence, replace(MISS, plan=RestorePlan((), 0, why)))
            return
        self._tell_progress(sequence)
        limit = len(sequence.prompt.ids)
        enough = sequence.prompt.reusable or limit
        wish = Wish(sequence.conversation, sequence.chain, model.layout.needs, limit, enough)
        self._manager.look_up(wish, partial(self._arrived, sequence))

    def _arrived(self, sequence: Sequence, found: Found) -> None:
        """Records came from the disk; the request may be gone by now."""
        if self._sequences.get(sequence.request) is sequence:
            self._guarded(sequence, lambda s: self._restored(s, found))

    def _restored(self, sequence: Sequence, found: Found) -> None:
        model = self._need_model()
        sequence.caches = model.fresh_caches()
        length = restore(model.layout, found, sequence.caches) if model.layout else 0
        if length < found.plan.length:
            sequence.caches = model.fresh_caches()
            self._manager.hot.drop(segment.key for segment in found.plan.segments)
            found = replace(MISS, plan=RestorePlan((), 0, MissCause.DAMAGED))
        sequence.position = sequence.cached_tokens = length
        sequence.cached_from = found.source
        sequence.timing.restore_ms = (time.monotonic() - sequence.timing.arrived) * 1000 if length else 0.0
        off = found.plan.cause in (MissCause.OFF, MissCause.UNSUPPORTED)
        sequence.miss_cause = (
            found.plan.cause if off else cause(model, sequence.command.messages, sequence.laid_out, found.plan)
        )
        sequence.phase = "prefill"
        self._tell_progress(sequence)

    def _prefill(self) -> None:
        decoding = len(self._batch) if self._batch else 0
        sequence = next_to_prefill(self._sequences.values(), self._focus, decoding)
        if sequence is not None:
            self._guarded(sequence, self._prefill_chunk)

    def _prefill_chunk(self, sequence: Sequence) -> None:
        model, batch = self._need_model(), self._need_batch()
        prefill_chunk(model.model, sequence, len(batch))
        if sequence.position == sequence.prefill_end:
            sequence.phase = "decode"
            batch.join(sequence)
        self._tell_progress(sequence)

    def _decode(self) -> None:
        if not self._batch:
            return
        try:
            emitted = self._batch.step()
        except Exception as error:  # the edge of the batch: its rows end with the error, the loop goes on
            log.exception("decode step")
            self._fail_batch(error)
            return
        now = time.monotonic()
        deltas = [delta for sequence, token in emitted for delta in self._take(sequence, token, now)]
        if deltas:
            self._emit(protocol.Deltas(tuple(deltas)))
        for sequence, token in emitted:
            if reason := self._ending(sequence, token):
                self._guarded(sequence, partial(self._finish, reason=reason))

    def _take(self, sequence: Sequence, token: int, now: float) -> list[protocol.Delta]:
        sequence.emitted.append(token)
        sequence.timing.token(now)
        ended = token in self._need_model().tokenizer.eos_token_ids
        text = "" if ended or sequence.text is None else sequence.text.add(token)
        return [self._delta(sequence, text)] if text else []

    def _ending(self, sequence: Sequence, token: int) -> FinishReason | None:
        model = self._need_model()
        if token in model.tokenizer.eos_token_ids:
            return "stop"
        if len(sequence.emitted) >= sequence.command.sampling.max_tokens:
            return "length"
        if model.context_limit and sequence.position >= model.context_limit:
            return "context"
        return None

    def _finish(self, sequence: Sequence, reason: FinishReason) -> None:
        """End a request, tell the app, then keep its state. The app never waits for the last of these."""
        del self._sequences[sequence.request]
        model = self._model
        rest = sequence.text.finish() if sequence.text else ""
        if rest:
            self._emit(protocol.Deltas((self._delta(sequence, rest),)))
        caches = self._need_batch().leave(sequence) if sequence.phase == "decode" else sequence.caches
        decoding = sequence.phase == "decode"
        sequence.phase = "queued"
        self._emit(
            protocol.TurnFinished(
                request=sequence.request,
                conversation=sequence.conversation,
                reason=reason,
                usage=turn.usage(sequence),
                ledger=turn.ledger(model, sequence) if model else "",
            )
        )
        if model and model.layout and sequence.command.cached:
            if decoding:
                sequence.checkpoints += turn.reply_checkpoint(model, sequence, caches)
            self._commit(model, sequence)
        self._tell_memory()

    def _commit(self, model: LoadedModel, sequence: Sequence) -> None:
        if not sequence.checkpoints:
            return
        sequence.checkpoints[-1] = replace(sequence.checkpoints[-1], durable=True)

        def done(result: int | Failure) -> None:
            failed = isinstance(result, Failure)
            size, error = (0, result.message) if isinstance(result, Failure) else (result, "")
            self._emit(protocol.Stored(sequence.conversation, size, error))
            if failed:
                log.warning("not stored: %s", error)

        self._manager.commit(sequence.conversation, model.identity.model, sequence.checkpoints, sequence.chain, done)

    # --- failures

    def _guarded(self, sequence: Sequence, act: Callable[[Sequence], None]) -> None:
        """The edge of a request: whatever happens in `act` ends this request at most."""
        try:
            act(sequence)
        except EngineError as error:
            self._fail(sequence, error)
        except Exception as error:
            log.exception("request %s", sequence.request)
            self._fail(sequence, RowFailed(f"The model failed on this request: {error}"))

    def _fail(self, sequence: Sequence, error: EngineError) -> None:
        self._sequences.pop(sequence.request, None)
        if sequence.phase == "decode":
            self._need_batch().leave(sequence)
        self._emit(
            protocol.TurnFinished(
                request=sequence.request,
                conversation=sequence.conversation,
                reason="failed",
                usage=turn.usage(sequence),
                code=error.code,
                message=str(error),
            )
        )

    def _fail_batch(self, error: Exception) -> None:
        batch = self._need_batch()
        rows = batch.sequences
        batch.clear()
        for sequence in rows:
            sequence.phase = "queued"
            self._fail(sequence, RowFailed(f"The model failed while it was writing: {error}"))

    # --- small change

    def _need_model(self) -> LoadedModel:
        if self._model is None:
            raise NoModel("No model is loaded.")
        return self._model

    def _need_batch(self) -> Batch:
        if self._batch is None:
            raise NoModel("No model is loaded.")
        return self._batch

    def _delta(self, sequence: Sequence, text: str) -> protocol.Delta:
        return protocol.Delta(
            sequence.request, sequence.conversation, text, len(sequence.emitted), sequence.timing.decode_tps
        )

    def _tell_progress(self, sequence: Sequence) -> None:
        self._emit(
            protocol.Progress(
                request=sequence.request,
                conversation=sequence.conversation,
                phase=sequence.phase,
                done=sequence.position,
                total=len(sequence.laid_out.ids),
                cached_tokens=sequence.cached_tokens,
                cached_from=sequence.cached_from,
                restore_ms=sequence.timing.restore_ms,
                miss_cause=sequence.miss_cause.value,
            )
        )

    def _tell_memory(self) -> None:
        hot = self._manager.hot
        self._emit(protocol.Memory(mx.get_active_memory(), hot.bytes, hot.conversations))
