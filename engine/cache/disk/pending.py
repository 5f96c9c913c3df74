"""States that wait to be written to disk. Filled on the MLX thread; taken out on either thread.

A state is large, and on a slow disk the next turns finish before it is written. Of the waiting states of one branch at
most three stay, whatever the number of turns:
- the newest, because the next turn starts there;
- the one before it, because the newest reply can be regenerated from there;
- the oldest, which is written next. Without it a disk that is always behind would never get a state.

The hot tier keeps the first two as well, in the same memory. The memory of all others is freed at once.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from storage.segments.records import NewRecord


class PendingStates:
    """State records by conversation and segment key."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], tuple[int, NewRecord]] = {}
        self._tickets = itertools.count()

    def __len__(self) -> int:
        """How many states wait."""
        return len(self._records)

    def add(self, conversation: str, key: str, record: NewRecord) -> int:
        """Add a state. Returns the ticket to discard it with."""
        ticket = next(self._tickets)
        self._records[conversation, key] = ticket, record
        return ticket

    def take(self, conversation: str, key: str) -> NewRecord | None:
        """Remove and return the state; None if it was discarded or never added."""
        _, record = self._records.pop((conversation, key), (0, None))
        return record

    def supersede(self, conversation: str, keys: Iterable[str]) -> None:
        """Discard the states of `keys`, in the order of the chain, except the oldest and the newest of them."""
        waiting = [key for key in keys if (conversation, key) in self._records]
        for key in waiting[1:-1]:
            self._records.pop((conversation, key), None)

    def discard(self, conversation: str, tickets: Mapping[str, int]) -> None:
        """Discard the states with these tickets, by key. A later state under the same key stays."""
        for key, ticket in tickets.items():
            if self._records.get((conversation, key), (-1, None))[0] == ticket:
                self._records.pop((conversation, key), None)
