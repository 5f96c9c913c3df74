"""The question what the caches on disk hold of each conversation, and its answer.

The app imports all of it from `engine.protocol.messages`.
"""

from __future__ import annotations

import msgspec


class ListCacheSizes(msgspec.Struct, frozen=True, tag="list_cache_sizes"):
    """Say what the caches on disk hold of a conversation, or of all ("" ). Answered by CacheSizes."""

    conversation: str = ""


class CacheSize(msgspec.Struct, frozen=True):
    """The caches of one conversation: the bytes of its records, and the tokens of the branch that was used last. A
    larger `used` means a later use. `places` are the lengths of its prefixes that end with a record; empty in a list of
    all. Other conversations hold `shared` of the bytes, too: only the rest is freed if this one is forgotten.
    """

    conversation: str
    bytes: int
    tokens: int
    used: int
    places: tuple[int, ...] = ()
    shared: int = 0

    @property
    def own(self) -> int:
        """The bytes that no other conversation holds."""
        return self.bytes - self.shared


class CacheSizes(msgspec.Struct, frozen=True, tag="cache_sizes"):
    """The outcome of ListCacheSizes, for the same `conversation`; without rows if the store cannot be read now.
    In a list of all, `written` has the bytes that were written on each day of the last 30, by ISO date, and `shared`
    are the bytes that several conversations hold, each counted once.
    """

    conversation: str
    rows: tuple[CacheSize, ...] = ()
    written: dict[str, int] = {}
    shared: int = 0
