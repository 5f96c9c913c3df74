"""Versions of a database file: owns the gate and the order of the steps; what a step does is left to each store.

The version is SQLite's `user_version`: the number of steps that were applied. Steps are never edited once released.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from storage.copies import copy
from storage.errors import DamagedDatabase, NewerVersion

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

Step = Callable[[Connection], None]
"""One change of the schema. It runs inside a transaction that it does not end."""

_LAYOUT: Final = """
    SELECT type, name, '' FROM sqlite_master
    UNION ALL SELECT 'column', made.name, part.name FROM sqlite_master AS made, pragma_table_info (made.name) AS part
    WHERE made.type = 'table' AND made.sql NOT LIKE 'CREATE VIRTUAL%'"""
"""A virtual table is asked for nothing: without the tables behind it, that is an error."""


def version(raw: sqlite3.Connection) -> int:
    """How many steps the file has behind it. Read outside a transaction, which would write to an emptied file."""
    return int(raw.execute("PRAGMA user_version").fetchone()[0])


def check(raw: sqlite3.Connection, name: str, steps: Sequence[Step]) -> int:
    """How many of `steps` the file has behind it.

    Raises NewerVersion for a later format and DamagedDatabase for a file without any; changes nothing.
    """
    found = version(raw)
    if found > len(steps):
        raise NewerVersion(name, found, len(steps))
    if found < 1:
        raise DamagedDatabase(f"{name} is damaged: it holds nothing of Hearth's.")
    return found


def layout(raw: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """The tables, indexes and triggers that there are, and the columns of every table."""
    return set(raw.execute(_LAYOUT).fetchall())


def apply(connection: Connection, steps: Sequence[Step], done: int) -> None:
    """Apply the steps after the first `done`, each with its new version in one transaction."""
    for number, step in enumerate(steps[done:], start=done + 1):
        with connection.begin():
            step(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {number}")


def upgrade(connection: Connection, raw: sqlite3.Connection, path: Path, steps: Sequence[Step]) -> None:
    """Bring the checked file at `path` up to date, after a copy to `<path>.v<version>` if there is anything to do."""
    found = version(raw)
    if found < len(steps):
        copy(raw, path.with_name(f"{path.name}.v{found}"))
        apply(connection, steps, found)
