"""Jobs of the I/O thread whose result another thread waits for. Not for the MLX thread, which never waits."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine.cache.disk.io_thread import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.disk.io_thread import IoThread, Priority
    from storage.segments.store import SegmentStore

JOB_SECONDS: Final = 60.0
"""How long a job may take, with all that are queued before it."""

T = TypeVar("T")


class JobError(Exception):
    """A job failed, or took too long."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def result(io: IoThread, priority: Priority, job: Callable[[SegmentStore], T]) -> T:
    """What the job returns. Raises JobError."""
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    io.submit(priority, job, done.put)
    try:
        outcome = done.get(timeout=JOB_SECONDS)
    except queue.Empty:
        outcome = Failure("slow", f"The disk did not do a job in {JOB_SECONDS:.0f} s.")
    if isinstance(outcome, Failure):
        raise JobError(outcome)
    return outcome  # type: ignore[no-any-return] # what the job returned
