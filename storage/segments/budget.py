"""The budget: owns how many bytes the store may hold, and that rows and files give way together when it is too much.

In which order they do is left to `storage.segments.eviction`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.errors import OverBudget, classified
from storage.segments import index
from storage.segments.eviction import plan
from storage.segments.eviction_source import IndexEvictionSource, cut
from storage.segments.records import Freed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from storage.segments.eviction import RetentionPolicy, Victim
    from storage.segments.files import RecordFiles
    from storage.segments.index_file import IndexFile

UNBOUNDED: Final = 1 << 62
"""A quota that nothing reaches."""

SLACK: Final = 100
"""Where the quota is reached, one part of it in so many is freed beyond what has to be ..."""
MOST_SLACK: Final = 1 << 28
"""... but no more than this."""


class Budget:
    """At most `quota` bytes; what is pinned or in use is not evicted even then."""

    def __init__(self, database: IndexFile, files: RecordFiles, quota: int, retention: RetentionPolicy) -> None:
        self.quota = quota
        self._database = database
        self._files = files
        self._retention = retention

    def make_room(self, new_bytes: int, in_use: Collection[str]) -> None:
        """Evict what has to go for `new_bytes` more, and a little beyond it, so that not every commit has to. Raises
        OverBudget, and evicts nobody, if that is not enough.
        """
        excess, victims = self._plan(new_bytes, in_use, min(self.quota // SLACK, MOST_SLACK))
        if sum(victim.bytes for victim in victims) < excess:
            raise OverBudget("This chat's cache does not fit into the part of the disk that is set aside for caches.")
        self._evict(victims)

    def enforce(self, in_use: Collection[str]) -> Freed:
        """Evict what is too much, as far as that may be evicted."""
        _, victims = self._plan(0, in_use)
        self._evict(victims)
        return Freed(sum(victim.bytes for victim in victims), sum(len(victim.kinds) for victim in victims))

    def _plan(self, new_bytes: int, in_use: Collection[str], slack: int = 0) -> tuple[int, Sequence[Victim]]:
        with self._database.transaction() as connection:
            excess = index.held_bytes(connection) + new_bytes - self.quota
            return excess, plan(IndexEvictionSource(connection, in_use), self._retention, excess, slack)

    def _evict(self, victims: Sequence[Victim]) -> None:
        if not victims:
            return
        with self._database.transaction() as connection:
            cut(connection, victims)
        with classified():
            self._files.erase((victim.key, kind) for victim in victims for kind in victim.kinds)
