"""States on their way to the disk. Owns which of them are still worth writing; the writing is left to the I/O thread.

A state is large, and the next turn's supersedes it: one that is superseded while it waits is never written, and its
memory is free at once. Filled on the MLX thread and emptied on both; whoever takes a state out has it for himself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.segments.records import NewRecord


class WaitingStates:
    """State records by conversation and segment key."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], NewRecord] = {}

    def __len__(self) -> int:
        """How many wait."""
        return len(self._records)

    def add(self, conversation: str, key: str, record: NewRecord) -> None:
        """Let a state wait until it is taken or superseded."""
        self._records[conversation, key] = record

    def take(self, conversation: str, key: str) -> NewRecord | None:
        """The state, which now waits no longer; None if it was superseded, or there was none."""
        return self._records.pop((conversation, key), None)

    def supersede(self, conversation: str, keys: Iterable[str]) -> None:
        """Give up the states of `keys`, as far as they still wait."""
        for key in keys:
            self._records.pop((conversation, key), None)
