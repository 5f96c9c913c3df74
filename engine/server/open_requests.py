"""The open requests of one model: those that have arrived and have not ended. Each gets its prompt, and its caches are
restored from what is kept; then it is prefilled, decodes and ends. Whatever goes wrong with a request becomes the end
of that request.

On the MLX thread. The prompt is tokenized on the tokenizer thread and the disk is read on the I/O threads. Their
outcomes arrive as later calls on this one. `begin` and `fill` raise the EngineError that ends the request; the caller
guards them.

Invariants:
- No two open requests have the same name.
- A request ends once: an error for a request that has ended is dropped.
- A failure ends its own request, the alternatives that wait for it, and at worst the rows that share its buffers.
- Only a failed call of the model counts against the model. Two in a row, with no answer in between, break it.
- The end of an answer is emitted before anything is stored: the app never waits for that. If something raises before,
  the request fails; afterwards, a failure costs the state of this answer alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.lookup import LookupRequest, LookupResult, Prefetch, miss, read_ahead
from engine.cache.manager import CacheManager
from engine.cache.segment import MissCause
from engine.decode.batch import Batch
from engine.decode.sampling import RowSampler
from engine.model.loader import LoadedModel
from engine.output.parser import OutputParser
from engine.prompt.message_format import tool_schemas
from engine.protocol.cache_messages import TurnStored
from engine.protocol.errors import EngineError, RequestError, RowFailed
from engine.protocol.messages import MOST_ALTERNATIVES, Deltas, Event, FinishReason, Generate
from engine.schedule.scheduler import MOST_ROWS
from engine.schedule.sequence import Decoding, Prefilling, Restoring, Sequence, Timing, alternatives, well_named
from engine.turn import events, finish
from engine.turn.events import miss_cause
from engine.turn.prepare import PreparedPrompt, TokenizerThread, rendered_question
from engine.turn.speculative_prefill import SpeculativePrefill
from resources.language.sentence import sentence
from resources.language.text import mark, tr

log = logging.getLogger(__name__)

MOST_FAILURES = 2
"""Failed calls of the model, one after another, after which it is unloaded."""

UNFORESEEN = mark("The engine could not handle this request.")
NOT_KEPT = mark("The state of this answer could not be kept.")
"""Said when an answer is complete but its caches are lost: the next turn prefills it."""

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class OpenRequests:
    """The sequences of the model by the name of their request, in the order of arrival. `failures` counts the failed
    calls of the model since its last answer.
    """

    model: LoadedModel
    manager: CacheManager
    batch: Batch
    speculative: SpeculativePrefill
    tokenizer: TokenizerThread
    emit: Callable[[Event], None]
    failures: int = 0
    _sequences: dict[str, Sequence] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._sequences)

    def __iter__(self) -> Iterator[Sequence]:
        """A snapshot: requests may end while a caller iterates."""
        return iter(list(self._sequences.values()))

    def __contains__(self, sequence: Sequence) -> bool:
        return self._sequences.get(sequence.request) is sequence

    def find(self, request: str) -> Sequence | None:
        """The open request of this name."""
        return self._sequences.get(request)

    def open(self, command: Generate, now: float) -> Sequence | None:
        """Open the requests of `command`, which arrived at `now`: the first, with its alternatives as siblings. None if
        one of them has no name, or that of another one.
        """
        if not well_named(command, self._sequences):
            return None
        sequences = [Sequence(one, timing=Timing(now)) for one in (command, *alternatives(command))]
        first, *first.siblings = sequences
        self._sequences |= {sequence.request: sequence for sequence in sequences}
        return first

    def report_progress(self, sequence: Sequence) -> None:
        """Emit how far a request is. If it waits for a row of a full batch, it is shown as queued. If its first token
        is there already, it is shown as being written.
        """
        phase = sequence.state.phase
        if phase == "prefill" and len(self.batch) >= MOST_ROWS:
            phase = "decode" if sequence.emitted else "queued"
        self.emit(events.progress(sequence, phase))

    def free_buffers(self) -> None:
        """Free the buffers that the last chunks took to compute, unless rows wait for their next token."""
        if not len(self.batch):
            mx.clear_cache()

    # --- from its arrival to its prefill

    def begin(self, sequence: Sequence) -> None:
        """Render the prompt, and have it tokenized. Meanwhile the disk reads what probably is kept of it."""
        if len(sequence.siblings) >= MOST_ALTERNATIVES:
            raise RequestError(tr("At most {most} answers can be written at once.", most=MOST_ALTERNATIVES))
        prefetch = self._prefetch(sequence.command)
        self.tokenizer.submit(
            rendered_question(self.model, sequence.command),
            self._guarding(sequence, lambda one, prepared: self._look_up(one, prepared(), prefetch)),
        )

    def _prefetch(self, command: Generate) -> Prefetch | None:
        """Begin to read what the disk has of a chat with replies."""
        model, manager = self.model, self.manager
        replies = [at for at, message in enumerate(command.messages) if message.ledger]
        is_stored = command.cached and command.on_disk and replies
        if model.layout is None or not is_stored or manager.has(command.conversation):
            return None
        # No tokens are known yet. Most have several characters.
        room = sum(len(message.content) for message in command.messages[replies[-1] + 1 :])
        conversation, identity, needs = command.conversation, model.identity.model, model.layout.needs
        return manager.read(lambda store: read_ahead(store, conversation, identity, needs, room))

    def _look_up(self, sequence: Sequence, prepared: PreparedPrompt, prefetch: Prefetch | None) -> None:
        """Look up what is kept of the prompt."""
        prompt, chain = prepared
        kept = self.model.layout is not None and sequence.command.cached
        sequence.start_restoring(prompt, chain if kept else [], self.model.fresh_caches())
        sequence.ending = prepared.ending if kept else None
        sequence.replies_stand = self.model.template.probe.stands and not sequence.command.sampling.stop
        sequence.parser = reply_parser(self.model, sequence)
        for row in (sequence, *sequence.siblings):
            row.sampler = RowSampler(row.command.sampling)
        if self.model.layout is None:
            self.start_prefill(sequence, miss(MissCause.UNSUPPORTED))
        elif not sequence.command.cached:
            self.start_prefill(sequence, miss(MissCause.OFF))
        else:
            self.report_progress(sequence)
            sequence.prompt_end = self.manager.hot.prompt_end(sequence.conversation, sequence.ending)
            request = self._lookup_request(sequence, prefetch)
            self.manager.look_up(request, self._guarding(sequence, self._found))

    def _lookup_request(self, sequence: Sequence, prefetch: Prefetch | None) -> LookupRequest:
        assert self.model.layout is not None, "only what can be kept is looked up"
        prompt, needs = sequence.prompt, self.model.layout.needs
        whole, end = len(prompt.ids), sequence.prompt_end
        needs_no_pass = bool(end) or prompt.drawn is not None
        return LookupRequest(
            sequence.conversation,
            [*sequence.chain, end.segment] if end else sequence.chain,
            needs,
            limit=whole + 1 if needs_no_pass else whole,
            enough=whole if end else prompt.reusable,
            requests=[row.request for row in (sequence, *sequence.siblings)],
            end=end,
            prefetch=prefetch,
        )

    def _found(self, sequence: Sequence, found: LookupResult) -> None:
        """The outcome of the lookup."""
        sequence.state_as(Restoring).found = found

    def fill(self, sequence: Sequence, found: LookupResult) -> None:
        """Fill the caches with what was found. If a record does not fit them, nothing was."""
        assert self.model.layout is not None, "only what can be kept is looked up"
        segments, state = found.plan.segments, sequence.state_as(Restoring)
        self.manager.hot.lease(sequence.conversation, segments)
        state.portions = codec.fill(self.model.layout, sequence.caches, found.pieces)
        if segments and not state.portions:
            self.manager.refuse(segments)
            state.found = miss(MissCause.DAMAGED)

    def start_prefill(self, sequence: Sequence, found: LookupResult) -> None:
        """The caches hold what was found."""
        length = found.plan.length
        sequence.start_prefill(length, found.source)
        if sequence.prompt_end and not sequence.pending_tokens:
            sequence.state_as(Prefilling).logits = sequence.prompt_end.logits
        else:
            sequence.prompt_end = None
        from_disk = found.source == "disk"
        sequence.timing.restore_ms = (time.monotonic() - sequence.timing.arrived) * 1000 if from_disk else 0.0
        sequence.miss_cause = miss_cause(self.model, sequence.command.messages, sequence.prompt, found.plan)
        self.report_progress(sequence)

    def fork(self, leader: Sequence) -> None:
        """Fork a prefilled sequence to each of its siblings. MLX copies the caches when their contents part."""
        for sibling in leader.siblings:
            leader.fork(sibling, deepcopy(leader.caches))
            sibling.parser = reply_parser(self.model, sibling)

    # --- the end of an answer

    def cancel(self, request: str) -> None:
        """End a request where it is. Unknown requests are ignored."""
        if sequence := self._sequences.get(request):
            self.guard(sequence, partial(self.finish, reason="cancelled"))

    def finish(self, sequence: Sequence, reason: FinishReason) -> None:
        """End a request that was answered or cancelled, and keep its state. If alternatives still wait for its prompt,
        the first of them continues with all that it has.
        """
        if rest := sequence.parser.finish() if sequence.parser else ():
            self.emit(Deltas(tuple(events.delta(sequence, piece) for piece in rest)))
        if isinstance(sequence.state, Decoding) and reason != "stop":
            self.batch.note_drawn(sequence)  # for the ledger: the answer can go on with it
        sequence.ledger = finish.ledger(self.model, sequence)
        self._end(sequence, events.ended(sequence, reason))
        if sequence.emitted:
            self.failures = 0
        if sequence.siblings:
            self._continue_as_sibling(sequence)
        else:
            self._keep(sequence, reason)
        self.free_buffers()

    def _end(self, sequence: Sequence, event: Event) -> None:
        """Close a request and emit its end, unless it has ended. If the end cannot be emitted, it is open again."""
        if sequence not in self:
            return
        del self._sequences[sequence.request]
        try:
            self.emit(event)
        except BaseException:
            self._sequences[sequence.request] = sequence
            raise
        for other in self._sequences.values():
            if sequence in other.siblings:
                other.siblings.remove(sequence)

    def _continue_as_sibling(self, sequence: Sequence) -> None:
        name = sequence.siblings[0].request
        sequence.continue_as_sibling()
        self._sequences[name] = sequence
        if sequence.parser:
            sequence.parser = reply_parser(self.model, sequence)
        self.report_progress(sequence)

    def _keep(self, sequence: Sequence, reason: FinishReason) -> None:
        """Keep an ended request's state. The edge of a commit."""
        try:
            self._commit(sequence, reason)
        except Exception:
            log.exception("keeping the state of request %s", sequence.request)
            self._remove_row(sequence)
            self.emit(TurnStored(sequence.conversation, tr(NOT_KEPT), sequence.command.on_disk))

    def _commit(self, sequence: Sequence, reason: FinishReason) -> None:
        caches = self.batch.leave(sequence) if isinstance(sequence.state, Decoding) else sequence.caches
        if self.model.layout is None or not sequence.command.cached:
            return
        wrote = isinstance(sequence.state, Decoding)
        form = self.speculative.form_after(sequence) if wrote else None
        if sequence.ledger and not (form and reason == "stop"):
            sequence.checkpoints += finish.reply_checkpoint(self.model, sequence, caches)
        finish.commit(self.model, self.manager, sequence, caches, self.emit)
        if form:
            self.speculative.start(sequence.conversation, form)

    # --- failures

    @property
    def model_is_broken(self) -> bool:
        """Whether the model has failed so often that another attempt would be no different."""
        return self.failures >= MOST_FAILURES

    def guard(
        self, sequence: Sequence, act: Callable[[Sequence], T], unforeseen: EngineError | None = None
    ) -> T | None:
        """What `act` returns. If it raises, the request ends with that EngineError, or else with `unforeseen`."""
        try:
            return act(sequence)
        except EngineError as error:
            self.failures += type(error) is RowFailed
            self.fail([sequence], error)
        except Exception:
            log.exception("request %s", sequence.request)
            self.fail([sequence], unforeseen or RequestError(sentence(UNFORESEEN)))
        return None

    def _guarding(self, sequence: Sequence, act: Callable[[Sequence, T], object]) -> Callable[[T], None]:
        """A receiver for an outcome that `sequence` waits for. It calls `act` under the guard, if the request is still
        open then.
        """

        def receive(outcome: T) -> None:
            self.guard(sequence, lambda one: act(one, outcome) if one in self else None)

        return receive

    def fail(self, sequences: Iterable[Sequence], error: EngineError) -> None:
        """End several requests, and the alternatives that wait for them, with `error`."""
        for sequence in list(sequences):
            self._remove_row(sequence)
            self._end(sequence, events.ended(sequence, "failed", error))
            self.fail(sequence.siblings, error)

    def fail_batch(self) -> None:
        """The model failed in a decode step: end every row, since some may have advanced without the others."""
        rows = self.batch.sequences
        self.failures += 1
        self.batch.clear()
        self.fail(rows, RowFailed(sentence("The model failed while it was writing.")))

    def _remove_row(self, sequence: Sequence) -> None:
        """Take a request out of the batch, if it is there. If its neighbours cannot be regrouped, they end too."""
        if sequence not in self.batch.sequences:
            return
        try:
            self.batch.drop(sequence)
        except Exception:
            log.exception("removing request %s from the batch", sequence.request)
            neighbours = self.batch.drop_group(sequence)
            self.fail(
                neighbours, RowFailed(sentence("The answer could not go on after another one beside it had ended."))
            )


def reply_parser(model: LoadedModel, sequence: Sequence) -> OutputParser:
    """The parser of a reply to the prompt of `sequence`. If a reply is being continued, it has parsed what there is."""
    prompt, rendered = sequence.prompt, sequence.prompt.rendered
    return OutputParser(
        model.tokenizer,
        prompt.ids[prompt.reply_start :],
        header=rendered.text[rendered.turn_chars : rendered.start_chars],
        stop=sequence.command.sampling.stop,
        tools=tool_schemas(sequence.command.tools),
    )
