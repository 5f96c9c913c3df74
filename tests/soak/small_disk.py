"""A disk that can be filled up and freed again.

It is a small file system of its own if one can be mounted. If not, files of this process, and of a given one, cannot
grow beyond a limit, which looks like a full disk.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

_SIZE: Final = 64 << 20
_FILLER: Final = "filler"


class SmallDisk(Protocol):
    """A disk with the folder `folder`."""

    folder: Path

    def fill(self, left: int, pid: int = 0) -> None:
        """Leave about `left` bytes free for this process and the process `pid`."""

    def free(self, pid: int = 0) -> None:
        """Free the space again."""


class Mounted:
    """A separate file system, filled by a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, left: int, pid: int = 0) -> None:  # noqa: ARG002 - a full disk affects every process
        """As SmallDisk."""
        while (room := shutil.disk_usage(self.folder).free - left) > 0:
            with suppress(OSError), (self.folder / _FILLER).open("ab") as filler:  # others may have taken the space
                _allocate(filler.fileno(), room)

    def free(self, pid: int = 0) -> None:  # noqa: ARG002 - as above
        """As SmallDisk."""
        (self.folder / _FILLER).unlink(missing_ok=True)


def _allocate(file: int, size: int) -> None:
    if sys.platform == "linux":  # only Linux mounts a disk here
        os.posix_fallocate(file, os.fstat(file).st_size, size)


class Limited:
    """A limit on the size of files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self, left: int, pid: int = 0) -> None:
        """As SmallDisk. A larger file may still be changed, but not beyond the limit."""
        self._set((left, self._before[1]), pid)

    def free(self, pid: int = 0) -> None:
        """As SmallDisk."""
        self._set(self._before, pid)

    def _set(self, limits: tuple[int, int], pid: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        if pid and sys.platform == "linux":
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """A disk at the empty folder `folder`, removed at the end with everything on it."""
    if not _mounted(folder):
        limited = Limited(folder)
        try:
            yield limited
        finally:
            limited.free()
        return
    try:
        yield Mounted(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S607 - at the system's own place


def _mounted(folder: Path) -> bool:
    if sys.platform == "linux" and (mount := shutil.which("mount")):
        command = [mount, "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    return False
