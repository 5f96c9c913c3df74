"""Replacing one database file by another, interrupted at every step."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from storage.database import PRECIOUS, Database
from storage.migrations import Schema
from storage.replacement import replace
from tests.fakes.disk import PowerCut

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

_STEPS = ("unlink", "replace", "link", "fsync")


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


def test_the_new_file_is_there_and_the_old_one_kept_with_its_log(tmp_path: Path) -> None:
    """The old database is kept completely, the text in its log included."""
    path, aside = tmp_path / "words", tmp_path / "aside" / "words"
    _left_with_a_log(path, "last")
    _make(tmp_path / "fresh", "new")
    replace(path, tmp_path / "fresh", aside)
    assert _words(path) == ["new"]
    assert _words(aside) == ["first", "last"]


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

    def refuse(*_values: Any, **_named: Any) -> None:
        raise PermissionError

    _left_with_a_log(tmp_path / "words", "last")
    _make(tmp_path / "fresh", "new")
    monkeypatch.setattr(os, "link", refuse)
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
