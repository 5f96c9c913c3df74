"""Replaces one database file by another. A crash at any moment leaves one of the two, never with the other's log.

The new file is first renamed to `<name>.next`. From then on the replacement is decided: if a crash interrupts it, the
next process that opens the database finishes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import TYPE_CHECKING, Final

from storage.folders import fresh_file, private_folder, settle, sync

if TYPE_CHECKING:
    from pathlib import Path

_LOGS: Final = ("-wal", "-shm", "-journal")
_NEXT: Final = ".next"


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
    for log in _LOGS:  # before the rename: SQLite would apply an old log to the new file
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
