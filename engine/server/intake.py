"""The intake: a new request gets its prompt, and its caches are restored from what is kept.

On the MLX thread. The prompt is tokenized on the tokenizer thread and the disk is read on the I/O threads. Their
outcomes arrive as later calls on this one.

`begin` and `fill` raise the EngineError that ends the request; the caller guards them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.cache.codec import codec
from engine.cache.lookup import LookupRequest, LookupResult, miss, read_ahead
from engine.cache.segment import MissCause
from engine.decode.sampling import RowSampler
from engine.protocol.errors import RequestError
from engine.protocol.messages import MOST_ALTERNATIVES
from engine.schedule.sequence import Prefilling, Restoring
from engine.server.reply_parser import reply_parser
from engine.turn.miss_cause import miss_cause
from engine.turn.prepare import rendered_question
from resources.language.text import tr

if TYPE_CHECKING:
    from engine.cache.lookup import Prefetch
    from engine.protocol.messages import Generate
    from engine.schedule.sequence import Sequence
    from engine.server.open_requests import OpenRequests
    from engine.turn.prepare import PreparedPrompt
    from engine.turn.tokenizer_thread import TokenizerThread


class Intake:
    """Takes the requests of one model from queued to prefill."""

    def __init__(self, requests: OpenRequests, tokenizer: TokenizerThread) -> None:
        self._requests = requests
        self._tokenizer = tokenizer
        self._model = requests.model
        self._manager = requests.manager

    def begin(self, sequence: Sequence) -> None:
        """Render the prompt, and have it tokenized. Meanwhile the disk reads what probably is kept of it."""
        if len(sequence.siblings) >= MOST_ALTERNATIVES:
            raise RequestError(tr("At most {most} answers can be written at once.", most=MOST_ALTERNATIVES))
        prefetch = self._prefetch(sequence.command)
        self._tokenizer.submit(
            rendered_question(self._model, sequence.command),
            self._requests.guarding(sequence, lambda one, prepared: self._look_up(one, prepared(), prefetch)),
        )

    def _prefetch(self, command: Generate) -> Prefetch | None:
        """Begin to read what the disk has of a chat with replies."""
        model, manager = self._model, self._manager
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
        kept = self._model.layout is not None and sequence.command.cached
        sequence.start_restoring(prompt, chain if kept else [], self._model.fresh_caches())
        sequence.ending = prepared.ending if kept else None
        sequence.replies_stand = self._model.template.probe.stands and not sequence.command.sampling.stop
        sequence.parser = reply_parser(self._model, sequence)
        for row in (sequence, *sequence.siblings):
            row.sampler = RowSampler(row.command.sampling)
        if self._model.layout is None:
            self.start_prefill(sequence, miss(MissCause.UNSUPPORTED))
        elif not sequence.command.cached:
            self.start_prefill(sequence, miss(MissCause.OFF))
        else:
            self._requests.report_progress(sequence)
            sequence.prompt_end = self._manager.hot.prompt_end(sequence.conversation, sequence.ending)
            request = self._lookup_request(sequence, prefetch)
            self._manager.look_up(request, self._requests.guarding(sequence, self._found))

    def _lookup_request(self, sequence: Sequence, prefetch: Prefetch | None) -> LookupRequest:
        assert self._model.layout is not None, "only what can be kept is looked up"
        prompt, needs = sequence.prompt, self._model.layout.needs
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
        sequence.being(Restoring).found = found

    def fill(self, sequence: Sequence, found: LookupResult) -> None:
        """Fill the caches with what was found. If a record does not fit them, nothing was."""
        assert self._model.layout is not None, "only what can be kept is looked up"
        segments, state = found.plan.segments, sequence.being(Restoring)
        self._manager.hot.lease(sequence.conversation, segments)
        state.portions = codec.fill(self._model.layout, sequence.caches, found.pieces)
        if segments and not state.portions:
            self._manager.refuse(segments)
            state.found = miss(MissCause.DAMAGED)

    def start_prefill(self, sequence: Sequence, found: LookupResult) -> None:
        """The caches hold what was found."""
        length = found.plan.length
        sequence.start_prefill(length, found.source)
        if sequence.prompt_end and not sequence.pending_tokens:
            sequence.being(Prefilling).logits = sequence.prompt_end.logits
        else:
            sequence.prompt_end = None
        sequence.timing.restore_ms = (time.monotonic() - sequence.timing.arrived) * 1000 if length else 0.0
        sequence.miss_cause = miss_cause(self._model, sequence.command.messages, sequence.prompt, found.plan)
        self._requests.report_progress(sequence)
