"""Lets Python look for garbage, on the window's thread alone. No Qt.

Python would look on any thread that makes objects. If it found a Qt object there, it would free it there: Qt then waits
for Python's lock while the window holds it and waits for Qt's. So Python's own looks are off. Young objects are looked
at every second, which takes less than a millisecond. All objects are looked at while the user does nothing: with long
chats open that takes longer than a frame.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

REST_S: Final = 5.0
"""The user does nothing if nothing was asked for in this time."""


LONGEST_S: Final = 1800.0
"""If the user never rests, Python looks after this time all the same."""


YOUNG: Final = 1
"""Python's generation of the objects that have survived no more than one look."""


ALL: Final = 2
"""Its generation of all objects."""


def begin() -> None:
    """Leave what the start made out of every look, and all looks to `IdleCollection`."""
    gc.disable()
    gc.freeze()


class IdleCollection:
    """`busy` returns whether answers are being written. `collect` looks at a generation of objects."""

    def __init__(
        self,
        busy: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
        collect: Callable[[int], object] = gc.collect,
    ) -> None:
        self._busy = busy
        self._clock = clock
        self._collect = collect
        self._used = self._collected = clock()

    def note_use(self) -> None:
        """The user has asked for something."""
        self._used = self._clock()

    def tick(self) -> None:
        """Every second: look at young objects, or at all if the user rests and something has happened since the last
        such look.
        """
        now = self._clock()
        if self._busy():
            self._used = now
        is_due = self._used > self._collected and (now - self._used >= REST_S or now - self._collected >= LONGEST_S)
        if is_due:
            self._collected = now
        self._collect(ALL if is_due else YOUNG)
