"""Validates the rows of the index and deletes invalid ones.

Without this check one bad row would fail every call that touches it, after every restart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import LargeBinary, cast, delete, false, func, or_, select

from storage.segments.records import KINDS
from storage.segments.schema import hold, lost, pin, record, segment, tally

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Column, ColumnElement, Connection

_LONGEST_KEY: Final = 128

_MOST: Final = 1 << 62
"""The largest valid number. It leaves room for sums: beyond 63 bits SQLite computes with floats."""


def _is_no_key(column: Column[Any]) -> ColumnElement[bool]:
    """Whether a key is not a valid part of a file name."""
    size = func.length(cast(column, LargeBinary))  # as text, its length and GLOB would end at the first NUL
    strange = or_(func.length(column) != size, ~size.between(1, _LONGEST_KEY), column.op("GLOB")("*[^0-9a-z_-]*"))
    return or_(func.typeof(column) != "text", strange)


def _is_no_number(column: Column[Any]) -> ColumnElement[bool]:
    return or_(func.typeof(column) != "integer", ~column.between(0, _MOST))


def _is_orphan(column: Column[Any]) -> ColumnElement[bool]:
    return column.not_in(select(segment.c.key))


_IS_NO_SPAN: Final = or_(_is_no_number(segment.c.start), _is_no_number(segment.c.end), segment.c.start > segment.c.end)

_INVALID: Final = (
    (segment, or_(_is_no_key(segment.c.key), _IS_NO_SPAN, _is_no_number(segment.c.used))),
    (record, or_(_is_orphan(record.c.segment), record.c.kind.not_in(KINDS))),
    (hold, _is_orphan(hold.c.segment)),
    (lost, or_(_is_orphan(lost.c.segment), lost.c.kind.not_in(KINDS))),
    (tally, _is_no_number(tally.c.value)),
)
"""Segments come first, because the other tables are compared with the remaining segments."""

_NAMES: Final = (segment.c.identity, hold.c.conversation, pin.c.conversation, tally.c.name, tally.c.day)
"""Columns with few different values in many rows."""


def drop_invalid_rows(connection: Connection) -> int:
    """Delete invalid rows. Returns their number, without rows that SQLite deletes by cascade."""
    named = [(name.table, or_(func.typeof(name) != "text", _is_not_utf8(connection, name))) for name in _NAMES]
    return sum(connection.execute(delete(table).where(wrong)).rowcount for table, wrong in (*named, *_INVALID))


def _is_not_utf8(connection: Connection, name: Column[Any]) -> ColumnElement[bool]:
    """Whether a name is invalid UTF-8. Such a value cannot be compared as text, so its bytes are compared."""
    different = select(name).distinct().subquery()
    found = connection.execute(select(func.hex(different.c[name.key]))).scalars()
    wrong = [one for one in found if not _is_text(bytes.fromhex(one))]
    return func.hex(name).in_(wrong) if wrong else false()


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
