"""The error boundary: whatever goes wrong with a request becomes the end of that request.

On the MLX thread.

Invariants:
- A request ends once: an error for a request that has ended is dropped.
- A failure ends its own request, the alternatives that wait for it, and at worst the rows that share its buffers.
- Only a failed call of the model counts against the model. Two in a row, with no answer in between, break it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, TypeVar

from engine.protocol.errors import EngineError, RequestError, RowFailed
from engine.turn import events
from resources.language.sentence import sentence
from resources.language.text import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.schedule.sequence import Sequence
    from engine.server.running_model import RunningModel

log = logging.getLogger(__name__)

MOST_FAILURES = 2
"""Failed calls of the model, one after another, after which it is unloaded."""

UNFORESEEN = mark("The engine could not handle this request.")
PREFILL_FAILED = mark("The model failed while it was reading this conversation.")

T = TypeVar("T")


class ErrorBoundary:
    """Ends the requests of one model by errors."""

    def __init__(self, running: RunningModel) -> None:
        self._running = running
        self._failures = 0

    @property
    def model_is_broken(self) -> bool:
        """Whether the model has failed so often that another attempt would be no different."""
        return self._failures >= MOST_FAILURES

    def forgive(self) -> None:
        """The model has answered: its earlier failures no longer count."""
        self._failures = 0

    def guard(
        self, sequence: Sequence, act: Callable[[Sequence], T], unforeseen: EngineError | None = None
    ) -> T | None:
        """What `act` returns. If it raises, the request ends with that EngineError, or else with `unforeseen`."""
        try:
            return act(sequence)
        except EngineError as error:
            self._failures += isinstance(error, RowFailed)
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
            self.guard(sequence, lambda one: act(one, outcome) if one in self._running.requests else None)

        return receive

    def fail(self, sequence: Sequence, error: EngineError) -> None:
        """End a request and its alternatives with `error`."""
        self.remove_row(sequence)
        sequence.drop_work()
        if self._running.end(sequence, events.failed(sequence, error)):
            self._running.requests.separate(sequence)
            self.fail_all(sequence.siblings, error)

    def fail_all(self, sequences: Iterable[Sequence], error: EngineError) -> None:
        """End several requests with `error`."""
        for sequence in list(sequences):
            self.fail(sequence, error)

    def fail_batch(self) -> None:
        """The model failed in a decode step: end every row, since some may have advanced without the others."""
        rows = self._running.batch.sequences
        self._failures += 1
        self._running.batch.clear()
        self.fail_all(rows, RowFailed(sentence("The model failed while it was writing.")))

    def remove_row(self, sequence: Sequence) -> None:
        """Take a request out of the batch, if it is there. If its neighbours cannot be regrouped, they end too."""
        batch = self._running.batch
        if sequence not in batch.sequences:
            return
        try:
            batch.drop(sequence)
        except Exception:
            log.exception("removing request %s from the batch", sequence.request)
            neighbours = batch.drop_group(sequence)
            self.fail_all(
                neighbours, RowFailed(sentence("The answer could not go on after another one beside it had ended."))
            )
