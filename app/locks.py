"""Who may use the data now: one window for a home, one engine for a segment store. Owns the lock files.

The library needs none: its database takes several processes. A lock whose owner has died is free.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile

from app.errors import FolderRefused

if TYPE_CHECKING:
    from pathlib import Path

    from app.paths import Paths


def take_window(paths: Paths, patience_s: float) -> QLockFile | None:
    """The right to be this home's window, or None if another has it for longer than `patience_s`.

    Raises FolderRefused where nobody could have it.
    """
    return _take(paths.data, "window.lock", patience_s)


def take_engine(paths: Paths, patience_s: float) -> QLockFile | None:
    """The right to run an engine on this home's segments, or None if another has it for longer than `patience_s`.

    Whoever has it is also the only one whose open answers are alive. Raises FolderRefused where nobody could have it.
    """
    return _take(paths.data, "engine.lock", patience_s)


def _take(folder: Path, name: str, patience_s: float) -> QLockFile | None:
    lock = QLockFile(str(folder / name))
    lock.setStaleLockTime(0)  # never by age: a window may be open for weeks
    if lock.tryLock(int(patience_s * 1000)):
        return lock
    if lock.error() is QLockFile.LockError.LockFailedError and not (folder / name).is_dir():
        return None
    raise FolderRefused(f"Hearth cannot write to the folder {folder}: {_hindrance(folder, name)}.")


def _hindrance(folder: Path, name: str) -> str:
    """What keeps a file from being made: the lock tells less."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"Hearth")
            probe.flush()
    except OSError as error:
        return error.strerror or str(error)
    return f"something stands in the place of {name}"
