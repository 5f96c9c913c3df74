"""States that wait to be written to disk. Filled on the MLX thread; taken out on either thread.

A state is large, and on a slow disk the next turns finish before it is written. Of the waiting states of a
conversation's branch at most three stay, whatever the number of turns:
- the newest, because the next turn starts there;
- the one before it, because the newest reply can be regenerated from there;
- the oldest, which is written next. Without it a disk that is always behind would never get a state.

Of its other branches at most LEFT stay, the newest: the other answers to a question. The disk tier would not keep more
if they are large. The hot tier keeps what it wants as well, in the same memory. The memory of all others is freed at
once.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from engine.cache.retention import LEFT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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

    def supersede(self, conversation: str, chain: Sequence[str], staying: Collection[str]) -> None:
        """Discard states that newer ones on `chain` (keys in its order) supersede, but none of those `staying`.

        Of the others on the chain the oldest and the newest stay, of those on other branches the newest few.
        """
        waiting = [key for owner, key in list(self._records) if owner == conversation and key not in staying]
        here = [key for key in chain if key in waiting]
        left = [key for key in waiting if key not in here]
        for key in [*here[1:-1], *left[:-LEFT]]:
            self._records.pop((conversation, key), None)

    def discard(self, conversation: str, tickets: Mapping[str, int]) -> None:
        """Discard the states with these tickets, by key. A later state under the same key stays."""
        for key, ticket in tickets.items():
            if self._records.get((conversation, key), (-1, None))[0] == ticket:
                self._records.pop((conversation, key), None)
