"""Checked copies of an open database, and replacing one database file by another, interrupted at every step."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from storage.copies import CopyCancelled, copy, replace, second_connection
from storage.database import PRECIOUS, Database, Schema
from storage.errors import DamagedDatabase
from tests.fakes.disk import PowerCut
from tests.fakes.problems import raising

if TYPE_CHECKING:
    from sqlalchemy import Connection

_STEPS = ("unlink", "replace", "link", "fsync")


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


def test_others_write_and_erase_while_a_copy_is_made(tmp_path: Path) -> None:
    """If another connection writes during every portion, no writer waits, and the copy still finishes. The log can be
    emptied between two portions. The copy shows the moment at which it finished: nothing that was erased is in it.
    """
    with closing(_database(tmp_path / "source")) as others, closing(second_connection(tmp_path / "source")) as source:
        others.executescript("PRAGMA busy_timeout = 0; PRAGMA secure_delete = ON")
        portions: list[int] = []

        def go_on() -> bool:
            portions.append(1)
            others.execute("INSERT INTO word VALUES ('more')")
            if len(portions) == 5:
                others.execute("DELETE FROM word WHERE text LIKE '7%'")
                assert others.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
            return True

        copy(source, tmp_path / "target", go_on, portion=4)
    with closing(sqlite3.connect(tmp_path / "target")) as target:
        assert 0 < target.execute("SELECT count(*) FROM word WHERE text = 'more'").fetchone()[0] < len(portions)
        assert target.execute("PRAGMA integrity_check").fetchone() == ("ok",)
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


def _table(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE word (text TEXT)")


def _make(path: Path, *words: str) -> None:
    with closing(Database.open(path, Schema(1, (_table,)), PRECIOUS)) as database, database.transaction() as connection:
        for word in words:
            connection.exec_driver_sql("INSERT INTO word VALUES (?)", (word,))


def _left_with_a_log(path: Path, word: str) -> None:
    """A database as a crash leaves it: its last word is only in the log."""
    live = path.with_name("live")
    with closing(Database.open(live, Schema(1, (_table,)), PRECIOUS)) as database, database.transaction() as connection:
        connection.exec_driver_sql("INSERT INTO word VALUES ('first')")
    with closing(sqlite3.connect(live, isolation_level=None)) as connection:
        connection.execute("INSERT INTO word VALUES (?)", (word,))
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{live}{suffix}", f"{path}{suffix}")


def _words(path: Path) -> list[str]:
    with closing(Database.open(path, Schema(1, (_table,)), PRECIOUS)) as database, database.transaction() as connection:
        return list(connection.exec_driver_sql("SELECT text FROM word ORDER BY rowid").scalars())


def _cut_at(step: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Simulate a power loss before the step of this number. Returns the names of the steps taken."""
    taken: list[str] = []

    def counted(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, **named: Any) -> Any:
            if len(taken) >= step:
                raise PowerCut
            taken.append(name)
            return act(*values, **named)

        return call

    for name in _STEPS:
        monkeypatch.setattr(os, name, counted(name, getattr(os, name)))
    return taken


def test_after_any_power_loss_one_database_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every single step the power fails: the file opened afterwards is all of the old or all of the new one,
    never empty, and the old one is not lost.
    """
    found = []
    for step in range(100):
        place = tmp_path / str(step)
        place.mkdir()
        path, aside = place / "words", place / "aside" / "words"
        _left_with_a_log(path, "last")
        _make(place / "fresh", "new")
        with monkeypatch.context() as patch:
            taken = _cut_at(step, patch)
            with suppress(PowerCut):
                replace(path, place / "fresh", aside)
        words = _words(path)
        assert words in (["first", "last"], ["new"])
        assert words == ["first", "last"] or _words(aside) == ["first", "last"]
        found.append(words)
        if len(taken) < step:
            break
    assert len(found) > 8, "the steps are counted"
    assert ["first", "last"] in found
    assert found[-1] == ["new"]


def test_without_links_the_old_file_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system without hard links, the old database is copied."""
    _left_with_a_log(tmp_path / "words", "last")
    _make(tmp_path / "fresh", "new")
    monkeypatch.setattr(os, "link", raising(PermissionError()))
    replace(tmp_path / "words", tmp_path / "fresh", tmp_path / "aside" / "words")
    assert _words(tmp_path / "aside" / "words") == ["first", "last"]
    assert (tmp_path / "aside" / "words").stat().st_mode & 0o777 == 0o600


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link(path: Path) -> None:
    _make(path.with_name("mine"), "mine")
    path.symlink_to(path.with_name("mine"))


@pytest.mark.parametrize("plant", [_pipe, _link, Path.mkdir])
def test_what_is_no_file_is_no_replacement(tmp_path: Path, plant: Callable[[Path], None]) -> None:
    """A pipe would be waited for at each start. A folder cannot replace the file, but its log would be gone by then."""
    _left_with_a_log(tmp_path / "words", "last")
    plant(tmp_path / "words.next")
    assert _words(tmp_path / "words") == ["first", "last"]
