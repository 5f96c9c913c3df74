"""The version check and the ordered steps."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from storage.database import PRECIOUS, Database, Schema
from storage.errors import DamagedDatabase, NewerVersion, StorageFault

if TYPE_CHECKING:
    from sqlalchemy import Connection


def _first(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE word (text TEXT)")
    connection.exec_driver_sql("INSERT INTO word VALUES ('kept')")


def _second(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE word ADD COLUMN length INTEGER")
    connection.exec_driver_sql("UPDATE word SET length = length(text)")


def _broken(connection: Connection) -> None:
    connection.exec_driver_sql("DROP TABLE word")
    connection.exec_driver_sql("SELECT * FROM word")


FIRST = Schema(1, (_first,))
SECOND = Schema(1, (_first, _second))


def _rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM word").fetchall()


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_missing_steps_are_applied_after_a_copy(tmp_path: Path) -> None:
    """An older file is copied unchanged, then migrated; its rows stay. A file of the newest version is not copied."""
    path = tmp_path / "file"
    Database.open(path, FIRST, PRECIOUS).close()
    Database.open(path, SECOND, PRECIOUS).close()
    assert (_version(path), _rows(path)) == (2, [("kept", 4)])
    assert (_version(tmp_path / "file.v1"), _rows(tmp_path / "file.v1")) == (1, [("kept",)])
    assert (tmp_path / "file.v1").stat().st_mode & 0o777 == 0o600
    (tmp_path / "file.v1").unlink()
    Database.open(path, SECOND, PRECIOUS).close()
    assert [entry.name for entry in tmp_path.glob("file*")] == ["file"]


def test_a_step_that_fails_changes_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    """Each step and its version are one transaction: earlier steps stay, a failed one leaves nothing."""
    path = tmp_path / "file"
    Database.open(path, FIRST, PRECIOUS).close()
    with pytest.raises(StorageFault):
        Database.open(path, Schema(1, (_first, _second, _broken)), PRECIOUS)
    assert (_version(path), _rows(path)) == (2, [("kept", 4)])
    Database.open(path, SECOND, PRECIOUS).close()


def test_a_newer_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """A newer Hearth's file and, after a crash, its log stay unchanged. The error names both versions."""
    live, path = tmp_path / "live", tmp_path / "file"
    with closing(Database.open(live, SECOND, PRECIOUS)) as database:
        database.truncate_log()
        with database.transaction() as connection:
            connection.exec_driver_sql("INSERT INTO word VALUES ('in the log', 1)")
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{live}{suffix}", f"{path}{suffix}")
    before = {entry.name: entry.read_bytes() for entry in tmp_path.glob("file*")}
    with pytest.raises(NewerVersion, match="format 2; this one reads up to 1"):
        Database.open(path, FIRST, PRECIOUS)
    assert {entry.name: entry.read_bytes() for entry in tmp_path.glob("file*")} == before
    assert len(before["file-wal"]) > 0


def test_a_file_that_no_step_leads_on_from_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """It counts as damaged, so that its rows can be rescued."""
    path = tmp_path / "file"
    Database.open(path, FIRST, PRECIOUS).close()
    before = path.read_bytes()
    with pytest.raises(DamagedDatabase):
        Database.open(path, Schema(2, (_first,)), PRECIOUS)
    assert path.read_bytes() == before
