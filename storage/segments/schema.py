"""The tables of the index, and the migration steps that create them.

The steps define the file; the tables below only serve queries. A step is never edited after its release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Integer, MetaData, Table, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from storage.migrations import Step

metadata: Final = MetaData()

segment: Final = Table(
    "segment",
    metadata,
    Column("key", Text, primary_key=True),
    Column("parent", Text),
    Column("identity", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("used", Integer, nullable=False),
)
"""`used` is a counter of uses, not a time, so it does not depend on the clock."""

record: Final = Table(
    "record",
    metadata,
    Column("segment", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("bytes", Integer, nullable=False),
    Column("checksum", Text, nullable=False),
    Column("meta", Text, nullable=False),
    Column("schema", Text, nullable=False),
)
"""`schema` is the version of the file's content. Files of another version are removed."""

hold: Final = Table(
    "hold",
    metadata,
    Column("conversation", Text, primary_key=True),
    Column("segment", Text, primary_key=True),
)
"""Which conversation needs which segment. A conversation that holds a segment holds all its ancestors."""

pin: Final = Table("pin", metadata, Column("conversation", Text, primary_key=True))
"""Conversations whose segments are never evicted."""

lost: Final = Table(
    "lost",
    metadata,
    Column("segment", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
)
"""Records lost to damage and not stored again yet. The app names them as the reason of a cache miss."""

tally: Final = Table(
    "tally",
    metadata,
    Column("name", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("value", Integer, nullable=False),
)

_FIRST: Final = (
    """CREATE TABLE segment (
        key TEXT PRIMARY KEY NOT NULL, parent TEXT, identity TEXT NOT NULL, start INTEGER NOT NULL,
        "end" INTEGER NOT NULL, used INTEGER NOT NULL)""",
    """CREATE TABLE record (
        segment TEXT NOT NULL REFERENCES segment (key) ON DELETE CASCADE, kind TEXT NOT NULL, bytes INTEGER NOT NULL,
        checksum TEXT NOT NULL, meta TEXT NOT NULL, PRIMARY KEY (segment, kind))""",
    """CREATE TABLE hold (
        conversation TEXT NOT NULL, segment TEXT NOT NULL REFERENCES segment (key) ON DELETE CASCADE,
        PRIMARY KEY (conversation, segment))""",
    """CREATE TABLE tally (
        name TEXT NOT NULL, day TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (name, day))""",
    "CREATE INDEX segment_used ON segment (used)",
    "CREATE INDEX hold_segment ON hold (segment)",
)


_SECOND: Final = (
    "ALTER TABLE record ADD COLUMN schema TEXT NOT NULL DEFAULT '1'",
    "CREATE TABLE pin (conversation TEXT PRIMARY KEY NOT NULL)",
    """CREATE INDEX segment_root ON segment (identity, "end") WHERE start = 0""",
    "CREATE INDEX segment_parent ON segment (parent)",
)

_THIRD: Final = (
    """CREATE TABLE lost (
        segment TEXT NOT NULL REFERENCES segment (key) ON DELETE CASCADE, kind TEXT NOT NULL,
        PRIMARY KEY (segment, kind))""",
)


def _step(statements: Sequence[str]) -> Step:
    def apply(connection: Connection) -> None:
        for statement in statements:
            connection.exec_driver_sql(statement)

    return apply


STEPS: Final[Sequence[Step]] = tuple(map(_step, (_FIRST, _SECOND, _THIRD)))
