"""Copies of an open database: owns that a copy is consistent, checked and complete before it has its name.

When to copy, which copies to keep and what they are good for is left to `storage.migrations` and
`storage.library.backups`.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

from storage.errors import DamagedDatabase
from storage.folders import private_file, private_folder, settle, sync

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PARTIAL: Final = ".partial"
"""Ends the name of a copy that is not complete."""
_PORTION: Final = 1024
"""Pages that are copied before it is asked again whether the copy is still wanted: some ms."""
_RESTARTS: Final = 3
"""How often a copy begins anew because others wrote, which leaves them all their ways, before it insists."""

_STEPS: Final = 100_000
"""Steps of SQLite's machine between two questions whether a changed copy is still wanted: some ms."""


class Unwanted(Exception):  # noqa: N818 - nothing went wrong
    """Nobody wants the copy any more, and nothing is left of it."""


def _always() -> bool:
    return True


def _unchanged(copied: sqlite3.Connection) -> None:
    """Keep all of the copy."""


def copy(
    source: sqlite3.Connection,
    target: Path,
    wanted: Callable[[], bool] = _always,
    change: Callable[[sqlite3.Connection], object] = _unchanged,
) -> None:
    """Write what `source` holds now to `target`, owner-only, replacing it. `change` may alter the copy before it is
    checked and gets its name.

    Raises DamagedDatabase if the copy fails SQLite's quick_check, Unwanted as soon as it is not `wanted`; `target` is
    then as it was. Also raises sqlite3.Error and OSError.
    """
    private_folder(target.parent)
    partial = target.with_name(target.name + PARTIAL)
    discard(target.parent, partial.name)
    private_file(partial)
    try:
        _fill(source, partial, wanted, change)
        settle(partial, target)
    finally:
        discard(target.parent, partial.name)


def discard(folder: Path, pattern: str) -> None:
    """Remove unfinished copies, and the journals beside them: SQLite would apply those to the next one of the name."""
    for leftover in folder.glob(f"{pattern}*"):
        leftover.unlink(missing_ok=True)


def apart(path: Path) -> sqlite3.Connection:
    """A connection of its own to the database at `path`, for a copy while others work there; it makes none."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)


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


class _Restless(Exception):  # noqa: N818 - never leaves this module
    """Others write so often that a copy which makes way for them comes to no end."""


class _Progress:
    """Is told after each portion what is left; that grows where others wrote and the copy began anew.

    Each portion goes to the disk by itself: others' commits would have to wait for all of them at once.
    """

    def __init__(self, partial: Path, wanted: Callable[[], bool]) -> None:
        self._partial = partial
        self._wanted = wanted
        self._left = sys.maxsize
        self._restarts = 0

    def __call__(self, _status: int, left: int, _total: int) -> None:
        if not self._wanted():
            raise Unwanted
        sync(self._partial)
        self._restarts += left > self._left
        self._left = left
        if self._restarts > _RESTARTS:
            raise _Restless


def _fill(
    source: sqlite3.Connection,
    partial: Path,
    wanted: Callable[[], bool],
    change: Callable[[sqlite3.Connection], object],
) -> None:
    with closing(sqlite3.connect(partial, isolation_level=None)) as copied:
        copied.execute("PRAGMA synchronous = OFF")  # it is made durable before it has its name
        try:
            source.backup(copied, pages=_PORTION, progress=_Progress(partial, wanted))
        except _Restless:
            with _unmoved(source):
                source.backup(copied, pages=_PORTION, progress=_Progress(partial, wanted))
        _alter(copied, wanted, change)
        copied.execute("PRAGMA journal_mode = DELETE")  # a copy is one file, without a log beside it
        verdict = copied.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DamagedDatabase(f"The database is damaged ({verdict}).")


def _alter(
    copied: sqlite3.Connection, wanted: Callable[[], bool], change: Callable[[sqlite3.Connection], object]
) -> None:
    """Apply `change`, which SQLite breaks off soon after the copy is no longer wanted."""
    copied.set_progress_handler(lambda: int(not wanted()), _STEPS)
    try:
        change(copied)
    except sqlite3.OperationalError as error:
        if wanted():
            raise
        raise Unwanted from error
    finally:
        copied.set_progress_handler(None, 0)


@contextmanager
def _unmoved(source: sqlite3.Connection) -> Iterator[None]:
    """Inside, `source` sees nothing of what others write; only who empties the log has to wait for the end."""
    source.execute("BEGIN")
    try:
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield
    finally:
        source.execute("ROLLBACK")
