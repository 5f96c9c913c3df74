"""A lock of the operating system: owns that one process at a time has it. It ends with the process, in any case."""

from __future__ import annotations

import fcntl
import os
from typing import IO, TYPE_CHECKING

from storage.folders import OWNER_FILE

if TYPE_CHECKING:
    from pathlib import Path


def locked(path: Path) -> IO[bytes]:
    """The lock, held until it is closed. Raises BlockingIOError if it is taken, OSError if there can be none."""
    lock = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_FILE), "r+b")
    try:
        os.fchmod(lock.fileno(), OWNER_FILE)  # an earlier version left it to the umask
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise
    return lock
