"""The tables of the index of cached records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, Table, Text, text

from storage.migrations import Schema

if TYPE_CHECKING:
    from sqlalchemy import Connection

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
    Index("segment_used", "used"),
    Index("segment_parent", "parent"),
    Index("segment_root", "identity", "end", sqlite_where=text("start = 0")),
)
"""`used` is a counter of uses, not a time, so it does not depend on the clock."""

record: Final = Table(
    "record",
    metadata,
    Column("segment", Text, ForeignKey("segment.key", ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("bytes", Integer, nullable=False),
    Column("checksum", Text, nullable=False),
    Column("meta", Text, nullable=False),
)

hold: Final = Table(
    "hold",
    metadata,
    Column("conversation", Text, primary_key=True),
    Column("segment", Text, ForeignKey("segment.key", ondelete="CASCADE"), primary_key=True),
    Index("hold_segment", "segment"),
)
"""Which conversation needs which segment. A conversation that holds a segment holds all its ancestors."""

pin: Final = Table("pin", metadata, Column("conversation", Text, primary_key=True))
"""Conversations whose segments are never evicted."""

lost: Final = Table(
    "lost",
    metadata,
    Column("segment", Text, ForeignKey("segment.key", ondelete="CASCADE"), primary_key=True),
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


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)


SCHEMA: Final = Schema(4, (_create,))
