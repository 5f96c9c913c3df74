"""Prefetch: reads what a conversation's next prompt probably begins with, while its tokens are not known yet.

The MLX thread makes it, the I/O thread runs and takes it. The lookup compares keys, so a wrong guess costs time alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cache.disk import disk_tier

if TYPE_CHECKING:
    from engine.cache.disk.reader import RecordKey
    from engine.cache.memory.block import HeldRecord
    from engine.cache.planner import Needs
    from storage.segments.store import SegmentStore


class Prefetch:
    """The records on disk that a conversation needs if it continues where it was used last."""

    def __init__(self, conversation: str, identity: str, needs: Needs, room: int) -> None:
        """`room` is the number of tokens after the prefix for which the arrays get room: those of the next message."""
        self._conversation = conversation
        self._identity = identity
        self._needs = needs
        self._room = room
        self._read: dict[RecordKey, HeldRecord] = {}

    def run(self, store: SegmentStore) -> None:
        """Read the records. Raises StorageError."""
        self._read = disk_tier.prefetch(store, self._conversation, self._identity, self._needs, self._room)

    def take(self) -> dict[RecordKey, HeldRecord]:
        """What was read; afterwards it holds nothing."""
        read, self._read = self._read, {}
        return read
