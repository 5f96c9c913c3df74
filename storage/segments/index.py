"""Rows of the segment store. Each function runs inside the caller's transaction.

Opening has checked every row. Rot while the index is open raises DamagedDatabase, and the next opening finds it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, distinct, func, insert, select, text
from sqlalchemy.dialects import sqlite

from storage.errors import DamagedDatabase
from storage.segments.records import Holding, StoredRecord, StoredSegment
from storage.segments.schema import hold, lost, pin, record, segment, tally
from storage.untrusted import UntrustedDataError, decode_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row

    from storage.segments.records import NewSegment

_ROTTEN: Final = "\ufffd"
"""The replacement of invalid UTF-8. A name that contains it matches no row."""

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
_LOST: Final = "SELECT segment, kind FROM json_each(?) CROSS JOIN lost ON segment = value"
"""A segment without records has one row, with NULL in the columns of a record.

A restore runs the statements above. They are SQL for the driver, because SQLAlchemy takes milliseconds to compile its
own statements after a start.
"""

_RECORD: Final = (record.c.segment, record.c.kind, record.c.bytes, record.c.checksum, record.c.meta)

_UNHELD: Final = segment.c.key.not_in(select(hold.c.segment))

_UNREACHABLE: Final = text("""WITH RECURSIVE reached (key) AS (
    SELECT key FROM segment WHERE parent IS NULL AND key IN (SELECT segment FROM hold)
    UNION ALL SELECT segment.key FROM reached CROSS JOIN segment ON segment.parent = reached.key
        WHERE EXISTS (SELECT 1 FROM hold WHERE hold.segment = segment.key))
    SELECT key FROM segment WHERE key NOT IN (SELECT key FROM reached)""")
"""Segments that no conversation holds, or that no chain of held segments connects to a root. CROSS JOIN and EXISTS
make SQLite go from each segment to its children; later versions would scan all holds for each.
"""

_HOLDINGS: Final = text("""WITH size AS (
        SELECT key, (SELECT coalesce(sum(bytes), 0) FROM record WHERE record.segment = segment.key) AS bytes,
            (SELECT count(*) FROM hold WHERE hold.segment = segment.key) AS holders, "end", used FROM segment)
    SELECT conversation, sum(bytes) AS bytes, sum(CASE WHEN holders > 1 THEN bytes ELSE 0 END) AS shared,
        count(*) AS segments, (SELECT leaf."end" FROM hold AS own CROSS JOIN segment AS leaf ON leaf.key = own.segment
            WHERE own.conversation = hold.conversation AND NOT EXISTS (
                SELECT 1 FROM segment AS later CROSS JOIN hold AS held ON held.segment = later.key
                    AND held.conversation = own.conversation WHERE later.parent = leaf.key)
            ORDER BY leaf.used DESC, leaf."end" DESC LIMIT 1) AS tokens,
        conversation IN (SELECT conversation FROM pin) AS pinned, max(used) AS used
    FROM hold JOIN size ON size.key = hold.segment GROUP BY conversation ORDER BY max(used) DESC, conversation""")
"""`tokens` is the end of the branch that was used last. CROSS JOIN makes SQLite go from a segment to its children."""

_ROOTS: Final = text("""SELECT "end", key FROM segment
    WHERE start = 0 AND identity = :identity AND key IN (SELECT segment FROM record) ORDER BY "end" DESC, key""")

_IDENTITIES: Final = text("""SELECT DISTINCT segment.identity FROM hold CROSS JOIN segment ON segment.key = hold.segment
    WHERE hold.conversation = :conversation AND EXISTS (SELECT 1 FROM record WHERE record.segment = segment.key)""")
"""CROSS JOIN makes SQLite begin with the holds of the conversation, of which there are few."""

_HELD_BY: Final = text("""WITH own AS (SELECT key, parent, "end", used FROM hold CROSS JOIN segment
        ON key = hold.segment WHERE conversation = :conversation)
    SELECT :conversation AS conversation, coalesce(sum(record.bytes), 0) AS bytes,
        coalesce(sum(CASE WHEN EXISTS (SELECT 1 FROM hold WHERE hold.segment = own.key
            AND conversation <> :conversation) THEN record.bytes END), 0) AS shared,
        count(DISTINCT own.key) AS segments,
        (SELECT "end" FROM own WHERE key NOT IN (SELECT parent FROM own WHERE parent IS NOT NULL)
            ORDER BY used DESC, "end" DESC LIMIT 1) AS tokens,
        :conversation IN (SELECT conversation FROM pin) AS pinned, max(used) AS used
    FROM own LEFT JOIN record ON record.segment = own.key""")
"""One row of _HOLDINGS, without a look at the segments of other conversations."""

_SHARED: Final = text("""SELECT coalesce(sum(bytes), 0) FROM record
    WHERE segment IN (SELECT segment FROM hold GROUP BY segment HAVING count(*) > 1)""")

_PLACES: Final = text("""SELECT DISTINCT segment."end" FROM hold CROSS JOIN segment ON segment.key = hold.segment
    WHERE hold.conversation = :conversation AND EXISTS (SELECT 1 FROM record WHERE record.segment = segment.key)
    ORDER BY 1""")

_HOLDERS: Final = text("SELECT DISTINCT conversation FROM hold WHERE segment IN (SELECT value FROM json_each(:keys))")

_NOTE_LOST: Final = text("INSERT OR IGNORE INTO lost SELECT key, :kind FROM segment WHERE key = :key")


def find(connection: Connection, keys: Collection[str]) -> dict[str, StoredSegment]:
    """The stored segments among `keys`, with their records."""
    listed = (json.dumps(list(keys)),)
    gone: defaultdict[str, set[str]] = defaultdict(set)
    for key, kind in connection.exec_driver_sql(_LOST, listed):
        gone[key].add(kind)
    return _segments(connection.exec_driver_sql(_FOUND, listed), gone)


def newest(connection: Connection, conversation: str, identity: str) -> dict[str, StoredSegment]:
    """The segments from token 0 to the end of the branch of `conversation` that was used last, those of one model
    identity; in order. Lost records are not named.
    """
    return _segments(connection.exec_driver_sql(_NEWEST, (conversation, identity)), {})


def _segments(rows: Iterable[Sequence[Any]], gone: Mapping[str, Collection[str]]) -> dict[str, StoredSegment]:
    spans: dict[str, Sequence[Any]] = {}
    records: defaultdict[str, dict[str, StoredRecord]] = defaultdict(dict)
    for kind, size, checksum, meta, key, *span in rows:
        spans[key] = span
        if kind is not None:
            records[key][kind] = _record((key, kind, size, checksum, meta))
    return {key: _segment((key, *span), records[key], gone.get(key, ())) for key, span in spans.items()}


def _record(row: Sequence[Any]) -> StoredRecord:
    key, kind, size, checksum, meta = row
    return StoredRecord(_text(key), _text(kind), _number(size), _text(checksum), _meta(meta))


def _segment(row: Sequence[Any], records: Mapping[str, StoredRecord], gone: Collection[str]) -> StoredSegment:
    key, parent, identity, start, end = row
    before = None if parent is None else _text(parent)
    return StoredSegment(_text(key), before, _text(identity), _number(start), _number(end), records, frozenset(gone))


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise DamagedDatabase("The index of cached records is damaged: a number is none.")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or _ROTTEN in value:
        raise DamagedDatabase("The index of cached records is damaged: a name is none.")
    return value


def _meta(value: object) -> dict[str, str]:
    """A record's description, of which wrong parts are left out: it only says what a record is good for."""
    try:
        found = decode_json(_text(value), dict)
    except UntrustedDataError:
        return {}
    return {name: told for name, told in found.items() if isinstance(told, str)}


def held(connection: Connection, conversation: str, kind: str, identity: str) -> list[StoredRecord]:
    """The records of one kind and one model identity of all segments that `conversation` holds, the most recently used
    first; of those used at once, the one that ends last.
    """
    joined = select(*_RECORD).join(hold, hold.c.segment == record.c.segment)
    own = joined.where(hold.c.conversation == conversation, record.c.kind == kind)
    ofone = own.join(segment, segment.c.key == record.c.segment).where(segment.c.identity == identity)
    latest = ofone.order_by(segment.c.used.desc(), segment.c.end.desc(), record.c.segment)
    return [_record(row) for row in connection.execute(latest).all()]


def holders(connection: Connection, keys: Collection[str]) -> list[str]:
    """The conversations that hold any of `keys`."""
    return sorted(connection.execute(_HOLDERS, {"keys": json.dumps(list(keys))}).scalars())


def holding(connection: Connection) -> list[str]:
    """The conversations that hold any segment."""
    return [_text(one) for one in connection.execute(select(hold.c.conversation).distinct()).scalars()]


def records(connection: Connection) -> list[StoredRecord]:
    """Every record."""
    return [_record(row) for row in connection.execute(select(*_RECORD)).all()]


def records_of(connection: Connection, conversation: str) -> list[StoredRecord]:
    """Every record of the segments that `conversation` holds."""
    joined = select(*_RECORD).join(hold, hold.c.segment == record.c.segment)
    return [_record(row) for row in connection.execute(joined.where(hold.c.conversation == conversation)).all()]


def roots(connection: Connection, identity: str) -> list[tuple[int, str]]:
    """End and key of the segments of this model identity that have records and start at 0, longest first."""
    return [(_number(end), _text(key)) for end, key in connection.execute(_ROOTS, {"identity": identity})]


def holdings(connection: Connection) -> list[Holding]:
    """What each conversation holds, most recently used first."""
    return [_holding(row) for row in connection.execute(_HOLDINGS)]


def held_by(connection: Connection, conversation: str) -> Holding | None:
    """What `conversation` holds; None if it holds nothing."""
    row = connection.execute(_HELD_BY, {"conversation": conversation}).one()
    return _holding(row) if row.segments else None


def _holding(row: Row[Any]) -> Holding:
    return Holding(
        row.conversation, row.bytes, row.shared, row.segments, _number(row.tokens), bool(row.pinned), row.used
    )


def add(connection: Connection, conversation: str, new: Sequence[NewSegment]) -> None:
    """Insert missing segments; let `conversation` hold all of them, and mark them as just used."""
    for made in new:
        values = {name: getattr(made, name) for name in ("key", "parent", "identity", "start", "end")}
        connection.execute(sqlite.insert(segment).values(values | {"used": 0}).on_conflict_do_nothing())
    use(connection, conversation, [made.key for made in new])


def add_records(connection: Connection, written: Iterable[StoredRecord]) -> None:
    """Insert records of stored segments."""
    for new in written:
        values = {"segment": new.segment, "kind": new.kind, "bytes": new.bytes, "checksum": new.checksum}
        connection.execute(insert(record).values(values | {"meta": json.dumps(dict(new.meta))}))
        connection.execute(delete(lost).where(lost.c.segment == new.segment, lost.c.kind == new.kind))


def use(connection: Connection, conversation: str, keys: Sequence[str]) -> None:
    """Let `conversation` hold `keys` and all their ancestors, and mark `keys` as just used."""
    listed = json.dumps(list(keys))
    connection.exec_driver_sql(_HOLD, {"keys": listed, "conversation": conversation})
    connection.exec_driver_sql(_USE, {"keys": listed})


def release(connection: Connection, conversation: str) -> dict[str, int]:
    """Remove the holds of `conversation`, and then every segment without a hold. Returns their bytes by key."""
    connection.execute(delete(hold).where(hold.c.conversation == conversation))
    sizes = select(segment.c.key, func.coalesce(func.sum(record.c.bytes), 0))
    joined = sizes.select_from(segment.outerjoin(record, record.c.segment == segment.c.key))
    rows = connection.execute(joined.where(_UNHELD).group_by(segment.c.key))
    erased = {_text(key): _number(size) for key, size in rows}
    connection.execute(delete(segment).where(_UNHELD))
    return erased


def unreachable(connection: Connection) -> list[str]:
    """Segments that no conversation holds, or that no chain of held segments connects to a root."""
    return list(connection.execute(_UNREACHABLE).scalars())


def pin_all(connection: Connection, conversations: Collection[str]) -> None:
    """Pin these conversations and no others."""
    connection.execute(delete(pin))
    if chosen := [{"conversation": conversation} for conversation in set(conversations)]:
        connection.execute(insert(pin), chosen)


def remove(connection: Connection, key: str) -> None:
    """Remove a segment with its records and holds."""
    connection.execute(delete(segment).where(segment.c.key == key))


def remove_record(connection: Connection, key: str, kind: str) -> None:
    """Remove one record of a segment."""
    connection.execute(delete(record).where(record.c.segment == key, record.c.kind == kind))


def note_lost(connection: Connection, key: str, kind: str) -> None:
    """Note that a stored segment lost a record to damage."""
    connection.execute(_NOTE_LOST, {"key": key, "kind": kind})


def remove_unchanged(connection: Connection, stale: StoredRecord) -> bool:
    """Remove the row of `stale` unless it has changed since it was queried. Returns whether it was removed."""
    same = (record.c.segment == stale.segment, record.c.kind == stale.kind, record.c.checksum == stale.checksum)
    return bool(connection.execute(delete(record).where(*same)).rowcount)


def held_bytes(connection: Connection) -> int:
    """The bytes of all record files."""
    return int(connection.execute(select(func.coalesce(func.sum(record.c.bytes), 0))).scalar_one())


def count(connection: Connection, name: str, day: str, value: int) -> None:
    """Add `value` to a counter."""
    row = sqlite.insert(tally).values(name=name, day=day, value=value)
    connection.execute(row.on_conflict_do_update(set_={"value": tally.c.value + value}))


def tallies(connection: Connection, name: str) -> dict[str, int]:
    """A counter's values by day."""
    rows = connection.execute(select(tally.c.day, tally.c.value).where(tally.c.name == name))
    return {_text(row.day): _number(row.value) for row in rows}


def by_identity(connection: Connection) -> dict[str, list[str]]:
    """The conversations that hold segments of each model identity."""
    held = select(segment.c.identity, hold.c.conversation).distinct()
    found: defaultdict[str, list[str]] = defaultdict(list)
    for identity, conversation in connection.execute(held.join(hold, hold.c.segment == segment.c.key)):
        found[_text(identity)].append(_text(conversation))
    return found


def identities(connection: Connection, conversation: str) -> list[str]:
    """The model identities of the records that `conversation` holds."""
    return list(map(_text, connection.execute(_IDENTITIES, {"conversation": conversation}).scalars()))


def shared_bytes(connection: Connection) -> int:
    """The bytes of the records that several conversations hold, each counted once."""
    return int(connection.execute(_SHARED).scalar_one())


def places(connection: Connection, conversation: str) -> list[int]:
    """The ends of the segments with records that `conversation` holds, in order."""
    return list(map(_number, connection.execute(_PLACES, {"conversation": conversation}).scalars()))


def sizes(connection: Connection) -> tuple[int, int, int]:
    """The numbers of segments, records and conversations."""
    columns: tuple[ColumnElement[str], ...] = (segment.c.key, record.c.segment, distinct(hold.c.conversation))
    segments, made, owners = (connection.execute(select(func.count(column))).scalar_one() for column in columns)
    return segments, made, owners
