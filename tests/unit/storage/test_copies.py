"""Checked copies of an open database."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.copies import CopyCancelled, copy, second_connection, version_of
from storage.errors import DamagedDatabase

if TYPE_CHECKING:
    from pathlib import Path


def _database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE IF NOT EXISTS word (text TEXT)")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO word VALUES (?)", [(str(number) * 50,) for number in range(2000)])
    connection.execute("COMMIT")
    return connection


def test_a_copy_is_one_complete_file_for_the_owner(tmp_path: Path) -> None:
    """A copy holds all committed transactions, those in the log included, in a single file of mode 0600."""
    with closing(_database(tmp_path / "source")) as source:
        copy(source, tmp_path / "copies" / "target")
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["target"]
    assert (tmp_path / "copies" / "target").stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(tmp_path / "copies" / "target")) as target:
        assert target.execute("SELECT count(*) FROM word").fetchone() == (2000,)


def test_a_damaged_source_never_replaces_a_good_copy(tmp_path: Path) -> None:
    """If the new copy fails its check, the old one stays and the new one leaves nothing."""
    with closing(_database(tmp_path / "source")) as source:
        copy(source, tmp_path / "target")
        good = (tmp_path / "target").read_bytes()
        source.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (tmp_path / "source").open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 4096)
    with closing(sqlite3.connect(tmp_path / "source", isolation_level=None)) as source, pytest.raises(DamagedDatabase):
        copy(source, tmp_path / "target")
    assert (tmp_path / "target").read_bytes() == good
    assert not (tmp_path / "target.partial").exists()


def test_a_file_is_checked_without_a_trace(tmp_path: Path) -> None:
    """`version_of` returns 0 for damaged, foreign and missing files and for pipes. It writes nothing."""
    with closing(_database(tmp_path / "source")) as source:
        source.execute("PRAGMA user_version = 7")
        copy(source, tmp_path / "copies" / "sound")
    content = bytearray((tmp_path / "copies" / "sound").read_bytes())
    content[5 * 4096 : 6 * 4096] = b"\xff" * 4096
    (tmp_path / "copies" / "rotten").write_bytes(content)
    (tmp_path / "copies" / "foreign").write_text("not a database" * 400)
    os.mkfifo(tmp_path / "copies" / "pipe")
    judged = [version_of(tmp_path / "copies" / name) for name in ("sound", "rotten", "foreign", "missing", "pipe")]
    assert judged == [7, 0, 0, 0, 0]
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == ["foreign", "pipe", "rotten", "sound"]


def test_others_write_while_a_copy_is_made(tmp_path: Path) -> None:
    """If another connection writes during every portion, no writer waits, and the copy still finishes."""
    with closing(_database(tmp_path / "source")) as others, closing(second_connection(tmp_path / "source")) as source:
        others.execute("PRAGMA busy_timeout = 0")

        def go_on() -> bool:
            others.execute("INSERT INTO word VALUES ('more')")
            return True

        copy(source, tmp_path / "target", go_on, portion=4)
        (written,) = others.execute("SELECT count(*) FROM word").fetchone()
    with closing(sqlite3.connect(tmp_path / "target")) as target:
        assert 2000 < target.execute("SELECT count(*) FROM word").fetchone()[0] < written
        assert target.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_is_erased_while_a_copy_is_made_is_not_in_it(tmp_path: Path) -> None:
    """The log can be emptied between two portions, and the copy shows the moment at which it finished."""
    with closing(_database(tmp_path / "source")) as others, closing(second_connection(tmp_path / "source")) as source:
        others.execute("PRAGMA secure_delete = ON")
        portions: list[int] = []

        def go_on() -> bool:
            portions.append(1)
            if len(portions) == 5:
                others.execute("DELETE FROM word WHERE text LIKE '7%'")
                assert others.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
            return True

        copy(source, tmp_path / "target", go_on, portion=4)
    assert b"777" * 9 not in (tmp_path / "target").read_bytes()


def test_a_cancelled_copy_leaves_nothing(tmp_path: Path) -> None:
    """Cancelling waits for one portion, not for the whole copy, and leaves no partial file."""
    answers = iter((True, True, False))
    with closing(_database(tmp_path / "source")) as source, pytest.raises(CopyCancelled):
        copy(source, tmp_path / "copies" / "target", lambda: next(answers), portion=4)
    assert list((tmp_path / "copies").iterdir()) == []


def test_a_missing_source_is_an_error(tmp_path: Path) -> None:
    """Copying a missing file is an error; it does not create an empty one."""
    with pytest.raises(sqlite3.OperationalError):
        second_connection(tmp_path / "gone")
    assert list(tmp_path.iterdir()) == []
