"""The running answers of one loaded model. Owns their way from command to last token, one step at a time.

What goes wrong with one request ends that request alone. Which requests come, and which model, is the server's.
"""

from __future__ import annotations

import logging
import time
from copy import deepcopy
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import mlx.core as mx

from engine.cache.disk.buffers import clear_cache
from engine.cache.lookup import Found, Wish, miss, restoring
from engine.cache.planner import MissCause, RestorePlan
from engine.decode.batch import Batch
from engine.decode.clustering import most_copied
from engine.decode.prefill import prefill_chunk
from engine.decode.sampling import RowSampler
from engine.protocol import messages as protocol
from engine.protocol.errors import BadCommand, EngineError, MemoryFull, RequestError, RowFailed
from engine.schedule.memory_grants import Room
from engine.schedule.scheduler import MOST_ALTERNATIVES, MOST_ROWS, next_to_prefill, next_to_restore, ready, to_join
from engine.schedule.sequence import Sequence, alternatives, well_named
from engine.turn import events, finish
from engine.turn.prepare import cause, prepare, speech
from engine.turn.read_ahead import ReadAhead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.cache.manager import CacheManager
    from engine.model.loader import LoadedModel
    from engine.protocol.messages import FinishReason

log = logging.getLogger(__name__)

MOST_FAILURES = 2
"""Of a model's own, one after the other, before it is given up."""

NOT_KEPT = "The state of this answer could not be kept."
"""Told when an answer is complete but its caches are lost: the next turn prefills it."""

MOST_SPARE_BYTES = 2 << 30
"""Of buffers that MLX has freed but keeps, while rows decode."""


class Answers:
    """All requests that one model is working on."""

    def __init__(
        self, model: LoadedModel, manager: CacheManager, emit: Callable[[protocol.Event], None], focus: str
    ) -> None:
        self.model = model
        self.focus = focus
        self._manager = manager
        self._emit = emit
        self._batch = Batch(model.model, company=model.company)
        self._sequences: dict[str, Sequence] = {}
        self._arrivals = 0
        self._failures = 0
        self._step_seconds = 0.0
        footprint = model.layout.footprint if model.layout else None
        self._room = Room(footprint, most_copied(model.weight_bytes), manager.hot)
        self.ahead = ReadAhead(model, manager, self._room, emit)

    @property
    def running(self) -> int:
        """Requests that will end by themselves: a paused one waits for the user."""
        return sum(s.phase != "paused" for s in self._sequences.values())

    @property
    def busy(self) -> bool:
        """Whether a step would do anything: requests that only wait for the disk need none."""
        return self._working or (not self.running and self.ahead.busy)

    @property
    def _working(self) -> bool:
        return any(s.phase in ("prefill", "decode") or s.restoration for s in self._sequences.values())

    @property
    def broken(self) -> bool:
        """Whether the model has failed twice with no answer in between: a third time would be no different."""
        return self._failures >= MOST_FAILURES

    def give_up(self, error: EngineError) -> None:
        """End every request with `error`."""
        for sequence in list(self._sequences.values()):
            self._fail(sequence, error)

    def admit(self, command: protocol.Generate) -> None:
        """Take a request on: render it and look up what is kept of it. Its names must be its own."""
        if not well_named(command, self._sequences):
            self._emit(protocol.Rejected(BadCommand.code, "Each request needs a name that no other one has."))
            return
        self.ahead.drop(command.conversation)
        sequence = self._arrived_now(command)
        sequence.siblings = [self._arrived_now(alternative) for alternative in alternatives(command)]
        self._guarded(sequence, self._begin)

    def _arrived_now(self, command: protocol.Generate) -> Sequence:
        self._arrivals += 1
        sequence = Sequence(command, self._arrivals)
        sequence.timing.arrived = time.monotonic()
        self._sequences[sequence.request] = sequence
        return sequence

    def cancel(self, request: str) -> None:
        """End a request where it is; unknown ones are none of ours."""
        if sequence := self._sequences.get(request):
            self._guarded(sequence, partial(self._finish, reason="cancelled"))

    def pause(self, request: str) -> None:
        """Keep a request's place and state, but do nothing more for it; only one that writes can pause."""
        sequence = self._sequences.get(request)
        if sequence is not None and sequence.phase == "decode":
            self._guarded(sequence, self._pause)

    def resume(self, request: str) -> None:
        """Go on with a paused request."""
        sequence = self._sequences.get(request)
        if sequence is not None and sequence.phase == "paused":
            sequence.phase = "prefill"
            self._tell_progress(sequence)

    def cancel_all(self) -> None:
        """End every request where it is."""
        for request in list(self._sequences):
            self.cancel(request)

    def step(self) -> None:
        """One token for every row, then at most one piece of other work, so that the next token is never far: a join, a
        portion of a cache or a chunk of a prompt; where nobody asks, a chunk that is read ahead.
        """
        if not self._working:
            self._read_ahead()
            return
        if len(self._batch):
            self._decode()
        coming = self._coming()
        if joining := to_join(self._sequences.values(), coming, len(self._batch)):
            self._join(joining)
        elif filling := next_to_restore(self._sequences.values(), coming, self.focus):
            self._guarded(filling, self._restore)
        elif coming:
            self._guarded(coming, self._prefill)

    def _read_ahead(self) -> None:
        """The edge of reading ahead: nobody waits for it, so nobody is told of its failure."""
        try:
            self.ahead.step()
        except Exception:
            log.exception("reading ahead")
            self.ahead.give_up()

    def _coming(self) -> Sequence | None:
        taken = len(self._batch) + sum(s.rows for s in ready(self._sequences.values()))
        first = next_to_prefill(self._sequences.values(), self.focus, taken)
        return first if first and self._let_in(first) else None

    def _let_in(self, sequence: Sequence) -> bool:
        """Whether there is memory for it now. The edge of admission: to make room, other caches may be copied."""
        try:
            return self._room.lets_in(sequence, self._sequences.values())
        except MemoryFull as error:
            self._fail(sequence, error)
        except Exception:
            log.exception("making room for request %s", sequence.request)
            self._fail(sequence, RowFailed("Hearth could not make room for this answer."))
        return False

    # --- the way of a request

    def _begin(self, sequence: Sequence) -> None:
        model = self.model
        if len(sequence.siblings) >= MOST_ALTERNATIVES:
            raise RequestError(f"At most {MOST_ALTERNATIVES} answers can be written at once.")
        sequence.prompt, sequence.chain = prepare(model, sequence.command)
        sequence.speech, sequence.caches = speech(self.model, sequence), model.fresh_caches()
        for row in (sequence, *sequence.siblings):
            row.sampler = RowSampler(row.command.sampling)
        sequence.phase = "restoring"
        if model.layout is None or not sequence.command.cached:
            why = MissCause.OFF if model.layout else MissCause.UNSUPPORTED
            self._restored(sequence, miss(why), 0)
            return
        self._tell_progress(sequence)
        limit = len(sequence.prompt.ids)
        requests = [row.request for row in (sequence, *sequence.siblings)]
        wish = Wish(
            sequence.conversation, sequence.chain, model.layout.needs, limit, sequence.prompt.reusable, requests
        )
        self._manager.look_up(wish, partial(self._arrived, sequence))

    def _arrived(self, sequence: Sequence, found: Found) -> None:
        """Records came from the disk; the request may be gone by now."""
        if self._sequences.get(sequence.request) is sequence:
            sequence.restoration = self._restoration(sequence, found)

    def _restoration(self, sequence: Sequence, found: Found) -> Iterator[None]:
        """Fill a sequence's caches, a portion at each step of the iterator."""
        length = 0
        if self.model.layout:
            self._manager.hot.lend(sequence.conversation, found.plan.segments)
            length = yield from restoring(self.model.layout, found, sequence.caches)
        self._restored(sequence, found, length)

    def _restore(self, sequence: Sequence) -> None:
        """All of it; while others wait for their next token, what takes about as long as a step of theirs."""
        began = perf_counter()
        for _ in sequence.restoration or ():
            if len(self._batch) and perf_counter() - began >= self._step_seconds:
                return
        sequence.restoration = None

    def _restored(self, sequence: Sequence, found: Found, length: int) -> None:
        if length < found.plan.length:
            self._manager.refuse(found.plan.segments)
            found = miss(MissCause.DAMAGED)
        sequence.position = sequence.cached_tokens = length
        sequence.cached_from = found.source
        sequence.timing.restore_ms = (time.monotonic() - sequence.timing.arrived) * 1000 if length else 0.0
        sequence.miss_cause = self._cause(sequence, found.plan)
        sequence.phase = "prefill"
        self._tell_progress(sequence)

    def _cause(self, sequence: Sequence, plan: RestorePlan) -> MissCause:
        if plan.cause in (MissCause.OFF, MissCause.UNSUPPORTED):
            return plan.cause
        return cause(self.model, sequence.command.messages, sequence.laid_out, plan)

    def _prefill(self, sequence: Sequence) -> None:
        try:
            prefill_chunk(self.model.model, sequence, len(self._batch))
        except Exception as error:  # the edge of the model: whatever it raises counts against it
            log.exception("prefill of %s", sequence.request)
            raise RowFailed("The model failed while it was reading this conversation.") from error
        self._tell_progress(sequence)

    def _join(self, joining: list[Sequence]) -> None:
        """Let prefilled or resumed sequences decode, with their alternatives. The edge of a join: those that cannot
        join end with the error, and the rows that decode already go on.
        """
        self._tidy()
        for sequence in joining:
            self._guarded(sequence, self._copy_to_alternatives)
        rows = [row for leader in joining if leader.request in self._sequences for row in (leader, *leader.siblings)]
        try:
            self._batch.join_all(rows)
        except Exception:
            log.exception("join")
            for row in rows:
                self._fail(row, RowFailed("The answer could not be started beside the others."))
            return
        for row in rows:
            row.phase, row.siblings = "decode", []
            self._tell_progress(row)
        self._tell_who_waits()

    def _copy_to_alternatives(self, sequence: Sequence) -> None:
        """Let the alternatives start where `sequence` stands: MLX copies the caches when they part."""
        for sibling in sequence.siblings:
            sequence.share(sibling)
            sibling.caches, sibling.speech = deepcopy(sequence.caches), speech(self.model, sibling)

    def _pause(self, sequence: Sequence) -> None:
        sequence.caches = self._batch.leave(sequence)
        sequence.phase = "paused"
        self._tell_progress(sequence)

    def _decode(self) -> None:
        began = perf_counter()
        try:
            emitted = self._batch.step()
        except Exception:  # the edge of the batch: its rows end with the error, the loop goes on
            log.exception("decode step")
            self._fail_batch()
            return
        self._step_seconds = perf_counter() - began
        now = time.monotonic()
        deltas: list[protocol.Delta] = []
        for sequence, token in emitted:
            sequence.emitted.append(token)
            sequence.timing.token(now)
            self._guarded(sequence, partial(self._speak, token=token, deltas=deltas))
        if deltas:
            self._emit(protocol.Deltas(tuple(deltas)))
        for sequence, token in emitted:
            if sequence.request in self._sequences:
                self._guarded(sequence, partial(self._end_or_grow, token=token))

    def _speak(self, sequence: Sequence, token: int, deltas: list[protocol.Delta]) -> None:
        if sequence.speech is not None and token not in self.model.tokenizer.eos_token_ids:
            deltas += [events.delta(sequence, piece) for piece in sequence.speech.add(token)]

    def _end_or_grow(self, sequence: Sequence, token: int) -> None:
        if reason := finish.reason(self.model, sequence, token):
            self._finish(sequence, reason)
        elif sequence.position >= sequence.granted:
            self._room.extend(sequence, self._sequences.values())

    def _finish(self, sequence: Sequence, reason: FinishReason) -> None:
        """End a request, tell the app, then keep its state: the app never waits for that."""
        if rest := sequence.speech.finish() if sequence.speech else ():
            self._emit(protocol.Deltas(tuple(events.delta(sequence, piece) for piece in rest)))
        sequence.ledger = finish.ledger(self.model, sequence)
        del self._sequences[sequence.request]
        self._failures = 0 if sequence.emitted else self._failures
        heir = self._part(sequence)
        self._emit(events.finished(sequence, reason))
        self._keep(sequence, reason)
        if heir:
            self._succeed(heir, sequence)
        self._tidy()

    def _keep(self, sequence: Sequence, reason: FinishReason) -> None:
        """Take an ended request's caches and commit its state. The edge of a commit: the answer is complete, so a
        failure costs its state alone.
        """
        try:
            self._commit(sequence, reason)
        except Exception:
            log.exception("keeping the state of request %s", sequence.request)
            self._remove(sequence)
            self._emit(protocol.TurnStored(sequence.conversation, NOT_KEPT))

    def _commit(self, sequence: Sequence, reason: FinishReason) -> None:
        wrote = sequence.phase in ("decode", "paused")
        caches = self._batch.leave(sequence) if sequence.phase == "decode" else sequence.caches
        if self.model.layout is None or not sequence.command.cached:
            return
        form = self.ahead.form_after(sequence) if wrote else None
        if wrote and not (form and reason == "stop"):
            sequence.checkpoints += finish.reply_checkpoint(self.model, sequence, caches)
        finish.commit(self.model, self._manager, sequence, caches, self._emit)
        if form:
            self.ahead.read(sequence.conversation, form)

    def _part(self, sequence: Sequence) -> Sequence | None:
        """Take an ended request out of its alternatives. The heir is who reads the prompt in its place."""
        for other in self._sequences.values():
            if sequence in other.siblings:
                other.siblings.remove(sequence)
        if not sequence.siblings:
            return None
        heir, *rest = sequence.siblings
        heir.siblings = rest
        return heir

    def _succeed(self, heir: Sequence, ended: Sequence) -> None:
        if ended.phase != "prefill":
            self._guarded(heir, self._begin)
            return
        ended.share(heir)
        heir.caches, heir.speech = ended.caches, speech(self.model, heir)
        self._tell_progress(heir)

    def _tidy(self) -> None:
        """Give back what the last chunks took to compute. That takes as long as some steps, so not beside others."""
        if not len(self._batch) or mx.get_cache_memory() > MOST_SPARE_BYTES:
            clear_cache()

    # --- failures

    def _guarded(self, sequence: Sequence, act: Callable[[Sequence], None]) -> None:
        """The edge of a request: whatever happens in `act` ends this request at most. Only a RowFailed, which calls of
        the model raise, counts against the model.
        """
        try:
            act(sequence)
        except EngineError as error:
            self._failures += isinstance(error, RowFailed)
            self._fail(sequence, error)
        except Exception:
            log.exception("request %s", sequence.request)
            self._fail(sequence, RequestError("The engine could not handle this request."))

    def _fail(self, sequence: Sequence, error: EngineError) -> None:
        """End a request and its alternatives with `error`. Requests that have ended already are ignored."""
        known = self._sequences.pop(sequence.request, None)
        self._remove(sequence)
        if known is None:
            return
        self._part(sequence)
        self._emit(events.failed(sequence, error))
        for sibling in sequence.siblings:
            self._fail(sibling, error)

    def _remove(self, sequence: Sequence) -> None:
        """Take a request out of the batch. The edge of a removal: neighbours that cannot be regrouped end too."""
        if sequence not in self._batch.sequences:
            return
        try:
            self._batch.drop(sequence)
        except Exception:
            log.exception("removing request %s from the batch", sequence.request)
            for row in self._batch.drop_group(sequence):
                self._fail(row, RowFailed("The answer could not go on after another one beside it had ended."))

    def _fail_batch(self) -> None:
        rows = self._batch.sequences
        self._failures += 1
        self._batch.clear()
        for sequence in rows:
            self._fail(sequence, RowFailed("The model failed while it was writing."))

    def _tell_who_waits(self) -> None:
        if len(self._batch) >= MOST_ROWS:
            for sequence in self._sequences.values():
                if sequence.phase == "prefill":
                    self._tell_progress(sequence)

    def _tell_progress(self, sequence: Sequence) -> None:
        waits = sequence.phase == "prefill" and len(self._batch) >= MOST_ROWS
        self._emit(events.progress(sequence, "queued" if waits else sequence.phase))
