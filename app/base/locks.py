"""Takes the lock files: one window for each home, one engine for each segment store, one download for each repository.

The operating system holds the locks, so the end of a process releases them however it ends, even if another process
gets its number. The files remain,
but for that of a download: its holder deletes it. The library needs no lock: SQLite allows several processes.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import IO, Final

from app.base.errors import FolderRefused, reason
from app.base.paths import Paths
from resources.language.text import tr
from storage.folders import locked, try_to_write

_PAUSE_S: Final = 0.02


def take_window(paths: Paths, patience_s: float) -> IO[bytes] | None:
    """Lock this home for its window. Returns the open lock, or None if another process has held it for `patience_s`
    seconds.

    Raises FolderRefused if the lock file cannot be made.
    """
    return _take(paths.data, "window.lock", patience_s)


def take_engine(paths: Paths, patience_s: float) -> IO[bytes] | None:
    """Lock this home's segments for an engine. Returns the open lock, or None if another process has held it for
    `patience_s` seconds.

    Only the holder of this lock has open answers that are alive. Raises FolderRefused if the lock file cannot be made.
    """
    return _take(paths.data, "engine.lock", patience_s)


def take_download(folder: Path, name: str, patience_s: float) -> IO[bytes] | None:
    """Lock the downloads of one repository by the file `name`. Returns the open lock, or None if another process has
    held it for `patience_s` seconds.

    Raises FolderRefused if the lock file cannot be made.
    """
    lock = _take(folder, name, patience_s)
    while lock is not None and not _is_at(lock, folder / name):  # its last holder has deleted it meanwhile
        lock.close()
        lock = _take(folder, name, patience_s)
    return lock


def _is_at(lock: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _take(folder: Path, name: str, patience_s: float) -> IO[bytes] | None:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return locked(folder / name)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return None
        except OSError as error:
            raise FolderRefused(
                tr(
                    "Hearth cannot write to the folder {folder}: {hindrance}.",
                    folder=folder,
                    hindrance=_hindrance(folder, name),
                )
            ) from error
        time.sleep(_PAUSE_S)


def _hindrance(folder: Path, name: str) -> str:
    """Return why a file cannot be made in `folder`; the lock's own error says less."""
    try:
        try_to_write(folder)
    except OSError as error:
        return reason(error)
    return tr("something stands in the place of {name}", name=name)
