"""Reads the index for `storage.segments.eviction` and deletes the rows of its victims.

Runs on the store's thread, inside a transaction of the caller. It reads only the rows that eviction asks for.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeVar

import msgspec
from sqlalchemy import text

from storage.errors import DamagedDatabase
from storage.segments.eviction import Entry
from storage.segments.records import RecordKind
from storage.untrusted import JsonDecoder, UntrustedDataError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy import Connection

    from storage.segments.eviction import Victim

T = TypeVar("T")

PORTION: Final = 64
"""Segments to read in one query. Other threads can take Python's lock between two portions of a long chain."""

_TIPS: Final = text("""SELECT used, key FROM segment
    WHERE NOT EXISTS (SELECT 1 FROM segment AS next WHERE next.parent = segment.key)
    AND NOT EXISTS (SELECT 1 FROM pin CROSS JOIN hold USING (conversation) WHERE hold.segment = segment.key)
    ORDER BY used, key""")

_PATH: Final = text("""WITH RECURSIVE path (key) AS (
    SELECT :key UNION SELECT segment.parent FROM segment JOIN path ON segment.key = path.key
    WHERE segment.parent IS NOT NULL LIMIT :most)
    SELECT key, parent, used, identity, (SELECT count(*) FROM segment AS next WHERE next.parent = segment.key),
        EXISTS (SELECT 1 FROM pin CROSS JOIN hold USING (conversation) WHERE hold.segment = segment.key),
        (SELECT json_group_object(kind, bytes) FROM record WHERE record.segment = segment.key)
    FROM path CROSS JOIN segment USING (key)""")
"""CROSS JOIN makes SQLite start with the pins, which are few: many chats may hold a shared prefix."""

_STATEFUL: Final = text("""SELECT EXISTS (SELECT 1 FROM record CROSS JOIN segment ON record.segment = segment.key
    WHERE kind = :kind AND identity = :identity)""")

_CUT: Final = text("DELETE FROM segment WHERE key IN (SELECT value FROM json_each(:keys))")

_THIN: Final = text("""DELETE FROM record WHERE (segment, kind) IN (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:places))""")

_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Row(NamedTuple):
    key: str
    parent: str | None
    used: _Count
    identity: str
    followers: _Count
    pinned: _Count
    records: str


_BYTES: Final = JsonDecoder[dict[str, int]](dict[str, _Count])


class IndexEvictionSource:
    """The `EvictionSource` of an open transaction. Segments in `in_use` (keys) and pinned ones are never evicted."""

    def __init__(self, connection: Connection, in_use: Collection[str]) -> None:
        self._connection = connection
        self._in_use = in_use
        self._stateful: dict[str, bool] = {}

    def tips(self) -> Iterator[tuple[int, str]]:
        """See `EvictionSource`."""
        for row in self._connection.execute(_TIPS):
            used, key = _checked(tuple(row), tuple[_Count, str])
            if key not in self._in_use:
                yield used, key

    def path(self, key: str) -> list[Entry]:
        """See `EvictionSource`."""
        rows = self._connection.execute(_PATH, {"key": key, "most": PORTION}).all()
        return [self._entry(_checked(tuple(row), _Row)) for row in rows]

    def in_use(self) -> Collection[str]:
        """See `EvictionSource`. Pinned segments keep all their checkpoints."""
        return self._in_use

    def _entry(self, row: _Row) -> Entry:
        try:
            records = _BYTES.decode(row.records)
        except UntrustedDataError as error:
            raise DamagedDatabase("The index of cached records is damaged: a size is none.") from error
        in_use = bool(row.pinned) or row.key in self._in_use
        return Entry(row.key, row.parent, row.used, records, row.followers, self._is_stateful(row.identity), in_use)

    def _is_stateful(self, identity: str) -> bool:
        """Whether the model of this identity writes checkpoints: then it can resume nowhere else."""
        if identity not in self._stateful:
            found = self._connection.execute(_STATEFUL, {"kind": RecordKind.STATE, "identity": identity}).scalar_one()
            self._stateful[identity] = bool(found)
        return self._stateful[identity]


def cut(connection: Connection, victims: Sequence[Victim]) -> None:
    """Delete the rows of `victims`; for a whole segment, all rows that refer to it."""
    whole = [victim.key for victim in victims if victim.whole]
    places = [(victim.key, kind) for victim in victims if not victim.whole for kind in victim.kinds]
    connection.execute(_THIN, {"places": json.dumps(places)})
    connection.execute(_CUT, {"keys": json.dumps(whole)})


def _checked(row: object, shape: type[T]) -> T:
    try:
        return msgspec.convert(row, shape)
    except msgspec.ValidationError as error:
        raise DamagedDatabase("The index of cached records is damaged: a row makes no sense.") from error
