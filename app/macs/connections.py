"""Which connections a worker serves at a time, so that strangers cannot shut paired Macs out. Any thread may call it.

Invariants:
- A connection that has proved to be of a paired Mac never goes for another one. Each Mac has at most MOST_OF_MAC.
- Of those that have not, at most SHARE come from one address.
- If places run out, the oldest one that has not proved itself goes, first those from an address that never did.
- The last place is for addresses from which a paired Mac has proved itself.
"""

from __future__ import annotations

import threading
from typing import Final, Generic, TypeVar

C = TypeVar("C")

MOST_OF_MAC: Final = 6
"""A Mac leads one group, copies one model and asks. With more it could shut the others out."""

MOST: Final = 16
SHARE: Final = 4
"""A Mac opens one or two at once, and each proves itself within milliseconds."""


class Connections(Generic[C]):
    """The open connections, the oldest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: dict[C, str] = {}
        self._proved: dict[C, str] = {}
        self._known: set[str] = set()

    def enter(self, connection: C, host: str) -> C | None:
        """A connection from `host` begins. Returns the one that has to end for it, which is itself if all others have
        proved themselves; None if there is a place.
        """
        with self._lock:
            self._hosts[connection] = host
            leaving = self._surplus(host)
            if leaving is not None:
                del self._hosts[leaving]
            return leaving

    def prove(self, connection: C, mac: str) -> bool:
        """A connection has shown the certificate of a paired Mac. Returns whether that may have another one."""
        with self._lock:
            if connection not in self._hosts or list(self._proved.values()).count(mac) >= MOST_OF_MAC:
                return False
            self._proved[connection] = mac
            self._known.add(self._hosts[connection])
            return True

    def leave(self, connection: C) -> None:
        """A connection has ended, by itself or for another one."""
        with self._lock:
            self._hosts.pop(connection, None)
            self._proved.pop(connection, None)

    def _surplus(self, host: str) -> C | None:
        unproved = [one for one in self._hosts if one not in self._proved]
        of_host = [one for one in unproved if self._hosts[one] == host]
        if len(of_host) > SHARE:
            return of_host[0]
        if len(self._hosts) > (MOST if host in self._known else MOST - 1):
            return min(unproved, key=lambda one: self._hosts[one] in self._known)  # of equals, the oldest
        return None
