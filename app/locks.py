"""Who may use the data now: one window for a home, one engine for a segment store. Owns the lock files.

The library needs none: its database takes several processes. A lock whose owner has died is free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile

if TYPE_CHECKING:
    from app.paths import Paths


def take_window(paths: Paths, patience_s: float) -> QLockFile | None:
    """The right to be this home's window, or None if another has it for longer than `patience_s`."""
    return _take(QLockFile(str(paths.data / "window.lock")), patience_s)


def take_engine(paths: Paths, patience_s: float) -> QLockFile | None:
    """The right to run an engine on this home's segments, or None if another has it for longer than `patience_s`.

    Whoever has it is also the only one whose open answers are alive.
    """
    return _take(QLockFile(str(paths.data / "engine.lock")), patience_s)


def _take(lock: QLockFile, patience_s: float) -> QLockFile | None:
    lock.setStaleLockTime(0)  # never by age: a window may be open for weeks
    return lock if lock.tryLock(int(patience_s * 1000)) else None
