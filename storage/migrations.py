"""The version of a database file: its check, and the steps that bring an older file to the newest version.

The version is SQLite's `user_version`. A step is never edited after its release, and `tests/golden` has a file of each
released version.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from resources.language.text import tr
from storage.copies import copy
from storage.errors import DamagedDatabase, NewerVersion, OlderVersion

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

Migration = Callable[[Connection], None]
"""One change of a file. Runs inside the caller's transaction."""

_LAYOUT: Final = """
    SELECT type, name, '' FROM sqlite_master
    UNION ALL SELECT 'column', made.name, part.name FROM sqlite_master AS made, pragma_table_info (made.name) AS part
    WHERE made.type = 'table' AND made.sql NOT LIKE 'CREATE VIRTUAL%'"""
"""Virtual tables are not queried: without their shadow tables, SQLite raises an error."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The first of `steps` makes a file of the version `oldest`, the oldest one that Hearth opens. Each of the others
    raises the version by one.
    """

    oldest: int
    steps: tuple[Migration, ...]

    @property
    def version(self) -> int:
        """The newest version."""
        return self.oldest + len(self.steps) - 1

    def until(self, version: int) -> Schema:
        """The schema as it was at this version."""
        return Schema(self.oldest, self.steps[: version - self.oldest + 1])

    def check(self, name: str, found: int) -> None:
        """Raise NewerVersion, OlderVersion or DamagedDatabase unless Hearth can open a file of the version `found`."""
        if found > self.version:
            raise NewerVersion(name, found, self.version)
        if found < 1:
            raise DamagedDatabase(tr("{name} is damaged: it holds nothing of Hearth's.", name=name))
        if found < self.oldest:
            raise OlderVersion(name, found, self.oldest)


def version(raw: sqlite3.Connection) -> int:
    """The version of an open file. Call it outside a transaction, which would write to an emptied file."""
    return int(raw.execute("PRAGMA user_version").fetchone()[0])


def layout(raw: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """All tables, indexes and triggers, and the columns of every table."""
    return set(raw.execute(_LAYOUT).fetchall())


def apply(connection: Connection, schema: Schema, found: int = 0) -> None:
    """Apply the steps after the version `found` (0: all), each with its new version in one transaction."""
    for number, step in enumerate(schema.steps, start=schema.oldest):
        if number > found:
            with connection.begin():
                step(connection)
                connection.exec_driver_sql(f"PRAGMA user_version = {number}")


def upgrade(connection: Connection, raw: sqlite3.Connection, path: Path, schema: Schema) -> None:
    """Apply the missing steps to the checked file at `path`, after copying it to `<path>.v<version>`."""
    found = version(raw)
    if found < schema.version:
        copy(raw, path.with_name(f"{path.name}.v{found}"))
        apply(connection, schema, found)
