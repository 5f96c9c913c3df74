"""Rescues the rows of a damaged library into a new one.

The damaged file is decoded page by page and never opened as a database, because SQLite may discard its log. Reading it
through SELECT instead would lose every message as soon as the first page, or one inner page of the table, is damaged.
Rows are recognised by their content, so the damaged file's schema is not needed. If an index still knows a lost
message, a placeholder takes its place, so that the messages below it stay in their conversation. `app.backup.recovery`
decides when to rescue. This module is complete; do not extend it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer

from resources.language.text import mark, tr
from storage.copies import read_only
from storage.database import PRECIOUS, Database, remove
from storage.errors import DamagedDatabase, classified
from storage.library.attachments import index_files
from storage.library.columns import Number, storable
from storage.library.files import beside
from storage.library.rows import title_from
from storage.library.schema import SCHEMA, attachment, conversation, message, prompt
from storage.recovery.pages import Cell, PageSource, Value, cells

if TYPE_CHECKING:
    from sqlalchemy import Column, Table

Shapes = dict[tuple[str, int], tuple[str, ...]]
"""The names of a table's columns, by the table's name and their number."""

_ID_LENGTH: Final = 32
_TABLES: Final = (conversation, message, attachment, prompt)
_CUT: Final = mark("The end of this message could not be read.")
ENTRY: Final = ("owner", "one", "other", "number")
"""An entry of the index of messages: the conversation, the message and its parent in either order, the row number."""
ENTRIES: Final = f"CREATE TEMP TABLE entry ({', '.join(ENTRY)})"
LOST: Final = "[This message could not be read.]"

_UNKNOWN: Final = mark("Rescued chat")
_KNOWN_CONVERSATIONS: Final = "SELECT id FROM conversation UNION SELECT conversation FROM message"
_OTHER_ROLE: Final = "CASE role WHEN 'user' THEN 'assistant' ELSE 'user' END"


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
            with PageSource(damaged) as source, fresh.transaction() as connection:
                cut = _Rows(fresh.raw, _shapes_in(fresh.raw) | _own_shapes(damaged)).gather(source)
                lost = repair_orphans(fresh.raw)
                index_files(connection, beside(damaged))
                return _counted(fresh.raw, cut + lost)
    except BaseException:
        with classified():
            remove(target)
        raise


def _counted(raw: sqlite3.Connection, lost: int) -> Salvaged:
    counts = "SELECT (SELECT count(*) FROM conversation), (SELECT count(*) FROM message WHERE content <> ?)"
    chats, words = raw.execute(counts, (LOST,)).fetchone()
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
        raw.execute(ENTRIES)

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
        and cell.whole == len(cell.values) == len(ENTRY)
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


def repair_orphans(raw: sqlite3.Connection) -> int:
    """Give every message a parent, a role and a conversation that exist. Returns how many messages are known but lost.

    Call it inside a transaction.
    """
    known = _insert_placeholders(raw)
    unknown = _relink(raw)
    _set_roles(raw)
    _add_conversations(raw)
    for statement in _LOOSE_ENDS:
        raw.execute(statement)
    return known + unknown


def _insert_placeholders(raw: sqlite3.Connection) -> int:
    """Insert a placeholder for each message that only the index still knows. Returns their number."""
    pairs = "FROM temp.entry JOIN message USING (number)"
    counts = raw.execute(f"SELECT total(message.id = one), total(message.id = other) {pairs}").fetchone()
    identifier, parent = ("one", "other") if counts[0] >= counts[1] else ("other", "one")
    return raw.execute(
        f"""INSERT OR IGNORE INTO message
            (number, id, conversation, parent, role, state, content, usage, error, model, created, ledger)
            SELECT number, {identifier}, owner, {parent}, '', 'done', ?, '', '', '', 0, '' FROM temp.entry
            WHERE {identifier} NOT IN (SELECT id FROM message) AND owner IN ({_KNOWN_CONVERSATIONS})""",  # noqa: S608 - our own SQL
        (LOST,),
    ).rowcount


def _relink(raw: sqlite3.Connection) -> int:
    """Attach a message with an unknown parent to the message before it. Returns the number of unknown parents."""
    dangling = "parent NOT IN (SELECT id FROM message)"
    lost = int(raw.execute(f"SELECT count(DISTINCT parent) FROM message WHERE {dangling}").fetchone()[0])  # noqa: S608 - our own SQL
    raw.execute(
        f"""UPDATE message SET parent = (
                SELECT before.id FROM message AS before
                WHERE before.conversation = message.conversation AND before.number < message.number
                ORDER BY before.number DESC LIMIT 1)
            WHERE {dangling}"""  # noqa: S608 - our own SQL
    )
    return lost


def _set_roles(raw: sqlite3.Connection) -> None:
    """Set lost roles: user and assistant alternate."""
    below = f"SELECT {_OTHER_ROLE} FROM message AS near WHERE near.parent = message.id AND near.role <> '' LIMIT 1"  # noqa: S608 - our own SQL
    above = f"SELECT {_OTHER_ROLE} FROM message AS near WHERE near.id = message.parent AND near.role <> ''"  # noqa: S608 - our own SQL
    changed = 1
    while changed:
        changed = raw.execute(
            f"""UPDATE message SET role = coalesce(({below}), ({above}))
                WHERE role = '' AND coalesce(({below}), ({above})) IS NOT NULL"""  # noqa: S608 - our own SQL
        ).rowcount
    raw.execute("UPDATE message SET role = 'assistant' WHERE role = ''")


def _add_conversations(raw: sqlite3.Connection) -> None:
    """Add the lost conversations of messages and files."""
    raw.execute(_FOLLOW_PARENT)
    query = """SELECT conversation FROM message UNION SELECT conversation FROM attachment
        EXCEPT SELECT id FROM conversation"""
    for (owner,) in raw.execute(query).fetchall():
        first = raw.execute(_FIRST_WORDS, (owner, LOST)).fetchone()
        begun, ended = raw.execute(_TIMES, (owner,)).fetchone()
        title = title_from(first[0]) if first else ""
        raw.execute(_ADD_OWNER, (owner, title or tr(_UNKNOWN), begun or 0, ended or 0))


_FOLLOW_PARENT: Final = """UPDATE message SET conversation = (
        SELECT above.conversation FROM message AS above WHERE above.id = message.parent)
    WHERE conversation NOT IN (SELECT id FROM conversation) AND parent IN (
        SELECT above.id FROM message AS above JOIN conversation ON conversation.id = above.conversation)"""

_FIRST_WORDS: Final = """SELECT content FROM message
    WHERE conversation = ? AND role = 'user' AND content <> ? ORDER BY number LIMIT 1"""

_TIMES: Final = "SELECT min(nullif(created, 0)), max(created) FROM message WHERE conversation = ?"

_ADD_OWNER: Final = """INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, draft)
    VALUES (?, ?, 0, '', 'balanced', '', ?, ?, '')"""

_LOOSE_ENDS: Final = (
    """UPDATE message SET created = (SELECT created FROM conversation WHERE id = message.conversation)
        WHERE created = 0""",
    "UPDATE conversation SET leaf = NULL WHERE leaf NOT IN (SELECT id FROM message)",
    "UPDATE conversation SET reads_from = NULL WHERE reads_from NOT IN (SELECT id FROM message)",
    "UPDATE attachment SET message = NULL WHERE message NOT IN (SELECT id FROM message)",
)
