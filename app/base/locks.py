"""Who may use the data now: one window for a home, one engine for a segment store. Owns the lock files.

The operating system holds the locks, so the end of a process frees them, however it ends and whoever gets its number
next. The files stay. The library needs no lock: its database takes several processes.
"""

from __future__ import annotations

import tempfile
import time
from typing import IO, TYPE_CHECKING, Final

from app.base.errors import FolderRefused, reason
from storage.segments.lock import locked

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.paths import Paths

_PAUSE_S: Final = 0.02


def take_window(paths: Paths, patience_s: float) -> IO[bytes] | None:
    """The right to be this home's window until it is closed, or None if another has it for longer than `patience_s`.

    Raises FolderRefused where nobody could have it.
    """
    return _take(paths.data, "window.lock", patience_s)


def take_engine(paths: Paths, patience_s: float) -> IO[bytes] | None:
    """The right to run an engine on this home's segments until it is closed, or None if another has it for longer than
    `patience_s`.

    Whoever has it is also the only one whose open answers are alive. Raises FolderRefused where nobody could have it.
    """
    return _take(paths.data, "engine.lock", patience_s)


def _take(folder: Path, name: str, patience_s: float) -> IO[bytes] | None:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return locked(folder / name)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return None
        except OSError as error:
            raise FolderRefused(f"Hearth cannot write to the folder {folder}: {_hindrance(folder, name)}.") from error
        time.sleep(_PAUSE_S)


def _hindrance(folder: Path, name: str) -> str:
    """What keeps a file from being made: the lock tells less."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"Hearth")
            probe.flush()
    except OSError as error:
        return reason(error)
    return f"something stands in the place of {name}"
