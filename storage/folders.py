"""Creates files and folders for the owner only, writes files to give away, and makes files and their names durable.

Functions raise OSError.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO

from resources.language.text import tr

OWNER_FOLDER = 0o700
OWNER_FILE = 0o600
_SAVED_FILE = 0o666
"""The mode of a file that the user gives away; the user's umask narrows it."""
_NOT_REGULAR = (errno.ELOOP, errno.ENXIO, errno.EOPNOTSUPP)
"""How systems refuse to open a link, a pipe that has no reader, and a socket."""


class ForeignFileError(OSError):
    """Something that Hearth did not make is in the place of one of its files, such as a link or a pipe. `filename` has
    the path.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(errno.ELOOP, tr("something that Hearth did not make is in its place"), str(path))


def private_folder(folder: Path, below: Path | None = None) -> None:
    """Create `folder` for the owner only, and its missing parents below the folder `below`. Existing folders stay
    unchanged.

    No other folder is created, so that a home that was renamed while Hearth runs does not appear a second time.
    """
    if folder.exists():  # before is_dir: another process may just be creating it
        if folder.is_dir():
            return
        raise NotADirectoryError(errno.ENOTDIR, tr("A file stands in the place of the folder"), str(folder))
    if below is not None and below in folder.parent.parents:
        private_folder(folder.parent, below)
    folder.mkdir(mode=OWNER_FOLDER, exist_ok=True)


def own_folder(folder: Path, below: Path | None = None) -> None:
    """Create a folder of which the user chooses nothing, as `private_folder` does. Raises ForeignFileError if a link is
    in its place: Hearth would write and delete where it leads.
    """
    if folder.is_symlink():
        raise ForeignFileError(folder)
    private_folder(folder, below)


def fresh_file(path: Path, mode: int = OWNER_FILE) -> BinaryIO:
    """Create `path` and open it for writing, in place of what an earlier process left there. Follows no link."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb")


def open_own(path: Path, flags: int) -> int:
    """Open the file at `path` that an earlier process of Hearth may have made, or create it for the owner only.

    Never waits. Raises ForeignFileError for anything but a regular file with one name: another program may have put a
    link there to have a file of the user changed.
    """
    try:
        handle = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, OWNER_FILE)
    except OSError as error:
        if error.errno in _NOT_REGULAR:
            raise ForeignFileError(path) from error
        raise
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        os.close(handle)
        raise ForeignFileError(path)
    return handle


def locked(path: Path, operation: int = fcntl.LOCK_EX | fcntl.LOCK_NB) -> IO[bytes]:
    """Lock the file at `path` until the result is closed or the process ends. Raises BlockingIOError if it is
    locked, unless `operation` waits, and OSError.
    """
    lock = os.fdopen(open_own(path, os.O_RDWR), "r+b")
    try:
        fcntl.flock(lock, operation)
    except OSError:
        lock.close()
        raise
    return lock


def refuse_foreign(folder: Path) -> None:
    """Raise ForeignFileError if `folder`, or anything in it, is neither a folder nor a regular file."""
    for path in (folder, *folder.rglob("*")):
        mode = path.lstat().st_mode
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise ForeignFileError(path)


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file of derived data in one step, for the owner only. After a power loss it may be empty."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")  # another process may replace it at the same time
    try:
        with fresh_file(fresh) as file:
            file.write(content)
        fresh.replace(path)
    finally:
        with suppress(OSError):  # it has its name already, or could not be written
            fresh.unlink()


def export_file(path: Path, content: bytes) -> None:
    """Write a file that the user gives away: durable, with the mode of any file that the user saves."""
    partial = path.with_name(f".{path.name[:40]}.partial")  # the name may be the longest that the system takes
    write_durably(path, partial, content, _SAVED_FILE)


def write_durably(path: Path, partial: Path, content: bytes, mode: int = OWNER_FILE) -> None:
    """Write a file, first as `partial`. Replaces a file of that name once the new one is complete."""
    try:
        with fresh_file(partial, mode) as file:
            file.write(content)
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
