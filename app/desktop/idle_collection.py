"""Lets Python look for garbage among all its objects while the user does nothing: with long chats open that takes
longer than a frame. Called every second on the window's thread. No Qt.

Young objects are looked at as usual, which takes less than a millisecond.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

REST_S: Final = 5.0
"""The user does nothing if nothing was asked for in this time."""
LONGEST_S: Final = 1800.0
"""If the user never rests, Python looks after this time all the same."""
_NEVER: Final = 1_000_000_000


def begin() -> None:
    """Leave what the start made out of every look, and all other looks among old objects to `IdleCollection`."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
    gc.enable()


class IdleCollection:
    """`busy` returns whether answers are being written."""

    def __init__(
        self,
        busy: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
        collect: Callable[[], object] = gc.collect,
    ) -> None:
        self._busy = busy
        self._clock = clock
        self._collect = collect
        self._used = self._collected = clock()

    def note_use(self) -> None:
        """The user has asked for something."""
        self._used = self._clock()

    def tick(self) -> None:
        """Look for garbage if the user rests and something has happened since the last look."""
        now = self._clock()
        if self._busy():
            self._used = now
        rests = self._used > self._collected and now - self._used >= REST_S
        if rests or (self._used > self._collected and now - self._collected >= LONGEST_S):
            self._collected = now
            self._collect()
