"""The storage's errors, and the classification of SQLite's and the operating system's errors.

An error's message is one sentence for the user. The text of SQLite or the system is the error's cause, for the log.
"""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError

from resources.language.text import mark, tr
from storage.folders import try_to_write


class StorageError(Exception):
    """The root of the tree. `code` is the name of the class in lower case; the message is one sentence for the user."""

    code: str = "storage_error"

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()


class StorageFault(StorageError):
    """A bug in Hearth: a statement or call that fails on every machine."""


class Problem(StrEnum):
    """A problem of the machine, the disk or the folder."""

    DISK_FULL = "disk_full"
    FILE_SIZE = "file_size"
    READ_ONLY = "read_only"
    PERMISSION = "permission"
    VANISHED = "vanished"
    LOCKED = "locked"
    MEMORY = "memory"
    TOO_MANY_FILES = "too_many_files"
    IN_THE_WAY = "in_the_way"
    IO = "io_error"


class EnvironmentProblem(StorageError):
    """The machine refuses; the same call may succeed later. `code` is the value of `problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(tr(_SENTENCES[problem]))
        self.problem = problem
        self.code = problem.value


class KeychainRefused(StorageError):
    """The system's keychain does not delete a secret."""


class NewerVersion(StorageError):
    """A newer Hearth wrote the file. It stays unchanged."""

    def __init__(self, name: str, found: int, known: int) -> None:
        super().__init__(
            tr(
                "{name} was written by a newer Hearth (format {found}; this one reads up to {known}). Update Hearth.",
                name=name,
                found=found,
                known=known,
            )
        )


class DamagedDatabase(StorageError):
    """The database file is damaged. It stays unchanged and is never shown as empty."""


class LostDatabase(DamagedDatabase):
    """The database file is missing, but backups of it exist. No new file is created."""


class LibraryError(StorageError):
    """The root of the library's errors: it cannot do what was asked."""


class NoSuchConversation(LibraryError):
    """No conversation has this id, or it is deleted."""


class SeveralConversations(LibraryError):
    """Several conversations have this title, so it names none of them."""


class NoSuchMessage(LibraryError):
    """No such message in this conversation."""


class MessageClosed(LibraryError):
    """The message has ended; its text no longer changes."""


class NoRoomForImport(LibraryError):
    """The disk could not take the rest of an import, or its removal. No row of it stays."""


class MessageOpen(LibraryError):
    """The message is still being written, maybe by another process."""


class ReplyNotEmpty(LibraryError):
    """The reply has text or successors, so its turn cannot be withdrawn."""


class NoSuchAttachment(LibraryError):
    """No attachment has this id, or its file is missing or has changed."""


class SegmentError(StorageError):
    """The root of the segment store's errors. The conversation continues without its cache."""


class BadSegment(SegmentError):
    """A new segment contradicts itself: key, span, kind, dtype, shape and bytes must agree."""


class OverBudget(SegmentError):
    """The new segments exceed the quota even if everything that may be evicted is evicted."""


class Damage(StrEnum):
    """Why a record counts as damaged."""

    MISSING = "missing"
    NOT_A_FILE = "not_a_file"
    SIZE = "size"
    HEADER = "header"
    LAYOUT = "layout"
    CHECKSUM = "checksum"


class DamagedRecord(SegmentError):
    """A cached record differs from what was written. It is erased; the caller treats it as a cache miss."""

    def __init__(self, cause: Damage, detail: str = "") -> None:
        super().__init__(tr("A cached record is damaged ({detail}).", detail=detail or cause.value))
        self.cause = cause


_SENTENCES: Final = {
    Problem.DISK_FULL: mark("The disk is full."),
    Problem.FILE_SIZE: mark("The system lets Hearth write no larger file (see ulimit -f, or the format of the disk)."),
    Problem.READ_ONLY: mark("The disk or folder is read-only."),
    Problem.PERMISSION: mark("Hearth has no permission to use its folder."),
    Problem.VANISHED: mark("The folder or disk is no longer there."),
    Problem.LOCKED: mark("The file is in use by another program."),
    Problem.MEMORY: mark("There is not enough memory."),
    Problem.TOO_MANY_FILES: mark("Too many files are open."),
    Problem.IN_THE_WAY: mark("Something else stands in the place of one of Hearth's files or folders."),
    Problem.IO: mark("The disk reports an error."),
}

UNFORESEEN: Final = mark("Something went wrong that Hearth did not expect; the log has the details.")

_SQLITE_PROBLEMS: Final = {
    sqlite3.SQLITE_PERM: Problem.PERMISSION,
    sqlite3.SQLITE_BUSY: Problem.LOCKED,
    sqlite3.SQLITE_LOCKED: Problem.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Problem.LOCKED,
    sqlite3.SQLITE_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_READONLY: Problem.READ_ONLY,
    sqlite3.SQLITE_READONLY_DBMOVED: Problem.VANISHED,
    sqlite3.SQLITE_IOERR: Problem.IO,
    sqlite3.SQLITE_IOERR_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_IOERR_VNODE: Problem.VANISHED,
    sqlite3.SQLITE_IOERR_ACCESS: Problem.PERMISSION,
    sqlite3.SQLITE_IOERR_SHMSIZE: Problem.DISK_FULL,
    sqlite3.SQLITE_FULL: Problem.DISK_FULL,
    sqlite3.SQLITE_CANTOPEN: Problem.VANISHED,
    sqlite3.SQLITE_NOLFS: Problem.IO,
}
"""By SQLite result code. An extended code that is not listed counts as its primary code (the low byte)."""

_VAGUE: Final = frozenset({Problem.IO, Problem.VANISHED})
"""SQLite reports these for any refusal to write or open, such as a read-only disk or missing permissions."""

_SQLITE_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_UNREADABLE: Final = "unsupported file format"
"""SQLite's message for a header with an unknown file format; its code is that of a wrong statement."""

_OS_PROBLEMS: Final = {
    errno.ENOSPC: Problem.DISK_FULL,
    errno.EDQUOT: Problem.DISK_FULL,
    errno.EFBIG: Problem.FILE_SIZE,
    errno.EROFS: Problem.READ_ONLY,
    errno.EACCES: Problem.PERMISSION,
    errno.EPERM: Problem.PERMISSION,
    errno.ENOENT: Problem.VANISHED,
    errno.ENOTDIR: Problem.VANISHED,
    errno.ENXIO: Problem.VANISHED,
    errno.ENODEV: Problem.VANISHED,
    errno.ESTALE: Problem.VANISHED,
    errno.EAGAIN: Problem.LOCKED,
    errno.EBUSY: Problem.LOCKED,
    errno.EDEADLK: Problem.LOCKED,
    errno.ENOLCK: Problem.LOCKED,
    errno.ENOMEM: Problem.MEMORY,
    errno.EMFILE: Problem.TOO_MANY_FILES,
    errno.ENFILE: Problem.TOO_MANY_FILES,
    errno.EISDIR: Problem.IN_THE_WAY,
    errno.ELOOP: Problem.IN_THE_WAY,
    errno.EIO: Problem.IO,
}


def classify(error: DBAPIError | sqlite3.Error | OSError) -> StorageError:
    """The storage error for `error`; StorageFault if neither the machine nor the file is to blame."""
    if isinstance(error, OSError):
        return _from_os(error)
    cause = error.orig if isinstance(error, DBAPIError) else error
    return _from_sqlite(cause) if isinstance(cause, sqlite3.Error) else StorageFault(tr(UNFORESEEN))


def _from_os(error: OSError) -> StorageError:
    problem = _OS_PROBLEMS.get(error.errno or 0)
    return EnvironmentProblem(problem) if problem else StorageFault(tr(UNFORESEEN))


def _from_sqlite(error: sqlite3.Error) -> StorageError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)
    primary = code & 0xFF
    if primary in _SQLITE_DAMAGE or _UNREADABLE in str(error):
        return DamagedDatabase(tr("The database is damaged."))
    problem = _SQLITE_PROBLEMS.get(code) or _SQLITE_PROBLEMS.get(primary)
    return EnvironmentProblem(problem) if problem else StorageFault(tr(UNFORESEEN))


@contextmanager
def classified(folder: Path | None = None) -> Iterator[None]:
    """Convert SQLite's and the operating system's errors into storage errors.

    If SQLite only reports that the disk refused, a test write to `folder` finds the reason.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error, OSError) as error:
        raise _explained(classify(error), folder) from error
    except UnicodeDecodeError as error:  # SQLite's message about a damaged schema quotes it
        raise DamagedDatabase(tr("The database is damaged.")) from error


def _explained(found: StorageError, folder: Path | None) -> StorageError:
    if folder is None or not isinstance(found, EnvironmentProblem) or found.problem not in _VAGUE:
        return found
    try:
        try_to_write(folder)
    except OSError as refused:
        reason = _from_os(refused)
        return reason if isinstance(reason, EnvironmentProblem) else found
    return found
