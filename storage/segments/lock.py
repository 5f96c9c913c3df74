"""A lock between processes. The operating system releases it when the process ends."""

from __future__ import annotations

import fcntl
import os
from typing import IO, TYPE_CHECKING

from storage.folders import open_own

if TYPE_CHECKING:
    from pathlib import Path


def locked(path: Path) -> IO[bytes]:
    """Lock the file at `path` until the result is closed. Raises BlockingIOError if it is locked, and OSError."""
    lock = os.fdopen(open_own(path, os.O_RDWR), "r+b")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise
    return lock
