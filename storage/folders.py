"""Folders and names: owns owner-only creation and the durability of a rename; what lies in a file is left to others.

Functions raise OSError; the stores classify it.
"""

from __future__ import annotations

import errno
import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OWNER_FOLDER = 0o700
OWNER_FILE = 0o600


def private_folder(folder: Path) -> None:
    """Make `folder` and what is missing above it, for the owner only. A folder that exists is left as it is."""
    if folder.is_dir():
        return
    if folder.exists():
        raise NotADirectoryError(errno.ENOTDIR, "A file stands in the place of the folder", str(folder))
    private_folder(folder.parent)
    folder.mkdir(mode=OWNER_FOLDER, exist_ok=True)


def private_file(path: Path) -> None:
    """Create `path` empty, for the owner only. Raises FileExistsError."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_FILE))


def sync(path: Path) -> None:
    """Make a file's content durable, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def settle(temporary: Path, final: Path) -> None:
    """Give the complete file `temporary` its final name, durably."""
    sync(temporary)
    temporary.replace(final)
    sync(final.parent)


def try_to_write(folder: Path) -> None:
    """Write a file in `folder` that is gone at once: the error is what every write there meets now."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(b"\0")
