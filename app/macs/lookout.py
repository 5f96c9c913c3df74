"""Lookout: looks for Macs on the network for some seconds after each request. Runs on the window's thread.

The page of the Macs repeats its request while it is open, and so does a group that waits for a Mac.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from app.macs.announcement import Announcement
    from app.macs.nearby import Nearby

LOOK_SECONDS: Final = 20
"""How long a request lasts: longer than the pauses between those of a page or of a group."""


class _Show(Protocol):
    def __call__(self, found: tuple[Announcement, ...], *, can_find: bool) -> None: ...


class Lookout:
    """`show` is called each second with the Macs that were found, and with none at the end of a look."""

    def __init__(self, show: _Show) -> None:
        self._show = show
        self._nearby: Nearby | None = None
        self._seconds_left = 0

    @property
    def found(self) -> tuple[Announcement, ...]:
        """The Macs on the network; none unless this one looks for them. Any thread may ask."""
        return nearby.macs if (nearby := self._nearby) is not None else ()

    def look(self) -> None:
        """Look for LOOK_SECONDS from now on."""
        from app.macs.nearby import Nearby  # no start needs its libraries

        self._seconds_left = LOOK_SECONDS
        if self._nearby is None:
            self._nearby = Nearby()
            self._nearby.start()

    def tick(self) -> None:
        """Every second: show which Macs are there."""
        if self._nearby is None:
            return
        self._seconds_left -= 1
        self._show(self._nearby.macs, can_find=self._nearby.is_possible)
        if self._seconds_left <= 0:
            self.end()

    def end(self) -> None:
        """Look no longer. The thread ends soon."""
        nearby, self._nearby = self._nearby, None
        if nearby is not None:
            nearby.stop()
            self._show((), can_find=True)
