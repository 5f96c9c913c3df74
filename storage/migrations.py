"""Migrations of a database file: checks its version and applies the missing steps.

The version is SQLite's `user_version`, the number of applied steps. A step is never edited after its release.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from resources.language.text import tr
from storage.copies import copy
from storage.errors import DamagedDatabase, NewerVersion

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

Step = Callable[[Connection], None]
"""One change of the schema. Runs inside the caller's transaction."""

_LAYOUT: Final = """
    SELECT type, name, '' FROM sqlite_master
    UNION ALL SELECT 'column', made.name, part.name FROM sqlite_master AS made, pragma_table_info (made.name) AS part
    WHERE made.type = 'table' AND made.sql NOT LIKE 'CREATE VIRTUAL%'"""
"""Virtual tables are not queried: without their shadow tables, SQLite raises an error."""


def version(raw: sqlite3.Connection) -> int:
    """The number of applied steps. Call it outside a transaction, which would write to an emptied file."""
    return int(raw.execute("PRAGMA user_version").fetchone()[0])


def check(raw: sqlite3.Connection, name: str, steps: Sequence[Step]) -> int:
    """The number of applied steps, between 1 and all of `steps`. Changes nothing.

    Raises NewerVersion if it is larger, and DamagedDatabase if it is 0.
    """
    found = version(raw)
    if found > len(steps):
        raise NewerVersion(name, found, len(steps))
    if found < 1:
        raise DamagedDatabase(tr("{name} is damaged: it holds nothing of Hearth's.", name=name))
    return found


def layout(raw: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """All tables, indexes and triggers, and the columns of every table."""
    return set(raw.execute(_LAYOUT).fetchall())


def apply(connection: Connection, steps: Sequence[Step], done: int) -> None:
    """Apply the steps after the first `done`, each with its new version in one transaction."""
    for number, step in enumerate(steps[done:], start=done + 1):
        with connection.begin():
            step(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {number}")


def upgrade(connection: Connection, raw: sqlite3.Connection, path: Path, steps: Sequence[Step]) -> None:
    """Apply the missing steps to the checked file at `path`, after copying it to `<path>.v<version>`."""
    found = version(raw)
    if found < len(steps):
        copy(raw, path.with_name(f"{path.name}.v{found}"))
        apply(connection, steps, found)
