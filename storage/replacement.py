"""One complete database file in the place of another: owns that no crash leaves neither of them, or one with the logs
of the other. Where the new file comes from is left to its maker.

The new file is first named `<name>.next`; from then on it is decided, and whoever opens the database next ends it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import TYPE_CHECKING, Final

from storage.folders import private_file, private_folder, settle, sync

if TYPE_CHECKING:
    from pathlib import Path

_LOGS: Final = ("-wal", "-shm", "-journal")
_NEXT: Final = ".next"


def replace(path: Path, complete: Path, aside: Path) -> None:
    """Put the complete database file `complete` in the place of the closed database at `path`.

    What was there is kept, with its log, as `aside`; whatever was `aside` before is replaced. Raises OSError.
    """
    _keep(path, aside)
    settle(complete, path.with_name(path.name + _NEXT))
    finish(path)


def finish(path: Path) -> None:
    """End a replacement at `path` that was decided and cut short; nothing if there is none. Raises OSError."""
    decided = path.with_name(path.name + _NEXT)
    try:
        handle = os.open(decided, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # a second process that starts now must not remove the logs of the new file
        if decided.exists():
            _settle(decided, path)
    finally:
        os.close(handle)


def _settle(decided: Path, path: Path) -> None:
    for log in _LOGS:  # before the new file has the name: SQLite would take an old log for a part of it
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
    except OSError:  # a file system without links, or one that is almost full: then the words are copied
        private_file(kept)
        shutil.copyfile(found, kept)
        sync(kept)
