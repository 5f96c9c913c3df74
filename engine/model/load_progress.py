"""How far a load is, for the app. Owns how often that is told: at every stage, and in between twice a second."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.protocol.messages import LoadProgress

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.protocol.messages import LoadStage

_EVERY_SECONDS = 0.5


class LoadTelling:
    """Called with each step of the load of the model at `path`; emits what is news."""

    def __init__(self, path: str, emit: Callable[[LoadProgress], None]) -> None:
        self._path = path
        self._emit = emit
        self._stage: LoadStage | None = None
        self._at = 0.0

    def __call__(self, stage: LoadStage, done: int, total: int) -> None:
        """The load is at `done` of `total` bytes of `stage`."""
        now = time.monotonic()
        if stage != self._stage or now - self._at >= _EVERY_SECONDS:
            self._stage, self._at = stage, now
            self._emit(LoadProgress(self._path, stage, done, total))
