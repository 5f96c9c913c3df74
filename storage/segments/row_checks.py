"""Sense: owns what a row of the index must be to be believed, and that every other is dropped.

Else it waits for the call that meets it, and for the same call again after the next start. How a record is described
is left to `storage.segments.index`, whether rows and files agree to `storage.segments.recovery`.
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
"""More than is ever counted, and little enough to be added to: beyond 63 bits SQLite goes on in floats."""


def _no_key(column: Column[Any]) -> ColumnElement[bool]:
    """What `storage.segments.files` could name no file after."""
    size = func.length(cast(column, LargeBinary))  # the length of a text ends before its first NUL, and so does GLOB
    strange = or_(func.length(column) != size, ~size.between(1, _LONGEST_KEY), column.op("GLOB")("*[^0-9a-z_-]*"))
    return or_(func.typeof(column) != "text", strange)


def _no_number(column: Column[Any]) -> ColumnElement[bool]:
    return or_(func.typeof(column) != "integer", ~column.between(0, _MOST))


def _of_none(column: Column[Any]) -> ColumnElement[bool]:
    return column.not_in(select(segment.c.key))


_NO_SPAN: Final = or_(_no_number(segment.c.start), _no_number(segment.c.end), segment.c.start > segment.c.end)

_SENSELESS: Final = (
    (segment, or_(_no_key(segment.c.key), _NO_SPAN, _no_number(segment.c.used))),
    (record, or_(_of_none(record.c.segment), record.c.kind.not_in(KINDS))),
    (hold, _of_none(hold.c.segment)),
    (lost, or_(_of_none(lost.c.segment), lost.c.kind.not_in(KINDS))),
    (tally, _no_number(tally.c.value)),
)
"""Segments first: what is left of the others is compared with theirs."""

_NAMES: Final = (segment.c.identity, hold.c.conversation, pin.c.conversation, tally.c.name, tally.c.day)
"""Names that were given to us: few, in many rows."""


def drop_senseless(connection: Connection) -> int:
    """Drop the rows that make no sense. How many they were, without what goes with them."""
    named = [(name.table, or_(func.typeof(name) != "text", _illegible(connection, name))) for name in _NAMES]
    return sum(connection.execute(delete(table).where(wrong)).rowcount for table, wrong in (*named, *_SENSELESS))


def _illegible(connection: Connection, name: Column[Any]) -> ColumnElement[bool]:
    """Whether it is one of those that are no UTF-8, which can be compared with nothing that is read."""
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
