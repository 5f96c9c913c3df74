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
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.decode.batch import Batch
from engine.decode.clustering import max_copy_bytes
from engine.decode.drafts.speculation import Speculation
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import prefilling, take_checkpoints
from engine.interop.transfer import Transfers
from engine.protocol import messages as protocol
from engine.protocol.errors import BadCommand, EngineError, RowFailed
from engine.schedule.admission import MemoryGrants
from engine.schedule.open_requests import OpenRequests
from engine.schedule.pace import Pace
from engine.schedule.scheduler import next_to_prefill, next_to_restore, ready, to_join
from engine.server.completion import Completion
from engine.server.intake import Intake
from engine.server.machine import THIS_MACHINE, Machine
from engine.server.measuring import Measuring
from engine.server.running_model import PREFILL_FAILED, RunningModel, limit_spare_buffers
from engine.turn import events, finish
from engine.turn.reply_parser import fork_all
from engine.turn.speculative_prefill import SpeculativePrefill
from engine.turn.tokenizer_thread import TokenizerThread
from resources.language.sentence import sentence
from resources.language.text import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.cache.manager import CacheManager
    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence

log = logging.getLogger(__name__)

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
        limit_spare_buffers()
        self._speculation = Speculation(model.model, model.context_limit, machine.clock)
        footprint = replace(model.layout.footprint, growth=self._speculation.growth) if model.layout else None
        memory = MemoryGrants(
            footprint, max_copy_bytes(model.weight_bytes), manager.hot, machine.free_bytes, machine.agreed
        )
        self.model = model
        self.focus = focus
        self.speculative = SpeculativePrefill(model, manager, memory, emit, machine.model_failed)
        self.transfers = Transfers(model, manager, emit, machine.free_bytes)
        self._emit = emit
        self._memory = memory
        self._forward = LastLogits(model.model, model.kinds)
        self._batch = Batch(model.model, batching=model.batching, speculation=self._speculation, agreed=machine.agreed)
        self._requests = OpenRequests()
        self._running = RunningModel(model, manager, self._batch, self._requests, machine.clock, emit)
        self._tokenizer = TokenizerThread(post)
        self.measuring = Measuring(model, self._tokenizer, emit)
        self._intake = Intake(self._running, self._tokenizer)
        self._completion = Completion(self._running, self._intake, self.speculative)
        self._pace = Pace()
        self._divides = machine.divides
        self._planned = machine.planned
        self._model_failed = machine.model_failed

    # --- commands

    def admit(self, command: protocol.Generate) -> None:
        """Take a request on: prepare its prompt and look up what is kept of it. Each request needs a new name."""
        if not self._requests.can_take(command):
            self._emit(protocol.Rejected(BadCommand.code, tr("Each request needs a name that no other one has.")))
            return
        self.speculative.drop(command.conversation)
        self._running.guard(self._requests.open(command, time.monotonic()), self._intake.begin)

    def cancel(self, request: str) -> None:
        """End a request where it is. Unknown requests are ignored."""
        if sequence := self._requests.find(request):
            self._running.guard(sequence, partial(self._completion.finish, reason="cancelled"))

    def cancel_all(self) -> None:
        """End every request where it is."""
        for sequence in self._requests:
            self.cancel(sequence.request)

    def close(self) -> None:
        """End every request where it is, and the tokenizer thread, which may hold the model."""
        self.cancel_all()
        self._tokenizer.close()

    def pause(self, request: str) -> None:
        """Keep a request's state, but do nothing more for it. Only a request that decodes can pause."""
        sequence = self._requests.find(request)
        if sequence is not None and sequence.phase == "decode":
            self._running.guard(sequence, self._pause)

    def resume(self, request: str) -> None:
        """Continue a paused request."""
        sequence = self._requests.find(request)
        if sequence is not None and sequence.phase == "paused":
            sequence.resume()
            self._running.report_progress(sequence)

    def fail(self, command: protocol.Generate, error: EngineError) -> bool:
        """End the requests of `command` with `error`. Returns whether any of them was open."""
        names = (command.request, *command.alternatives)
        is_open = [sequence for name in names if (sequence := self._requests.find(name))]
        self._running.fail_all(is_open, error)
        return bool(is_open)

    def give_up(self, error: EngineError) -> None:
        """End every request and transfer with `error`."""
        self._running.fail_all(self._requests, error)
        self.transfers.fail_all(error)

    def _pause(self, sequence: Sequence) -> None:
        sequence.pause(self._batch.leave(sequence))
        self._running.report_progress(sequence)

    # --- what the server's loop asks

    @property
    def running(self) -> int:
        """The number of requests and transfers that will end by themselves: a paused request waits for the user."""
        return self._unpaused + self.transfers.running

    @property
    def busy(self) -> bool:
        """Whether a step would do anything. Requests that only wait for the tokenizer or the disk need no step."""
        return self._working or self._can_work_ahead or self.transfers.busy

    @property
    def broken(self) -> bool:
        """Whether the model has failed twice in a row."""
        return self._running.model_is_broken

    @property
    def _unpaused(self) -> int:
        return sum(s.phase != "paused" for s in self._requests)

    @property
    def _can_work_ahead(self) -> bool:
        return not self._unpaused and self.speculative.busy

    @property
    def _working(self) -> bool:
        return any(s.phase in ("prefill", "decode") or s.restoration for s in self._requests)

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
        waiting = any(s.phase != "decode" for s in self._requests)
        served = waiting and self._serve_waiting()
        self._pace.end_turn(self._running.clock(), ordinary=bool(decoding) and not served)

    def _serve_waiting(self) -> bool:
        """Do one piece of work for the requests that do not decode yet. Returns whether there was one."""
        coming = self._next_to_prefill()
        if joining := to_join(self._requests, coming, len(self._batch)):
            self._join(joining)
        elif filling := next_to_restore(self._requests, coming, self.focus):
            self._running.guard(filling, self._restore)
        elif coming:
            self._running.guard(coming, self._prefill)
        else:
            return False
        return True

    def _next_to_prefill(self) -> Sequence | None:
        """The sequence whose next chunk is due, if memory could be reserved for it."""
        taken = len(self._batch) + sum(s.rows for s in ready(self._requests))
        first = next_to_prefill(self._requests, self.focus, taken)
        return first if first and self._running.guard(first, self._may_start, RowFailed(sentence(_NO_ROOM))) else None

    def _may_start(self, sequence: Sequence) -> bool:
        return self._memory.may_start(sequence, self._requests)

    def _finished(self, portions: Iterator[Any]) -> bool:
        """Do portions of a piece of work until the rows should get their next token. Returns whether those were all.

        If no row decodes, none of them is waited for: MLX computes them while what needs them is prepared.
        """
        divides = self._divides and len(self._batch)
        return not any(self._rows_are_due(arrays) for arrays in portions if divides)

    def _advanced(self, sequence: Sequence) -> bool:
        """Do one portion of its chunk while no row decodes, so that the next message is never far: it may end the
        engine. Returns whether there was none left.
        """
        for arrays in sequence.chunk or ():
            mx.eval(arrays)
            if self._divides:
                self._running.report_progress(sequence)
                return False
        return True

    def _rows_are_due(self, arrays: Any) -> bool:
        """Whether the rows should get their next token once these arrays are computed."""
        mx.eval(arrays)
        return not self._pace.has_time(self._running.clock())

    def _restore(self, sequence: Sequence) -> None:
        """Fill its caches with what was found, some portions at once."""
        if self._finished(sequence.restoration or iter(())):
            sequence.restoration = None

    def _prefill(self, sequence: Sequence) -> None:
        try:
            sequence.chunk = sequence.chunk or prefilling(self._forward, sequence, len(self._batch))
            if not (self._finished(sequence.chunk) if len(self._batch) else self._advanced(sequence)):
                return
        except Exception as error:  # the edge of the model: whatever it raises counts against it
            log.exception("prefill of %s", sequence.request)
            self._model_failed()
            raise RowFailed(sentence(PREFILL_FAILED)) from error
        sequence.chunk = None
        self._running.report_progress(sequence)
        if sequence.drawn is not None:
            first: list[protocol.Delta] = []
            self._parse(sequence, sequence.drawn, first)
            self._emit_text(first)
        take_checkpoints(sequence)

    def _join(self, joining: list[Sequence]) -> None:
        """Let prefilled or resumed sequences decode, with their alternatives. The edge of a join: if it fails, they end
        with the error, and the rows that already decode continue.
        """
        rows = list(joining)
        try:
            self._running.free_buffers()
            for sequence in joining:
                self._running.guard(sequence, partial(fork_all, self.model))
            rows = [row for leader in joining if leader in self._requests for row in (leader, *leader.siblings)]
            self._batch.join_all(rows)
            for row in rows:
                row.start_decoding()
                self._running.report_progress(row)
            self._running.report_waiting()
        except Exception:
            log.exception("join")
            self._model_failed()
            self._running.fail_all(rows, RowFailed(sentence("The answer could not be started beside the others.")))

    def _advance_rows(self) -> None:
        """A step of the batch, and the text of its tokens. The edge of the batch: if a step fails, its rows end, since
        some may have advanced without the others.
        """
        try:
            began = self._running.clock()
            self._planned(self._batch.sequences)
            emitted = self._batch.step()
            self._measure_step(self._running.clock() - began)
            self._process(emitted)
        except Exception:
            log.exception("decode step")
            self._model_failed()
            self._running.fail_batch()

    def _measure_step(self, seconds: float) -> None:
        """The edge of measuring: its failure costs drafts at most, so it is only logged."""
        try:
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
            reason = self._running.guard(sequence, partial(self._add_text, fed=tokens, deltas=deltas))
            reasons[sequence] = reason
        self._emit_text(deltas)
        for sequence, reason in reasons.items():
            if sequence in self._requests:
                self._running.guard(sequence, partial(self._end_or_grow, reason=reason))

    def _add_text(
        self, sequence: Sequence, fed: list[int], deltas: list[protocol.Delta]
    ) -> protocol.FinishReason | None:
        """Add the text of the tokens `fed` that were not emitted yet. Returns why the answer ends at one of them."""
        for place, token in enumerate(fed, sequence.covered - len(fed)):
            if place == len(sequence.emitted):
                self._parse(sequence, token, deltas)
            if reason := finish.reason(self.model, sequence, token):
                return reason
        return None

    def _parse(self, sequence: Sequence, token: int, deltas: list[protocol.Delta]) -> None:
        """Count a new token of an answer, and add its text to `deltas`."""
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
            self._completion.finish(sequence, reason)
        elif sequence.position >= sequence.granted:
            self._memory.extend(sequence, self._requests)
