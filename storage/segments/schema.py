"""The tables of the index of cached records.

The tables are strict and their constraints describe every valid row, so opening finds any other row by
`PRAGMA integrity_check` and `PRAGMA foreign_key_check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, MetaData, Table, Text, text

from storage.migrations import Schema
from storage.segments.records import KINDS

if TYPE_CHECKING:
    from sqlalchemy import Connection

_MOST: Final = 1 << 62
"""The largest valid number. It leaves room for sums: beyond 63 bits SQLite computes with floats."""
_KINDS: Final = ", ".join(f"'{kind}'" for kind in KINDS)
_OF_SEGMENT: Final = "segment.key"


def _number(name: str) -> Column[int]:
    return Column(name, Integer, CheckConstraint(f'"{name}" BETWEEN 0 AND {_MOST}'), nullable=False)


def _only(name: str, letters: str = " -~") -> CheckConstraint:
    """Allow these characters alone. As text, length and GLOB end at the first NUL, so the bytes are counted too."""
    return CheckConstraint(f"{name} NOT GLOB '*[^{letters}]*' AND length({name}) = length(CAST({name} AS BLOB))")


metadata: Final = MetaData()

segment: Final = Table(
    "segment",
    metadata,
    Column("key", Text, _only("key", "0-9a-z_-"), CheckConstraint("length(key) BETWEEN 1 AND 128"), primary_key=True),
    Column("parent", Text),
    Column("identity", Text, _only("identity"), nullable=False),
    _number("start"),
    _number("end"),
    _number("used"),
    CheckConstraint('start <= "end"'),
    Index("segment_used", "used"),
    Index("segment_parent", "parent"),
    Index("segment_root", "identity", "end", sqlite_where=text("start = 0")),
    sqlite_strict=True,
)
"""`used` is a counter of uses, not a time, so it does not depend on the clock."""

record: Final = Table(
    "record",
    metadata,
    Column("segment", Text, ForeignKey(_OF_SEGMENT, ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, CheckConstraint(f"kind IN ({_KINDS})"), primary_key=True),
    _number("bytes"),
    Column("checksum", Text, _only("checksum"), nullable=False),
    Column("meta", Text, _only("meta"), CheckConstraint("json_valid(meta)"), nullable=False),
    sqlite_strict=True,
)

hold: Final = Table(
    "hold",
    metadata,
    Column("conversation", Text, _only("conversation"), primary_key=True),
    Column("segment", Text, ForeignKey(_OF_SEGMENT, ondelete="CASCADE"), primary_key=True),
    Index("hold_segment", "segment"),
    sqlite_strict=True,
)
"""Which conversation needs which segment. A conversation that holds a segment holds all its ancestors."""

pin: Final = Table(
    "pin", metadata, Column("conversation", Text, _only("conversation"), primary_key=True), sqlite_strict=True
)
"""Conversations whose segments are never evicted."""

lost: Final = Table(
    "lost",
    metadata,
    Column("segment", Text, ForeignKey(_OF_SEGMENT, ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, CheckConstraint(f"kind IN ({_KINDS})"), primary_key=True),
    sqlite_strict=True,
)
"""Records lost to damage and not stored again yet. The app names them as the reason of a cache miss."""

tally: Final = Table(
    "tally",
    metadata,
    Column("name", Text, _only("name"), primary_key=True),
    Column("day", Text, _only("day"), primary_key=True),
    _number("value"),
    sqlite_strict=True,
)


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)


SCHEMA: Final = Schema(4, (_create,))
