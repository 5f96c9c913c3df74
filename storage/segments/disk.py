"""The operating system's part in keeping records: owns each step of a write and an erasure, and nothing of their order.

The seam at which tests pull the plug. Every step raises OSError.
"""

from __future__ import annotations

import os
import shutil
import stat
from typing import IO, TYPE_CHECKING

from storage.folders import OWNER_FILE, OWNER_FOLDER, sync

if TYPE_CHECKING:
    from pathlib import Path


class Disk:
    """One method a step."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder for the owner only."""
        folder.mkdir(mode=OWNER_FOLDER)

    def create(self, path: Path) -> IO[bytes]:
        """Open a new file for the owner only, over whatever a broken write left there."""
        discard(path)
        return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, OWNER_FILE), "wb")

    def write(self, file: IO[bytes], data: bytes | memoryview) -> None:
        """Append to the file."""
        file.write(data)

    def sync(self, file: IO[bytes]) -> None:
        """Make the file's content durable."""
        file.flush()
        os.fsync(file.fileno())

    def rename(self, source: Path, target: Path) -> None:
        """Give the file its final name."""
        source.replace(target)

    def sync_folder(self, folder: Path) -> None:
        """Make the names in the folder durable."""
        sync(folder)

    def remove(self, path: Path) -> None:
        """Remove what stands under this name, if anything does."""
        discard(path)


def discard(path: Path) -> None:
    """Remove a file, a link or a whole folder, if it is there. Nothing is followed through a link."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def is_folder(path: Path) -> bool:
    """Whether a folder of this name is there, and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return False
