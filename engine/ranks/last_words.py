"""The last words of a leader: one event tells the app why the group has ended, and no event follows it.

Any thread may say them. The thread that computes may wait in a collective that never returns, and it may hold the pipe
to an app that does not read. So the words are sent by a thread of their own, for which the others wait a moment only.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from engine.protocol.group import GroupEnded

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.protocol.group import GroupReason
    from engine.protocol.messages import Event

SAYING_SECONDS: Final = 1.0
"""How long the end of the process waits for an app that does not read."""


class LastWords:
    """Emits the events of the leader through `emit` until the group is lost."""

    def __init__(self, emit: Callable[[Event], object]) -> None:
        self._emit = emit
        self._first = threading.Lock()

    def emit(self, event: Event) -> None:
        """Emit an event, unless the last words were said."""
        if not self._first.locked():
            self._emit(event)

    def say(self, rank: int, reason: GroupReason, detail: str = "") -> None:
        """Emit the last event, if no thread has. `detail` is a sentence for people."""
        if self._first.acquire(blocking=False):
            saying = threading.Thread(
                target=partial(self._emit, GroupEnded(rank, reason, detail)), name="last words", daemon=True
            )
            saying.start()
            saying.join(SAYING_SECONDS)
