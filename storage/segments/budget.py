"""The store's quota: evicts rows and files together when the records exceed it."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import msgspec
from sqlalchemy import text

from resources.language.text import tr
from storage.errors import DamagedDatabase, OverBudget, classified
from storage.segments import index
from storage.segments.eviction import Entry, order, plan
from storage.segments.records import Freed, RecordKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy import Connection

    from storage.segments.eviction import Victim
    from storage.segments.files import RecordFiles
    from storage.segments.index_file import IndexFile

UNBOUNDED: Final = 1 << 62
"""A quota that no store reaches."""

SLACK: Final = 100
"""Once the quota is reached, this fraction of it is freed in addition, so that the next commits find room ..."""
MOST_SLACK: Final = 1 << 28
"""... but at most this many bytes."""

_RECORDS: Final = text("""SELECT key, parent, used, identity,
        EXISTS (SELECT 1 FROM pin CROSS JOIN hold USING (conversation) WHERE hold.segment = segment.key), kind, bytes
    FROM segment LEFT JOIN record ON record.segment = segment.key ORDER BY key""")
"""CROSS JOIN makes SQLite start with the pins, which are few: many chats may hold a shared prefix."""

_CUT: Final = text("DELETE FROM segment WHERE key IN (SELECT value FROM json_each(:keys))")

_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Row(NamedTuple):
    """A record with its segment. A segment without records has one row, with neither kind nor size."""

    key: str
    parent: str | None
    used: _Count
    identity: str
    pinned: _Count
    kind: str | None
    bytes: _Count | None


class Budget:
    """Keeps the records within `quota` bytes. Pinned segments and segments in use are never evicted."""

    def __init__(self, database: IndexFile, files: RecordFiles, quota: int) -> None:
        self.quota = quota
        self._database = database
        self._files = files

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
            return excess, plan(order(entries(connection), in_use), excess, slack)

    def _evict(self, victims: Sequence[Victim]) -> None:
        if not victims:
            return
        with self._database.transaction() as connection:
            connection.execute(_CUT, {"keys": json.dumps([victim.key for victim in victims])})
        with classified():
            self._files.erase((victim.key, kind) for victim in victims for kind in victim.kinds)


def entries(connection: Connection) -> Iterator[Entry]:
    """All segments. The model of an identity that writes checkpoints can resume nowhere else."""
    try:
        rows = msgspec.convert([tuple(row) for row in connection.execute(_RECORDS)], list[_Row])
    except msgspec.ValidationError as error:
        raise DamagedDatabase("The index of cached records is damaged: a row makes no sense.") from error
    stateful = {row.identity for row in rows if row.kind == RecordKind.STATE}
    for key, group in groupby(rows, lambda row: row.key):
        one, *others = group
        records = {row.kind: row.bytes for row in (one, *others) if row.kind is not None and row.bytes is not None}
        yield Entry(key, one.parent, one.used, records, one.identity in stateful, bool(one.pinned))
