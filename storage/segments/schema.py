"""The tables of the index of cached records.

The tables are strict and their constraints describe every valid row, so opening finds any other row by
`PRAGMA integrity_check` and `PRAGMA foreign_key_check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.database import Schema
from storage.segments.records import KINDS

if TYPE_CHECKING:
    from sqlalchemy import Connection

_MOST: Final = 1 << 62
"""The largest valid number. It leaves room for sums: beyond 63 bits SQLite computes with floats."""
_KIND: Final = f"kind TEXT NOT NULL CHECK (kind IN {tuple(map(str, KINDS))})"
_SEGMENT: Final = "segment TEXT NOT NULL REFERENCES segment (key) ON DELETE CASCADE"


def _number(name: str) -> str:
    return f"{name} INTEGER NOT NULL CHECK ({name} BETWEEN 0 AND {_MOST})"


def _text(name: str, letters: str = " -~") -> str:
    """A column with these characters alone. Length and GLOB end at the first NUL, so the bytes are counted too."""
    only = f"{name} NOT GLOB '*[^{letters}]*' AND length({name}) = length(CAST({name} AS BLOB))"
    return f"{name} TEXT NOT NULL CHECK ({only})"


_TABLES: Final = (
    # `used` is a counter of uses, not a time, so it does not depend on the clock.
    f"""CREATE TABLE segment (
        {_text("key", "0-9a-z_-")} CHECK (length(key) BETWEEN 1 AND 128) PRIMARY KEY,
        parent TEXT, {_text("identity")}, {_number("start")}, {_number('"end"')}, {_number("used")},
        CHECK (start <= "end")) STRICT""",
    "CREATE INDEX segment_used ON segment (used)",
    "CREATE INDEX segment_parent ON segment (parent)",
    'CREATE INDEX segment_root ON segment (identity, "end") WHERE start = 0',
    f"""CREATE TABLE record (
        {_SEGMENT}, {_KIND}, {_number("bytes")}, {_text("checksum")}, {_text("meta")} CHECK (json_valid(meta)),
        PRIMARY KEY (segment, kind)) STRICT""",
    # Which conversation needs which segment. A conversation that holds a segment holds all its ancestors.
    f"CREATE TABLE hold ({_text('conversation')}, {_SEGMENT}, PRIMARY KEY (conversation, segment)) STRICT",
    "CREATE INDEX hold_segment ON hold (segment)",
    # Conversations whose segments are never evicted.
    f"CREATE TABLE pin ({_text('conversation')} PRIMARY KEY) STRICT",
    # Records lost to damage and not stored again yet. The app names them as the reason of a cache miss.
    f"CREATE TABLE lost ({_SEGMENT}, {_KIND}, PRIMARY KEY (segment, kind)) STRICT",
    f"CREATE TABLE tally ({_text('name')}, {_text('day')}, {_number('value')}, PRIMARY KEY (name, day)) STRICT",
)


def _create(connection: Connection) -> None:
    for statement in _TABLES:
        connection.exec_driver_sql(statement)


SCHEMA: Final = Schema(5, (_create,))
