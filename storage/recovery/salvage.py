"""Rescues the rows of a damaged library into a new one.

The damaged file is decoded page by page and never opened as a database, because SQLite may discard its log. Reading it
through SELECT instead would lose every message as soon as the first page, or one inner page of the table, is damaged.
Rows are recognised by their content, so the damaged file's schema is not needed. `app.backup.recovery` decides when to
rescue. This module is complete; do not extend it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer

from resources.language.text import mark, tr
from storage.copies import read_only
from storage.database import PRECIOUS, Database, remove
from storage.errors import DamagedDatabase, classified
from storage.library.columns import Number, storable
from storage.library.schema import SCHEMA, attachment, conversation, message, prompt
from storage.recovery import orphan_repair
from storage.recovery.cells import cells
from storage.recovery.pages import PageSource

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Column, Table

    from storage.recovery.cells import Cell, Value

Shapes = dict[tuple[str, int], tuple[str, ...]]
"""The names of a table's columns, by the table's name and their number."""

_ID_LENGTH: Final = 32
_TABLES: Final = (conversation, message, attachment, prompt)
_CUT: Final = mark("The end of this message could not be read.")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The result. `conversations` includes deleted ones; `lost` messages are known but could not be read in full."""

    conversations: int
    messages: int
    lost: int


def salvage(damaged: Path, target: Path) -> Salvaged:
    """Write every readable row of the library `damaged`, and of its log, into a new library at `target`.

    Only reads `damaged`. Raises EnvironmentProblem, and DamagedDatabase if there is nothing to rescue; `target` then
    does not exist.
    """
    try:
        with closing(Database.open(target, SCHEMA, PRECIOUS)) as fresh, classified():
            fresh.raw.execute("PRAGMA foreign_keys = OFF")  # rows arrive in the order of their pages
            with PageSource(damaged) as source, fresh.transaction():
                cut = _Rows(fresh.raw, _shapes_in(fresh.raw) | _own_shapes(damaged)).gather(source)
                lost = orphan_repair.repair_orphans(fresh.raw)
                return _counted(fresh.raw, cut + lost)
    except BaseException:
        with classified():
            remove(target)
        raise


def _counted(raw: sqlite3.Connection, lost: int) -> Salvaged:
    counts = "SELECT (SELECT count(*) FROM conversation), (SELECT count(*) FROM message WHERE content <> ?)"
    chats, words = raw.execute(counts, (orphan_repair.LOST,)).fetchone()
    if not chats:
        raise DamagedDatabase(tr("Nothing can be read in the damaged library."))
    return Salvaged(chats, words, lost)


class _Rows:
    """The rows found so far, in the new library."""

    def __init__(self, raw: sqlite3.Connection, shapes: Shapes) -> None:
        self._raw = raw
        self._shapes = shapes
        self._needed = {table.name: _needed(raw, table) for table in _TABLES}
        self._cut: set[str] = set()
        raw.execute(orphan_repair.ENTRIES)

    def gather(self, source: PageSource) -> int:
        """Insert all rows of `source`. Returns how many messages are cut."""
        for view in source.views():
            for number in view.numbers:
                for cell in cells(view, number):
                    self._take(cell)
        return len(self._cut)

    def _take(self, cell: Cell) -> None:
        if _is_entry(cell):
            self._raw.execute("INSERT INTO temp.entry VALUES (?, ?, ?, ?)", cell.values)
            return
        for table in _TABLES:
            names = self._shapes.get((table.name, len(cell.values)))
            if names is not None and _is_of(table, dict(zip(names, cell.values, strict=True))):
                self._insert(table, self._row(table, names, cell))
                return

    def _row(self, table: Table, names: tuple[str, ...], cell: Cell) -> dict[str, Value]:
        values = dict(zip(names, cell.values, strict=True))
        known = values.keys() | self._needed[table.name]
        row = {column.name: _clean(values.get(column.name), column) for column in table.c if column.name in known}
        row["number"] = cell.number if cell.number > 0 else None
        if table is message:
            self._finish(row, names[: cell.whole])
        return row

    def _finish(self, row: dict[str, Value], whole: tuple[str, ...]) -> None:
        """Mark an open reply as interrupted, and a cut message as failed."""
        row |= {name: "" for name in ("ledger", "tool_calls", "usage") if name in row and name not in whole}
        if "content" not in whole:
            row |= {"state": "failed", "error": tr(_CUT)}
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
        except sqlite3.IntegrityError:  # another row has this number
            self._raw.execute(statement, row | {"number": None})


_SAYS_MORE: Final = {
    "conversation": "excluded.updated >= conversation.updated",
    "message": """(message.state = 'interrupted' AND excluded.state <> 'interrupted')
        OR length(excluded.content) > length(message.content)""",
    "attachment": "0",
    "prompt": "excluded.updated >= prompt.updated",
}
"""When a row from behind a broken frame of the log replaces the row of the same id."""


def _own_shapes(damaged: Path) -> Shapes:
    """Column names in the file itself, which may be of another version; none if SQLite cannot read its schema.

    Ignores the log and changes nothing.
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
    """The columns that an INSERT must name: NOT NULL and without a default."""
    return {name for _, name, _, filled, default, _ in _columns(raw, table) if filled and default is None}


def _is_entry(cell: Cell) -> bool:
    """Whether the cell is an entry of the index `message_tree`, in either of its two column orders."""
    return (
        cell.number == 0
        and cell.whole == len(cell.values) == len(orphan_repair.ENTRY)
        and all(_is_id(value) or value is None for value in cell.values[:3])
        and isinstance(cell.values[3], int)
    )


def _is_of(table: Table, row: dict[str, Value]) -> bool:
    """Whether a cell with as many values as `table` has columns is a row of it."""
    if row.get("number") is not None or not _is_id(row.get("id")):
        return False
    if table is conversation:
        return isinstance(row.get("titled", row.get("created")), int)
    if table is prompt:
        return all(isinstance(row.get(name), str) for name in ("name", "text"))
    return _is_id(row.get("conversation")) and (table is attachment or isinstance(row.get("content"), str))


def _is_id(value: Value) -> bool:
    return isinstance(value, str) and len(value) == _ID_LENGTH


def _clean(value: Value, column: Column[Any]) -> Value:
    """`value`, converted to what its column may hold."""
    if value is None and column.nullable:
        return None
    if isinstance(column.type, Integer | Number):
        return value if isinstance(value, int) else 0
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return storable("" if value is None else str(value))
