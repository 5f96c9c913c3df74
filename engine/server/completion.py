"""The completion of a request: an answer ends, the app gets its end, and its state is kept.

On the MLX thread. A failed request ends at the error boundary instead.

Invariants:
- The end is emitted before anything is stored: the app never waits for that.
- The request is open until its end is emitted: if something raises before, the error boundary ends it.
- Once the end is emitted, a failure costs the state of this answer alone.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from engine.decode.prefill import finish_chunk
from engine.protocol.cache_messages import TurnStored
from engine.protocol.errors import RowFailed
from engine.protocol.messages import Deltas
from engine.server.running_model import PREFILL_FAILED
from engine.turn import events, finish
from engine.turn.reply_parser import hand_over
from resources.language.sentence import sentence
from resources.language.text import mark, tr

if TYPE_CHECKING:
    from engine.protocol.messages import FinishReason
    from engine.schedule.sequence import Sequence
    from engine.server.intake import Intake
    from engine.server.running_model import RunningModel
    from engine.turn.speculative_prefill import SpeculativePrefill

log = logging.getLogger(__name__)

NOT_KEPT = mark("The state of this answer could not be kept.")
"""Said when an answer is complete but its caches are lost: the next turn prefills it."""


class Completion:
    """Ends the requests of one model that were answered or cancelled."""

    def __init__(self, running: RunningModel, intake: Intake, speculative: SpeculativePrefill) -> None:
        self._running = running
        self._intake = intake
        self._speculative = speculative

    def finish(self, sequence: Sequence, reason: FinishReason) -> None:
        """End a request and keep its state. If alternatives still wait for its prompt, one of them takes it over."""
        running = self._running
        if rest := sequence.parser.finish() if sequence.parser else ():
            running.emit(Deltas(tuple(events.delta(sequence, piece) for piece in rest)))
        if sequence.phase == "decode" and reason != "stop":
            running.batch.note_drawn(sequence)  # for the ledger: the answer can go on with it
        sequence.ledger = finish.ledger(running.model, sequence)
        heir = running.requests.separate(sequence)
        running.end(sequence, events.finished(sequence, reason))
        if sequence.emitted:
            running.failures = 0
        self._keep(sequence, reason)
        if heir:
            self._succeed(heir, sequence)
        sequence.drop_work()
        running.free_buffers()

    def _keep(self, sequence: Sequence, reason: FinishReason) -> None:
        """Keep an ended request's state. The edge of a commit."""
        try:
            self._commit(sequence, reason)
        except Exception:
            log.exception("keeping the state of request %s", sequence.request)
            self._running.remove_row(sequence)
            self._running.emit(TurnStored(sequence.conversation, tr(NOT_KEPT), sequence.command.on_disk))

    def _commit(self, sequence: Sequence, reason: FinishReason) -> None:
        model, manager = self._running.model, self._running.manager
        wrote = sequence.phase in ("decode", "paused")
        caches = self._running.batch.leave(sequence) if sequence.phase == "decode" else sequence.caches
        if model.layout is None or not sequence.command.cached:
            return
        form = self._speculative.form_after(sequence) if wrote else None
        if sequence.ledger and not (form and reason == "stop"):
            sequence.checkpoints += finish.reply_checkpoint(model, sequence, caches)
        finish.commit(model, manager, sequence, caches, self._running.emit)
        if form:
            self._speculative.start(sequence.conversation, form)

    def _succeed(self, heir: Sequence, ended: Sequence) -> None:
        if ended.phase == "prefill":
            self._running.guard(heir, partial(self._continue_prefill, ended), RowFailed(sentence(PREFILL_FAILED)))
        else:
            self._running.guard(heir, self._intake.begin)

    def _continue_prefill(self, ended: Sequence, heir: Sequence) -> None:
        finish_chunk(ended)
        hand_over(self._running.model, ended, heir)
        self._running.report_progress(heir)
