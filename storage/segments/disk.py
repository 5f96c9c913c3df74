"""The file operations that write and erase records, one method a step, so that tests can fail any step.

Every step raises OSError.
"""

from __future__ import annotations

import os
import shutil
import stat
from typing import IO, TYPE_CHECKING

from storage.folders import OWNER_FILE, OWNER_FOLDER

if TYPE_CHECKING:
    from pathlib import Path


class Disk:
    """The operating system's file operations."""

    def make_folder(self, folder: Path) -> None:
        """Create a folder for the owner only."""
        folder.mkdir(mode=OWNER_FOLDER)

    def create(self, path: Path) -> IO[bytes]:
        """Create a file for the owner only, replacing what an interrupted write left."""
        discard(path)
        return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, OWNER_FILE), "wb")

    def write(self, file: IO[bytes], data: bytes | memoryview) -> None:
        """Append to the file."""
        file.write(data)

    def remove(self, path: Path) -> None:
        """Remove the file, link or folder of this name, if it exists."""
        discard(path)


def discard(path: Path) -> None:
    """Remove a file, a link or a whole folder, if it exists. Does not follow links."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder, and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return False
