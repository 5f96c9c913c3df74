"""The index's file: owns that every transaction goes to the file that bears the name, and not to one that was removed.

Rows are left to `storage.segments.index`, pragmas and transactions to `storage.database`.
"""

from __future__ import annotations

import errno
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from storage.database import Database, Durability, remove
from storage.errors import DamagedDatabase, classified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from storage.migrations import Step


class IndexFile(Database):
    """An open index. One process has it at a time, so it does without the memory that SQLite would share through a
    mapped file: a mapping of a disk that goes away takes the process with it.
    """

    def __init__(self, path: Path, raw: sqlite3.Connection) -> None:
        super().__init__(path, raw)
        raw.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._file = _identity(path)

    @classmethod
    def open(cls, path: Path, steps: Sequence[Step], durability: Durability) -> Self:
        """As `Database.open`, but every page is checked, so that no damage waits for a later commit; and of derived
        rows no older version is kept.
        """
        index = super().open(path, steps, durability)
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
        """As `Database.transaction`. Raises EnvironmentProblem (vanished) where the file is no longer there, or another
        one is; where it comes back, all goes on.
        """
        with classified():
            if _identity(self.path) != self._file:
                raise FileNotFoundError(errno.ENOENT, "Another file stands in the place of the index", str(self.path))
        with super().transaction() as connection:
            yield connection


def _check(raw: sqlite3.Connection) -> None:
    found = raw.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise DamagedDatabase("The index of cached records is damaged.") from sqlite3.DatabaseError(found)


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
