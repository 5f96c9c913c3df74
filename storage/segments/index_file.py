"""The index's database file. Every transaction checks that the file still has its name and was not replaced."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from sqlalchemy.exc import IntegrityError

from resources.language.text import tr
from storage.database import Database, Durability, remove
from storage.errors import DamagedDatabase, classified

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from storage.migrations import Schema


class IndexFile(Database):
    """An open index. Only one process has it open, so SQLite needs no shared memory, which it would map from a file: if
    a disk is unplugged, accessing a mapping of its files kills the process.
    """

    def __init__(self, path: Path, raw: sqlite3.Connection) -> None:
        super().__init__(path, raw)
        raw.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._file = _identity(path)

    @classmethod
    def open(cls, path: Path, schema: Schema, durability: Durability) -> Self:
        """As `Database.open`, but checks every page and row, so that no call meets damage after every start.

        Removes the copies that upgrades made, because the index can be rebuilt.
        """
        index = super().open(path, schema, durability)
        try:
            with classified():
                _check(index.raw)
                for older in path.parent.glob(f"{path.name}.v*"):
                    remove(older)
        except BaseException:
            index.close()
            raise
        return index

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """As `Database.transaction`, but raises EnvironmentProblem (vanished) while the file is missing or replaced."""
        with classified():
            if _identity(self.path) != self._file:
                raise FileNotFoundError(
                    errno.ENOENT, tr("Another file stands in the place of the index"), str(self.path)
                )
        with super().transaction() as connection:
            try:
                yield connection
            except IntegrityError as error:  # what a statement made of a row that rotted while the index was open
                raise DamagedDatabase(tr("The index of cached records is damaged.")) from error


def _check(raw: sqlite3.Connection) -> None:
    """Check every page, and every row by the constraints of its table."""
    found = raw.execute("PRAGMA integrity_check(1)").fetchone()[0]
    orphan = raw.execute("PRAGMA foreign_key_check").fetchone()
    if found != "ok" or orphan:
        raise DamagedDatabase(tr("The index of cached records is damaged.")) from sqlite3.DatabaseError(found, orphan)


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
