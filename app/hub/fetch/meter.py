"""Counts the bytes of a download and reports them, not more often than people can read."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from app.hub.fetch.progress import FetchProgress, Speed

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hub.fetch.progress import Report

_PAUSE_S: Final = 0.2


class Meter:
    """`done` of `total` bytes are here. `tell` gets every report. `clock` is in seconds."""

    def __init__(
        self, done: int, total: int, tell: Callable[[Report], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.tell = tell
        self.done = done
        self.total = total
        self._clock = clock
        self._speed = Speed(clock)
        self._told = clock()

    def came(self, count: int) -> None:
        """Count bytes that came from the hub."""
        self.done += count
        self._speed.add(count)
        self._report()

    def lost(self, count: int) -> None:
        """Count bytes that have to come again."""
        self.done = max(0, self.done - count)

    def _report(self) -> None:
        now = self._clock()
        if now - self._told >= _PAUSE_S:
            self._told = now
            left = self._speed.seconds_left(self.total - self.done)
            self.tell(FetchProgress(self.done, self.total, round(self._speed.rate, 1), left))
