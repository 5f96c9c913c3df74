"""Rows of the segment store: owns reading and changing them inside a transaction that the store began.

Which file belongs to a row is left to `storage.segments.files`, what to evict to `storage.segments.eviction`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, distinct, func, insert, select, text
from sqlalchemy.dialects import sqlite

from storage.segments.eviction import Entry
from storage.segments.records import StoredRecord, StoredSegment
from storage.segments.schema import hold, record, segment, tally

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, RowMapping

    from storage.segments.records import NewSegment

_HOLD: Final = text("""WITH RECURSIVE chain (key) AS (
    SELECT key FROM segment WHERE key IN (SELECT value FROM json_each(:keys))
    UNION SELECT segment.parent FROM segment JOIN chain ON segment.key = chain.key WHERE segment.parent IS NOT NULL)
    INSERT OR IGNORE INTO hold SELECT :conversation, key FROM segment WHERE key IN (SELECT key FROM chain)""")
"""Hold `keys` and all that they build on."""

_USE: Final = text("""UPDATE segment SET used = (SELECT max(used) + 1 FROM segment)
    WHERE key IN (SELECT value FROM json_each(:keys))""")
"""What a segment builds on is evicted after it anyway, so `keys` alone are marked."""

_UNHELD: Final = segment.c.key.not_in(select(hold.c.segment))


def find(connection: Connection, keys: Collection[str]) -> dict[str, StoredSegment]:
    """Those of `keys` that are stored, with their records."""
    listed = select(text("value")).select_from(text("json_each(:keys)")).params(keys=json.dumps(list(keys)))
    records: defaultdict[str, dict[str, StoredRecord]] = defaultdict(dict)
    for row in connection.execute(select(record).where(record.c.segment.in_(listed))).mappings():
        records[row["segment"]][row["kind"]] = _record(row)
    rows = connection.execute(select(segment).where(segment.c.key.in_(listed))).mappings()
    return {row["key"]: _segment(row, records[row["key"]]) for row in rows}


def _record(row: RowMapping) -> StoredRecord:
    return StoredRecord(row["segment"], row["kind"], row["bytes"], row["checksum"], json.loads(row["meta"]))


def _segment(row: RowMapping, records: Mapping[str, StoredRecord]) -> StoredSegment:
    return StoredSegment(row["key"], row["parent"], row["identity"], row["start"], row["end"], records)


def held(connection: Connection, conversation: str, kind: str) -> list[StoredRecord]:
    """The records of one kind of all segments that `conversation` holds, in the order of their keys."""
    joined = select(record).join(hold, hold.c.segment == record.c.segment)
    own = joined.where(hold.c.conversation == conversation, record.c.kind == kind).order_by(record.c.segment)
    return [_record(row) for row in connection.execute(own).mappings()]


def holders(connection: Connection, keys: Collection[str]) -> list[str]:
    """The conversations that hold any of `keys`."""
    listed = select(text("value")).select_from(text("json_each(:keys)")).params(keys=json.dumps(list(keys)))
    rows = connection.execute(select(hold.c.conversation).where(hold.c.segment.in_(listed)).distinct())
    return sorted(rows.scalars())


def records(connection: Connection) -> list[StoredRecord]:
    """Every record."""
    return [_record(row) for row in connection.execute(select(record)).mappings()]


def add(connection: Connection, conversation: str, new: NewSegment) -> None:
    """Enter the segment if it is not there, and that `conversation` holds and uses it."""
    values = {"key": new.key, "parent": new.parent, "identity": new.identity, "start": new.start, "end": new.end}
    connection.execute(sqlite.insert(segment).values(values | {"used": 0}).on_conflict_do_nothing())
    use(connection, conversation, [new.key])


def add_record(connection: Connection, written: StoredRecord) -> None:
    """Enter a record of a segment that is there."""
    values = {"segment": written.segment, "kind": written.kind, "bytes": written.bytes, "checksum": written.checksum}
    connection.execute(insert(record).values(values | {"meta": json.dumps(dict(written.meta))}))


def use(connection: Connection, conversation: str, keys: Sequence[str]) -> None:
    """Let `conversation` hold `keys` and what they build on, and count them as just used."""
    listed = json.dumps(list(keys))
    connection.execute(_HOLD, {"keys": listed, "conversation": conversation})
    connection.execute(_USE, {"keys": listed})


def release(connection: Connection, conversation: str) -> list[tuple[str, int]]:
    """Remove the holds of `conversation` and every segment that nobody holds then: keys, and bytes of their records."""
    connection.execute(delete(hold).where(hold.c.conversation == conversation))
    sizes = select(segment.c.key, func.coalesce(func.sum(record.c.bytes), 0))
    joined = sizes.select_from(segment.outerjoin(record, record.c.segment == segment.c.key))
    erased = [(key, size) for key, size in connection.execute(joined.where(_UNHELD).group_by(segment.c.key))]
    connection.execute(delete(segment).where(_UNHELD))
    return erased


def remove(connection: Connection, key: str) -> None:
    """Remove a segment with its records and holds."""
    connection.execute(delete(segment).where(segment.c.key == key))


def remove_record(connection: Connection, key: str, kind: str) -> None:
    """Remove one record of a segment."""
    connection.execute(delete(record).where(record.c.segment == key, record.c.kind == kind))


def remove_exact(connection: Connection, stale: StoredRecord) -> bool:
    """Remove the row of `stale` if it still is the record that was read; whether it was."""
    same = (record.c.segment == stale.segment, record.c.kind == stale.kind, record.c.checksum == stale.checksum)
    return bool(connection.execute(delete(record).where(*same)).rowcount)


def entries(connection: Connection, in_use: Collection[str]) -> list[Entry]:
    """Every segment as eviction sees it."""
    sizes: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for key, kind, size in connection.execute(select(record.c.segment, record.c.kind, record.c.bytes)):
        sizes[key][kind] = size
    rows = connection.execute(select(segment.c.key, segment.c.parent, segment.c.used))
    return [Entry(key, parent, used, sizes[key], key in in_use) for key, parent, used in rows]


def held_bytes(connection: Connection) -> int:
    """The bytes of all record files."""
    return int(connection.execute(select(func.coalesce(func.sum(record.c.bytes), 0))).scalar_one())


def count(connection: Connection, name: str, day: str, value: int) -> None:
    """Add `value` to a tally."""
    row = sqlite.insert(tally).values(name=name, day=day, value=value)
    connection.execute(row.on_conflict_do_update(set_={"value": tally.c.value + value}))


def tallies(connection: Connection, name: str) -> dict[str, int]:
    """The values of a tally by day."""
    rows = connection.execute(select(tally.c.day, tally.c.value).where(tally.c.name == name))
    return {row.day: row.value for row in rows}


def sizes(connection: Connection) -> tuple[int, int, int]:
    """How many segments, records and conversations there are."""
    columns: tuple[ColumnElement[str], ...] = (segment.c.key, record.c.segment, distinct(hold.c.conversation))
    segments, made, owners = (connection.execute(select(func.count(column))).scalar_one() for column in columns)
    return segments, made, owners
