"""A loaded model at work: what the parts of its generation share.

On the MLX thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mlx.core as mx

from engine.schedule.scheduler import MOST_ROWS
from engine.turn import events

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.decode.batch import Batch
    from engine.model.loader import LoadedModel
    from engine.protocol.messages import Event
    from engine.schedule.open_requests import OpenRequests
    from engine.schedule.sequence import Sequence

MOST_SPARE_BYTES = 2 << 30
"""Of the buffers that it has freed, MLX keeps so many bytes for reuse. It frees what is beyond them one by one, as it
allocates: to free all at once can take longer than some steps.
"""


@dataclass(frozen=True, slots=True)
class RunningModel:
    """The model with its cache, its batch, its open requests, a clock, and the outlet for its events."""

    model: LoadedModel
    manager: CacheManager
    batch: Batch
    requests: OpenRequests
    clock: Callable[[], float]
    emit: Callable[[Event], None]

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


def limit_spare_buffers() -> None:
    """Have MLX keep at most MOST_SPARE_BYTES."""
    mx.set_cache_limit(MOST_SPARE_BYTES)
