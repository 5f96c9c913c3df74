"""The hot tier: records kept in memory. Owns their bytes and who goes first when there are too many.

A segment is one entry with its records; least recently used entries leave first. Arrays in it are evaluated and belong
to nobody else's buffer.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from engine.cache.codec import Arrays, size_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class HotTier:
    """An LRU of records by segment key, of at most `budget` bytes."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._entries: OrderedDict[str, dict[str, Arrays]] = OrderedDict()
        self._owned: dict[str, tuple[str, ...]] = {}
        self.bytes = 0

    def put(self, key: str, kind: str, arrays: Arrays) -> None:
        """Keep a record; one that is there already stays."""
        records = self._entries.setdefault(key, {})
        self._entries.move_to_end(key)
        if kind in records:
            return
        records[kind] = arrays
        self.bytes += size_of(arrays)
        self._shrink()

    def own(self, conversation: str, keys: Sequence[str]) -> None:
        """Note the segments that a conversation consists of now, from its first token to its newest."""
        self._owned[conversation] = tuple(keys)

    def get(self, key: str, kind: str) -> Arrays | None:
        """A record, now the most recently used; None if it is not here."""
        records = self._entries.get(key)
        if records is None:
            return None
        self._entries.move_to_end(key)
        return records.get(kind)

    def held(self, keys: Iterable[str]) -> dict[str, frozenset[str]]:
        """The record kinds that are here, for each of `keys` that is."""
        return {key: frozenset(self._entries[key]) for key in keys if key in self._entries}

    def drop(self, keys: Iterable[str]) -> None:
        """Let go of these segments."""
        for key in keys:
            self._drop(key)

    def forget(self, conversation: str) -> None:
        """Let go of all that the conversation consists of; what others share with it they read from disk again."""
        self.drop(self._owned.pop(conversation, ()))

    def clear(self) -> None:
        """Let go of everything (another model is coming)."""
        self._entries.clear()
        self._owned.clear()
        self.bytes = 0

    @property
    def conversations(self) -> int:
        """How many conversations have their newest segment here."""
        return sum(bool(keys) and keys[-1] in self._entries for keys in self._owned.values())

    def _shrink(self) -> None:
        while self.bytes > self._budget and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        records: Mapping[str, Arrays] = self._entries.pop(key, {})
        self.bytes -= sum(size_of(arrays) for arrays in records.values())
