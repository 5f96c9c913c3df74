"""Copies of an open database, and replacing a closed one by another.

- A copy is consistent, checked and complete before it gets its name. Copying gives way to writers: it restarts if
  another connection writes, and only after several restarts does it hold a snapshot, during which the log cannot be
  emptied.
- A crash at any moment of a replacement leaves one of the two files, never with the other's log. The new file is first
  renamed to `<name>.next`. From then on the replacement is decided: if a crash interrupts it, the next process that
  opens the database finishes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from resources.language.text import tr
from storage.errors import DamagedDatabase
from storage.folders import ForeignFileError, fresh_file, private_folder, settle, sync

PARTIAL: Final = ".partial"
"""The suffix of an incomplete copy."""
_SMALLER: Final = ".small"
"""The suffix of an incomplete copy that replaces another one."""
COMPANIONS: Final = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite keeps beside a database."""
_NEXT: Final = ".next"
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
"""A journal that ends with this names another file ("Database File Format", section "The Rollback Journal")."""
_PORTION: Final = 1024
"""Pages between two checks of `wanted`: some ms."""
_RESTARTS: Final = 3
"""How often a copy restarts because another connection wrote, before it holds a snapshot."""

_STEPS: Final = 100_000
"""Steps of SQLite's virtual machine between two checks of `wanted` while a copy is changed: some ms."""
_SCHEMA_STEPS: Final = 10_000
_SCHEMA_BYTES: Final = 100_000
"""More than Hearth's schemas need, ten times over."""


class CopyCancelled(Exception):  # noqa: N818 - nothing went wrong
    """`wanted` became false; no part of the copy is left."""


def always() -> bool:
    """A copy that is never cancelled is always wanted."""
    return True


def copy(
    source: sqlite3.Connection,
    target: Path,
    wanted: Callable[[], bool] = always,
    change: Callable[[sqlite3.Connection], object] | None = None,
    portion: int = _PORTION,
) -> None:
    """Copy `source` to `target`, for the owner only, replacing it. `change` may alter the copy before it is checked.
    `wanted` is asked after each `portion` of pages.

    Raises DamagedDatabase if the copy fails SQLite's quick_check, CopyCancelled as soon as `wanted` is false,
    sqlite3.Error and OSError; `target` then stays as it was.
    """
    private_folder(target.parent)
    partial = target.with_name(target.name + PARTIAL)
    discard(target.parent, partial.name)
    fresh_file(partial).close()
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as copied:
            copied.execute("PRAGMA synchronous = OFF")  # it is synced before the rename
            try:
                source.backup(copied, pages=portion, progress=_Progress(partial, wanted))
            except _TooManyRestarts:
                with snapshot(source):
                    source.backup(copied, pages=portion, progress=_Progress(partial, wanted))
            if change is not None:
                _alter(copied, wanted, change)
            copied.execute("PRAGMA journal_mode = DELETE")  # so that the copy is a single file
            verdict = copied.execute("PRAGMA quick_check(1)").fetchone()[0]
            whole = _smaller(copied, partial, wanted) if verdict == "ok" else partial
        if verdict != "ok":
            raise DamagedDatabase(tr("The database is damaged ({verdict}).", verdict=verdict))
        settle(whole, target)
    finally:
        discard(target.parent, partial.name)


def discard(folder: Path, pattern: str) -> None:
    """Remove unfinished copies with their journals, which SQLite would apply to the next copy of the same name."""
    for leftover in folder.glob(f"{pattern}*"):
        leftover.unlink(missing_ok=True)


def refuse_foreign_files(path: Path) -> None:
    """Raise ForeignFileError for a file beside the database at `path` that neither Hearth nor SQLite made for it, and
    DamagedDatabase for a link in its own place: SQLite would change the file to which it leads, and those beside that.

    For a pipe SQLite would wait for ever. If a rollback journal names another file, SQLite takes that for the journal
    of several databases, and erases it. Hearth never changes several databases at once.
    """
    if path.is_symlink():
        raise DamagedDatabase(tr("{name} is damaged: it is not a file.", name=path.name))
    for beside in (path.with_name(path.name + companion) for companion in COMPANIONS):
        if beside.exists() and not beside.is_file():
            raise ForeignFileError(beside)
        if beside.name.endswith("-journal") and beside.exists() and _end_of(beside) == _JOURNAL_MAGIC:
            raise ForeignFileError(beside)


def _end_of(journal: Path) -> bytes:
    with journal.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - len(_JOURNAL_MAGIC)))
        return file.read()


def second_connection(path: Path) -> sqlite3.Connection:
    """Another connection to the database at `path`, for copying while the first is in use. Creates no file. Raises
    sqlite3.Error and OSError.
    """
    refuse_foreign_files(path)
    with ExitStack() as unless_foreign:
        raw = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
        unless_foreign.callback(raw.close)
        load_schema(raw)
        unless_foreign.pop_all()
    return raw


def read_only(path: Path) -> sqlite3.Connection:
    """A connection to the file at `path` that ignores its log, writes nothing and takes no lock. Raises DatabaseError
    for a damaged file, for a link that leads nowhere, for a pipe, for which SQLite would wait for ever, and for a file
    with views: none is Hearth's, and a query of one may never end.
    """
    if os.path.lexists(path) and not path.is_file():
        raise sqlite3.DatabaseError("it is not a file")
    with ExitStack() as unless_foreign:
        raw = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        unless_foreign.callback(raw.close)
        load_schema(raw)
        if raw.execute("SELECT 1 FROM sqlite_master WHERE type = 'view'").fetchone():
            raise sqlite3.DatabaseError("it has views")
        unless_foreign.pop_all()
    return raw


def load_schema(raw: sqlite3.Connection) -> None:
    """Load the schema of a file within bounds. With the schema SQLite reads the statistics of ANALYZE, and in a foreign
    file they may be columns that it computes. It ignores statistics that it cannot read. Raises sqlite3.Error.
    """
    before = raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _SCHEMA_BYTES)
    raw.set_progress_handler(lambda: True, _SCHEMA_STEPS)
    try:
        raw.execute("SELECT 1 FROM sqlite_master").fetchone()
    finally:
        raw.set_progress_handler(None, 0)
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


class _TooManyRestarts(Exception):  # noqa: N818 - never leaves this module
    """Another connection writes so often that copying would never finish."""


class _Progress:
    """Called after each portion with the number of pages left, which grows if the copy restarted.

    Syncs each portion by itself: one sync of the whole copy would delay other connections' commits.
    """

    def __init__(self, partial: Path, wanted: Callable[[], bool]) -> None:
        self._partial = partial
        self._wanted = wanted
        self._left = sys.maxsize
        self._restarts = 0

    def __call__(self, _status: int, left: int, _total: int) -> None:
        if not self._wanted():
            raise CopyCancelled
        sync(self._partial)
        self._restarts += left > self._left
        self._left = left
        if self._restarts > _RESTARTS:
            raise _TooManyRestarts


def _alter(
    copied: sqlite3.Connection, wanted: Callable[[], bool], change: Callable[[sqlite3.Connection], object]
) -> None:
    """Apply `change`; SQLite interrupts it soon after `wanted` becomes false."""
    copied.set_progress_handler(lambda: int(not wanted()), _STEPS)
    try:
        change(copied)
    except sqlite3.OperationalError as error:
        if wanted():
            raise
        raise CopyCancelled from error
    finally:
        copied.set_progress_handler(None, 0)


def _smaller(copied: sqlite3.Connection, partial: Path, wanted: Callable[[], bool]) -> Path:
    """A copy without the room of what was erased, which SQLite keeps for new rows, if that is more than half of the
    copy and the disk has room for both. Else the copy as it is, which is as good.
    """
    figures = ("freelist_count", "page_count", "page_size")
    free, pages, size = (copied.execute(f"PRAGMA {figure}").fetchone()[0] for figure in figures)
    if 2 * free <= pages or shutil.disk_usage(partial.parent).free < 2 * (pages - free) * size:
        return partial
    smaller = partial.with_name(f"{partial.name}{_SMALLER}")
    try:
        fresh_file(smaller).close()
        _alter(copied, wanted, lambda raw: raw.execute("VACUUM INTO ?", (str(smaller),)))
    except (sqlite3.OperationalError, OSError):
        return partial
    return smaller


@contextmanager
def snapshot(source: sqlite3.Connection) -> Iterator[None]:
    """Hold a snapshot of `source`. Meanwhile other connections can write, but not empty the log."""
    source.execute("BEGIN")
    try:
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield
    finally:
        source.execute("ROLLBACK")


def replace(path: Path, complete: Path, aside: Path) -> None:
    """Replace the closed database at `path` by the complete database file `complete`.

    Keeps the old file with its log as `aside`, replacing a file of that name. Raises OSError.
    """
    _keep(path, aside)
    settle(complete, path.with_name(path.name + _NEXT))
    finish(path)


def finish(path: Path) -> None:
    """Finish a replacement at `path` that a crash interrupted, if there is one. Raises OSError.

    A pipe, a folder or a link of that name is no replacement: only a regular file was renamed to it.
    """
    decided = path.with_name(path.name + _NEXT)
    if not _is_file(decided):
        return
    try:
        handle = os.open(decided, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # a second process must not remove the new file's log
        if _is_file(decided):
            _settle(decided, path)
    finally:
        os.close(handle)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _settle(decided: Path, path: Path) -> None:
    for log in COMPANIONS:  # before the rename: SQLite would apply an old log to the new file
        path.with_name(path.name + log).unlink(missing_ok=True)
    sync(path.parent)
    settle(decided, path)


def _keep(path: Path, aside: Path) -> None:
    private_folder(aside.parent)
    for suffix in ("", "-wal", "-journal"):
        kept = aside.with_name(aside.name + suffix)
        kept.unlink(missing_ok=True)
        found = path.with_name(path.name + suffix)
        if found.exists():
            _link(found, kept)
    sync(aside.parent)


def _link(found: Path, kept: Path) -> None:
    try:
        kept.hardlink_to(found)
    except OSError:  # a file system without hard links, or one that is almost full
        fresh_file(kept).close()
        shutil.copyfile(found, kept)
        sync(kept)
