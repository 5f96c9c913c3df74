"""Generation: the answers that one loaded model is writing, from command to last token, one step at a time.

On the MLX thread. Each step takes one step of the batch and emits the text of its tokens: one of every row, or several
of a row with a draft. Then it does at most one piece of other work, or some portions of it.

Invariants:
- Every request ends exactly once.
- Whatever goes wrong with one request ends that request alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import mlx.core as mx

from engine.cache.manager import CacheManager
from engine.decode.batch import Batch
from engine.decode.clustering import max_copy_bytes
from engine.decode.drafts.speculation import Speculation
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import begin_chunk, finish_chunk, take_checkpoints
from engine.decode.sampling import NO_NUMBER
from engine.interop.transfer import Transfers
from engine.memory.machine import THIS_MACHINE, Machine
from engine.model.loader import LoadedModel
from engine.protocol import messages as protocol
from engine.protocol.errors import BadCommand, EngineError, NotANumber, RowFailed
from engine.schedule.admission import MemoryGrants
from engine.schedule.scheduler import MOST_ROWS, Pace, is_found, next_to_prefill, next_to_restore, ready, to_join
from engine.schedule.sequence import Decoding, Prefilling, Restoring, Sequence
from engine.server.answers import Measuring
from engine.server.open_requests import OpenRequests
from engine.turn import events, finish
from engine.turn.prepare import TokenizerThread
from engine.turn.speculative_prefill import SpeculativePrefill
from resources.language.sentence import sentence
from resources.language.text import mark, tr

log = logging.getLogger(__name__)

MOST_SPARE_BYTES = 2 << 30
"""Of the buffers that it has freed, MLX keeps so many bytes for reuse. It frees what is beyond them one by one, as it
allocates: to free all at once can take longer than some steps.
"""

_PREFILL_FAILED = mark("The model failed while it was reading this conversation.")
_NO_ROOM = mark("Hearth could not make room for this answer.")


class Generation:
    """All requests that one model is working on. `post` takes a call to the MLX thread from any other. `focus` is the
    conversation that the user sees. `measuring` counts tokens beside the requests.
    """

    def __init__(
        self,
        model: LoadedModel,
        manager: CacheManager,
        emit: Callable[[protocol.Event], None],
        post: Callable[[Callable[[], None]], None],
        focus: str,
        machine: Machine = THIS_MACHINE,
    ) -> None:
        mx.set_cache_limit(MOST_SPARE_BYTES)
        self._speculation = (
            Speculation(model.model, model.context_limit, model.tokenizer.eos_token_ids, model.head)
            if model.takes_back
            else None
        )
        footprint = model.layout.footprint if model.layout else None
        if footprint and self._speculation:
            token_bytes = footprint.token_bytes + (model.head.token_bytes if model.head else 0)
            footprint = replace(footprint, growth=self._speculation.growth, token_bytes=token_bytes)
        memory = MemoryGrants(
            footprint, max_copy_bytes(model.weight_bytes), manager.hot, machine.free_bytes, machine.agree
        )
        self.model = model
        self.focus = focus
        self._forward = LastLogits(model.model, model.kinds)
        self.speculative = SpeculativePrefill(model, self._forward, manager, memory, emit, machine.model_failed, post)
        self.transfers = Transfers(model, manager, emit, machine.free_bytes)
        self._emit = emit
        self._memory = memory
        self._batch = Batch(model.model, batching=model.batching, speculation=self._speculation, agree=machine.agree)
        self._tokenizer = TokenizerThread(post)
        self.requests = OpenRequests(model, manager, self._batch, self.speculative, self._tokenizer, emit)
        self.measuring = Measuring(model, self._tokenizer, emit)
        self._pace = Pace()
        self._clock = machine.clock
        self._divides = machine.count == 1
        self._planned = machine.planned
        self._model_failed = machine.model_failed

    # --- commands

    def admit(self, command: protocol.Generate) -> None:
        """Take a request on: prepare its prompt and look up what is kept of it. Each request needs a new name."""
        sequence = self.requests.open(command, time.monotonic())
        if sequence is None:
            self._emit(protocol.Rejected(BadCommand.code, tr("Each request needs a name that no other one has.")))
            return
        self.speculative.overtake(command.conversation)
        self.requests.guard(sequence, self.requests.begin)

    def cancel_all(self) -> None:
        """End every request where it is."""
        for sequence in self.requests:
            self.requests.cancel(sequence.request)

    def close(self) -> None:
        """End every request where it is, and the tokenizer threads, which may hold the model."""
        self.cancel_all()
        self.speculative.close()
        self._tokenizer.close()

    def fail(self, command: protocol.Generate, error: EngineError) -> bool:
        """End the requests of `command` with `error`. Returns whether any of them was open."""
        is_open = [sequence for name in command.requests if (sequence := self.requests.find(name))]
        self.requests.fail(is_open, error)
        return bool(is_open)

    def give_up(self, error: EngineError) -> None:
        """End every request and transfer with `error`."""
        self.requests.fail(self.requests, error)
        self.transfers.fail_all(error)

    # --- what the server's loop asks

    @property
    def running(self) -> int:
        """The number of requests and transfers that will end by themselves."""
        return len(self.requests) + self.transfers.running

    @property
    def busy(self) -> bool:
        """Whether a step would do anything. Requests that only wait for the tokenizer or the disk need no step."""
        return self._working or self._can_work_ahead or self.transfers.busy

    @property
    def _can_work_ahead(self) -> bool:
        return not self.requests and self.speculative.busy

    @property
    def _working(self) -> bool:
        return any(isinstance(s.state, Prefilling | Decoding) or is_found(s) for s in self.requests)

    # --- one step

    def step(self) -> None:
        """Take a step of the batch, then do at most one piece of other work, so that the rows' next tokens come soon: a
        join, portions of a cache or of a chunk of a prompt. If there are no requests, prefill a chunk ahead. Then do a
        portion of the work of a transfer.
        """
        if self._working:
            self._serve()
        elif self._can_work_ahead:
            self.speculative.step()
        if self.transfers.busy:
            self.transfers.step()

    def _serve(self) -> None:
        decoding = len(self._batch)
        if decoding:
            self._advance_rows()
        waiting = any(not isinstance(s.state, Decoding) for s in self.requests)
        served = waiting and self._serve_waiting()
        self._pace.end_turn(self._clock(), ordinary=bool(decoding) and not served)

    def _serve_waiting(self) -> bool:
        """Do one piece of work for the requests that do not decode yet. Returns whether there was one."""
        coming = self._next_to_prefill()
        if joining := to_join(self.requests, coming, len(self._batch)):
            self._join(joining)
        elif filling := next_to_restore(self.requests, coming, self.focus):
            self.requests.guard(filling, self._restore)
        elif coming:
            self.requests.guard(coming, self._prefill)
        else:
            return False
        return True

    def _next_to_prefill(self) -> Sequence | None:
        """The sequence whose next chunk is due, if memory could be reserved for it. If it must wait, one that has its
        memory already: the first one may wait for that one's end.
        """
        taken = len(self._batch) + sum(s.rows for s in ready(self.requests))
        may_start = partial(self._memory.may_start, all_sequences=self.requests)
        for waiting in ([*self.requests], [s for s in self.requests if s.granted]):
            first = next_to_prefill(waiting, self.focus, taken)
            if first and self.requests.guard(first, may_start, RowFailed(sentence(_NO_ROOM))):
                return first
        return None

    def _evaluated(self, portions: list[list[mx.array]]) -> bool:
        """Evaluate portions until the rows should get their next token. Returns whether those were all.

        If no row decodes, none of them is waited for: MLX computes them while what needs them is prepared.
        """
        while portions:
            arrays = portions.pop(0)
            if not (self._divides and len(self._batch)):
                mx.async_eval(arrays)  # type: ignore[no-untyped-call] # the stub lacks this signature
                continue
            mx.eval(arrays)
            if not self._pace.has_time(self._clock()):
                return False
        return True

    def _restore(self, sequence: Sequence) -> None:
        """Fill its caches with what was found, some portions at once."""
        state = sequence.state_as(Restoring)
        if state.portions is None:
            self.requests.fill(sequence, state.found)
        if self._evaluated(state.portions or []):
            self.requests.start_prefill(sequence, state.found)

    def _prefill(self, sequence: Sequence) -> None:
        """If no row decodes, evaluate one portion at a time, so that the next message is never far: it may end the
        engine.
        """
        try:
            state = sequence.state_as(Prefilling)
            if state.chunk is None and self._speculation:
                self._speculation.begin(sequence)
            chunk = state.chunk = state.chunk or begin_chunk(self._forward, sequence, len(self._batch))
            if chunk.portions and self._divides and not len(self._batch):
                mx.eval(chunk.portions.pop(0))
                self.requests.report_progress(sequence)
                return
            if not self._evaluated(chunk.portions):
                return
            finish_chunk(sequence, chunk)
        except Exception as error:  # the edge of the model: whatever it raises counts against it
            log.exception("prefill of %s", sequence.request)
            self._model_failed()
            raise RowFailed(sentence(_PREFILL_FAILED)) from error
        self.requests.report_progress(sequence)
        if sequence.drawn is not None:
            first: list[protocol.Delta] = []
            self._parse(sequence, sequence.drawn, first)
            self._emit_text(first)
        take_checkpoints(sequence)

    def _join(self, joining: list[Sequence]) -> None:
        """Let prefilled sequences decode, with their alternatives. The edge of a join: if it fails, they end
        with the error, and the rows that already decode continue.
        """
        rows = list(joining)
        try:
            self.requests.free_buffers()
            for sequence in joining:
                self.requests.guard(sequence, self.requests.fork)
            rows = [row for leader in joining if leader in self.requests for row in (leader, *leader.siblings)]
            self._batch.join_all(rows)
            for row in rows:
                row.start_decoding()
                self.requests.report_progress(row)
            if len(self._batch) >= MOST_ROWS:
                for waiting in self.requests:
                    if isinstance(waiting.state, Prefilling):
                        self.requests.report_progress(waiting)
        except Exception:
            log.exception("join")
            self._model_failed()
            self.requests.fail(rows, RowFailed(sentence("The answer could not be started beside the others.")))

    def _advance_rows(self) -> None:
        """A step of the batch, and the text of its tokens. The edge of the batch: if a step fails, its rows end, since
        some may have advanced without the others.
        """
        try:
            began = self._clock()
            self._planned(self._batch.sequences)
            emitted = self._batch.step()
            self._measure_step(self._clock() - began)
            self._process(emitted)
        except Exception:
            log.exception("decode step")
            self._model_failed()
            self.requests.fail_batch()

    def _measure_step(self, seconds: float) -> None:
        """The edge of measuring: its failure costs drafts at most, so it is only logged."""
        try:
            if self._speculation:
                self._speculation.took(seconds, undisturbed=self._pace.undisturbed)
        except Exception:
            log.exception("measuring a step")

    def _process(self, fed: list[tuple[Sequence, int]]) -> None:
        """Emit the text of the tokens that a step has fed, apart from first tokens that were emitted when they were
        drawn. Then end the rows that are complete. Tokens that the step has fed beyond the end of a row are dropped.
        """
        rows: dict[Sequence, list[int]] = {}
        for sequence, token in fed:
            rows.setdefault(sequence, []).append(token)
        deltas: list[protocol.Delta] = []
        reasons: dict[Sequence, protocol.FinishReason | None] = {}
        for sequence, tokens in rows.items():
            reason = self.requests.guard(sequence, partial(self._add_text, fed=tokens, deltas=deltas))
            reasons[sequence] = reason
        self._emit_text(deltas)
        for sequence, reason in reasons.items():
            if sequence in self.requests:
                self.requests.guard(sequence, partial(self._end_or_grow, reason=reason))

    def _add_text(
        self, sequence: Sequence, fed: list[int], deltas: list[protocol.Delta]
    ) -> protocol.FinishReason | None:
        """Add the text of the tokens `fed` that were not emitted yet. Returns why the answer ends at one of them."""
        for place, token in enumerate(fed, sequence.covered - len(fed)):
            if place == len(sequence.emitted):  # else it was emitted when it was drawn
                self._parse(sequence, token, deltas)
            if reason := finish.reason(self.model, sequence, token):
                return reason
        return None

    def _parse(self, sequence: Sequence, token: int, deltas: list[protocol.Delta]) -> None:
        """Count a new token of an answer, and add its text to `deltas`. Raises NotANumber."""
        if token == NO_NUMBER:
            raise NotANumber(sentence("The model failed: what it computed is not a number."))
        sequence.emitted.append(token)
        sequence.timing.token(time.monotonic())
        if sequence.parser is not None and token not in self.model.tokenizer.eos_token_ids:
            deltas += [events.delta(sequence, piece) for piece in sequence.parser.add(token)]

    def _emit_text(self, deltas: list[protocol.Delta]) -> None:
        """Emit these texts in one event."""
        if deltas:
            self._emit(protocol.Deltas(tuple(deltas)))

    def _end_or_grow(self, sequence: Sequence, reason: protocol.FinishReason | None) -> None:
        if reason:
            self.requests.finish(sequence, reason)
        else:
            self._memory.extend(sequence, self.requests)
