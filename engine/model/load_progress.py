"""Reports the progress of a load to the app: each stage when it begins, and twice a second within it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.protocol.messages import LoadProgress

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.protocol.messages import LoadStage

_EVERY_SECONDS = 0.5


class LoadReporter:
    """Called with each step of the load of the model at `path`. Emits an event if there is something new to report.
    `clock` counts seconds.
    """

    def __init__(
        self, path: str, emit: Callable[[LoadProgress], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._emit = emit
        self._clock = clock
        self._stage: LoadStage | None = None
        self._at = 0.0

    def __call__(self, stage: LoadStage, done: int, total: int) -> None:
        """The load has processed `done` of `total` bytes in `stage`."""
        now = self._clock()
        if stage != self._stage or now - self._at >= _EVERY_SECONDS:
            self._stage, self._at = stage, now
            self._emit(LoadProgress(self._path, stage, done, total))
