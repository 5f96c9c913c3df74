"""Copies of an open database: owns that a copy is consistent, checked and complete before it has its name.

When to copy, which copies to keep and what they are good for is left to `storage.migrations` and
`storage.library.backups`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final

from storage.errors import DamagedDatabase
from storage.folders import private_file, private_folder, settle

if TYPE_CHECKING:
    from pathlib import Path


PARTIAL: Final = ".partial"
"""Ends the name of a copy that is not complete."""


def copy(source: sqlite3.Connection, target: Path) -> None:
    """Write what `source` holds now to `target`, owner-only, replacing it.

    Raises DamagedDatabase if the copy fails SQLite's quick_check; `target` is then as it was. Also raises
    sqlite3.Error and OSError.
    """
    private_folder(target.parent)
    partial = target.with_name(target.name + PARTIAL)
    discard(target.parent, partial.name)
    private_file(partial)
    try:
        _fill(source, partial)
        settle(partial, target)
    finally:
        discard(target.parent, partial.name)


def discard(folder: Path, pattern: str) -> None:
    """Remove unfinished copies, and the journals beside them: SQLite would apply those to the next one of the name."""
    for leftover in folder.glob(f"{pattern}*"):
        leftover.unlink(missing_ok=True)


def read_only(path: Path) -> sqlite3.Connection:
    """The single file at `path`, without its log; nothing is written there, and no lock is taken."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def version_of(path: Path) -> int:
    """The format of the closed, single file at `path`, read without a trace; 0 if it is damaged or none of Hearth's."""
    try:
        with closing(read_only(path)) as closed:
            sound = closed.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            return int(closed.execute("PRAGMA user_version").fetchone()[0]) if sound else 0
    except sqlite3.DatabaseError:
        return 0


def _fill(source: sqlite3.Connection, partial: Path) -> None:
    with closing(sqlite3.connect(partial, isolation_level=None)) as copied:
        source.backup(copied)
        copied.execute("PRAGMA journal_mode = DELETE")  # a copy is one file, without a log beside it
        verdict = copied.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DamagedDatabase(f"The database is damaged ({verdict}).")
