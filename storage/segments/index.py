"""The index of cached records: which are stored, and who holds them. Each method is one transaction.

The tables are strict, and opening checks every page and row by their constraints. So no row is checked when it is
queried. Rot while the index is open makes a statement or its result fail; then the next opening finds it.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy.exc import IntegrityError

from resources.language.text import tr
from storage.database import Database, Durability, Schema, remove
from storage.errors import DamagedDatabase, classified
from storage.segments.eviction import Entry, Victim, order, plan
from storage.segments.records import Holding, NewSegment, RecordKind, Stats, StoredRecord, StoredSegment
from storage.untrusted import decode_json

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

_DAMAGED: Final = "damaged"
"""The counter of damaged records, by cause."""
_WRITTEN: Final = "written"
"""The counter of written bytes, by the local day as ISO date."""
_TALLY: Final = "SELECT day, value FROM tally WHERE name = ? ORDER BY day"

_HOLD: Final = """WITH RECURSIVE chain (key) AS (
    SELECT key FROM segment WHERE key IN (SELECT value FROM json_each(:keys))
    UNION SELECT segment.parent FROM segment JOIN chain ON segment.key = chain.key WHERE segment.parent IS NOT NULL)
    INSERT OR IGNORE INTO hold SELECT :conversation, key FROM segment WHERE key IN (SELECT key FROM chain)"""
"""Hold `keys` and all their ancestors."""

_USE: Final = """UPDATE segment SET used = (SELECT max(used) + 1 FROM segment)
    WHERE key IN (SELECT value FROM json_each(:keys))"""
"""Marks only `keys`: ancestors are evicted after them anyway."""

_FOUND: Final = """WITH wanted (name) AS (SELECT value FROM json_each(?))
    SELECT kind, bytes, checksum, meta, key, parent, identity, start, "end"
    FROM wanted CROSS JOIN segment ON key = name LEFT JOIN record ON segment = key"""
_NEWEST: Final = """WITH RECURSIVE
    own (name, before, last_use, tokens) AS (SELECT key, parent, used, "end" FROM hold CROSS JOIN segment
        ON key = hold.segment WHERE conversation = ? AND identity = ?),
    leaf (name) AS (SELECT name FROM own WHERE name NOT IN (SELECT before FROM own WHERE before IS NOT NULL)
        ORDER BY last_use DESC, tokens DESC LIMIT 1),
    branch (name) AS (SELECT name FROM leaf UNION SELECT parent FROM branch CROSS JOIN segment ON key = name)
    SELECT kind, bytes, checksum, meta, key, parent, identity, start, "end"
    FROM branch CROSS JOIN segment ON key = name LEFT JOIN record ON segment = key ORDER BY start"""
"""In both, a segment without records has one row, with NULL in the columns of a record.

All statements are SQL for the driver: SQLAlchemy takes milliseconds to compile its own after a start.
"""
_LOST: Final = "SELECT segment, kind FROM json_each(?) CROSS JOIN lost ON segment = value"

_UNREACHABLE: Final = """WITH RECURSIVE reached (key) AS (
    SELECT key FROM segment WHERE parent IS NULL AND key IN (SELECT segment FROM hold)
    UNION ALL SELECT segment.key FROM reached CROSS JOIN segment ON segment.parent = reached.key
        WHERE EXISTS (SELECT 1 FROM hold WHERE hold.segment = segment.key))
    SELECT key FROM segment WHERE key NOT IN (SELECT key FROM reached)"""
"""Segments that no conversation holds, or that no chain of held segments connects to a root. CROSS JOIN and EXISTS
make SQLite go from each segment to its children; later versions would scan all holds for each.
"""

_HOLDINGS: Final = """WITH size AS (
        SELECT key, (SELECT coalesce(sum(bytes), 0) FROM record WHERE record.segment = segment.key) AS bytes,
            (SELECT count(*) FROM hold WHERE hold.segment = segment.key) AS holders, "end", used FROM segment)
    SELECT conversation, sum(bytes) AS bytes, sum(CASE WHEN holders > 1 THEN bytes ELSE 0 END) AS shared,
        count(*) AS segments, (SELECT leaf."end" FROM hold AS own CROSS JOIN segment AS leaf ON leaf.key = own.segment
            WHERE own.conversation = hold.conversation AND NOT EXISTS (
                SELECT 1 FROM segment AS later CROSS JOIN hold AS held ON held.segment = later.key
                    AND held.conversation = own.conversation WHERE later.parent = leaf.key)
            ORDER BY leaf.used DESC, leaf."end" DESC LIMIT 1) AS tokens,
        conversation IN (SELECT conversation FROM pin) AS pinned, max(used) AS used
    FROM hold JOIN size ON size.key = hold.segment {} GROUP BY conversation ORDER BY max(used) DESC, conversation"""
"""`tokens` is the end of the branch that was used last. CROSS JOIN makes SQLite go from a segment to its children."""

_ROOTS: Final = """SELECT "end", key FROM segment
    WHERE start = 0 AND identity = ? AND key IN (SELECT segment FROM record) ORDER BY "end" DESC, key"""

_IDENTITIES: Final = """SELECT DISTINCT segment.identity FROM hold CROSS JOIN segment ON segment.key = hold.segment
    WHERE hold.conversation = ? AND EXISTS (SELECT 1 FROM record WHERE record.segment = segment.key)"""
"""CROSS JOIN makes SQLite begin with the holds of the conversation, of which there are few."""

_HOLDERS: Final = "SELECT DISTINCT conversation FROM hold WHERE segment IN (SELECT value FROM json_each(?))"

_RECORDS: Final = "SELECT segment, kind, bytes, checksum, meta FROM record"
_HELD: Final = """SELECT segment, kind, bytes, checksum, meta FROM hold JOIN record USING (segment)
    JOIN segment AS own ON own.key = segment
    WHERE conversation = ? AND ? IN (kind, '') AND ? IN (identity, '') ORDER BY used DESC, "end" DESC, segment"""

_ENTRIES: Final = """SELECT key, parent, used, identity,
        EXISTS (SELECT 1 FROM json_each(?) AS pin CROSS JOIN hold ON conversation = pin.value
            WHERE hold.segment = segment.key) AS pinned, kind, bytes
    FROM segment LEFT JOIN record ON record.segment = segment.key ORDER BY key"""
"""CROSS JOIN makes SQLite start with the pins, which are few: many chats may hold a shared prefix."""

_UNPIN: Final = "DELETE FROM pin WHERE conversation NOT IN (SELECT value FROM json_each(?))"
_PIN: Final = "INSERT OR IGNORE INTO pin SELECT value FROM json_each(?)"
_PINNED: Final = "SELECT json_group_array(conversation) FROM pin"
_HELD_ALONE: Final = """SELECT segment, (SELECT coalesce(sum(bytes), 0) FROM record WHERE record.segment = own.segment)
    FROM hold AS own WHERE conversation = ? AND NOT EXISTS (
        SELECT 1 FROM hold AS other WHERE other.segment = own.segment AND other.conversation <> own.conversation)"""
_HELD_BYTES: Final = "SELECT coalesce(sum(bytes), 0) FROM record"
_STATS: Final = """SELECT (SELECT coalesce(sum(bytes), 0) FROM record), (SELECT coalesce(sum(bytes), 0) FROM record
    WHERE segment IN (SELECT segment FROM hold GROUP BY segment HAVING count(*) > 1)), (SELECT count(*) FROM segment),
    (SELECT count(*) FROM record), (SELECT count(DISTINCT conversation) FROM hold)"""
_BY_IDENTITY: Final = "SELECT DISTINCT identity, conversation FROM hold JOIN segment ON key = segment"

_ADD: Final = """INSERT OR IGNORE INTO segment (key, parent, identity, start, "end", used)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, 0 FROM json_each(?)"""
_ADD_RECORD: Final = "INSERT INTO record (segment, kind, bytes, checksum, meta) VALUES (?, ?, ?, ?, ?)"
_CUT: Final = "DELETE FROM segment WHERE key IN (SELECT value FROM json_each(?))"
_REMOVE: Final = "DELETE FROM record WHERE segment = ? AND kind = ? AND checksum = ?"
_NOTE_LOST: Final = "INSERT OR IGNORE INTO lost SELECT key, ? FROM segment WHERE key = ?"
_COUNT: Final = "INSERT INTO tally VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"


class Index(Database):
    """An open index. Only one process has it open, so SQLite needs no shared memory, which it would map from a file: if
    a disk is unplugged, accessing a mapping of its files kills the process.
    """

    def __init__(self, path: Path, raw: sqlite3.Connection) -> None:
        super().__init__(path, raw)
        raw.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._file = _identity(path)

    @classmethod
    def open(cls, path: Path, schema: Schema, durability: Durability) -> Self:
        """Open the index and check every page and row, so that no call meets damage after every start.

        Removes the copies that upgrades made, because the index can be rebuilt.
        """
        index = super().open(path, schema, durability)
        try:
            with classified():
                _check(index.raw)
                for older in path.parent.glob(f"{path.name}.v*"):
                    remove(older)
        except BaseException:
            index.close()
            raise
        return index

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction of the database. Raises EnvironmentProblem (vanished) while the file is missing or replaced."""
        with classified():
            if _identity(self.path) != self._file:
                raise FileNotFoundError(
                    errno.ENOENT, tr("Another file stands in the place of the index"), str(self.path)
                )
        with super().transaction() as connection:
            try:
                yield connection
            except (IntegrityError, TypeError, ValueError) as error:  # a row that rotted while the index was open
                raise DamagedDatabase(tr("The index of cached records is damaged.")) from error

    def _all(self, statement: str, *values: object) -> list[Any]:
        with self.transaction() as connection:
            return list(connection.exec_driver_sql(statement, values))

    def lookup(self, keys: Sequence[str]) -> tuple[StoredSegment, ...]:
        """The stored segments among `keys`, in the order given."""
        listed = (json.dumps(list(keys)),)
        gone: defaultdict[str, set[str]] = defaultdict(set)
        with self.transaction() as connection:
            for key, kind in connection.exec_driver_sql(_LOST, listed):
                gone[key].add(kind)
            found = _segments(connection.exec_driver_sql(_FOUND, listed), gone)
        return tuple(found[key] for key in keys if key in found)

    def newest(self, conversation: str, identity: str) -> tuple[StoredSegment, ...]:
        """The segments of one model identity on the branch of `conversation` that was used last, from token 0 on. Lost
        records are not named.
        """
        with self.transaction() as connection:
            return tuple(_segments(connection.exec_driver_sql(_NEWEST, (conversation, identity)), {}).values())

    def records(self, conversation: str = "", kind: str = "", identity: str = "") -> tuple[StoredRecord, ...]:
        """All records, or those that `conversation` holds on all its branches, of one kind and one model identity if
        they are given: the most recently used first, and of those used at once the one that ends last.
        """
        statement, values = (_HELD, (conversation, kind, identity)) if conversation else (_RECORDS, ())
        with self.transaction() as connection:
            return tuple(map(_record, connection.exec_driver_sql(statement, values)))

    def holders(self, keys: Collection[str]) -> tuple[str, ...]:
        """The conversations that hold any of the segments `keys`."""
        return tuple(sorted(one for (one,) in self._all(_HOLDERS, json.dumps(list(keys)))))

    def roots(self, identity: str) -> tuple[tuple[int, str], ...]:
        """End and key of the segments of this model identity that have records and start at 0, longest first."""
        return tuple((end, key) for end, key in self._all(_ROOTS, identity))

    def identities(self, conversation: str) -> tuple[str, ...]:
        """The identities of the models with records of this conversation."""
        return tuple(one for (one,) in self._all(_IDENTITIES, conversation))

    def conversations(self, only: str = "") -> tuple[Holding, ...]:
        """What each conversation holds, or `only` one of them, most recently used first."""
        statement, values = (
            (_HOLDINGS.format("WHERE conversation = ?"), (only,)) if only else (_HOLDINGS.format(""), ())
        )
        return tuple(map(_holding, self._all(statement, *values)))

    def stats(self) -> Stats:
        """Sizes and counters of the store."""
        identities: defaultdict[str, list[str]] = defaultdict(list)
        with self.transaction() as connection:
            held, shared, segments, records, chats = connection.exec_driver_sql(_STATS).one()
            for identity, conversation in connection.exec_driver_sql(_BY_IDENTITY):
                identities[identity].append(conversation)
            written = {str(day): int(size) for day, size in connection.exec_driver_sql(_TALLY, (_WRITTEN,))}
            causes = {str(cause): int(times) for cause, times in connection.exec_driver_sql(_TALLY, (_DAMAGED,))}
        return Stats(held, shared, segments, records, chats, written.get(today(), 0), causes, identities)

    def evictable(
        self,
        new_bytes: int,
        quota: int,
        in_use: Collection[str],
        slack: int = 0,
        pinned: Collection[str] | None = None,
    ) -> tuple[int, Sequence[Victim]]:
        """By how much the records and `new_bytes` more exceed `quota`, and what to evict for it: enough, or everything
        that may be evicted. If `pinned` is None, the conversations of the last `pin` are.
        """
        with self.transaction() as connection:
            excess = int(connection.exec_driver_sql(_HELD_BYTES).scalar_one()) + new_bytes - quota
            if excess <= 0:
                return excess, ()
            pins = connection.exec_driver_sql(_PINNED).scalar_one() if pinned is None else json.dumps(list(pinned))
            rows = connection.exec_driver_sql(_ENTRIES, (pins,)).all()
            return excess, plan(order(_entries(rows), in_use), excess, slack)

    def cut_unreachable(self) -> list[str]:
        """Remove the segments that no conversation holds, or that no chain of held segments connects to a root. Returns
        their keys.
        """
        with self.transaction() as connection:
            keys = [key for (key,) in connection.exec_driver_sql(_UNREACHABLE)]
            connection.exec_driver_sql(_CUT, (json.dumps(keys),))
        return keys

    def enter(self, conversation: str, chain: Sequence[NewSegment], written: Sequence[StoredRecord]) -> None:
        """Insert the missing segments of `chain` and the `written` records, and count their bytes; let `conversation`
        hold the segments, and mark them as just used.
        """
        with self.transaction() as connection:
            listed = [(new.key, new.parent, new.identity, new.start, new.end) for new in chain]
            connection.exec_driver_sql(_ADD, (json.dumps(listed),))
            _use(connection, conversation, [new.key for new in chain])
            for one in written:
                values = (one.segment, one.kind, one.bytes, one.checksum, json.dumps(dict(one.meta)))
                connection.exec_driver_sql(_ADD_RECORD, values)
                connection.exec_driver_sql("DELETE FROM lost WHERE segment = ? AND kind = ?", values[:2])
            if written:
                connection.exec_driver_sql(_COUNT, (_WRITTEN, today(), sum(one.bytes for one in written)))

    def touch(self, conversation: str, keys: Sequence[str]) -> None:
        """Mark the stored segments among `keys` as just used, and let `conversation` hold them with their ancestors."""
        with self.transaction() as connection:
            _use(connection, conversation, keys)

    def pin(self, conversations: Collection[str]) -> None:
        """Pin exactly these conversations: their segments are never evicted, also after a restart. Writes only what
        changes: a full disk takes no more.
        """
        listed = (json.dumps(list(conversations)),)
        with self.transaction() as connection:
            connection.exec_driver_sql(_UNPIN, listed)
            connection.exec_driver_sql(_PIN, listed)

    def held_alone(self, conversation: str) -> dict[str, int]:
        """The bytes of the segments that no other conversation holds, by key."""
        return {str(key): int(size) for key, size in self._all(_HELD_ALONE, conversation)}

    def release(self, conversation: str, alone: Collection[str]) -> None:
        """Remove the holds of `conversation`, and the segments that it held `alone`."""
        with self.transaction() as connection:
            connection.exec_driver_sql("DELETE FROM hold WHERE conversation = ?", (conversation,))
            connection.exec_driver_sql(_CUT, (json.dumps(list(alone)),))

    def cut(self, keys: Collection[str]) -> None:
        """Remove segments with their records and holds."""
        with self.transaction() as connection:
            connection.exec_driver_sql(_CUT, (json.dumps(list(keys)),))

    def count_damage(self, cause: str) -> None:
        """Count damage that cost no single record."""
        with self.transaction() as connection:
            connection.exec_driver_sql(_COUNT, (_DAMAGED, cause, 1))

    def remove(self, records: Iterable[tuple[StoredRecord, str]]) -> list[StoredRecord]:
        """Remove those of `records` that have not changed since they were queried. Returns them.

        A record with a cause is damaged: notes that its segment lost it, and counts the cause.
        """
        with self.transaction() as connection:
            removed = [(one, cause) for one, cause in records if _removed(connection, one)]
            for one, cause in removed:
                if cause:
                    connection.exec_driver_sql(_NOTE_LOST, (one.kind, one.segment))
                    connection.exec_driver_sql(_COUNT, (_DAMAGED, cause, 1))
        return [one for one, _ in removed]


def _use(connection: Connection, conversation: str, keys: Sequence[str]) -> None:
    listed = json.dumps(list(keys))
    connection.exec_driver_sql(_HOLD, {"keys": listed, "conversation": conversation})
    connection.exec_driver_sql(_USE, {"keys": listed})


def _removed(connection: Connection, stale: StoredRecord) -> bool:
    """Remove the row of `stale` unless it has changed since it was queried. Returns whether it was removed."""
    return bool(connection.exec_driver_sql(_REMOVE, (stale.segment, stale.kind, stale.checksum)).rowcount)


def _segments(rows: Iterable[Sequence[Any]], gone: Mapping[str, Collection[str]]) -> dict[str, StoredSegment]:
    spans: dict[str, Sequence[Any]] = {}
    records: defaultdict[str, dict[str, StoredRecord]] = defaultdict(dict)
    for kind, size, checksum, meta, key, *span in rows:
        spans[key] = span
        if kind is not None:
            records[key][kind] = _record((key, kind, size, checksum, meta))
    return {
        key: StoredSegment(key, parent, identity, start, end, records[key], frozenset(gone.get(key, ())))
        for key, (parent, identity, start, end) in spans.items()
    }


def _entries(rows: Sequence[Row[Any]]) -> Iterator[Entry]:
    """All segments. The model of an identity that writes checkpoints can resume nowhere else."""
    stateful = {row.identity for row in rows if row.kind == RecordKind.STATE}
    for key, group in groupby(rows, lambda row: row.key):
        first, *others = group
        records = {row.kind: row.bytes for row in (first, *others) if row.kind is not None}
        yield Entry(key, first.parent, first.used, records, first.identity in stateful, bool(first.pinned))


def _record(row: Sequence[Any]) -> StoredRecord:
    segment, kind, size, checksum, meta = row
    return StoredRecord(segment, kind, size, checksum, decode_json(meta, dict[str, str]))


def _holding(row: Row[Any]) -> Holding:
    return Holding(row.conversation, row.bytes, row.shared, row.segments, row.tokens, bool(row.pinned), row.used)


def _check(raw: sqlite3.Connection) -> None:
    """Check every page, and every row by the constraints of its table."""
    found = raw.execute("PRAGMA integrity_check(1)").fetchone()[0]
    orphan = raw.execute("PRAGMA foreign_key_check").fetchone()
    if found != "ok" or orphan:
        raise DamagedDatabase(tr("The index of cached records is damaged.")) from sqlite3.DatabaseError(found, orphan)


def today() -> str:
    """The local day, as ISO date."""
    return datetime.now().astimezone().date().isoformat()


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
