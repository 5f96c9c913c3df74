"""The store's lock: owns that one process at a time has a store open. It goes with the process, however that ends."""

from __future__ import annotations

import fcntl
import os
from typing import IO, TYPE_CHECKING

from storage.folders import OWNER_FILE

if TYPE_CHECKING:
    from pathlib import Path


def locked(path: Path) -> IO[bytes]:
    """The lock, held until it is closed. Raises OSError (EAGAIN) if it is taken."""
    lock = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_FILE), "r+b")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise
    return lock
