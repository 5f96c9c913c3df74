"""A damaged library's words, saved into a fresh one: owns which rows are known again, and as what.

How pages and records are read is left to `storage.recovery.pages` and `storage.recovery.records`, what hangs together
no more to `storage.recovery.mending`. The damaged file is read as it lies, page by page, never opened: SQLite refuses
it, or may throw its log away.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer

from storage.copies import read_only
from storage.database import PRECIOUS, Database, remove
from storage.errors import DamagedDatabase, classified
from storage.library.rows import storable
from storage.library.schema import STEPS, attachment, conversation, message
from storage.recovery import mending
from storage.recovery.pages import Source
from storage.recovery.records import records

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Column, Table

    from storage.recovery.records import Record, Value

Shapes = dict[tuple[str, int], tuple[str, ...]]
"""The names of a table's columns, by its name and how many there are."""

_ID_LENGTH: Final = 32
_TABLES: Final = (conversation, message, attachment)
_CUT: Final = "The end of this message could not be read."


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was found, recently deleted ones too. `lost` messages are known of, but could not be read in full."""

    conversations: int
    messages: int
    lost: int


def salvage(damaged: Path, target: Path) -> Salvaged:
    """Write every row of the library `damaged` that can be read, words in its log too, into a new library at `target`.

    `damaged` is only read. Raises DamagedDatabase if there is nothing to be read, EnvironmentProblem; nothing is at
    `target` then.
    """
    try:
        with closing(Database.open(target, STEPS, PRECIOUS)) as fresh, classified():
            fresh.raw.execute("PRAGMA foreign_keys = OFF")  # rows come in the order in which they lie
            with Source(damaged) as source, fresh.transaction():
                cut = _Rows(fresh.raw, _shapes() | _own_shapes(damaged)).gather(source)
                lost = mending.mend(fresh.raw)
                return _counted(fresh.raw, cut + lost)
    except BaseException:
        with classified():
            remove(target)
        raise


def _counted(raw: sqlite3.Connection, lost: int) -> Salvaged:
    counts = "SELECT (SELECT count(*) FROM conversation), (SELECT count(*) FROM message WHERE content <> ?)"
    chats, words = raw.execute(counts, (mending.LOST,)).fetchone()
    if not chats:
        raise DamagedDatabase("Nothing can be read in the damaged library.")
    return Salvaged(chats, words, lost)


class _Rows:
    """The rows found so far, in the new library."""

    def __init__(self, raw: sqlite3.Connection, shapes: Shapes) -> None:
        self._raw = raw
        self._shapes = shapes
        self._needed = {table.name: _needed(raw, table) for table in _TABLES}
        self._cut: set[str] = set()
        raw.execute(mending.ENTRIES)

    def gather(self, source: Source) -> int:
        """Insert all that `source` holds. How many messages are cut."""
        for view in source.views():
            for number in view.numbers:
                for record in records(view, number):
                    self._take(record)
        return len(self._cut)

    def _take(self, record: Record) -> None:
        if _is_entry(record):
            self._raw.execute("INSERT INTO temp.entry VALUES (?, ?, ?, ?)", record.values)
            return
        for table in _TABLES:
            names = self._shapes.get((table.name, len(record.values)))
            if names is not None and _is_of(table, dict(zip(names, record.values, strict=True))):
                self._insert(table, self._row(table, names, record))
                return

    def _row(self, table: Table, names: tuple[str, ...], record: Record) -> dict[str, Value]:
        values = dict(zip(names, record.values, strict=True))
        known = values.keys() | self._needed[table.name]
        row = {column.name: _clean(values.get(column.name), column) for column in table.c if column.name in known}
        row["number"] = record.number if record.number > 0 else None
        if table is message:
            self._finish(row, names[: record.whole])
        return row

    def _finish(self, row: dict[str, Value], whole: tuple[str, ...]) -> None:
        """No reply is being written any more, and what was cut short is not taken for the whole."""
        row |= {name: "" for name in ("ledger", "tool_calls", "usage") if name in row and name not in whole}
        if "content" not in whole:
            row |= {"state": "failed", "error": _CUT}
            self._cut.add(str(row["id"]))
        elif row["state"] == "open":
            row["state"] = "interrupted"

    def _insert(self, table: Table, row: dict[str, Value]) -> None:
        columns, places = ", ".join(row), ", ".join(f":{name}" for name in row)
        changes = ", ".join(f"{name} = excluded.{name}" for name in row if name not in ("number", "id"))
        statement = (
            f"INSERT INTO {table.name} ({columns}) VALUES ({places}) "  # noqa: S608 - our names
            f"ON CONFLICT (id) DO UPDATE SET {changes} WHERE {_SAYS_MORE[table.name]}"
        )
        try:
            self._raw.execute(statement, row)
        except sqlite3.IntegrityError:  # another row has its number
            self._raw.execute(statement, row | {"number": None})


_SAYS_MORE: Final = {
    "conversation": "excluded.updated >= conversation.updated",
    "message": """(message.state = 'interrupted' AND excluded.state <> 'interrupted')
        OR length(excluded.content) > length(message.content)""",
    "attachment": "0",
}
"""When a row that was found behind a break in the log goes before the one of the same id."""


def _shapes() -> Shapes:
    """The names of a table's columns by how many there are, of every version of the library; the newest goes first."""
    found: Shapes = {}
    for version in range(1, len(STEPS) + 1):
        with closing(Database.in_memory(STEPS[:version])) as past:
            found |= _shapes_in(past.raw)
    return found


def _own_shapes(damaged: Path) -> Shapes:
    """Those of the file itself, which others may have changed; none where SQLite cannot read its schema. The log is not
    looked at, and nothing is touched.
    """
    with suppress(sqlite3.DatabaseError, UnicodeDecodeError), closing(read_only(damaged)) as closed:
        return _shapes_in(closed)
    return {}


def _shapes_in(raw: sqlite3.Connection) -> Shapes:
    found: Shapes = {}
    for table in _TABLES:
        names = tuple(column[1] for column in _columns(raw, table))
        found |= {(table.name, len(names)): names} if names else {}
    return found


def _columns(raw: sqlite3.Connection, table: Table) -> list[tuple[Any, ...]]:
    return raw.execute(f"PRAGMA table_info ({table.name})").fetchall()


def _needed(raw: sqlite3.Connection, table: Table) -> set[str]:
    """The columns that must be given: they hold no NULL, and nothing by default."""
    return {name for _, name, _, filled, default, _ in _columns(raw, table) if filled and default is None}


def _is_entry(record: Record) -> bool:
    """Whether it is of the index of conversation, message and parent, in either order that it ever had."""
    return (
        record.number == 0
        and record.whole == len(record.values) == len(mending.ENTRY)
        and all(_is_id(value) or value is None for value in record.values[:3])
        and isinstance(record.values[3], int)
    )


def _is_of(table: Table, row: dict[str, Value]) -> bool:
    """Whether a record with as many values as `table` has columns is a row of it."""
    if row.get("number") is not None or not _is_id(row.get("id")):
        return False
    if table is conversation:
        return isinstance(row.get("titled", row.get("created")), int)
    return _is_id(row.get("conversation")) and (table is attachment or isinstance(row.get("content"), str))


def _is_id(value: Value) -> bool:
    return isinstance(value, str) and len(value) == _ID_LENGTH


def _clean(value: Value, column: Column[Any]) -> Value:
    """`value` as its column may hold it."""
    if value is None and column.nullable:
        return None
    if isinstance(column.type, Integer):
        return value if isinstance(value, int) else 0
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return storable("" if value is None else str(value))
