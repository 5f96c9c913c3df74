"""States on their way to the disk. Owns which of them are still worth writing; the I/O thread writes them.

A state is large, and on a slow disk the next turns come before it is written. Of the states of one branch that wait, at
most three stay, whatever the number of turns; the memory of the others is free at once:
- the newest: the next turn starts there;
- the one before it: the newest reply can be regenerated from there without reading the chat again;
- the oldest, which is written next: without it a disk that stays behind for good would never get a state.
The first two are among those that the hot tier keeps too, in the same memory.

Filled on the MLX thread and emptied on both; whoever takes a state out has it for himself.
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
        """How many wait."""
        return len(self._records)

    def add(self, conversation: str, key: str, record: NewRecord) -> int:
        """Let a state wait until it is taken or given up. Returns the ticket to give it up with."""
        ticket = next(self._tickets)
        self._records[conversation, key] = ticket, record
        return ticket

    def take(self, conversation: str, key: str) -> NewRecord | None:
        """The state, which now waits no longer; None if it was given up, or there was none."""
        _, record = self._records.pop((conversation, key), (0, None))
        return record

    def supersede(self, conversation: str, keys: Iterable[str]) -> None:
        """A newer state than those of `keys`, in the order of the chain, waits: of these only the oldest and the newest
        go on waiting.
        """
        waiting = [key for key in keys if (conversation, key) in self._records]
        for key in waiting[1:-1]:
            self._records.pop((conversation, key), None)

    def discard(self, conversation: str, tickets: Mapping[str, int]) -> None:
        """The states with these tickets, by key, will not be written; a later one under such a key still waits."""
        for key, ticket in tickets.items():
            if self._records.get((conversation, key), (-1, None))[0] == ticket:
                self._records.pop((conversation, key), None)
