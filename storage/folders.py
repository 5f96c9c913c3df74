"""Creates files and folders for the owner only, writes files to give away, and makes files and their names durable.

Functions raise OSError.
"""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

from resources.language.text import tr

if TYPE_CHECKING:
    from pathlib import Path

OWNER_FOLDER = 0o700
OWNER_FILE = 0o600


def private_folder(folder: Path, below: Path | None = None) -> None:
    """Create `folder` for the owner only, and its missing parents below the folder `below`. Existing folders stay
    unchanged.

    No other folder is created, so that a home that was renamed while Hearth runs does not appear a second time.
    """
    if folder.is_dir():
        return
    if folder.exists():
        raise NotADirectoryError(errno.ENOTDIR, tr("A file stands in the place of the folder"), str(folder))
    if below is not None and below in folder.parent.parents:
        private_folder(folder.parent, below)
    folder.mkdir(mode=OWNER_FOLDER, exist_ok=True)


def private_file(path: Path) -> None:
    """Create `path` empty, for the owner only. Raises FileExistsError."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_FILE))


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file of derived data in one step, for the owner only. After a power loss it may be empty."""
    fresh = path.with_name(path.name + ".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_FILE), "wb") as file:
        file.write(content)
    fresh.replace(path)


def export_file(path: Path, content: bytes) -> None:
    """Write a file that the user gives away: durable, with the mode of any file that the user saves. Replaces a file of
    that name once the new one is complete.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(content)
        settle(partial, path)
    finally:
        with suppress(OSError):  # what could not be written is not there to be removed
            partial.unlink()


def sync(path: Path) -> None:
    """Make a file's content durable, or a folder's names."""
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
    """Write a temporary file to `folder`, to raise the error that any write there raises now."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(b"\0")
