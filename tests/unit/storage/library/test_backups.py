"""When a backup is due and which are kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.errors import DamagedDatabase
from storage.library.backups import INTERVAL_MS, KEPT, backup, backups

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000_000


def test_only_our_backups_are_counted_and_removed(tmp_path: Path) -> None:
    """Other files in the folder, even with a similar name, are neither a backup nor ever deleted."""
    tmp_path.joinpath("library-mine.sqlite").write_text("the user's")
    with closing(sqlite3.connect(":memory:")) as source:
        for day in range(KEPT + 3):
            assert backup(source, tmp_path, NOW + day * INTERVAL_MS) is not None
    assert len(backups(tmp_path)) == KEPT
    assert tmp_path.joinpath("library-mine.sqlite").read_text() == "the user's"


def test_the_next_backup_is_due_after_a_day(tmp_path: Path) -> None:
    """One millisecond before the day is over nothing happens."""
    with closing(sqlite3.connect(":memory:")) as source:
        assert backup(source, tmp_path, NOW) is not None
        assert backup(source, tmp_path, NOW + INTERVAL_MS - 1) is None
        assert backup(source, tmp_path, NOW + INTERVAL_MS) is not None


def test_a_failed_backup_removes_no_good_one(tmp_path: Path) -> None:
    """When the library is damaged, the good backups stay, all of them."""
    with closing(sqlite3.connect(":memory:")) as source:
        for day in range(KEPT):
            backup(source, tmp_path, NOW + day * INTERVAL_MS)
    before = backups(tmp_path)
    rotten = tmp_path / "rotten"
    with closing(sqlite3.connect(rotten)) as source:
        source.execute("CREATE TABLE word (text TEXT)")
        source.executemany("INSERT INTO word VALUES (?)", [("x" * 500,)] * 100)
        source.commit()
    content = bytearray(rotten.read_bytes())
    content[8192:] = b"\xa5" * (len(content) - 8192)
    rotten.write_bytes(content)
    with closing(sqlite3.connect(rotten)) as source, pytest.raises(DamagedDatabase):
        backup(source, tmp_path, NOW + KEPT * INTERVAL_MS)
    assert backups(tmp_path) == before
