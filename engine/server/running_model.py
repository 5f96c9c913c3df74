"""A loaded model at work: what the parts of its generation share, and the error boundary of its requests: whatever goes
wrong with a request becomes the end of that request.

On the MLX thread.

Invariants:
- A request ends once: an error for a request that has ended is dropped.
- A failure ends its own request, the alternatives that wait for it, and at worst the rows that share its buffers.
- Only a failed call of the model counts against the model. Two in a row, with no answer in between, break it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import mlx.core as mx

from engine.protocol.errors import EngineError, RequestError, RowFailed
from engine.schedule.scheduler import MOST_ROWS
from engine.turn import events
from resources.language.sentence import sentence
from resources.language.text import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.cache.manager import CacheManager
    from engine.decode.batch import Batch
    from engine.model.loader import LoadedModel
    from engine.protocol.messages import Event
    from engine.schedule.open_requests import OpenRequests
    from engine.schedule.sequence import Sequence

log = logging.getLogger(__name__)

MOST_FAILURES = 2
"""Failed calls of the model, one after another, after which it is unloaded."""

UNFORESEEN = mark("The engine could not handle this request.")
PREFILL_FAILED = mark("The model failed while it was reading this conversation.")

MOST_SPARE_BYTES = 2 << 30
"""Of the buffers that it has freed, MLX keeps so many bytes for reuse. It frees what is beyond them one by one, as it
allocates: to free all at once can take longer than some steps.
"""


T = TypeVar("T")


@dataclass(eq=False, slots=True)
class RunningModel:
    """The model with its cache, its batch, its open requests, a clock, and the outlet for its events. `failures` counts
    the failed calls of the model since its last answer.
    """

    model: LoadedModel
    manager: CacheManager
    batch: Batch
    requests: OpenRequests
    clock: Callable[[], float]
    emit: Callable[[Event], None]
    failures: int = 0

    def end(self, sequence: Sequence, event: Event) -> bool:
        """Close a request and emit its end. Returns whether it was open. If the end cannot be emitted, it is open
        again.
        """
        if not self.requests.close(sequence):
            return False
        try:
            self.emit(event)
        except BaseException:
            self.requests.reopen(sequence)
            raise
        return True

    def report_progress(self, sequence: Sequence) -> None:
        """Emit how far a request is. If it waits for a row of a full batch, it is shown as queued. If its first token
        is there already, it is shown as being written.
        """
        phase = sequence.phase
        if phase == "prefill" and len(self.batch) >= MOST_ROWS:
            phase = "decode" if sequence.emitted and not sequence.covered else "queued"
        self.emit(events.progress(sequence, phase))

    def report_waiting(self) -> None:
        """Emit the progress of each request that waits for a row, if the batch is full."""
        if len(self.batch) >= MOST_ROWS:
            for sequence in self.requests:
                if sequence.phase == "prefill":
                    self.report_progress(sequence)

    def free_buffers(self) -> None:
        """Free the buffers that the last chunks took to compute, unless rows wait for their next token."""
        if not len(self.batch):
            mx.clear_cache()

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
            self.failures += isinstance(error, RowFailed)
            self.fail(sequence, error)
        except Exception:
            log.exception("request %s", sequence.request)
            self.fail(sequence, unforeseen or RequestError(sentence(UNFORESEEN)))
        return None

    def guarding(self, sequence: Sequence, act: Callable[[Sequence, T], object]) -> Callable[[T], None]:
        """A receiver for an outcome that `sequence` waits for. It calls `act` under the guard, if the request is still
        open then.
        """

        def receive(outcome: T) -> None:
            self.guard(sequence, lambda one: act(one, outcome) if one in self.requests else None)

        return receive

    def fail(self, sequence: Sequence, error: EngineError) -> None:
        """End a request and its alternatives with `error`."""
        self.remove_row(sequence)
        sequence.drop_work()
        if self.end(sequence, events.failed(sequence, error)):
            self.requests.separate(sequence)
            self.fail_all(sequence.siblings, error)

    def fail_all(self, sequences: Iterable[Sequence], error: EngineError) -> None:
        """End several requests with `error`."""
        for sequence in list(sequences):
            self.fail(sequence, error)

    def fail_batch(self) -> None:
        """The model failed in a decode step: end every row, since some may have advanced without the others."""
        rows = self.batch.sequences
        self.failures += 1
        self.batch.clear()
        self.fail_all(rows, RowFailed(sentence("The model failed while it was writing.")))

    def remove_row(self, sequence: Sequence) -> None:
        """Take a request out of the batch, if it is there. If its neighbours cannot be regrouped, they end too."""
        if sequence not in self.batch.sequences:
            return
        try:
            self.batch.drop(sequence)
        except Exception:
            log.exception("removing request %s from the batch", sequence.request)
            neighbours = self.batch.drop_group(sequence)
            self.fail_all(
                neighbours, RowFailed(sentence("The answer could not go on after another one beside it had ended."))
            )


def limit_spare_buffers() -> None:
    """Have MLX keep at most MOST_SPARE_BYTES."""
    mx.set_cache_limit(MOST_SPARE_BYTES)
