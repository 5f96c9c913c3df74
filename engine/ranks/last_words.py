"""The last words of a leader: one event tells the app why the group has ended, and no event follows it.

Any thread may say them. The thread that computes may wait in a collective that never returns, and it may hold the pipe
to an app that does not read. So the words are sent by a thread of their own, for which the others wait a moment only.
"""

from __future__ import annotations

import threading
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
        self._said = threading.Event()

    def emit(self, event: Event) -> None:
        """Emit an event, unless the last words were said."""
        if not self._first.locked():
            self._emit(event)

    def say(self, rank: int, reason: GroupReason, detail: str = "") -> None:
        """Emit the last event, if no thread has, and wait until it is out: the caller is about to end the process.
        `detail` is a sentence for people.
        """
        if self._first.acquire(blocking=False):
            event = GroupEnded(rank, reason, detail)
            threading.Thread(target=self._speak, args=(event,), name="last words", daemon=True).start()
        self._said.wait(SAYING_SECONDS)

    def _speak(self, event: GroupEnded) -> None:
        try:
            self._emit(event)
        finally:
            self._said.set()
