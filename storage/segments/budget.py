"""The store's quota: evicts rows and files together when the records exceed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from resources.language.text import tr
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
"""A quota that no store reaches."""

SLACK: Final = 100
"""Once the quota is reached, this fraction of it is freed in addition, so that the next commits find room ..."""
MOST_SLACK: Final = 1 << 28
"""... but at most this many bytes."""


class Budget:
    """Keeps the records within `quota` bytes. Pinned segments and segments in use are never evicted."""

    def __init__(self, database: IndexFile, files: RecordFiles, quota: int, retention: RetentionPolicy) -> None:
        self.quota = quota
        self._database = database
        self._files = files
        self._retention = retention

    def make_room(self, new_bytes: int, in_use: Collection[str]) -> None:
        """Evict enough for `new_bytes` more, and some in addition. Raises OverBudget, and evicts nothing, if that is
        impossible.
        """
        excess, victims = self._plan(new_bytes, in_use, min(self.quota // SLACK, MOST_SLACK))
        if sum(victim.bytes for victim in victims) < excess:
            raise OverBudget(
                tr("This chat's cache does not fit into the part of the disk that is set aside for caches.")
            )
        self._evict(victims)

    def enforce(self, in_use: Collection[str]) -> Freed:
        """Evict the excess, or all that may be evicted."""
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
