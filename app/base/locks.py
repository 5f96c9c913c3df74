"""Takes the lock files: one window for each home, one engine for each segment store, one download for each repository.

The operating system holds the locks, so the end of a process releases them however it ends, even if another process
gets its number. The files remain,
but for that of a download: its holder deletes it. The library needs no lock: SQLite allows several processes.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from app.base.paths import Paths, not_writable
from resources.language.text import tr
from storage.folders import locked

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
    while (lock := _take(folder, name, patience_s)) is not None:
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), (folder / name).stat()):
                return lock
        lock.close()  # its last holder has deleted it meanwhile
    return None


def _take(folder: Path, name: str, patience_s: float) -> IO[bytes] | None:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return locked(folder / name)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return None
        except OSError as error:
            raise not_writable(folder, tr("something stands in the place of {name}", name=name)) from error
        time.sleep(_PAUSE_S)
